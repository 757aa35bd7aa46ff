import { delay } from '../../base/async/promises.ts';
import { type Clock, systemClock } from '../../base/clock.ts';
import { Emitter } from '../../base/emitter.ts';
import { type ErrorCode, isCancelled, type SwitchboardError } from '../../base/errors/errors.ts';
import { toSwitchboardError } from '../../base/errors/toSwitchboardError.ts';
import type { Log } from '../../base/log.ts';
import type { AskSuggestion } from './askSuggestion.ts';
import { SuggestionCache } from './suggestionCache.ts';
import { sentSurroundings, surroundings, type SuggestionPlace } from './suggestionPlace.ts';
import { trimSuggestion } from './trimSuggestion.ts';

export interface SuggestionsDependencies {
  ask: AskSuggestion;
  mayRead(path: string): Promise<boolean>;
  log: Pick<Log, 'info'>;
  clock?: Clock;
}

const shortestPauseMs = 25;
const longestPauseMs = 200;
/** The pause's share of the time that an answer takes. */
const pauseShare = 0.3;
/** Weight of the newest answer in the usual time. */
const newestShare = 0.3;

const firstBackoffMs = 1_000;
const longestBackoffMs = 60_000;

/** Failures that pass by themselves. After others nothing is sent until `retry` is called. */
const passing: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  ...(['transient', 'truncated', 'rate-limit', 'offline', 'tls', 'proxy', 'budget'] as const),
  ...(['timeout-connect', 'timeout-first-token', 'timeout-idle', 'content-filter'] as const),
]);

export class Suggestions {
  failure: SwitchboardError | undefined;

  private readonly changes = new Emitter<void>();
  readonly onDidChange = this.changes.event;
  private readonly cache = new SuggestionCache();
  private readonly clock: Clock;
  private running: AbortController | undefined;
  /** Requests under way: one that was just cancelled may end after the next has begun. */
  private asking = 0;
  private usualMs = 0;
  private failures = 0;
  private silentUntil = 0;

  constructor(private readonly deps: SuggestionsDependencies) {
    this.clock = deps.clock ?? systemClock;
  }

  get isAsking(): boolean {
    return this.asking > 0;
  }

  /** Undefined if there is none. A newer call ends an older one. `isInvoked`: no pause, failures before don't count. */
  async suggest(place: SuggestionPlace, signal: AbortSignal, isInvoked = false): Promise<string | undefined> {
    this.running?.abort();
    const known = this.cache.find(place);
    if (known !== undefined) return known || undefined;
    if (!isInvoked && this.clock.now() < this.silentUntil) return undefined;
    const own = new AbortController();
    this.running = own;
    return this.request(place, AbortSignal.any([signal, own.signal]), isInvoked ? 0 : this.pauseMs);
  }

  /** Sends the next request whatever failed before. */
  retry(): void {
    this.silentUntil = 0;
    this.failures = 0;
    this.failure = undefined;
    this.changes.fire();
  }

  stop(): void {
    this.running?.abort();
  }

  private get pauseMs(): number {
    return Math.min(longestPauseMs, Math.max(shortestPauseMs, this.usualMs * pauseShare));
  }

  private async request(
    place: SuggestionPlace,
    signal: AbortSignal,
    pauseMs: number,
  ): Promise<string | undefined> {
    let sentAt: number | undefined;
    try {
      const mayRead = this.deps.mayRead(place.path);
      // The file is judged during the pause, and a failure is met after it.
      mayRead.catch(() => undefined);
      if (pauseMs > 0) await delay(pauseMs, signal, this.clock);
      const sent = (await mayRead) ? sentSurroundings(place) : undefined;
      signal.throwIfAborted();
      if (!sent) return undefined;
      sentAt = this.clock.now();
      this.countAsking(1);
      const { text, isCut } = await this.deps.ask(sent, signal);
      signal.throwIfAborted();
      this.onAnswer(this.clock.now() - sentAt);
      const suggestion = trimSuggestion(text, surroundings(place), isCut);
      this.cache.add(place, suggestion);
      return suggestion || undefined;
    } catch (error) {
      // A cancelled request would have taken at least as long.
      const waitedMs = sentAt === undefined ? 0 : this.clock.now() - sentAt;
      if (signal.aborted || isCancelled(error)) this.usualMs = Math.max(this.usualMs, waitedMs);
      else this.onFailure(toSwitchboardError(error));
      return undefined;
    } finally {
      if (sentAt !== undefined) this.countAsking(-1);
    }
  }

  private onAnswer(tookMs: number): void {
    this.usualMs = this.usualMs === 0 ? tookMs : this.usualMs + (tookMs - this.usualMs) * newestShare;
    this.failures = 0;
    this.silentUntil = 0;
    this.failure = undefined;
  }

  private onFailure(failure: SwitchboardError): void {
    const { code, status, retryAfterMs } = failure;
    this.deps.log.info(`Suggestion: ${code} ${status ?? ''}`);
    const backoffMs = Math.min(longestBackoffMs, firstBackoffMs * 2 ** this.failures++);
    this.silentUntil = passing.has(code) ? this.clock.now() + (retryAfterMs ?? backoffMs) : Infinity;
    this.failure = failure;
  }

  private countAsking(change: 1 | -1): void {
    this.asking += change;
    this.changes.fire();
  }
}
