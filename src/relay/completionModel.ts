import { Deferred } from '../base/async/promises.ts';
import { SwitchboardError } from '../base/errors/errors.ts';
import { asObject, asText, isCutJson, type JsonObject, readObject } from '../base/json.ts';
import { maskExactly } from '../base/secrets/maskAnswer.ts';
import type { HttpResponse } from '../net/httpResponse.ts';
import { messageFor } from './errors/relayMessages.ts';
import { requestHeaders, secretsOf } from './headers.ts';
import type { ModelEvent, ModelRequest } from './messages.ts';
import { chargedFor } from './prices/price.ts';
import { readAnswer, readUsage } from './protocols/wire.ts';
import { readRefusal, refusalOf, type RelayContext } from './relayCall.ts';
import type { AskModel } from './streamModel.ts';

const path = '/v1/completions';
const maxBytes = 1024 * 1024;

/** `POST /v1/completions`, once, in one piece. The two messages: the code before and after the caret. May be empty. */
export function completionModel(context: RelayContext): AskModel {
  const { http, connection, log } = context;
  const secrets = secretsOf(connection);
  return async (request, signal, onEvent) => {
    const url = `${connection.baseUrl}${path}`;
    log.debug(`POST ${url}, model ${request.model}`);
    const sent = new Deferred();
    const responding = http.send({
      method: 'POST',
      url,
      headers: requestHeaders(connection, { accept: 'application/json', hasBody: true }),
      secrets,
      body: JSON.stringify(toBody(request)),
      timeouts: context.timeouts,
      signal,
      onSent: sent.resolve,
    });
    await Promise.race([sent.promise, responding]);
    await onEvent({ type: 'requestSent' });
    for (const event of await readCompletion(await responding, context))
      await onEvent(masked(event, secrets));
  };
}

function toBody({ model, messages, maxTokens, temperature }: ModelRequest): JsonObject {
  const [before, after] = messages;
  return {
    model,
    prompt: before?.content ?? '',
    suffix: after?.content ?? '',
    ...(maxTokens !== undefined && { max_tokens: maxTokens }),
    ...(temperature !== undefined && { temperature }),
  };
}

async function readCompletion(response: HttpResponse, { connection }: RelayContext): Promise<ModelEvent[]> {
  const { status, contentType, address } = response;
  if (status < 200 || status >= 300 || contentType.includes('html')) {
    throw await readRefusal(response, connection);
  }
  const text = await response.text(maxBytes);
  const body = readObject(text);
  const choices = body?.['choices'];
  if (!body || !Array.isArray(choices)) {
    if (!isCutJson(text)) throw refusalOf(response, text, connection);
    throw new SwitchboardError('truncated', messageFor('truncated', { address }), { address });
  }
  // Codestral answers in the form of a chat.
  const { text: said = '', finishReason = 'stop' } = readAnswer(body);
  const completion = asText(asObject(choices[0])?.['text']) ?? said;
  const cost = chargedFor(response, body['usage']);
  const usage = { ...readUsage(body['usage']), ...(cost && { cost }) };
  return [
    ...(completion ? [{ type: 'textAdded', text: completion } as const] : []),
    {
      type: 'modelFinished',
      reason: finishReason,
      ...(Object.keys(usage).length > 0 && { usage }),
    },
  ];
}

function masked(event: ModelEvent, secrets: readonly string[]): ModelEvent {
  return event.type === 'textAdded' ? { ...event, text: maskExactly(event.text, secrets) } : event;
}
