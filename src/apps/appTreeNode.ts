import type { AppConversation, AppRun } from './app.ts';
import type { AppRecord } from './appRegistry.ts';
import type { SwitchboardError } from '../base/errors.ts';

/** A line of the tree. The same app keeps the same line, whose content is brought up to date. */
export type AppTreeNode =
  | AppLine
  | ConversationLine
  | RunLine
  | MoreLine
  | FailureLine
  | NoteLine
  | NoAppsLine;

export interface AppLine {
  type: 'app';
  app: AppRecord;
  /** Without its key nothing can be asked. */
  hasKey: boolean;
}

export interface ConversationLine {
  type: 'conversation';
  parent: AppLine;
  conversation: AppConversation;
}

export interface RunLine {
  type: 'run';
  parent: AppLine;
  run: AppRun;
}

export interface MoreLine {
  type: 'more';
  parent: AppLine;
  shown: number;
}

export interface FailureLine {
  type: 'failure';
  parent: AppLine;
  error: SwitchboardError;
}

export interface NoteLine {
  type: 'note';
  parent: AppLine;
  text: string;
}

/** In place of the last app that was removed. */
export interface NoAppsLine {
  type: 'none';
}
