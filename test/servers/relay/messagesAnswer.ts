import { setTimeout as pause } from 'node:timers/promises';
import { type Reply, sendReply } from '../http/reply.ts';
import { parseJson } from '../../../src/base/json.ts';
import type { ScriptedCall, Step } from '../script/script.ts';
import { argumentPieces } from '../script/wireForm.ts';
import { EventStream } from './eventStream.ts';
import { signatureOf } from './messagesRequest.ts';
import type { AnswerOptions } from './streamedAnswer.ts';
import { playSilentStep } from './silentStep.ts';
import { countCall, countPrompt, countTokens } from './tokens.ts';
import { waitForEnd } from './waitForEnd.ts';

// Recorded of new-api and LiteLLM. Chunk forms that only chat completions have are left out.

export async function sendStreamedMessage(options: AnswerOptions): Promise<void> {
  const { exchange, request, steps, chunkDelayMs, headers } = options;
  const { signal } = exchange;
  const stream = new EventStream(exchange, {}, headers);
  const message = new Message(options);
  let index = -1;
  let open: string | undefined;
  let thought = '';
  let hasBegun = false;

  const send = async (data: { type: string } & Record<string, unknown>) => {
    if (!hasBegun) {
      hasBegun = true;
      await stream.event({ type: 'message_start', message: message.head() }, 'message_start');
      await stream.event({ type: 'ping' }, 'ping');
    }
    await stream.event(data, data.type);
    if (chunkDelayMs > 0) await pause(chunkDelayMs, undefined, { signal });
  };
  const close = async () => {
    if (open === 'thinking')
      await delta({ type: 'signature_delta', signature: signatureOf(request.model, thought) });
    if (open) await send({ type: 'content_block_stop', index });
    open = undefined;
    thought = '';
  };
  const delta = (part: object) => send({ type: 'content_block_delta', index, delta: part });
  const begin = async (type: string, start: object) => {
    if (open === type && type !== 'tool_use') return;
    await close();
    index += 1;
    open = type;
    await send({ type: 'content_block_start', index, content_block: { type, ...start } });
  };

  for await (const step of steps) {
    message.add(step);
    switch (step.type) {
      case 'text':
        await begin('text', { text: '' });
        await delta({ type: 'text_delta', text: step.text });
        continue;
      case 'reasoning':
        await begin('thinking', { thinking: '', signature: '' });
        thought += step.text;
        await delta({ type: 'thinking_delta', thinking: step.text });
        continue;
      case 'toolCall':
        await begin('tool_use', { id: step.call.id, name: step.call.name, input: {} });
        for (const piece of argumentPieces(step.call.arguments)) {
          await delta({ type: 'input_json_delta', partial_json: piece });
        }
        continue;
      case 'event': {
        const failure = messagesError({ body: step.data });
        if ('error' in failure) await stream.raw(`${JSON.stringify(failure)}\n`);
        continue;
      }
      case 'raw':
        // Raw bytes are written for chat completions: only error lines and stream openings make sense here.
        if (/^($|\{"(error|type)")/.test(String(step.bytes))) await stream.raw(step.bytes);
        continue;
      case 'picture':
        continue;
      case 'comment':
      case 'delay':
      case 'stall':
      case 'hangUp':
      case 'destroy':
      case 'refuse':
        if (!(await playSilentStep(step, stream, signal))) return;
        continue;
      case 'finish':
    }
    break;
  }
  await close();
  if (message.stopReason !== null) {
    await send({
      type: 'message_delta',
      delta: { stop_reason: message.stopReason, stop_sequence: null },
      usage: {
        output_tokens: message.outputTokens,
        input_tokens: countPrompt(request),
        cache_read_input_tokens: 0,
      },
    });
    await send({ type: 'message_stop' });
  }
  await stream.end({ done: false });
}

/** Sends the steps as one message. A cut answer stops in the middle of its JSON. */
export async function sendWholeMessage(options: AnswerOptions): Promise<void> {
  const { exchange, steps, headers } = options;
  const { response, signal } = exchange;
  const message = new Message(options);
  for await (const step of steps) {
    message.add(step);
    if (step.type === 'delay') await pause(step.ms, undefined, { signal });
    if (step.type === 'stall') return waitForEnd(signal);
    if (step.type === 'hangUp' || step.type === 'destroy') {
      response.writeHead(200, { ...headers, 'Content-Type': 'application/json' });
      return void response.end(JSON.stringify(message.whole()).slice(0, -40));
    }
    if (step.type === 'finish') break;
  }
  sendReply(exchange, { status: 200, body: message.whole() }, headers);
}

/** A refusal in new-api's form: the vendor's code or type becomes `type`; its own refusals are unchanged. */
export function messagesRefusal(reply: Reply): Reply {
  const failure = messagesError(reply);
  return 'error' in failure ? { ...reply, body: failure } : reply;
}

function messagesError({ body }: Pick<Reply, 'body'>): object {
  const { error } = (typeof body === 'string' ? {} : body) as { error?: Record<string, unknown> };
  if (!error || error.type === 'new_api_error') return error ? (body as object) : {};
  return { error: { type: error.code ?? error.type ?? '<nil>', message: error.message }, type: 'error' };
}

class Message {
  outputTokens = 0;
  private reason: string | null | undefined;
  private readonly calls: ScriptedCall[] = [];
  private text = '';
  private thinking = '';

  constructor(private readonly options: AnswerOptions) {}

  add(step: Step): void {
    if (step.type === 'text') this.text += step.text;
    if (step.type === 'reasoning') this.thinking += step.text;
    if (step.type === 'text' || step.type === 'reasoning') this.outputTokens += countTokens(step.text);
    if (step.type === 'finish') this.reason = step.reason;
    if (step.type !== 'toolCall') return;
    this.calls.push(step.call);
    this.outputTokens += countCall(step.call);
  }

  get stopReason(): string | null {
    const reason = this.reason === undefined ? (this.calls.length > 0 ? 'tool_calls' : 'stop') : this.reason;
    return reason === null ? null : (stopReasons[reason] ?? reason);
  }

  head(): object {
    const { id, request } = this.options;
    return {
      ...{ id: id.replace('chatcmpl-', 'msg_'), type: 'message', role: 'assistant', model: request.model },
      ...{ content: [], stop_reason: null, stop_sequence: null },
      usage: { input_tokens: countPrompt(request), output_tokens: 1, cache_read_input_tokens: 0 },
    };
  }

  whole(): object {
    const { thinking, text } = this;
    return {
      ...this.head(),
      content: [
        ...(thinking
          ? [{ type: 'thinking', thinking, signature: signatureOf(this.options.request.model, thinking) }]
          : []),
        ...(text ? [{ type: 'text', text }] : []),
        ...this.calls.map(({ id, name, arguments: args }) => ({
          ...{ type: 'tool_use', id, name },
          input: parseJson(args) ?? {},
        })),
      ],
      stop_reason: this.stopReason,
      usage: { input_tokens: countPrompt(this.options.request), output_tokens: this.outputTokens },
    };
  }
}

const stopReasons: Record<string, string> = {
  stop: 'end_turn',
  length: 'max_tokens',
  tool_calls: 'tool_use',
  content_filter: 'refusal',
};
