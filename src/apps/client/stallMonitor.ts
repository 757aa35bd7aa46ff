import type { SwitchboardError } from '../../base/errors/errors.ts';
import type { Caller } from '../../platform/platformCall.ts';
import type { AppEvent } from '../app.ts';
import type { AppAnswer } from './appAnswer.ts';
import { workerNotResponding } from './appFailures.ts';
import type { AppContext, AppRequest, StallLimits } from './appRequest.ts';
import { diagnoseStall } from './diagnoseStall.ts';

const defaultLimits: StallLimits = { checkMs: 15_000, startMs: 60_000, graceMs: 1_000 };

/** Tracks the time since an answer's last event and diagnoses its run. Pings are no events. */
export class StallMonitor {
  private stalledMs = 0;
  private checks = 0;
  found: SwitchboardError | undefined;

  constructor(
    private readonly context: AppContext,
    private readonly request: AppRequest,
    private readonly answer: AppAnswer,
    private readonly address: string,
  ) {}

  get waitMs(): number {
    return this.found ? this.limits.graceMs : this.limits.checkMs;
  }

  onEvents(): void {
    this.stalledMs = 0;
    this.checks = 0;
    this.found = undefined;
  }

  /** Called when `waitMs` passed without an event. Returns an event to announce it; throws the run's diagnosed end. */
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

  async check(caller: Caller, signal: AbortSignal): Promise<void> {
    if (this.checks <= 2 || this.checks % 4 === 0) this.found = await this.diagnose(caller, signal);
  }

  diagnose(caller: Caller, signal: AbortSignal): Promise<SwitchboardError | undefined> {
    const { user, connection, appId } = this.context;
    // With a sign-in, no call reports on runs and messages.
    if (appId !== undefined) return Promise.resolve(undefined);
    const { ids, hasBegun } = this.answer;
    const { task, json, isResumed = false } = this.request;
    // A resumed run's inputs were accepted when it began.
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

  timedOut(limitMs: number, cause?: SwitchboardError): SwitchboardError {
    return workerNotResponding(this.address, limitMs, cause);
  }

  private get limits(): StallLimits {
    return this.context.stall ?? defaultLimits;
  }
}
