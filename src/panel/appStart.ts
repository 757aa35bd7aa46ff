import { type AppParameters, type FormField, type MaxBytes, shownFields } from '../apps/app.ts';
import {
  answersAgain,
  answerText,
  checkAnswers,
  chosenName,
  type FieldProblem,
  filesIn,
  type FilledForm,
  type FormAnswer,
  type FormAnswers,
  initialAnswers,
  fillOpening,
} from '../apps/appForm.ts';
import type { AppRecord } from '../apps/appRegistry.ts';
import type { AppService } from '../apps/appService.ts';
import { defaultMaxBytes } from '../apps/client/appFiles.ts';
import {
  type ChosenFile,
  describeLimits,
  type LocalChoice,
  problemsWithAttached,
} from '../apps/fileChoice.ts';
import { Emitter } from '../base/emitter.ts';
import { toFailure } from '../base/errors/failureRecord.ts';
import { formatSize } from '../base/text/format.ts';
import type { ConfirmAnnotation } from '../chat/apps/appConversations.ts';
import type { AppCommand, AppView, FieldView } from '../shared/apps.ts';
import type { Failure } from '../shared/failure.ts';
import { presentFailure, remedyLabel } from './present/presentFailure.ts';
import type { CommandHandlers } from './commandHandlers.ts';

export type InputCommand = Extract<
  AppCommand,
  { type: 'changeInput' | 'chooseInputFiles' | 'addInputAddress' | 'removeInputFile' }
>;

export type Prefill =
  | { answers: FormAnswers }
  | { inputs: Readonly<Record<string, unknown>>; chosen: FormAnswers };

export class AppStart {
  private readonly changes = new Emitter<void>();
  readonly onDidChange = this.changes.event;
  private readonly answers: Record<string, FormAnswer | undefined>;
  private problems: readonly FieldProblem[] = [];

  private constructor(
    private readonly appId: string,
    private readonly loaded: { parameters: AppParameters } | { error: unknown },
    private readonly apps: PanelApps,
    private readonly host: AppHost,
    prefill: Prefill = { answers: apps.lastAnswers(appId) },
  ) {
    this.answers =
      'inputs' in prefill
        ? answersAgain(this.form, prefill.inputs, prefill.chosen, this.maxBytes)
        : initialAnswers(this.form, prefill.answers);
  }

  /** Never throws: a failure is part of the view. */
  static async load(appId: string, apps: PanelApps, host: AppHost, prefill?: Prefill): Promise<AppStart> {
    try {
      const app = await apps.open(appId);
      const parameters = await app.parameters(new AbortController().signal);
      return new AppStart(appId, { parameters }, apps, host, prefill);
    } catch (error) {
      return new AppStart(appId, { error }, apps, host);
    }
  }

  get filledIn(): FormAnswers {
    return { ...this.answers };
  }

  get hasForm(): boolean {
    return shownFields(this.form).length > 0;
  }

  get hasFailed(): boolean {
    return 'error' in this.loaded;
  }

  view(): Pick<AppView, 'state' | 'failure' | 'opening' | 'suggestedQuestions' | 'fields'> {
    if ('error' in this.loaded) {
      const { failure } = toFailure(this.loaded.error);
      return {
        ...{ state: 'failed', opening: '', suggestedQuestions: [], fields: [] },
        ...(failure && { failure: withRetry(presentFailure(failure, { appId: this.appId })) }),
      };
    }
    const { openingStatement, suggestedQuestions } = this.loaded.parameters;
    return {
      state: 'ready',
      opening: fillOpening(openingStatement, this.form, this.answers),
      suggestedQuestions: [...suggestedQuestions],
      fields: shownFields(this.form).map((field) => this.toFieldView(field)),
    };
  }

  checkFiles(files: readonly { name: string; size: number }[]): (string | undefined)[] | undefined {
    return 'parameters' in this.loaded
      ? problemsWithAttached(files, this.loaded.parameters.files)
      : undefined;
  }

