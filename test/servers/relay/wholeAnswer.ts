import { setTimeout as pause } from 'node:timers/promises';
import { sendReply } from '../http/reply.ts';
import { writtenOut } from '../http/writtenOut.ts';
import { type CallFragment, joinFragments, usualFragments } from '../script/wireForm.ts';
import type { AnswerOptions } from './streamedAnswer.ts';
import { countCall, countTokens, toUsage } from './tokens.ts';
import { waitForEnd } from './waitForEnd.ts';

/** A cut or hung-up answer stops in the middle of its JSON. */
export async function sendWholeAnswer(options: AnswerOptions): Promise<void> {
  const { exchange, request, wire, steps, headers } = options;
  const { response, signal } = exchange;
  const calls: CallFragment[] = [];
  const pictures: Record<'images' | 'parts', object[]> = { images: [], parts: [] };
  let callTokens = 0;
  let text = '';
  let reasoning = '';
  let reason: string | null | undefined;

  steps: for await (const step of steps) {
    switch (step.type) {
      case 'text':
        text += step.text;
        break;
      case 'reasoning':
        reasoning += step.text;
        break;
      case 'picture':
        pictures[step.as].push({ type: 'image_url', image_url: { url: step.address } });
        break;
      case 'toolCall':
        calls.push(joinFragments((wire.callFragments ?? usualFragments)(step.call, calls.length)));
        callTokens += countCall(step.call);
        break;
      case 'finish':
        reason = step.reason;
        break steps;
      case 'delay':
        await pause(step.ms, undefined, { signal });
        break;
      case 'stall':
        return waitForEnd(signal);
      case 'hangUp':
      case 'destroy': {
        if (!text && step.type === 'destroy') return exchange.destroy(step.how ?? 'fin');
        const half = JSON.stringify(completion()).slice(0, -40);
        response.writeHead(200, { ...headers, 'Content-Type': 'application/json' });
        if (step.type === 'hangUp') return void response.end(half);
        response.write(half);
        await writtenOut(response);
        return exchange.destroy(step.how ?? 'fin');
      }
      case 'event':
      case 'raw':
      case 'comment':
        break;
      case 'refuse':
        throw new Error('A script can refuse only in its first step.');
    }
  }
  sendReply(exchange, { status: 200, body: completion() }, headers);

  function completion(): object {
    const reasoningTokens = countTokens(reasoning);
    const completionTokens = countTokens(text) + reasoningTokens + callTokens;
    const field = wire.reasoningField === 'reasoning' ? 'reasoning' : 'reasoning_content';
    return {
      id: options.id,
      object: 'chat.completion',
      created: Math.floor(Date.now() / 1000),
      model: request.model,
      choices: [
        {
          index: 0,
          message: {
            role: 'assistant',
            content: pictures.parts.length > 0 ? [{ type: 'text', text }, ...pictures.parts] : text,
            ...(pictures.images.length > 0 && { images: pictures.images }),
            ...(reasoning && { [field]: reasoning }),
            ...(calls.length > 0 && { tool_calls: calls }),
          },
          finish_reason: reason === undefined ? (calls.length > 0 ? 'tool_calls' : 'stop') : reason,
        },
      ],
      ...(wire.usage !== 'never' && {
        usage: toUsage(request, options.cachedTokens, completionTokens, reasoningTokens),
      }),
    };
  }
}
