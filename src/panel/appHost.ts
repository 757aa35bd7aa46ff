import type { AppRecord } from '../apps/appRegistry.ts';
import type { AppService } from '../apps/appService.ts';
import type { ConfirmAnnotation } from '../chat/apps/appConversations.ts';
import type { LocalChoice } from '../apps/fileChoice.ts';

/**
 * Outcome of a form that a run waits for. `submitted`: the run continues. `settled`: the run no longer waits for it.
 * `refused`: the form can no longer be submitted, and the user was told.
 */
export type FormOutcome = 'submitted' | 'settled' | 'refused';

/** Editor services of apps in the panel. */
export interface AppHost {
  /** Lets the user pick files. Resolves to none, after telling why, if one of them may not be sent. */
  chooseFiles(isMany: boolean): Promise<LocalChoice[]>;
  showError(error: unknown): void;
  confirmAnnotation: ConfirmAnnotation;
  /** Has the user fill in a run's form. Undefined when dismissed. */
  fillRunForm(app: AppRecord, runId: string): Promise<FormOutcome | undefined>;
}

/** Apps as the panel uses them. */
export type PanelApps = Pick<
  AppService,
  'apps' | 'listed' | 'onDidChange' | 'find' | 'open' | 'lastAnswers' | 'rememberAnswers' | 'readPicture'
>;
