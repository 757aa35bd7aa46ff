import { type Dialect, listedCreated } from '../dialects/dialect.ts';
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
  const body = wantsAnthropicForm(exchange) ? anthropicList(usable) : dialect.listModels(usable);
  sendReply(exchange, { status: 200, body }, headers);
}

/** GET /v1/models/{id}: the real relay looks in a static list, not in the token's. */
export function getModel(exchange: Exchange, { dialect, listed }: ListOptions): void {
  const requestId = createRequestId();
  const headers = dialect.headers(requestId);
  const authentication = authenticate(exchange.request, dialect);
  if ('refused' in authentication) {
    return sendReply(exchange, dialect.refuse(authentication.refused, { model: '', requestId }), headers);
  }
  const id = exchange.params[0];
  const model = listed.find((candidate) => candidate.id === id);
  const body = model
    ? { id, object: 'model', created: listedCreated, owned_by: model.ownedBy }
    : {
        error: {
          message: `The model '${id}' does not exist`,
          type: 'invalid_request_error',
          param: 'model',
          code: 'model_not_found',
        },
      };
  sendReply(exchange, { status: 200, body }, headers);
}

function wantsAnthropicForm({ request }: Exchange): boolean {
  return request.headers['x-api-key'] !== undefined && request.headers['anthropic-version'] !== undefined;
}

function anthropicList(models: readonly ScriptedModel[]): object {
  return {
    data: models.map(({ id }) => ({
      id,
      created_at: '2021-07-20T10:40:00Z',
      display_name: id,
      type: 'model',
    })),
    first_id: models[0]?.id ?? null,
    has_more: false,
    last_id: models.at(-1)?.id ?? null,
  };
}
