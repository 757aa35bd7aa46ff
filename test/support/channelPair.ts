import { createChannel, type Channel } from '../../src/shared/channel.ts';
import { toHostSchema, toPageSchema, type ToHost, type ToPage } from '../../src/shared/protocol.ts';

/** Both ends of the page's channel; messages are cloned and parsed like by `postMessage`. */
export function channelPair(): {
  host: Channel<ToHost, ToPage>;
  page: Channel<ToPage, ToHost>;
  refused: string[];
} {
  const refused: string[] = [];
  let toHost: (data: unknown) => void = () => {};
  let toPage: (data: unknown) => void = () => {};
  const refuse = (reason: string) => refused.push(reason);
  const host = createChannel<ToHost, ToPage>(
    toHostSchema,
    (message) => toPage(structuredClone(message)),
    (receive) => (toHost = receive),
    refuse,
  );
  const page = createChannel<ToPage, ToHost>(
    toPageSchema,
    (message) => toHost(structuredClone(message)),
    (receive) => (toPage = receive),
    refuse,
  );
  return { host, page, refused };
}
