import { type FormField, type MaxBytes, shownFields } from '../../apps/app.ts';
import {
  checkAnswers,
  chosenName,
  type FieldProblem,
  filesIn,
  type FormAnswer,
  type FormAnswers,
} from '../../apps/appForm.ts';
import { type ChosenFile, describeLimits, type LocalChoice } from '../../apps/fileChoice.ts';
import type { EditorInput } from '../../apps/run/choosePrefill.ts';
import { Emitter } from '../../base/emitter.ts';
import { formatSize } from '../../base/text/formatSize.ts';
import type { FieldEdit, FieldView } from '../../shared/apps.ts';

export interface InputHost {
  /** Lets the user pick files. Resolves to none, after telling why, if one of them may not be sent. */
  chooseFiles(isMany: boolean): Promise<LocalChoice[]>;
  /** The selection, else the current file; for a field of files, always that. Undefined after telling why there is none. */
  readEditor(isFile: boolean): Promise<EditorInput | undefined>;
}

/** An app's fields with the user's answers. The page owns what is typed; this keeps and checks it. */
export class InputForm {
  /** Fires when the page doesn't show it yet. */
  private readonly changes = new Emitter<void>();
  readonly onDidChange = this.changes.event;
  private readonly given: Record<string, FormAnswer | undefined>;
  private readonly origins: Map<string, string>;
  private problems: readonly FieldProblem[] = [];

  constructor(
    private readonly fields: readonly FormField[],
    answers: FormAnswers,
    private readonly maxBytes: MaxBytes,
    private readonly host: InputHost,
    origins: ReadonlyMap<string, string> = new Map(),
  ) {
    this.given = { ...answers };
    this.origins = new Map(origins);
  }

  get answers(): FormAnswers {
    return { ...this.given };
  }

  get shown(): FormField[] {
    return shownFields(this.fields);
  }

  views(): FieldView[] {
    return this.shown.map((field) => this.toView(field));
  }

  /** Shows all problems; true without any. */
  check(): boolean {
    this.problems = this.allProblems();
    if (this.problems.length > 0) this.changes.fire();
    return this.problems.length === 0;
  }

  async fillIn(variable: string, edit: FieldEdit): Promise<void> {
    const field = this.fields.find((each) => each.variable === variable);
    if (!field) return;
    switch (edit.type) {
      case 'value':
        this.given[variable] = edit.value;
        return this.typed(variable);
      case 'chooseFiles':
        return this.add(field, await this.host.chooseFiles(field.type === 'file-list'));
      case 'address':
        return this.add(field, [{ method: 'remote_url', url: edit.address.trim() }]);
      case 'removeFile':
        this.given[variable] = this.filesOf(field).filter((_, index) => fileId(index) !== edit.fileId);
        return this.checkField(field);
      case 'editor':
        return this.takeEditor(field);
    }
  }

  private allProblems(): FieldProblem[] {
    return checkAnswers(this.fields, this.given, this.maxBytes);
  }

  /** A field's problem and origin are not shown while the field is edited. */
  private typed(variable: string): void {
    const others = this.problems.filter((problem) => problem.variable !== variable);
    const isNews = this.origins.delete(variable) || others.length < this.problems.length;
    this.problems = others;
    if (isNews) this.changes.fire();
  }

  private async takeEditor(field: FormField): Promise<void> {
    const input = await this.host.readEditor(field.files !== undefined);
    if (!input) return;
    if (field.files) return this.add(field, input.file ? [input.file] : []);
    this.given[field.variable] = input.text;
    this.origins.set(field.variable, input.from);
    this.checkField(field);
  }

  private add(field: FormField, files: readonly ChosenFile[]): void {
    if (files.length === 0) return;
    const isMany = field.type === 'file-list';
    this.given[field.variable] = isMany ? [...this.filesOf(field), ...files] : files.slice(0, 1);
    this.checkField(field);
  }

  private checkField({ variable }: FormField): void {
    const found = this.allProblems().find((problem) => problem.variable === variable);
    const others = this.problems.filter((problem) => problem.variable !== variable);
    this.problems = found && this.given[variable] !== undefined ? [...others, found] : others;
    this.changes.fire();
  }

  private filesOf({ variable }: FormField): readonly ChosenFile[] {
    return filesIn(this.given[variable]);
  }

  private toView(field: FormField): FieldView {
    const { variable, label, type, isRequired, options, placeholder, hint, files } = field;
    const answer = this.given[variable];
    const problem = this.problems.find((each) => each.variable === variable)?.problem;
    const origin = this.origins.get(variable);
    return {
      ...{ variable, label, type, isRequired },
      ...(options && { options }),
      ...(placeholder !== undefined && { placeholder }),
      ...(hint !== undefined && { hint }),
      ...(answer !== undefined &&
        typeof answer !== 'object' && { value: typeof answer === 'boolean' ? answer : String(answer) }),
      ...(files && {
        files: {
          limits: describeLimits(field),
          methods: [...files.methods],
          chosen: this.filesOf(field).map((file, index) => ({
            id: fileId(index),
            label: chosenName(file),
            ...(file.method === 'local_file' && { detail: formatSize(file.size) }),
          })),
        },
      }),
      ...(origin !== undefined && { origin }),
      ...(problem !== undefined && { problem }),
    };
  }
}

function fileId(index: number): string {
  return `f${index}`;
}
