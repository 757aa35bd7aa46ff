import { SwitchboardError } from '../../src/base/errors/errors.ts';
import type { HttpClient } from '../../src/net/httpClient.ts';
import type { ModelEvent, ModelRequest } from '../../src/relay/messages.ts';
import { createStreamModel, type StreamModelOptions } from '../../src/relay/streamModel.ts';
import { ManualClock } from './manualClock.ts';
import { silentLog } from './silentLog.ts';

/** Options without sockets, and with a manual clock. */
export function offlineOptions(http: HttpClient): StreamModelOptions & { clock: ManualClock } {
  return {
    http,
    connection: { baseUrl: 'https://relay.example', key: 'sk-1', headers: {} },
    timeouts: { connectMs: 1, firstTokenMs: 1, idleMs: 1 },
    log: silentLog,
    clock: new ManualClock(),
    random: () => 1,
  };
}

/** Asks a model; returns all its events, and the failure if there was one. Pauses end at once. */
export async function askOffline(
  http: HttpClient,
  request: Partial<ModelRequest> = {},
  signal = new AbortController().signal,
  more: Partial<Omit<StreamModelOptions, 'clock'>> = {},
) {
  const options = { ...offlineOptions(http), ...more };
  const events: ModelEvent[] = [];
  let failure: SwitchboardError | undefined;
  const question: ModelRequest = { model: 'm', messages: [{ role: 'user', content: 'hi' }], stream: true };
  try {
    for await (const event of createStreamModel(options)({ ...question, ...request }, signal)) {
      events.push(event);
      if (event.type === 'retryScheduled') queueMicrotask(() => options.clock.advance(event.delayMs));
    }
  } catch (error) {
    if (!(error instanceof SwitchboardError)) throw error;
    failure = error;
  }
  return {
    events,
    types: events.map(({ type }) => type),
    code: failure?.code,
    failure,
    pausesMs: events.flatMap((event) => (event.type === 'retryScheduled' ? event.delayMs : [])),
  };
}
