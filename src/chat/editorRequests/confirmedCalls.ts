/** What a call of a tool would do. A problem is told to the caller, and holds nothing of the user's. */
export type PlannedCall =
  | {
      /** A question for the user, and what it is about. */
      title: string;
      message: string;
      /** What is shown while it runs. */
      progress: string;
      /** What the caller reads. */
      run(signal: AbortSignal): Promise<string>;
    }
  | { problem: string };

type Runnable = Exclude<PlannedCall, { problem: string }>;

/** Calls that were asked about and never run would pile up. */
const mostWaiting = 50;

/**
 * Calls that others make of our tools. The editor asks the user between `prepare` and `invoke`; what runs is what was
 * asked about, once, even if something else would be meant by the same input by then. A call that nobody asked about is
 * asked about here.
 */
export class ConfirmedCalls {
  private readonly waiting = new Map<string, Runnable>();

  constructor(
    private readonly plan: (tool: string, input: unknown, signal: AbortSignal) => Promise<PlannedCall>,
    private readonly ask: (title: string, message: string) => Promise<boolean>,
  ) {}

  /** Undefined when there is nothing to ask, as the call will not do anything. */
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
