import type { Dialect } from '../dialects/dialect.ts';
import type { Exchange } from '../http/httpServer.ts';
import { sendReply } from '../http/reply.ts';
import type { ScriptedModel } from '../script/script.ts';
import { authenticate } from './authenticate.ts';
import { createRequestId } from './requestId.ts';

export interface ListOptions {
  dialect: Dialect;
  /** What the list shows. */
  listed: readonly ScriptedModel[];
  /** Trouble with the group: a failure inside a 200. */
  listFails: boolean;
}

/** GET /v1/models: what this token can use. */
export function listModels(exchange: Exchange, { dialect, listed, listFails }: ListOptions): void {
  const requestId = createRequestId();
  const headers = dialect.headers(requestId);
  const authentication = authenticate(exchange.request, dialect);
  if ('refused' in authentication) {
    return sendReply(exchange, dialect.refuse(authentication.refused, { model: '', requestId }), headers);
  }
  if (listFails) {
    const body = { success: false, message: 'get user group failed' };
    return sendReply(exchange, { status: 200, body }, headers);
  }
  const { models } = authentication.token;
  const usable = models ? listed.filter(({ id }) => models.includes(id)) : listed;
  sendReply(exchange, { status: 200, body: dialect.listModels(usable) }, headers);
}
