import type { ScriptedApp } from './scriptedApp.ts';

export type StreamExtra =
  /** A keep-alive at once and after every third event, in all apps. */
  'pings' | 'unknown-events' | 'unknown-fields';

export interface UploadLimits {
  readonly image: number;
  readonly video: number;
  readonly audio: number;
  readonly document: number;
}

export interface AppsOptions {
  /** Further apps, such as a test's own script. They win over the sandbox's of the same key. */
  apps?: readonly ScriptedApp[];
  /** Delay between the events of a stream, in ms. 0, the default: without timers. */
  chunkDelayMs?: number;
  /** Interval of a stream's keep-alives in ms: 10 s by default, like the real server. */
  pingMs?: number;
  streamExtras?: readonly StreamExtra[];
  /** The real server's by default: 10, 100, 50 and 15. */
  uploadLimits?: Partial<UploadLimits>;
}
