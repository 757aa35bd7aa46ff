import type { IncomingHttpHeaders } from 'node:http';
import * as z from 'zod';
import type { Dialect, GateCase } from '../dialects/dialect.ts';
import { type Exchange, parseJson } from '../http/httpServer.ts';
import { type Reply, sendReply } from '../http/reply.ts';
import type { ScriptedModel, ServedProtocol, Step } from '../script/script.ts';
import { authenticate } from './authenticate.ts';
import { type CheckedRequest, checkRequest } from './checkRequest.ts';
import type { RelayToken } from './keys.ts';
import type { PromptCache } from './promptCache.ts';
import { limitTokens } from './limitTokens.ts';
import { messagesRefusal, sendStreamedMessage, sendWholeMessage } from './messagesAnswer.ts';
import { checkMessagesRequest } from './messagesRequest.ts';
import { createAnswerId, createRequestId } from './requestId.ts';
import { type AnswerOptions, sendStreamedAnswer } from './streamedAnswer.ts';
import { sendStreamedResponse, sendWholeResponse } from './responsesAnswer.ts';
import { checkResponsesRequest } from './responsesRequest.ts';
import { sendWholeAnswer } from './wholeAnswer.ts';

export interface ChatOptions {
  dialect: Dialect;
  models: readonly ScriptedModel[];
  chunkDelayMs: number;
  pauseMs: number;
  cache: PromptCache;
  /** Counts the requests of a model, from 1. */
  countAttempt(model: string): number;
}

/** A token with a low balance can pay for this many tokens. */
const affordableTokens = 1000;
/** new-api calls `max_tokens` invalid from here on. */
const absurdTokens = 2 ** 30;

interface Serving {
  protocol: ServedProtocol;
  field: 'messages' | 'input';
  check(body: unknown, headers: IncomingHttpHeaders): CheckedRequest;
  toRefusal(reply: Reply): Reply;
  sendStreamed(options: AnswerOptions): Promise<void>;
  sendWhole(options: AnswerOptions): Promise<void>;
}

export function chatCompletions(exchange: Exchange, options: ChatOptions): Promise<void> {
  return serve(exchange, options, {
    protocol: 'chat-completions',
    field: 'messages',
    check: checkRequest,
    toRefusal: (reply) => reply,
    sendStreamed: sendStreamedAnswer,
    sendWhole: sendWholeAnswer,
  });
}

export function messages(exchange: Exchange, options: ChatOptions): Promise<void> {
  return serve(exchange, options, {
    protocol: 'messages',
    field: 'messages',
    check: checkMessagesRequest,
    toRefusal: messagesRefusal,
    sendStreamed: sendStreamedMessage,
    sendWhole: sendWholeMessage,
  });
}

export function responses(exchange: Exchange, options: ChatOptions): Promise<void> {
  return serve(exchange, options, {
    protocol: 'responses',
    field: 'input',
    check: checkResponsesRequest,
    toRefusal: (reply) => reply,
    sendStreamed: sendStreamedResponse,
    sendWhole: sendWholeResponse,
  });
}

/** The gate, the vendor's checks, then the model's script. */
async function serve(exchange: Exchange, options: ChatOptions, serving: Serving): Promise<void> {
  const { dialect, models } = options;
  const requestId = createRequestId();
  const headers = dialect.headers(requestId);
  const body = bodyOf(exchange);
  const name = typeof body?.model === 'string' ? body.model : '';

  const model = models.find(({ id, ownedBy }) => name === id || name === `${ownedBy}/${id}`);
  const gateCase = checkGate(
    exchange,
    dialect,
    body && { max_tokens: body.max_output_tokens, ...body, messages: body[serving.field] },
    name,
    model,
  );
  if (gateCase) return sendReply(exchange, dialect.refuse(gateCase, { model: name, requestId }), headers);

  if (!body || !model) throw new Error('The gate let an unknown model pass.');

  const refusal = model.check?.(body, serving.protocol);
  if (refusal) return sendReply(exchange, serving.toRefusal(refusal), headers);
  const checked = serving.check(body, exchange.request.headers);
  if ('refusal' in checked) return sendReply(exchange, serving.toRefusal(checked.refusal), headers);
  const { request, responses: wanted } = checked;

  const context = { requestId, attempt: options.countAttempt(model.id), pauseMs: options.pauseMs };
  const steps = limitTokens(
    model.answer(request, context),
    request.max_completion_tokens ?? request.max_tokens,
  );
  const first = await steps.next();
  if (!first.done && first.value.type === 'refuse') {
    const { reply, foreign } = first.value;
    await steps.return(undefined);
    return sendReply(exchange, serving.toRefusal(reply), foreign ? {} : headers);
  }

  const wire = model.wire ?? {};
  const isStreamed = wire.alwaysStreams || (request.stream ?? false) !== (wire.ignoresStream ?? false);
  const send = isStreamed ? serving.sendStreamed : serving.sendWhole;
  await send({
    exchange,
    request: wire.answersAs === undefined ? request : { ...request, model: wire.answersAs },
    wire,
    steps: startWith(first, steps),
    headers,
    id: createAnswerId(),
    responses: wanted,
    cachedTokens: wire.cachesMarked ? options.cache.take(request) : 0,
    chunkDelayMs: options.chunkDelayMs,
  });
}

export function bodyOf({ request }: Exchange): Record<string, unknown> | undefined {
  if (!isJsonType(request.headers['content-type'])) return undefined;
  const value = parseJson(request.body);
  return z.record(z.string(), z.unknown()).safeParse(value).data;
}

function isJsonType(contentType: string | undefined): boolean {
  return contentType?.startsWith('application/json') ?? false;
}

/** The relay's checks before it asks a vendor, in its order. */
export function checkGate(
  exchange: Exchange,
  dialect: Dialect,
  body: Record<string, unknown> | undefined,
  name: string,
  model: ScriptedModel | undefined,
): GateCase | undefined {
  const authentication = authenticate(exchange.request, dialect);
  if ('refused' in authentication) return authentication.refused;
  if (exchange.bodyTooLarge) return 'body-too-large';
  // The relay only reads bodies of a JSON type, so it finds no model in others.
  if (!body && isJsonType(exchange.request.headers['content-type'])) return 'not-json';
  if (!body || !name) return 'no-model-given';
  return checkModel(authentication.token, name, model) ?? checkSums(authentication.token, body);
}

function checkModel(token: RelayToken, name: string, model: ScriptedModel | undefined): GateCase | undefined {
  if (token.models?.length === 0) return 'no-models-allowed';
  if (token.models && !token.models.includes(model?.id ?? name)) return 'model-not-allowed';
  return model && token.state !== 'no-channel' ? undefined : 'unknown-model';
}

function checkSums({ state }: RelayToken, body: Record<string, unknown>): GateCase | undefined {
  if (!Array.isArray(body.messages) || body.messages.length === 0) return 'no-messages';
  const maxTokens = Number(body.max_completion_tokens ?? body.max_tokens ?? 0);
  if (maxTokens > absurdTokens) return 'absurd-max-tokens';
  if (state === 'no-balance') return state;
  if (maxTokens > affordableTokens && (state === 'low-balance' || state === 'low-token-quota')) return state;
  return undefined;
}

async function* startWith(
  first: IteratorResult<Step, unknown>,
  rest: AsyncIterable<Step>,
): AsyncGenerator<Step> {
  if (!first.done) yield first.value;
  yield* rest;
}
