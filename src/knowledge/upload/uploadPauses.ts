import type { BackoffPause } from '../../base/async/backoff.ts';
import { isCancelled, type SwitchboardError } from '../../base/errors/errors.ts';
import { limitPause } from '../../platform/platformErrors.ts';

/** `limit`: asked to wait. `connection`: it may have arrived. `run`: all documents would fail. `document`: this one. */
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

export interface UploadPause {
  reason: 'limit' | 'offline' | 'failing';
  ms: number;
}

/** Undefined if waiting is useless. Six pauses take about a minute, enough for a restart. */
export function pauseAfter(error: SwitchboardError): BackoffPause<UploadPause['reason']> | undefined {
  switch (failureScope(error)) {
    case 'limit':
      return limitPause(error);
    case 'offline':
      return { reason: 'offline', firstMs: 1000, most: 6 };
    case 'connection':
      return { reason: 'failing', firstMs: 1000, most: 6 };
    default:
      return undefined;
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
