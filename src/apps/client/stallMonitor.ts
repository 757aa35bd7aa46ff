import type { SwitchboardError } from '../../base/errors.ts';
import type { Caller } from '../../platform/platformCall.ts';
import type { AppEvent } from '../app.ts';
import type { AppAnswer } from './appAnswer.ts';
import { workerNotResponding } from './appFailures.ts';
import type { AppContext, AppRequest } from './askApp.ts';
import { diagnoseStall } from './diagnoseStall.ts';

/** When a run that sends nothing is looked into, in milliseconds. */
export interface StallLimits {
  /** From the last event until the platform is asked what became of the run. */
  checkMs: number;
  /** How long a run that announces its start may go without. */
  startMs: number;
  /** How long an end that was found out waits for events that are still on their way. */
  graceMs: number;
}

const defaultLimits: StallLimits = { checkMs: 15_000, startMs: 60_000, graceMs: 1_000 };

/** The time since the last event of an answer, and what was found out about its run. Pings are no events. */
export class StallMonitor {
  private stalledMs = 0;
  private checks = 0;
  /** What ended the run, as far as that was found out. */
  found: SwitchboardError | undefined;

  constructor(
    private readonly context: AppContext,
    private readonly request: AppRequest,
    private readonly answer: AppAnswer,
    private readonly address: string,
  ) {}

  /** How long to wait for events from now on. */
  get waitMs(): number {
    return this.found ? this.limits.graceMs : this.limits.checkMs;
  }

  onEvents(): void {
    this.stalledMs = 0;
    this.checks = 0;
    this.found = undefined;
  }

  /** Nothing came within `waitMs`. Gives an event where that is news; throws what ended the run. */
  onWaited(): AppEvent | undefined {
    if (this.found) throw this.found;
    const { announcesStart } = this.request;
    const { hasBegun } = this.answer;
    this.stalledMs += this.limits.checkMs;
    this.checks += 1;
    const { startMs } = this.limits;
    if (announcesStart && !hasBegun && this.stalledMs >= startMs) {
      this.found = this.timedOut(startMs);
      throw this.found;
    }
    if (this.checks > 1) return undefined;
    const state = hasBegun ? 'noNews' : announcesStart ? 'notStarted' : 'noAnswer';
    return { type: 'stalled', state, forMs: this.stalledMs };
  }

  /** Asks whether the run is over; less often as time goes by. */
  async check(caller: Caller, signal: AbortSignal): Promise<void> {
    if (this.checks <= 2 || this.checks % 4 === 0) this.found = await this.diagnose(caller, signal);
  }

  diagnose(caller: Caller, signal: AbortSignal): Promise<SwitchboardError | undefined> {
    const { user, connection } = this.context;
    const { ids, hasBegun } = this.answer;
    const { task, json, isResumed = false } = this.request;
    // Of a run that was begun before, its inputs were accepted then.
    const run = {
      task,
      json,
      user,
      ids,
      hasBegun: hasBegun || isResumed,
      address: this.address,
      key: connection.key,
    };
    return diagnoseStall(caller, run, signal);
  }

  /** Nothing shows why, but the limit has passed. */
  timedOut(limitMs: number, cause?: SwitchboardError): SwitchboardError {
    return workerNotResponding(this.address, limitMs, cause);
  }

  private get limits(): StallLimits {
    return this.context.stall ?? defaultLimits;
  }
}
