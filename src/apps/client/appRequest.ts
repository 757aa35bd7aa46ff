import type { JsonObject } from '../../base/json.ts';
import type { PlatformContext } from '../../platform/platformCall.ts';

export interface AppContext extends PlatformContext {
  /** Owner of conversations and files: any stable text. */
  user: string;
  /** Platform id of an app that is used by a sign-in. `user` is not sent then: the account owns conversations and files. */
  appId?: string;
  stall?: StallLimits;
}

export interface StallLimits {
  /** From the last event until the platform is asked about the run. */
  checkMs: number;
  /** Until a run that announces its start must have started. */
  startMs: number;
  /** From the moment a run is known to have ended until late events are given up. */
  graceMs: number;
}

export type AppTask = 'chat' | 'completion' | 'workflow';

export interface AppRequest {
  task: AppTask;
  path: string;
  json: JsonObject;
  isNewerRoute?: boolean;
  isResumed?: boolean;
  stream: boolean;
  /** True if the first event comes when a worker takes the run up, long before an answer. */
  announcesStart?: boolean;
}
