import type { Route } from '../http/httpServer.ts';
import { htmlPage, sendReply } from '../http/reply.ts';
import { withKey } from './platformAuth.ts';

/** Everything the platform answers, the first match first. */
export function platformRoutes({ version }: { version: string }): Route[] {
  return [
    {
      method: 'GET',
      path: /^\/v1\/?$/,
      handle: (exchange) =>
        sendReply(exchange, {
          status: 200,
          body: { welcome: 'Sandbox platform', api_version: 'v1', server_version: version },
        }),
    },
    {
      method: 'GET',
      path: '/v1/datasets',
      handle: withKey('dataset', (exchange) =>
        sendReply(exchange, {
          status: 200,
          body: { data: [], has_more: false, limit: 20, total: 0, page: 1 },
        }),
      ),
    },
    {
      method: 'GET',
      path: '/v1/info',
      handle: withKey('app', (exchange) =>
        sendReply(exchange, {
          status: 200,
          body: {
            name: 'Sandbox app',
            description: 'A scripted app of the sandbox.',
            tags: [],
            mode: 'chat',
            author_name: 'sandbox',
          },
        }),
      ),
    },
    { method: '*', path: /^/, handle: (exchange) => sendReply(exchange, htmlPage(404)) },
  ];
}
