import * as z from 'zod/mini';

/** One end of the border between page and host: sends `Out`, hears only what parses as `In`. */
export interface Channel<In, Out> {
  post(message: Out): void;
  /** Replaces the previous listener. */
  listen(listener: (message: In) => void): void;
}

/**
 * A channel over two functions of the platform (`postMessage` and its event).
 * `onRefused` hears the reason when something arrives that is not of the protocol; it is not passed on.
 */
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
