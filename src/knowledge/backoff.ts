import type { Clock } from '../base/clock.ts';
import { delay } from '../base/delay.ts';
import { isCancelled, type SwitchboardError } from '../base/errors.ts';

/**
 * What a failure to upload one document says of the others. `limit`: the server wants us to wait. `offline`: it cannot
 * be reached now. `connection`: the connection broke, so that the document may have arrived. `run`: no other document
 * would fare better. `document`: only this one fails.
 */
export type FailureScope = 'limit' | 'offline' | 'connection' | 'run' | 'document';

export function failureScope(error: SwitchboardError): FailureScope {
  if (isCancelled(error)) return 'run';
  switch (error.code) {
    case 'rate-limit':
      return 'limit';
    case 'offline':
    case 'timeout-connect':
      return 'offline';
    case 'transient':
    case 'timeout-first-token':
    case 'timeout-idle':
    case 'truncated':
      return 'connection';
    case 'key':
    case 'vendor-key':
    case 'not-permitted':
    case 'wrong-address':
    case 'balance':
    case 'tls':
    case 'proxy':
      return 'run';
    default:
      // Creating a document answers 404 only when its knowledge base is gone.
      return error.status === 404 ? 'run' : 'document';
  }
}

/** Whether the same request may succeed later. */
export function isTransient(error: SwitchboardError): boolean {
  return pauseAfter(error) !== undefined;
}

/** `limit`: the platform refuses requests for now. `offline`: it cannot be reached. `failing`: it has internal errors. */
export interface UploadPause {
  reason: 'limit' | 'offline' | 'failing';
  ms: number;
}

interface Pause {
  reason: UploadPause['reason'];
  /** Of the first pause; each next one doubles. */
  firstMs: number;
  /** How often in a row it is worth to wait. */
  most: number;
  /** What the server asks for goes before our own arithmetic. */
  askedMs?: number | undefined;
}

/** The pause after a failure that passes. Six take about a minute in all: a server that was restarted is back by then. */
function pauseAfter(error: SwitchboardError): Pause | undefined {
  switch (failureScope(error)) {
    case 'limit': {
      // 403: hosted plans count the requests of a minute, those that they refuse, too.
      const firstMs = error.status === 403 ? 20_000 : 1000;
      return { reason: 'limit', firstMs, most: 10, askedMs: error.retryAfterMs };
    }
    case 'offline':
      return { reason: 'offline', firstMs: 1000, most: 6 };
    case 'connection':
      return { reason: 'failing', firstMs: 1000, most: 6 };
    default:
      return undefined;
  }
}

const longestPauseMs = 60_000;
/** Who is asked to wait longer had better ask the user. */
const longestAskedMs = 60_000;

/** Lets all uploads to one server wait together, longer and longer. */
export class Backoff {
  private until = 0;
  private pauses = 0;

  constructor(
    private readonly clock: Clock,
    /** Undefined when a pause is over. */
    private readonly onPause: (pause: UploadPause | undefined) => void,
  ) {}

  /** Resolves when uploads may go on. */
  async wait(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    for (let hasWaited = false; ; hasWaited = true) {
      const left = this.until - this.clock.now();
      if (left <= 0) {
        if (hasWaited) this.onPause(undefined);
        return;
      }
      await delay(left, signal, this.clock);
    }
  }

  onSuccess(): void {
    // What was on its way already when the others failed proves nothing.
    if (this.until <= this.clock.now()) this.pauses = 0;
  }

  /** Makes all wait after this failure; false when it does not pass, or not soon enough. */
  backOff(error: SwitchboardError): boolean {
    const pause = pauseAfter(error);
    if (!pause) return false;
    // Several fail together; they wait once.
    if (this.until > this.clock.now()) return true;
    const { reason, firstMs, most, askedMs } = pause;
    if (++this.pauses > most || (askedMs ?? 0) > longestAskedMs) return false;
    const ms = askedMs ?? Math.min(firstMs * 2 ** (this.pauses - 1), longestPauseMs);
    this.until = this.clock.now() + ms;
    this.onPause({ reason, ms });
    return true;
  }
}

/** So many documents in a row are not refused for what they are. */
const outageLength = 3;

/** Tells documents that the platform cannot read from an outage in which it reads none. */
export class OutageDetector<T extends { name: string }> {
  /** By name: failed twice since one was uploaded, though the platform answers. */
  private readonly inRow = new Map<string, T>();
  private isOutage = false;
  private blameless: T[] = [];

  onSuccess(): void {
    this.inRow.clear();
    this.isOutage = false;
  }

  /** Whether this failure, which was the document's second, is one of an outage. */
  onFailure(item: T): boolean {
    this.inRow.set(item.name, item);
    if (!this.isOutage && this.inRow.size >= outageLength) {
      this.isOutage = true;
      this.blameless.push(...[...this.inRow.values()].filter((other) => other !== item));
    }
    return this.isOutage;
  }

  /** What failed before it was known that all do; once. */
  takeBlameless(): T[] {
    return this.blameless.splice(0);
  }
}