  readonly commands: CommandHandlers<InputCommand> = {
    changeInput: ({ variable, value }) =>
      this.withField(variable, (field) => {
        const { opening } = this.view();
        this.answers[field.variable] = value;
        this.clearProblem(field);
        if (this.view().opening !== opening) this.changes.fire();
      }),
    chooseInputFiles: ({ variable }) => this.withField(variable, (field) => this.choose(field)),
    addInputAddress: ({ variable, address }) =>
      this.withField(variable, (field) => this.add(field, [{ method: 'remote_url', url: address.trim() }])),
    removeInputFile: ({ variable, fileId: removed }) =>
      this.withField(variable, (field) => {
        this.answers[field.variable] = this.filesOf(field).filter((_, index) => fileId(index) !== removed);
        this.check(field);
      }),
  };

  private withField(variable: string, act: (field: FormField) => void | Promise<void>): void | Promise<void> {
    const field = this.form.find((each) => each.variable === variable);
    return field && act(field);
  }

  async prepare(): Promise<{ inputs?: FilledForm } | undefined> {
    this.problems = this.allProblems();
    if (this.problems.length > 0) {
      this.changes.fire();
      return undefined;
    }
    if (this.form.length === 0) return {};
    const answers = { ...this.answers };
    // Remembered answers are a convenience; failing to save them is harmless.
    await this.apps.rememberAnswers(this.appId, answers).catch(() => undefined);
    return { inputs: { answers, shown: this.shown() } };
  }

  private get form(): readonly FormField[] {
    return 'parameters' in this.loaded ? this.loaded.parameters.form : [];
  }

  private get maxBytes(): MaxBytes {
    return 'parameters' in this.loaded ? this.loaded.parameters.files.maxBytes : defaultMaxBytes;
  }

  private allProblems(): FieldProblem[] {
    if ('error' in this.loaded) return [];
    return checkAnswers(this.form, this.answers, this.maxBytes);
  }

  private shown(): FilledForm['shown'] {
    return shownFields(this.form).flatMap(({ label, variable }) => {
      const value = answerText(this.answers[variable]);
      return value ? [{ label, value }] : [];
    });
  }

  private async choose(field: FormField): Promise<void> {
    const chosen = await this.host.chooseFiles(field.type === 'file-list');
    if (chosen.length > 0) this.add(field, chosen);
  }

  private add(field: FormField, files: readonly ChosenFile[]): void {
    const isMany = field.type === 'file-list';
    this.answers[field.variable] = isMany ? [...this.filesOf(field), ...files] : files.slice(0, 1);
    this.check(field);
  }

  private check({ variable }: FormField): void {
    const found = this.allProblems().find((problem) => problem.variable === variable);
    const others = this.problems.filter((problem) => problem.variable !== variable);
    this.problems = found && this.answers[variable] !== undefined ? [...others, found] : others;
    this.changes.fire();
  }

  /** A field's problem is not shown while the field is edited. */
  private clearProblem({ variable }: FormField): void {
    const others = this.problems.filter((problem) => problem.variable !== variable);
    if (others.length === this.problems.length) return;
    this.problems = others;
    this.changes.fire();
  }

  private filesOf({ variable }: FormField): readonly ChosenFile[] {
    return filesIn(this.answers[variable]);
  }

  private toFieldView(field: FormField): FieldView {
    const { variable, label, type, isRequired, options, placeholder, hint, files } = field;
    const answer = this.answers[variable];
    const problem = this.problems.find((each) => each.variable === variable)?.problem;
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
      ...(problem !== undefined && { problem }),
    };
  }
}

function fileId(index: number): string {
  return `f${index}`;
}

/** A retry loads the app again, which also picks up fixes on the platform. */
function withRetry(failure: Failure): Failure {
  if (failure.remedy.type === 'retry' || failure.second) return failure;
  return { ...failure, second: { type: 'retry', label: remedyLabel('retry') } };
}

/** `settled`: the run no longer waits for the form. `refused`: it can't be submitted, and the user was told. */
export type FormOutcome = 'submitted' | 'settled' | 'refused';

export interface AppHost {
  /** Lets the user pick files. Resolves to none, after telling why, if one of them may not be sent. */
  chooseFiles(isMany: boolean): Promise<LocalChoice[]>;
  showError(error: unknown): void;
  confirmAnnotation: ConfirmAnnotation;
  fillRunForm(app: AppRecord, runId: string): Promise<FormOutcome | undefined>;
}

export type PanelApps = Pick<
  AppService,
  'apps' | 'listed' | 'onDidChange' | 'find' | 'open' | 'lastAnswers' | 'rememberAnswers' | 'readPicture'
>;
