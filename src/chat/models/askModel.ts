import type { ModelEvent, ModelRequest, StreamModel } from '../../relay/messages.ts';

/** Awaits each event before reading the next. Aborting closes the socket and rejects with `cancelled`. */
export type AskModel = (
  request: ModelRequest,
  signal: AbortSignal,
  onEvent: (event: ModelEvent) => Promise<void> | void,
) => Promise<void>;

/** Stops at `modelFinished`, which closes sockets that servers keep open. */
export function askModel(streamModel: StreamModel): AskModel {
  return async (request, signal, onEvent) => {
    for await (const event of streamModel(request, signal)) {
      await onEvent(event);
      if (event.type === 'modelFinished') return;
    }
  };
}

export interface ModelSet {
  has(model: string): boolean;
  add(model: string): void;
}
