import { Emitter } from '../base/emitter.ts';
import type {
  AppField,
  ChosenFile,
  FieldProblem,
  FormAnswer,
  FormAnswers,
  GivenInputs,
} from '../chat/apps/appForm.ts';
import type { AppDescription, ChatApp } from '../chat/apps/chatApp.ts';
import { toFailure } from '../base/failure.ts';
import type { AppOrder, AppView, FormField } from '../shared/apps.ts';
import { formatSize } from '../base/format.ts';
import type { AppHost } from './chatAppDesk.ts';
import { presentFailure } from './presentFailure.ts';

type InputOrder = Extract<
  AppOrder,
  { type: 'changeInput' | 'chooseInputFiles' | 'addInputAddress' | 'removeInputFile' }
>;

/** What an app says before it is asked, and what is filled into its form. Loaded when an app is chosen. */
export class AppStart {
  private readonly changes = new Emitter<void>();
  readonly onDidChange = this.changes.event;
  private answers: Record<string, FormAnswer | undefined>;
  private problems: readonly FieldProblem[] = [];

  private constructor(
    private readonly known: { app: AppDescription } | { error: unknown },
    private readonly host: AppHost,
  ) {
    this.answers = 'app' in known ? { ...known.app.initialAnswers } : {};
  }

  /** Never throws: what went wrong is shown. */
  static async load(open: () => Promise<ChatApp>, host: AppHost): Promise<AppStart> {
    try {
      const app = await (await open()).describe(new AbortController().signal);
      return new AppStart({ app }, host);
    } catch (error) {
      return new AppStart({ error }, host);
    }
  }

  get hasFailed(): boolean {
    return 'error' in this.known;
  }

  view(): Pick<AppView, 'state' | 'failure' | 'opening' | 'suggestedQuestions' | 'fields'> {
    if ('error' in this.known) {
      const { failure } = toFailure(this.known.error);
      return {
        ...{ state: 'failed', opening: '', suggestedQuestions: [], fields: [] },
        ...(failure && { failure: presentFailure(failure, true) }),
      };
    }
    const { opening, suggestedQuestions, fields } = this.known.app;
    return {
      state: 'ready',
      opening,
      suggestedQuestions: [...suggestedQuestions],
      fields: fields.map((field) => this.toField(field)),
    };
  }

  judgeFiles(files: readonly { name: string; bytes: number }[]): (string | undefined)[] | undefined {
    return 'app' in this.known ? this.known.app.judgeFiles(files) : undefined;
  }

  onMessage(order: InputOrder): void {
    const field = this.fields.find(({ variable }) => variable === order.variable);
    if (!field) return;
    switch (order.type) {
      case 'changeInput':
        this.answers[order.variable] = order.value;
        return this.forgive(order.variable);
      case 'chooseInputFiles':
        return void this.choose(field);
      case 'addInputAddress':
        return this.add(field, [{ method: 'remote_url', url: order.address.trim() }]);
      case 'removeInputFile': {
        const files = this.filesOf(field).filter((_, index) => fileId(index) !== order.fileId);
        this.answers[field.variable] = files;
        return this.check(field.variable);
      }
    }
  }

  /** What is to be sent; undefined while something is wrong. An app that could not be described is asked all the same. */
  async prepare(): Promise<{ inputs?: GivenInputs } | undefined> {
    if ('error' in this.known) return {};
    const { app } = this.known;
    this.problems = app.check(this.answers);
    if (this.problems.length > 0) {
      this.changes.fire();
      return undefined;
    }
    if (this.fields.length === 0) return {};
    const answers: FormAnswers = { ...this.answers };
    // What is remembered makes the next form easier; nothing depends on it.
    await app.remember(answers).catch(() => undefined);
    return { inputs: { answers, shown: this.shown() } };
  }

  private get fields(): readonly AppField[] {
    return 'app' in this.known ? this.known.app.fields : [];
  }

  private shown(): GivenInputs['shown'] {
    return this.fields.flatMap((field) => {
      const { label, variable } = field;
      const answer = this.answers[variable];
      const value =
        typeof answer === 'object'
          ? answer.map(nameOf).join(', ')
          : typeof answer === 'boolean'
            ? answer
              ? '✓'
              : '✗'
            : String(answer ?? '').trim();
      return value ? [{ label, value }] : [];
    });
  }

  private async choose(field: AppField): Promise<void> {
    const chosen = await this.host.chooseFiles(field.type === 'file-list');
    if (chosen.length > 0)
      this.add(
        field,
        chosen.map((file) => ({ method: 'local_file', ...file })),
      );
  }

  private add(field: AppField, files: readonly ChosenFile[]): void {
    const isMany = field.type === 'file-list';
    this.answers[field.variable] = isMany ? [...this.filesOf(field), ...files] : files.slice(0, 1);
    this.check(field.variable);
  }

  /** Says at once what is wrong with what was chosen. */
  private check(variable: string): void {
    if (!('app' in this.known)) return;
    const found = this.known.app.check(this.answers).find((problem) => problem.variable === variable);
    const others = this.problems.filter((problem) => problem.variable !== variable);
    this.problems = found && this.answers[variable] !== undefined ? [...others, found] : others;
    this.changes.fire();
  }

  /** What is being changed is not held against the user until it is sent. */
  private forgive(variable: string): void {
    const others = this.problems.filter((problem) => problem.variable !== variable);
    if (others.length === this.problems.length) return;
    this.problems = others;
    this.changes.fire();
  }

  private filesOf({ variable }: AppField): readonly ChosenFile[] {
    const answer = this.answers[variable];
    return typeof answer === 'object' ? answer : [];
  }

  private toField(field: AppField): FormField {
    const { variable, label, type, isRequired, maxLength, options, files } = field;
    const answer = this.answers[variable];
    const problem = this.problems.find((each) => each.variable === variable)?.problem;
    return {
      ...{ variable, label, type, isRequired },
      ...(maxLength !== undefined && { maxLength }),
      ...(options && { options: [...options] }),
      ...(answer !== undefined &&
        typeof answer !== 'object' && { value: typeof answer === 'boolean' ? answer : String(answer) }),
      ...(files && {
        files: {
          ...{ limits: files.limits, takesLocal: files.takesLocal, takesAddress: files.takesAddress },
          chosen: this.filesOf(field).map((file, index) => ({
            id: fileId(index),
            label: nameOf(file),
            ...(file.method === 'local_file' && { detail: formatSize(file.size) }),
          })),
        },
      }),
      ...(problem !== undefined && { problem }),
    };
  }
}

function fileId(index: number): string {
  return `f${index}`;
}

function nameOf(file: ChosenFile): string {
  return file.method === 'local_file' ? file.name : file.url;
}
