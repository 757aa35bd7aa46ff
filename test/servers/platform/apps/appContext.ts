import type { PlatformDialect } from '../platformOptions.ts';
import type { ServerVersion } from '../serverVersion.ts';
import type { StreamExtra, UploadLimits } from './appsOptions.ts';
import type { AppStore } from './appStore.ts';
import type { PendingForm } from './humanInput.ts';
import type { LiveRun } from './liveRun.ts';
import type { RunHolds } from './runHolds.ts';
import type { ScriptedApp } from './scriptedApp.ts';

/** A call that asked to stop an answer. */
export interface StopCall {
  /** The app's key. */
  readonly app: string;
  readonly taskId: string;
  readonly user: string;
  /** Whether there was such an answer of this user to stop. */
  readonly hit: boolean;
}

/** An answer that is being made. */
export interface RunningTask {
  readonly app: ScriptedApp;
  readonly user: string;
  readonly live: LiveRun;
}

/** What the routes of the apps share. */
export interface AppContext {
  readonly apps: readonly ScriptedApp[];
  /** What opens each app now: its first key, or what was made when that one was revoked. */
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
  /** What a door of the platform leaves of an event; all of it if absent. */
  shape?(event: object): object;
  readonly limits: UploadLimits;
  /** Aborted when the server stops. */
  readonly closing: AbortSignal;
  /** Counts a call that would make the app work, and says which one it is. */
  countAttempt(app: ScriptedApp): number;
}
