import { randomUUID } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import type { Exchange } from '../../http/httpServer.ts';
import { writtenOut } from '../../http/writtenOut.ts';

/** An answer in progress, independent of its listeners: a client may leave, and a later one can follow it. */
export class LiveRun {
  readonly taskId = randomUUID();
  readonly #frames: string[] = [];
  readonly #changes = new EventEmitter();
  readonly #stopped = new AbortController();
  #state: 'open' | 'ended' | 'cut' = 'open';

  get stopped(): AbortSignal {
    return this.#stopped.signal;
  }

  get isOpen(): boolean {
    return this.#state === 'open';
  }

  get length(): number {
    return this.#frames.length;
  }

  stop(): void {
    this.#stopped.abort();
  }

  lastEvent: object = {};

  event(data: object): void {
    this.lastEvent = data;
    this.#push(toFrame(data));
  }

  ping(): void {
    this.#push('event: ping\n\n');
  }

  /** @param state `cut`: connections break instead of ending */
  close(state: 'ended' | 'cut'): void {
    if (!this.isOpen) return;
    this.#state = state;
    this.#changes.emit('change');
  }

  /** Streams the frames from this one to the end, with keep-alives. @param before events sent first */
  async send(
    exchange: Exchange,
    from: number,
    pingMs: number,
    before: readonly object[] = [],
  ): Promise<void> {
    const { response, signal } = exchange;
    // Keep-alives are sent in every state of the run, and without one.
    const pings = setInterval(() => {
      if (!signal.aborted) response.write('event: ping\n\n');
    }, pingMs).unref();
    try {
      await this.#sendFrames(exchange, from, before.map(toFrame), signal);
    } finally {
      clearInterval(pings);
    }
  }

  async #sendFrames(
    exchange: Exchange,
    from: number,
    before: readonly string[],
    signal: AbortSignal,
  ): Promise<void> {
    const { response } = exchange;
    response.writeHead(200, {
      'Content-Type': 'text/event-stream; charset=utf-8',
      'Cache-Control': 'no-cache',
      'X-Accel-Buffering': 'no',
    });
    response.flushHeaders();
    for (const frame of before) response.write(frame);
    for (let next = from; ;) {
      const fresh = this.#frames.slice(next);
      next += fresh.length;
      for (const frame of fresh) {
        signal.throwIfAborted();
        if (!response.write(frame)) await once(response, 'drain', { signal });
      }
      if (next < this.#frames.length) continue;
      if (!this.isOpen) break;
      await once(this.#changes, 'change', { signal });
    }
    if (this.#state === 'ended') return void response.end();
    await writtenOut(response);
    exchange.destroy('fin');
  }

  #push(frame: string): void {
    this.#frames.push(frame);
    this.#changes.emit('change');
  }
}

function toFrame(data: object): string {
  return `data: ${JSON.stringify(data)}\n\n`;
}
