import type { ModelEvent, ModelRequest, StreamModel } from './messages.ts';

/** Awaits each event before reading the next; `enough` ends the request. Aborting rejects with `cancelled`. */
export type AskModel = (request: ModelRequest, signal: AbortSignal, onEvent: OnModelEvent) => Promise<void>;

type OnModelEvent = (event: ModelEvent) => Promise<'enough' | void> | 'enough' | void;

/** Stops at `modelFinished`, which closes sockets that servers keep open. */
export function askModel(streamModel: StreamModel): AskModel {
  return async (request, signal, onEvent) => {
    for await (const event of streamModel(request, signal)) {
      if ((await onEvent(event)) === 'enough' || event.type === 'modelFinished') return;
    }
  };
}
