import type { ScriptedApp } from './scriptedApp.ts';

/** What streams carry besides what they must. */
export type StreamExtra =
  /** A keep-alive at once and after every third event, in all apps. */
  | 'pings'
  /** Events that no client knows. */
  | 'unknown-events'
  /** Fields that no client knows. */
  | 'unknown-fields';

/** The largest upload, in megabytes: by the kind of the file. */
export interface UploadLimits {
  readonly image: number;
  readonly video: number;
  readonly audio: number;
  readonly document: number;
}

export interface AppsOptions {
  /** Further apps: a test may bring its own script. They win over the sandbox's of the same key. */
  apps?: readonly ScriptedApp[];
  /** Between the events of a stream, in milliseconds. 0, the default: without timers. */
  chunkDelayMs?: number;
  /** Between the keep-alives of a stream, in milliseconds: 10 s by default, as on the real server. */
  pingMs?: number;
  streamExtras?: readonly StreamExtra[];
  /** Those of the real server by default: 10, 100, 50 and 15. */
  uploadLimits?: Partial<UploadLimits>;
}
