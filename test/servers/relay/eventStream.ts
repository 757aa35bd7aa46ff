import { once } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import type { Exchange } from '../http/httpServer.ts';
import { writtenOut } from '../http/writtenOut.ts';
import type { WireForm } from '../script/wireForm.ts';

/** Never faster than the socket drains. Like the real relay, it forwards an event when the next arrives. */
export class EventStream {
  private held: string | undefined;
  private readonly lineEnd: string;

  constructor(
    private readonly exchange: Exchange,
    private readonly wire: WireForm,
    private readonly headers: Record<string, string>,
  ) {
    this.lineEnd = wire.lineEnd ?? '\n';
  }

  async event(data: object | string, name?: string): Promise<void> {
    await this.flush();
    this.held = this.encode(typeof data === 'string' ? data : JSON.stringify(data), name);
  }

  async comment(text: string): Promise<void> {
    await this.raw(`: ${text}${this.lineEnd}${this.lineEnd}`);
  }

  /** Flushes the held event, then sends these bytes unchanged. */
  async raw(bytes: string | Buffer): Promise<void> {
    await this.flush();
    await this.write(Buffer.from(bytes));
  }

  /** Ends the body, with `[DONE]` unless the model sends none. */
  async end({ done }: { done: boolean }): Promise<void> {
    if (done) await this.event('[DONE]');
    if (this.wire.noFinalBlankLine && this.held) this.held = this.held.slice(0, -this.lineEnd.length);
    await this.flush();
    this.start();
    this.exchange.response.end();
  }

  /** The held event is lost, as at the relay. If nothing was written, the client sees no status. */
  async destroy(how: 'fin' | 'rst'): Promise<void> {
    await writtenOut(this.exchange.response);
    this.exchange.destroy(how);
  }

  /** The head goes out with the first bytes: a relay whose vendor is silent hasn't answered at all yet. */
  private start(): void {
    const { response } = this.exchange;
    if (response.headersSent) return;
    response.writeHead(200, {
      ...this.headers,
      'Content-Type': 'text/event-stream',
      'Cache-Control': 'no-cache',
      'X-Accel-Buffering': 'no',
    });
    response.flushHeaders();
  }

  private async flush(): Promise<void> {
    const text = this.held;
    this.held = undefined;
    if (text !== undefined) await this.write(Buffer.from(text));
  }

  private async write(bytes: Buffer): Promise<void> {
    this.start();
    const { split } = this.wire;
    if (!split) return this.writeOnce(bytes);
    for (const part of split(bytes)) {
      await this.writeOnce(part);
      // Lets the socket send this part before the next, so that the client reads them apart.
      await setImmediate();
    }
  }

  private async writeOnce(bytes: Buffer): Promise<void> {
    const { response, signal } = this.exchange;
    signal.throwIfAborted();
    if (!response.write(bytes)) await once(response, 'drain', { signal });
  }

  private encode(json: string, name: string | undefined): string {
    const prefix = this.wire.noSpace ? 'data:' : 'data: ';
    // Only before a key: elsewhere `,"` may end a string, which a line break would spoil.
    const lines = this.wire.severalDataLines ? json.split(/(?<=,)(?="\w+":)/) : [json];
    const event = name ? `event: ${name}${this.lineEnd}` : '';
    return `${event}${lines.map((line) => prefix + line + this.lineEnd).join('')}${this.lineEnd}`;
  }
}
