import * as z from 'zod/mini';

/** One end of the channel between page and host: sends `Out`, receives only valid `In`. */
export interface Channel<In, Out> {
  post(message: Out): void;
  /** Replaces the previous listener. */
  listen(listener: (message: In) => void): void;
}

/** A channel over `postMessage` and its event. `onRefused` gets the reason why an invalid message was dropped. */
export function createChannel<In, Out>(
  schema: z.ZodMiniType<In>,
  send: (message: Out) => void,
  subscribe: (receive: (data: unknown) => void) => void,
  onRefused: (reason: string) => void,
): Channel<In, Out> {
  let heard: ((message: In) => void) | undefined;
  subscribe((data) => {
    const parsed = schema.safeParse(data);
    if (parsed.success) heard?.(parsed.data);
    else onRefused(z.prettifyError(parsed.error));
  });
  return {
    post: send,
    listen: (listener) => {
      heard = listener;
    },
  };
}
