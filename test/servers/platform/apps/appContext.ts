import type { PlatformDialect } from '../platformOptions.ts';
import type { ServerVersion } from '../serverVersion.ts';
import type { StreamExtra, UploadLimits } from './appsOptions.ts';
import type { AppStore } from './appStore.ts';
import type { PendingForm } from './humanInput.ts';
import type { LiveRun } from './liveRun.ts';
import type { RunHolds } from './runHolds.ts';
import type { ScriptedApp } from './scriptedApp.ts';

export interface StopCall {
  /** The app's key. */
  readonly app: string;
  readonly taskId: string;
  readonly user: string;
  /** True if this user had such an answer to stop. */
  readonly hit: boolean;
}

export interface RunningTask {
  readonly app: ScriptedApp;
  readonly user: string;
  readonly live: LiveRun;
}

export interface AppContext {
  readonly apps: readonly ScriptedApp[];
  /** The app's current key: its first, or the replacement of a revoked one. */
  keyOf(app: ScriptedApp): string;
  readonly version: ServerVersion;
  readonly dialect: PlatformDialect;
  readonly store: AppStore;
  readonly holds: RunHolds;
  readonly forms: PendingForm[];
  readonly running: Set<RunningTask>;
  readonly stops: StopCall[];
  readonly chunkDelayMs: number;
  readonly pingMs: number;
  readonly extras: readonly StreamExtra[];
  shape?(event: object): object;
  readonly limits: UploadLimits;
  readonly closing: AbortSignal;
  /** Counts a call that makes the app work, from 1. */
  countAttempt(app: ScriptedApp): number;
}
