import { setTimeout as pause } from 'node:timers/promises';
import * as z from 'zod';
import { openaiError } from '../dialects/errors.ts';
import type { Exchange } from '../http/httpServer.ts';
import { sendReply } from '../http/reply.ts';
import type { CompletionRequest, ScriptedModel, Step } from '../script/script.ts';
import { bodyOf, type ChatOptions, checkGate } from './chatCompletions.ts';
import { createAnswerId, createRequestId } from './requestId.ts';
import { countTokens } from './tokens.ts';
import { waitForEnd } from './waitForEnd.ts';

const requestSchema = z.object({
  model: z.string(),
  prompt: z.string(),
  suffix: z.string().default(''),
  max_tokens: z.int().positive().optional(),
  temperature: z.number().min(0).max(2).optional(),
});

/** The gate, then the model's script for code. */
export async function completions(exchange: Exchange, options: ChatOptions): Promise<void> {
  const { dialect, models } = options;
  const requestId = createRequestId();
  const headers = dialect.headers(requestId);
  const body = bodyOf(exchange);
  const name = typeof body?.['model'] === 'string' ? body['model'] : '';
  const model = models.find(({ id, ownedBy }) => name === id || name === `${ownedBy}/${id}`);
  // The gate looks for messages, which this route has none of.
  const gateCase = checkGate(exchange, dialect, body && { ...body, messages: [{}] }, name, model);
  if (gateCase) return sendReply(exchange, dialect.refuse(gateCase, { model: name, requestId }), headers);
  const { data: request, error } = requestSchema.safeParse(body);
  if (!request) return sendReply(exchange, openaiError(null, z.prettifyError(error)), headers);
  if (!model?.complete) {
    const message =
      'This is a chat model and not supported in the v1/completions endpoint. Did you mean to use v1/chat/completions?';
    return sendReply(exchange, { ...openaiError(null, message, 'model'), status: 404 }, headers);
  }
  const context = { requestId, attempt: options.countAttempt(model.id), pauseMs: options.pauseMs };
  await play(exchange, model, request, model.complete(request, context), headers);
}

async function play(
  exchange: Exchange,
  model: ScriptedModel,
  request: CompletionRequest,
  steps: Iterable<Step> | AsyncIterable<Step>,
  headers: Record<string, string>,
): Promise<void> {
  let text = '';
  let reason = 'stop';
  for await (const step of steps) {
    if (step.type === 'refuse') return sendReply(exchange, step.reply, headers);
    if (step.type === 'stall') return waitForEnd(exchange.signal);
    if (step.type === 'destroy') return exchange.destroy(step.how ?? 'fin');
    if (step.type === 'delay') await pause(step.ms, undefined, { signal: exchange.signal });
    if (step.type === 'text') text += step.text;
    if (step.type === 'finish') reason = step.reason ?? 'stop';
    if (step.type !== 'hangUp') continue;
    const half = JSON.stringify(toBody(model, request, text, reason)).slice(0, -40);
    return sendReply(exchange, { status: 200, headers: { 'Content-Type': 'application/json' }, body: half });
  }
  sendReply(exchange, { status: 200, body: toBody(model, request, text, reason) }, headers);
}

function toBody({ completesAs }: ScriptedModel, request: CompletionRequest, text: string, reason: string) {
  const prompt = countTokens(request.prompt) + countTokens(request.suffix);
  const completion = countTokens(text);
  const said = completesAs === 'message' ? { message: { role: 'assistant', content: text } } : { text };
  return {
    id: createAnswerId(),
    object: 'text_completion',
    created: Math.floor(Date.now() / 1000),
    model: request.model,
    choices: [{ index: 0, ...said, logprobs: null, finish_reason: reason }],
    usage: { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion },
  };
}
