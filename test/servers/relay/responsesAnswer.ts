import { setTimeout as pause } from 'node:timers/promises';
import { sendReply } from '../http/reply.ts';
import type { Step } from '../script/script.ts';
import { EventStream } from './eventStream.ts';
import type { AnswerOptions } from './streamedAnswer.ts';
import { countPrompt, countTokens } from './tokens.ts';
import { waitForEnd } from './waitForEnd.ts';

// The text of a script as an answer of the responses protocol, in the form that was recorded of new-api; the events that
// end a part and an item, which the record leaves out, as OpenAI documents them.

/** Sends the text as events. */
export async function sendStreamedResponse(options: AnswerOptions): Promise<void> {
  const { exchange, steps, chunkDelayMs, headers } = options;
  const { signal } = exchange;
  const stream = new EventStream(exchange, {}, headers);
  const response = new Response(options);
  let number = 0;
  const send = (type: string, data: object) =>
    stream.event({ type, sequence_number: number++, ...data }, type);
  const place = { output_index: 0, content_index: 0, item_id: 'msg_1' };
  const begin = async () => {
    await send('response.created', { response: response.inProgress() });
    await send('response.output_item.added', {
      output_index: 0,
      item: { ...response.item('in_progress'), content: [] },
    });
    await send('response.content_part.added', { ...place, part: response.part('') });
  };
  for await (const step of steps) {
    if (step.type === 'stall') return waitForEnd(signal);
    if (step.type === 'hangUp') return stream.end({ done: false });
    if (step.type === 'destroy') return stream.destroy(step.how ?? 'fin');
    if (step.type === 'delay') await pause(step.ms, undefined, { signal });
    if (step.type === 'finish') break;
    if (step.type !== 'text') continue;
    if (number === 0) await begin();
    response.add(step);
    await send('response.output_text.delta', { ...place, delta: step.text });
    if (chunkDelayMs > 0) await pause(chunkDelayMs, undefined, { signal });
  }
  if (number === 0) await begin();
  await send('response.output_text.done', { ...place, text: response.text });
  await send('response.content_part.done', { ...place, part: response.part(response.text) });
  await send('response.output_item.done', { output_index: 0, item: response.item('completed') });
  await send('response.completed', { response: response.completed() });
  await stream.end({ done: false });
}

/** Sends the text as one response. */
export async function sendWholeResponse(options: AnswerOptions): Promise<void> {
  const { exchange, steps, headers } = options;
  const response = new Response(options);
  for await (const step of steps) {
    if (step.type === 'stall') return waitForEnd(exchange.signal);
    if (step.type === 'finish') break;
    response.add(step);
  }
  sendReply(exchange, { status: 200, body: response.completed() }, headers);
}

/** What an answer comes to. */
class Response {
  text = '';

  constructor(private readonly options: AnswerOptions) {}

  add(step: Step): void {
    if (step.type === 'text') this.text += step.text;
  }

  part(text: string): object {
    return { type: 'output_text', text, annotations: [] };
  }

  item(status: 'in_progress' | 'completed'): object {
    return { type: 'message', id: 'msg_1', role: 'assistant', status, content: [this.part(this.text)] };
  }

  inProgress(): object {
    return { ...this.head(), status: 'in_progress', output: [], usage: null };
  }

  completed(): object {
    const { request } = this.options;
    const [input, output] = [countPrompt(request), countTokens(this.text)];
    return {
      ...{ ...this.head(), status: 'completed', output: [this.item('completed')] },
      usage: {
        input_tokens: input,
        input_tokens_details: { cached_tokens: 0 },
        output_tokens: output,
        output_tokens_details: { reasoning_tokens: 0 },
        total_tokens: input + output,
      },
    };
  }

  private head(): object {
    const { id, request } = this.options;
    return {
      ...{ id: id.replace('chatcmpl-', 'resp_'), object: 'response', created_at: 1_795_289_203 },
      ...{ model: request.model, parallel_tool_calls: true, tool_choice: 'auto', tools: [] },
      ...{ error: null, incomplete_details: null, instructions: null, metadata: {} },
      ...{ temperature: 1, top_p: 1 },
    };
  }
}
