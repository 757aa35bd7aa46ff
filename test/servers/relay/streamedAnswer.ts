import { setTimeout as pause } from 'node:timers/promises';
import type { Exchange } from '../http/httpServer.ts';
import type { Step } from '../script/script.ts';
import { usualFragments, type WireForm } from '../script/wireForm.ts';
import type { ChatRequest } from './chatRequest.ts';
import { EventStream } from './eventStream.ts';
import { playSilentStep } from './silentStep.ts';
import { countCall, countTokens, toUsage } from './tokens.ts';

export interface ResponsesOptions {
  encryptedReasoning: boolean;
  summaries: boolean;
  /** Tools of namespaces, by the names that scripts know them by. */
  namespaced: Readonly<Record<string, { namespace: string; name: string }>>;
}

export interface AnswerOptions {
  exchange: Exchange;
  request: ChatRequest;
  wire: WireForm;
  steps: AsyncIterable<Step>;
  headers: Record<string, string>;
  id: string;
  cachedTokens: number;
  responses?: ResponsesOptions | undefined;
  /** Delay between chunks in ms; 0 means as fast as the socket drains, without timers. */
  chunkDelayMs: number;
}

export async function sendStreamedAnswer(options: AnswerOptions): Promise<void> {
  const { exchange, request, wire, steps, chunkDelayMs } = options;
  const { signal } = exchange;
  const stream = new EventStream(exchange, wire, options.headers);
  const chunks = new ChunkMaker(options);
  let reason: string | null | undefined;
  let calls = 0;
  /** With `finishWithText`, the last delta is held until the finish reason is known. */
  let waiting: object | undefined;

  async function send(delta: object): Promise<void> {
    if (waiting) await stream.event(chunks.chunk(waiting));
    waiting = undefined;
    if (wire.finishWithText) waiting = delta;
    else await stream.event(chunks.chunk(delta));
    if (chunkDelayMs > 0) await pause(chunkDelayMs, undefined, { signal });
  }

  steps: for await (const step of steps) {
    switch (step.type) {
      case 'text':
        if (chunks.isFirst && wire.role !== 'never') await send({ content: '' });
        chunks.completion += countTokens(step.text);
        await send({ content: step.text });
        break;
      case 'reasoning': {
        const count = countTokens(step.text);
        chunks.completion += count;
        chunks.reasoning += count;
        await send(reasoningDelta(step.text, wire.reasoningField));
        break;
      }
      case 'picture':
        await send(pictureDelta(step.address, step.as));
        break;
      case 'toolCall':
        for (const fragment of (wire.callFragments ?? usualFragments)(step.call, calls)) {
          await send({ tool_calls: [fragment] });
        }
        chunks.completion += countCall(step.call);
        calls += 1;
        break;
      case 'finish':
        reason = step.reason;
        break steps;
      case 'event':
        await stream.event(step.data, step.name);
        break;
      case 'raw':
        await stream.raw(step.bytes);
        break;
      case 'comment':
      case 'delay':
      case 'stall':
      case 'hangUp':
      case 'destroy':
      case 'refuse':
        if (!(await playSilentStep(step, stream, signal))) return;
        break;
    }
  }

  if (reason === undefined) reason = calls > 0 ? 'tool_calls' : 'stop';
  const usage = wire.usage ?? 'own-chunk';
  const report = toUsage(request, options.cachedTokens, chunks.completion, chunks.reasoning);
  // With `stream_options` but without `include_usage: true` the relay drops a last chunk that carries usage,
  // even if it carried the finish reason; without `stream_options` it adds usage unasked.
  const dropsUsage = Boolean(request.stream_options) && request.stream_options?.include_usage !== true;

  if (reason !== null) {
    const last = chunks.chunk(waiting ?? {}, reason);
    waiting = undefined;
    if (usage !== 'with-finish') await stream.event(last);
    else if (!dropsUsage) await stream.event({ ...last, usage: report });
  } else if (waiting) {
    await stream.event(chunks.chunk(waiting));
  }
  if (usage === 'own-chunk' && !dropsUsage) {
    await stream.event({ ...chunks.chunk({}), choices: [], usage: report });
  }
  await stream.end({ done: !wire.noDone });
}

function pictureDelta(url: string, as: 'images' | 'parts'): object {
  const image = { type: 'image_url', image_url: { url } };
  // OpenRouter sends an empty text beside its images.
  return as === 'images' ? { content: '', images: [{ ...image, index: 0 }] } : { content: [image] };
}

function reasoningDelta(text: string, field: WireForm['reasoningField'] = 'reasoning_content'): object {
  if (field === 'both') return { reasoning_content: text, reasoning: text };
  return { [field]: text };
}

class ChunkMaker {
  isFirst = true;
  completion = 0;
  reasoning = 0;
  private readonly created = Math.floor(Date.now() / 1000);

  constructor(private readonly options: AnswerOptions) {}

  chunk(delta: object, reason: string | null = null): object {
    const { id, request, wire } = this.options;
    const role = wire.role ?? 'first';
    const hasRole = role === 'every' || (role === 'first' && this.isFirst);
    this.isFirst = false;
    return {
      id,
      object: 'chat.completion.chunk',
      created: this.created,
      model: request.model,
      choices: [
        {
          index: 0,
          delta: { ...(hasRole && { role: 'assistant' }), ...wire.deltaExtras, ...delta },
          finish_reason: reason,
        },
      ],
      ...(wire.usage === 'every-chunk' && {
        usage: toUsage(request, this.options.cachedTokens, this.completion, this.reasoning),
      }),
    };
  }
}
