import type { Clock } from '../../base/clock.ts';
import { delay } from '../../base/async/promises.ts';
import { isCancelled, type SwitchboardError } from '../../base/errors/errors.ts';

/**
 * The scope of a failed upload. `limit`: the server asks to wait. `offline`: it is unreachable. `connection`: the
 * connection broke, so the document may have arrived. `run`: every document would fail. `document`: only this one.
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
      // Creating a document answers 404 only if the knowledge base is gone.
      return error.status === 404 ? 'run' : 'document';
  }
}

export function isTransient(error: SwitchboardError): boolean {
  return pauseAfter(error) !== undefined;
}

/** `limit`: rate limit. `offline`: unreachable. `failing`: internal errors. */
export interface UploadPause {
  reason: 'limit' | 'offline' | 'failing';
  ms: number;
}

interface Pause {
  reason: UploadPause['reason'];
  /** The first pause; it doubles each time. */
  firstMs: number;
  most: number;
  askedMs?: number | undefined;
}

/** Undefined if waiting is useless. Six pauses take about a minute, enough for a restart. */
function pauseAfter(error: SwitchboardError): Pause | undefined {
  switch (failureScope(error)) {
    case 'limit': {
      // 403: hosted plans count requests per minute, including rejected ones.
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
/** Longer waits are the user's decision. */
const longestAskedMs = 60_000;

/** Makes all uploads to one server wait together, increasingly longer. */
export class Backoff {
  private until = 0;
  private pauses = 0;

  constructor(
    private readonly clock: Clock,
    private readonly onPause: (pause: UploadPause | undefined) => void,
  ) {}

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
    // Requests that were already running prove nothing.
    if (this.until <= this.clock.now()) this.pauses = 0;
  }

  /** Starts a pause; false if waiting is useless or too long. */
  backOff(error: SwitchboardError): boolean {
    const pause = pauseAfter(error);
    if (!pause) return false;
    // Concurrent failures share a pause.
    if (this.until > this.clock.now()) return true;
    const { reason, firstMs, most, askedMs } = pause;
    if (++this.pauses > most || (askedMs ?? 0) > longestAskedMs) return false;
    const ms = askedMs ?? Math.min(firstMs * 2 ** (this.pauses - 1), longestPauseMs);
    this.until = this.clock.now() + ms;
    this.onPause({ reason, ms });
    return true;
  }
}

const outageLength = 3;

/** Distinguishes unreadable documents from an outage in which every document fails. */
export class OutageDetector<T extends { name: string }> {
  /** By name: failed twice since the last success. */
  private readonly inRow = new Map<string, T>();
  private isOutage = false;
  private blameless: T[] = [];

  onSuccess(): void {
    this.inRow.clear();
    this.isOutage = false;
  }

  /** True if a document's second failure is part of an outage. */
  onFailure(item: T): boolean {
    this.inRow.set(item.name, item);
    if (!this.isOutage && this.inRow.size >= outageLength) {
      this.isOutage = true;
      this.blameless.push(...[...this.inRow.values()].filter((other) => other !== item));
    }
    return this.isOutage;
  }

  takeBlameless(): T[] {
    return this.blameless.splice(0);
  }
}
