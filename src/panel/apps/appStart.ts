import type { AppParameters, FormField } from '../../apps/app.ts';
import {
  answersAgain,
  answerText,
  type FilledForm,
  type FormAnswers,
  initialAnswers,
  fillOpening,
} from '../../apps/appForm.ts';
import type { AppRecord } from '../../apps/appRegistry.ts';
import type { AppService } from '../../apps/appService.ts';
import { defaultMaxBytes } from '../../apps/client/appFiles.ts';
import { problemsWithAttached } from '../../apps/fileChoice.ts';
import { Emitter } from '../../base/emitter.ts';
import { toFailure } from '../../base/errors/failureRecord.ts';
import type { ConfirmAnnotation } from '../../chat/apps/appConversations.ts';
import type { AppView, FillCommand } from '../../shared/apps.ts';
import type { Failure } from '../../shared/failure.ts';
import { InputForm, type InputHost } from './inputForm.ts';
import { presentFailure, remedyLabel } from '../present/presentFailure.ts';

export type Prefill =
  | { answers: FormAnswers }
  | { inputs: Readonly<Record<string, unknown>>; chosen: FormAnswers };

export class AppStart {
  private readonly changes = new Emitter<void>();
  readonly onDidChange = this.changes.event;
  private readonly inputs: InputForm;

  private constructor(
    private readonly appId: string,
    private readonly loaded: { parameters: AppParameters } | { error: unknown },
    private readonly apps: PanelApps,
    host: InputHost,
    prefill: Prefill = { answers: apps.lastAnswers(appId) },
  ) {
    const maxBytes = 'parameters' in loaded ? loaded.parameters.files.maxBytes : defaultMaxBytes;
    const answers =
      'inputs' in prefill
        ? answersAgain(this.form, prefill.inputs, prefill.chosen, maxBytes)
        : initialAnswers(this.form, prefill.answers);
    this.inputs = new InputForm(this.form, answers, maxBytes, host);
    this.inputs.onDidChange(() => this.changes.fire());
  }

  /** Never throws: a failure is part of the view. */
  static async load(appId: string, apps: PanelApps, host: InputHost, prefill?: Prefill): Promise<AppStart> {
    try {
      const app = await apps.open(appId);
      const parameters = await app.parameters(new AbortController().signal);
      return new AppStart(appId, { parameters }, apps, host, prefill);
    } catch (error) {
      return new AppStart(appId, { error }, apps, host);
    }
  }

  get filledIn(): FormAnswers {
    return this.inputs.answers;
  }

  get hasForm(): boolean {
    return this.inputs.shown.length > 0;
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
      opening: fillOpening(openingStatement, this.form, this.inputs.answers),
      suggestedQuestions: [...suggestedQuestions],
      fields: this.inputs.views(),
    };
  }

  checkFiles(files: readonly { name: string; size: number }[]): (string | undefined)[] | undefined {
    return 'parameters' in this.loaded
      ? problemsWithAttached(files, this.loaded.parameters.files)
      : undefined;
  }

  async fillIn({ variable, edit }: FillCommand): Promise<void> {
    const { opening } = this.view();
    const filled = this.inputs.fillIn(variable, edit);
    // A typed value is there before the promise resolves.
    if (this.view().opening !== opening) this.changes.fire();
    await filled;
  }

  async prepare(): Promise<{ inputs?: FilledForm } | undefined> {
    if (!this.inputs.check()) return undefined;
    if (this.form.length === 0) return {};
    const { answers } = this.inputs;
    // Remembered answers are a convenience; failing to save them is harmless.
    await this.apps.rememberAnswers(this.appId, answers).catch(() => undefined);
    return { inputs: { answers, shown: this.shown() } };
  }

  private get form(): readonly FormField[] {
    return 'parameters' in this.loaded ? this.loaded.parameters.form : [];
  }

  private shown(): FilledForm['shown'] {
    const { answers } = this.inputs;
    return this.inputs.shown.flatMap(({ label, variable }) => {
      const value = answerText(answers[variable]);
      return value ? [{ label, value }] : [];
    });
  }
}

/** A retry loads the app again, which also picks up fixes on the platform. */
function withRetry(failure: Failure): Failure {
  if (failure.remedy.type === 'retry' || failure.second) return failure;
  return { ...failure, second: { type: 'retry', label: remedyLabel('retry') } };
}

/** `settled`: the run no longer waits for the form. `refused`: it can't be submitted, and the user was told. */
export type FormOutcome = 'submitted' | 'settled' | 'refused';

export interface AppHost extends InputHost {
  showError(error: unknown): void;
  confirmAnnotation: ConfirmAnnotation;
  fillRunForm(app: AppRecord, runId: string): Promise<FormOutcome | undefined>;
}

export type PanelApps = Pick<
  AppService,
  'apps' | 'listed' | 'onDidChange' | 'find' | 'open' | 'lastAnswers' | 'rememberAnswers' | 'readPicture'
>;
