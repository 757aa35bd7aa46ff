import { setTimeout as pause } from 'node:timers/promises';
import { sendReply } from '../http/reply.ts';
import type { ScriptedCall, Step } from '../script/script.ts';
import { argumentPieces } from '../script/wireForm.ts';
import { EventStream } from './eventStream.ts';
import { encryptedFor } from './responsesRequest.ts';
import type { AnswerOptions } from './streamedAnswer.ts';
import { playSilentStep } from './silentStep.ts';
import { countCall, countPrompt, countTokens } from './tokens.ts';
import { waitForEnd } from './waitForEnd.ts';

// Recorded of new-api. Chunk forms that only chat completions have are left out.

export async function sendStreamedResponse(options: AnswerOptions): Promise<void> {
  const { exchange, steps, chunkDelayMs, headers } = options;
  const { signal } = exchange;
  const stream = new EventStream(exchange, {}, headers);
  const response = new Response(options);
  let number = 0;
  const send = async (type: string, data: object) => {
    if (number === 0 && type !== 'response.created') await begin();
    await stream.event({ type, sequence_number: number++, ...data }, type);
    if (chunkDelayMs > 0 && type.endsWith('.delta')) await pause(chunkDelayMs, undefined, { signal });
  };
  const begin = async () => {
    await send('response.created', { response: response.inProgress() });
  };
  const sendAll = async (events: readonly Event[]) => {
    for (const [type, data] of events) await send(`response.${type}`, data);
  };
  for await (const step of steps) {
    switch (step.type) {
      case 'text':
      case 'reasoning':
      case 'toolCall':
        await sendAll(response.add(step));
        continue;
      case 'event': {
        const { error } = step.data as { error?: { code?: string; message?: string } };
        if (!error) continue;
        await send('error', { error });
        await send('response.failed', { response: response.failed(error) });
        continue;
      }
      case 'raw':
        // Raw bytes are written for chat completions: only error lines and stream openings make sense here.
        if (/^($|\{"(error|type)")/.test(String(step.bytes))) await stream.raw(step.bytes);
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
        response.reason = step.reason;
    }
    break;
  }
  await sendAll(response.close(undefined));
  if (response.reason !== null) {
    const { type, body } = response.ended();
    await send(type, { response: body });
  }
  await stream.end({ done: false });
}

/** Sends the steps as one response. A cut answer stops in the middle of its JSON. */
export async function sendWholeResponse(options: AnswerOptions): Promise<void> {
  const { exchange, steps, headers } = options;
  const { signal, response: reply } = exchange;
  const response = new Response(options);
  for await (const step of steps) {
    if (step.type === 'text' || step.type === 'reasoning' || step.type === 'toolCall') response.add(step);
    if (step.type === 'delay') await pause(step.ms, undefined, { signal });
    if (step.type === 'stall') return waitForEnd(signal);
    if (step.type === 'hangUp' || step.type === 'destroy') {
      response.close(undefined);
      reply.writeHead(200, { ...headers, 'Content-Type': 'application/json' });
      return void reply.end(JSON.stringify(response.ended().body).slice(0, -40));
    }
    if (step.type !== 'finish') continue;
    response.reason = step.reason;
    break;
  }
  response.close(undefined);
  sendReply(exchange, { status: 200, body: response.ended().body }, headers);
}

type Event = [type: string, data: object];
type Said = Extract<Step, { type: 'text' | 'reasoning' | 'toolCall' }>;

interface OpenItem {
  type: 'message' | 'reasoning';
  id: string;
  text: string;
}

class Response {
  reason: string | null | undefined;
  private readonly output: object[] = [];
  private open: OpenItem | undefined;
  private hasReasoned = false;
  private tokens = 0;
  private reasoningTokens = 0;

  constructor(private readonly options: AnswerOptions) {}

  add(step: Said): Event[] {
    if (step.type === 'toolCall') return [...this.close('function_call'), ...this.addCall(step.call)];
    const count = countTokens(step.text);
    this.tokens += count;
    if (step.type === 'reasoning') this.reasoningTokens += count;
    const type = step.type === 'text' ? 'message' : 'reasoning';
    const events = this.open?.type === type ? [] : [...this.close(type), ...this.begin(type)];
    const { open } = this;
    if (!open) return events;
    open.text += step.text;
    if (type === 'message') return [...events, ['output_text.delta', { ...this.place, delta: step.text }]];
    if (!this.options.responses?.summaries) return events;
    return [...events, ['reasoning_summary_text.delta', { ...this.summaryPlace, delta: step.text }]];
  }

  /** @param next the item that follows: a message that isn't the last is a commentary */
  close(next: string | undefined): Event[] {
    const { open } = this;
    if (!open) return [];
    const done: Event[] = [];
    const { text } = open;
    if (open.type === 'message') {
      done.push(['output_text.done', { ...this.place, text }]);
      done.push(['content_part.done', { ...this.place, part: this.part(text) }]);
    } else if (this.options.responses?.summaries) {
      done.push(['reasoning_summary_text.done', { ...this.summaryPlace, text }]);
      done.push(['reasoning_summary_part.done', { ...this.summaryPlace, part: summaryPart(text) }]);
    }
    const item = open.type === 'message' ? this.message(open, next) : this.reasoning(open);
    done.push(['output_item.done', { output_index: this.output.length, item }]);
    this.output.push(item);
    this.open = undefined;
    return done;
  }

  inProgress(): object {
    return { ...this.head(), status: 'in_progress', output: [], usage: null };
  }

  failed({ code = 'server_error', message = '' }: { code?: string; message?: string }): object {
    return { ...this.head(), status: 'failed', error: { code, message }, output: [], usage: null };
  }

  /** The last event, with the whole response. A script's finish reason `error` is a failure. */
  ended(): { type: string; body: object } {
    const { request, cachedTokens } = this.options;
    if (this.reason === 'error') {
      const message = 'The model failed to generate a response.';
      return { type: 'response.failed', body: this.failed({ message }) };
    }
    const input = countPrompt(request);
    const cut = { length: 'max_output_tokens', content_filter: 'content_filter' }[this.reason ?? ''];
    const status = cut ? 'incomplete' : 'completed';
    const empty = { type: 'message', id: 'msg_1', text: '' } as const;
    const output = this.output.length > 0 ? this.output : [this.message(empty, undefined)];
    return {
      type: `response.${status}`,
      body: {
        ...{ ...this.head(), status, output },
        ...(cut && { incomplete_details: { reason: cut } }),
        usage: {
          input_tokens: input,
          input_tokens_details: { cached_tokens: cachedTokens },
          output_tokens: this.tokens,
          output_tokens_details: { reasoning_tokens: this.reasoningTokens },
          total_tokens: input + this.tokens,
        },
      },
    };
  }

  private begin(type: OpenItem['type']): Event[] {
    const prefix = type === 'message' ? 'msg' : 'rs';
    // A vendor's ids never repeat.
    const own = this.options.id.replace('chatcmpl-', '').slice(-24);
    this.open = { type, id: `${prefix}_${own}_${this.output.length}`, text: '' };
    this.hasReasoned ||= type === 'reasoning';
    const added = (item: object): Event => ['output_item.added', { output_index: this.output.length, item }];
    const { id } = this.open;
    if (type === 'message') {
      const item = { type, id, role: 'assistant', status: 'in_progress', content: [] };
      return [added(item), ['content_part.added', { ...this.place, part: this.part('') }]];
    }
    const { encryptedReasoning, summaries } = this.options.responses ?? {};
    const item = {
      type,
      id,
      summary: [],
      ...(encryptedReasoning && { encrypted_content: 'gAAAAABpartial' }),
    };
    if (!summaries) return [added(item)];
    return [added(item), ['reasoning_summary_part.added', { ...this.summaryPlace, part: summaryPart('') }]];
  }

  private addCall(call: ScriptedCall): Event[] {
    this.tokens += countCall(call);
    const place = { output_index: this.output.length, item_id: `fc_${this.output.length}` };
    const { id: callId, arguments: args } = call;
    const { name, ...space } = this.options.responses?.namespaced[call.name] ?? { name: call.name };
    const item = { id: place.item_id, type: 'function_call', call_id: callId, name, ...space };
    const done = { ...item, status: 'completed', arguments: args };
    this.output.push(done);
    return [
      [
        'output_item.added',
        { output_index: place.output_index, item: { ...item, status: 'in_progress', arguments: '' } },
      ],
      ...argumentPieces(args).map((delta): Event => ['function_call_arguments.delta', { ...place, delta }]),
      ['function_call_arguments.done', { ...place, name, arguments: args }],
      ['output_item.done', { output_index: place.output_index, item: done }],
    ];
  }

  private message({ id, text }: OpenItem, next: string | undefined): object {
    const phase = next ? 'commentary' : this.hasReasoned ? 'final_answer' : undefined;
    return {
      ...{ type: 'message', id, role: 'assistant', status: 'completed', content: [this.part(text)] },
      ...(phase && { phase }),
    };
  }

  private reasoning({ id, text }: OpenItem): object {
    const { request, responses } = this.options;
    return {
      ...{ id, type: 'reasoning', summary: responses?.summaries ? [summaryPart(text)] : [] },
      ...(responses?.encryptedReasoning && { encrypted_content: encryptedFor(request.model, id) }),
    };
  }

  private part(text: string): object {
    return { type: 'output_text', text, annotations: [] };
  }

  private get place(): object {
    return { output_index: this.output.length, content_index: 0, item_id: this.open?.id };
  }

  private get summaryPlace(): object {
    return { output_index: this.output.length, summary_index: 0, item_id: this.open?.id };
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

function summaryPart(text: string): object {
  return { type: 'summary_text', text };
}
