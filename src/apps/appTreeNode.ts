import type { AppConversation, AppRun } from './app.ts';
import type { AppRecord } from './appRegistry.ts';
import type { SwitchboardError } from '../base/errors/errors.ts';

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
  twin?: AppRecord | undefined;
  flow?: AppFlowState | undefined;
}

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
