import type { AppRecord } from '../apps/appRegistry.ts';
import type { AppService } from '../apps/appService.ts';
import type { ConfirmAnnotation } from '../chat/apps/appConversations.ts';
import type { LocalChoice } from '../apps/fileChoice.ts';

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
