/** A problem is reported to the caller and contains no user data. */
export type PlannedCall =
  | {
      title: string;
      message: string;
      progress: string;
      run(signal: AbortSignal): Promise<string>;
    }
  | { problem: string };

type Runnable = Exclude<PlannedCall, { problem: string }>;

const mostWaiting = 50;

/** The editor asks the user between `prepare` and `invoke`; exactly the confirmed call runs, once. */
export class ConfirmedCalls {
  private readonly waiting = new Map<string, Runnable>();

  constructor(
    private readonly plan: (tool: string, input: unknown, signal: AbortSignal) => Promise<PlannedCall>,
    private readonly ask: (title: string, message: string) => Promise<boolean>,
  ) {}

  async prepare(tool: string, input: unknown, signal: AbortSignal): Promise<Runnable | undefined> {
    const planned = await this.plan(tool, input, signal);
    if ('problem' in planned) return undefined;
    const key = keyOf(tool, input);
    this.waiting.delete(key);
    this.waiting.set(key, planned);
    const [oldest] = this.waiting.keys();
    if (this.waiting.size > mostWaiting && oldest !== undefined) this.waiting.delete(oldest);
    return planned;
  }

  async invoke(tool: string, input: unknown, signal: AbortSignal): Promise<string> {
    const key = keyOf(tool, input);
    const confirmed = this.waiting.get(key);
    this.waiting.delete(key);
    if (confirmed) return confirmed.run(signal);
    const planned = await this.plan(tool, input, signal);
    if ('problem' in planned) return planned.problem;
    return (await this.ask(planned.title, planned.message))
      ? planned.run(signal)
      : 'The user refused the call.';
  }
}

function keyOf(tool: string, input: unknown): string {
  return JSON.stringify([tool, input]);
}
