import type { Dialect } from '../dialects/dialect.ts';
import type { Exchange } from '../http/httpServer.ts';
import { sendReply } from '../http/reply.ts';
import type { ScriptedModel } from '../script/script.ts';
import { authenticate } from './authenticate.ts';
import { createRequestId } from './requestId.ts';

export interface ListOptions {
  dialect: Dialect;
  listed: readonly ScriptedModel[];
  /** A failure of the group, inside a 200. */
  listFails: boolean;
}

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
