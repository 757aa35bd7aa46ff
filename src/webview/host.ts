import { createChannel, type Channel } from '../shared/channel.ts';
import { toPageSchema, type ToHost, type ToPage } from '../shared/protocol.ts';
import type { PageStore } from './viewState.ts';

/** What the editor gives a page. */
export interface EditorApi extends PageStore {
  postMessage(message: unknown): void;
}

/** The page's end of the border to the extension host. What is not of the protocol is ignored. */
export function connectHost(api: EditorApi): Channel<ToPage, ToHost> {
  return createChannel<ToPage, ToHost>(
    toPageSchema,
    (message) => api.postMessage(message),
    (receive) =>
      window.addEventListener('message', ({ origin, data }) => {
        // A frame in the page that has no origin draws what a model wrote: it is not the host.
        if (origin !== 'null') receive(data);
      }),
    // A page that outlived an update of the extension may get events it does not know; it cannot act on them.
    () => undefined,
  );
}
