import type { Exchange, Route } from '../http/httpServer.ts';
import { htmlPage, sendReply } from '../http/reply.ts';
import type { ScriptedModel } from '../script/script.ts';
import { balanceRoutes } from './balanceRoutes.ts';
import { type ChatOptions, chatCompletions, messages, responses } from './chatCompletions.ts';
import { completions } from './completions.ts';
import { listModels, type ListOptions } from './listModels.ts';
import { createRequestId } from './requestId.ts';

export interface RelayRouteOptions extends ChatOptions, ListOptions {
  models: readonly ScriptedModel[];
  console: 'page' | 'redirect';
  /** Leaves out the routes for balances that only new-api has. */
  lacksBalance: boolean;
}

export function relayRoutes(options: RelayRouteOptions): Route[] {
  return [
    { method: 'GET', path: '/v1/models', handle: (exchange) => listModels(exchange, options) },
    {
      method: 'POST',
      path: '/v1/chat/completions',
      handle: (exchange) => chatCompletions(exchange, options),
    },
    { method: 'POST', path: '/v1/completions', handle: (exchange) => completions(exchange, options) },
    ...(options.dialect.servesMessages
      ? [
          {
            ...{ method: 'POST', path: '/v1/messages' },
            handle: (exchange: Exchange) => messages(exchange, options),
          },
          {
            ...{ method: 'POST', path: '/v1/responses' },
            handle: (exchange: Exchange) => responses(exchange, options),
          },
        ]
      : []),
    ...(options.lacksBalance ? [] : balanceRoutes(options.dialect)),
    // A base address that has moved within the host, for redirects.
    { method: '*', path: /^\/moved(\/.*)$/, handle: moved },
    { method: '*', path: /^\/(v1|api|assets)(\/|$)/, handle: invalidUrl },
    { method: '*', path: /^/, handle: options.console === 'page' ? consolePage : otherFrontEnd },
  ];

  function headers(): Record<string, string> {
    return options.dialect.headers(createRequestId());
  }

  function invalidUrl(exchange: Exchange): void {
    const { method, path } = exchange.request;
    const error = {
      message: `Invalid URL (${method} ${path})`,
      type: 'invalid_request_error',
      param: '',
      code: '',
    };
    sendReply(exchange, { status: 404, body: { error } }, headers());
  }

  function moved(exchange: Exchange): void {
    const location = `${exchange.params[0]}${query(exchange)}`;
    sendReply(exchange, { status: 308, headers: { Location: location }, body: '' }, headers());
  }

  function consolePage(exchange: Exchange): void {
    sendReply(exchange, htmlPage(200, 'Sandbox Console', '<div id="root"></div>'), headers());
  }

  function otherFrontEnd(exchange: Exchange): void {
    // A host that cannot exist: the redirect must not be followed.
    const Location = `https://console.invalid${exchange.request.path}${query(exchange)}`;
    sendReply(exchange, { status: 301, headers: { Location }, body: '' }, headers());
  }
}

function query({ request }: Exchange): string {
  return request.query.size > 0 ? `?${request.query}` : '';
}
