import { type Clock, systemClock } from '../base/clock.ts';
import type { Disposable } from '../base/disposable.ts';
import type { SwitchboardError } from '../base/errors/errors.ts';
import { firstTokenTimeout, idleTimeout } from './httpErrors.ts';

export interface ResponseTimeoutsOptions {
  /** Milliseconds from `onSent` to the first byte; 0: no limit. */
  firstTokenMs: number;
  /** Milliseconds between two pieces of an answer; 0: no limit. */
  idleMs: number;
  address: string;
  onExpired: (error: SwitchboardError) => void;
  clock?: Clock;
}

/** Idle limits that may pass with nothing but pings. */
const mostPings = 20;

/** Idle time only counts while a reader waits, so a slow reader never times out a healthy server. */
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

  onSent(): void {
    if (this.state !== 'new') return;
    this.state = 'sent';
    const { firstTokenMs, address } = this.options;
    if (firstTokenMs > 0) this.arm(firstTokenMs, () => this.expire(firstTokenTimeout(address, firstTokenMs)));
  }

  onFirstByte(): void {
    if (this.state === 'started' || this.state === 'over') return;
    this.state = 'started';
    this.disarm();
    if (this.waitingSince !== undefined) this.onWait();
  }

  onWait(): void {
    this.waitingSince = this.clock.now();
    const pingedMs = this.waitingSince - (this.progressedAt ?? this.waitingSince);
    const limitMs = this.idleMs * mostPings;
    if (this.state === 'started' && limitMs > 0 && pingedMs >= limitMs) {
      this.expire(idleTimeout(this.options.address, limitMs));
      return;
    }
    // A running timer stays and checks `waitingSince` when it fires: re-arming per piece is costly.
    if (this.state === 'started' && this.idleMs > 0 && !this.timer) this.arm(this.idleMs, () => this.check());
  }

  /** Any bytes count, even a server's pings. */
  onData(): void {
    this.waitingSince = undefined;
  }

  onProgress(): void {
    this.progressedAt = this.clock.now();
  }

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
