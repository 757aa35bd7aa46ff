import type { AppConversation, AppRun } from './app.ts';
import type { AppRecord } from './appRegistry.ts';
import type { SwitchboardError } from '../base/errors/errors.ts';

/** A node of the tree. An app keeps its node, whose content is updated. */
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
  hasKey: boolean;
  /** The same app by a sign-in. */
  twin?: AppRecord | undefined;
  /** Absent for an app without a file in the workspace. */
  flow?: AppFlowState | undefined;
}

/** Difference between an app and its file: a badge, and the file's name with words. */
export interface AppFlowState {
  badge: string;
  text: string;
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

export interface NoAppsLine {
  type: 'none';
}
