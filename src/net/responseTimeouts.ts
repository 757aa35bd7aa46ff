import { type Clock, systemClock } from '../base/clock.ts';
import type { Disposable } from '../base/disposable.ts';
import type { SwitchboardError } from '../base/errors.ts';
import { firstTokenTimeout, idleTimeout } from './httpErrors.ts';

export interface ResponseTimeoutsOptions {
  /** Milliseconds from `sent` to the first byte; 0: no limit. */
  firstTokenMs: number;
  /** Milliseconds between two pieces of an answer that has begun; 0: no limit. */
  idleMs: number;
  /** For the sentence. */
  address: string;
  /** Called at most once, with what to throw. */
  onExpired: (error: SwitchboardError) => void;
  clock?: Clock;
}

/** So many times the limit of silence may pass with nothing but pings. */
const mostPings = 20;

/**
 * The limits of one answer: how long until it begins, then how long it may be silent. Silence only counts
 * while somebody waits for the next piece, so a slow reader never makes a lively server look dead.
 */
export class ResponseTimeouts implements Disposable {
  private readonly clock: Clock;
  private idleMs: number;
  private state: 'new' | 'sent' | 'started' | 'over' = 'new';
  private waitingSince: number | undefined;
  private progressedAt: number | undefined;
  private timer: Disposable | undefined;

  constructor(private readonly options: ResponseTimeoutsOptions) {
    this.clock = options.clock ?? systemClock;
    this.idleMs = options.idleMs;
  }

  /** The request is out: the answer has to begin in time. */
  onSent(): void {
    if (this.state !== 'new') return;
    this.state = 'sent';
    const { firstTokenMs, address } = this.options;
    if (firstTokenMs > 0) this.arm(firstTokenMs, () => this.expire(firstTokenTimeout(address, firstTokenMs)));
  }

  /** The answer began: from here on only silence is limited. */
  onFirstByte(): void {
    if (this.state === 'started' || this.state === 'over') return;
    this.state = 'started';
    this.disarm();
    if (this.waitingSince !== undefined) this.onWait();
  }

  /** The reader starts to wait for the next bytes. */
  onWait(): void {
    this.waitingSince = this.clock.now();
    const pingedMs = this.waitingSince - (this.progressedAt ?? this.waitingSince);
    const limitMs = this.idleMs * mostPings;
    if (this.state === 'started' && limitMs > 0 && pingedMs >= limitMs) {
      this.expire(idleTimeout(this.options.address, limitMs));
      return;
    }
    // A running timer is left alone and looks at `waitingSince` when it fires: re-arming per piece is costly.
    if (this.state === 'started' && this.idleMs > 0 && !this.timer) this.arm(this.idleMs, () => this.check());
  }

  /** Bytes came, whatever they say: a server's pings count. */
  onData(): void {
    this.waitingSince = undefined;
  }

  /** Something of the answer came. From then on pings alone count only for so long. */
  onProgress(): void {
    this.progressedAt = this.clock.now();
  }

  /** Another limit of silence from here on, in milliseconds. */
  setIdleLimit(idleMs: number): void {
    this.idleMs = idleMs;
    if (this.state === 'started') this.disarm();
  }

  dispose(): void {
    this.state = 'over';
    this.disarm();
  }

  private check(): void {
    this.timer = undefined;
    if (this.waitingSince === undefined) return;
    const left = this.idleMs - (this.clock.now() - this.waitingSince);
    // Timers may fire a fraction of a millisecond early.
    if (left > 1) this.arm(left, () => this.check());
    else this.expire(idleTimeout(this.options.address, this.idleMs));
  }

  private expire(error: SwitchboardError): void {
    this.dispose();
    this.options.onExpired(error);
  }

  private arm(ms: number, call: () => void): void {
    this.timer = this.clock.after(ms, call);
  }

  private disarm(): void {
    this.timer?.dispose();
    this.timer = undefined;
  }
}
