import { AnswerLimit } from '../base/answerLimit.ts';
import { SwitchboardError } from '../base/errors.ts';
import { asObject, type JsonObject, parseJson } from '../base/json.ts';
import { ThinkTagSplitter } from '../base/thinkTags.ts';
import type { Cost, ModelEvent, SignedReasoning, Usage } from './messages.ts';
import { messageFor } from './relayMessages.ts';
import { ToolCallAssembler } from './toolCallAssembler.ts';
import { readUsage, type ToolCallFragment } from './wire.ts';
import type { WireReader } from './wireProtocol.ts';

export interface AnswerOptions {
  /** The address called, for messages. */
  address: string;
  /** Makes the error for a reported failure: an `error` object inside a success. */
  toError: (body: JsonObject) => SwitchboardError;
  newCallId?: () => string;
  /** Of the protocol that was asked by. */
  reader: WireReader;
  /** What the relay says that it charged, by the usage that came last. */
  charged?: (usage: unknown) => Cost | undefined;
}

/**
 * Folds the pieces of one answer, streamed or whole, into model events. Knows no network and no time; text of
 * several pieces is joined until `take` is called, so a read of many tokens is one event.
 */
export class Answer {
  private readonly calls: ToolCallAssembler;
  private readonly think = new ThinkTagSplitter();
  private events: ModelEvent[] = [];
  private text = '';
  private reasoning = '';
  private readonly signed: SignedReasoning[] = [];
  private hasText = false;
  private hasReasoning = false;
  private finishReason: string | undefined;
  private usage: unknown;
  private model: string | undefined;
  private done = false;
  private received = false;
  private readonly limit: AnswerLimit;

  constructor(private readonly options: AnswerOptions) {
    this.calls = new ToolCallAssembler(options.newCallId);
    this.limit = new AnswerLimit(options.address);
  }

  /** True when nothing essential can follow; usage may. */
  get isComplete(): boolean {
    return this.finishReason !== undefined;
  }

  /** Characters of text, reasoning and calls so far: grows as long as the model says something. */
  get size(): number {
    return this.limit.size;
  }

  get hasUsage(): boolean {
    return this.usage !== undefined;
  }

  /** True after `[DONE]` or `message_stop`, which some vendors never send and relays also send after an answer was cut. */
  get isDone(): boolean {
    return this.done;
  }

  /** One event's data. Throws a reported failure. What is no JSON is skipped: keep-alive words of some proxies. */
  addEvent(data: string): void {
    if (data === '[DONE]') {
      this.done = true;
      return;
    }
    const body = asObject(parseJson(data));
    if (body) this.add(body);
    // Servers that forget the blank line between events: each line is an event.
    else if (data.includes('\n')) for (const line of data.split('\n')) this.addEvent(line);
  }

  /** One chunk, or a whole answer. Throws a reported failure. */
  add(body: JsonObject): void {
    const { reader } = this.options;
    if (reader.isFailure(body)) throw this.options.toError(body);
    const piece = reader.read(body);
    if (!piece) return;
    this.received = true;
    if (piece.reasoning !== undefined) this.addReasoning(piece.reasoning);
    if (piece.text !== undefined) this.addText(piece.text);
    for (const fragment of piece.toolCalls ?? []) {
      this.limit.add(sizeOf(fragment));
      this.calls.add(fragment);
    }
    if (piece.signed) this.signed.push(...piece.signed);
    if (piece.keptApart) this.limit.add(piece.keptApart);
    if (piece.finishReason !== undefined) this.finishReason = piece.finishReason;
    if (piece.model !== undefined) this.model = piece.model;
    // The last one counts: some vendors send a running count in every chunk.
    if (piece.usage) this.usage = piece.usage;
    if (piece.isDone) this.done = true;
  }

  /** The events since the last call. */
  take(): ModelEvent[] {
    this.flush();
    const { events } = this;
    if (events.length > 0) this.events = [];
    return events;
  }

  /**
   * The last events of an answer that has ended. Throws `truncated` when the model had not finished (half tool
   * calls are then lost on purpose) and `empty-reply` when it finished with nothing. A whole answer is finished
   * by being there: not every server gives a reason then.
   */
  finish(how: 'streamed' | 'whole'): ModelEvent[] {
    const calls = this.calls.finish();
    const reason =
      this.finishReason ?? (how === 'whole' ? (calls.length > 0 ? 'tool_calls' : 'stop') : undefined);
    this.endText();
    if (!this.received) throw this.failure('empty-reply');
    // OpenRouter's word for a failure upstream; the error itself normally came before it.
    if (reason === undefined || reason === 'error') throw this.failure('truncated');
    const isEmpty = !this.hasText && calls.length === 0;
    if (isEmpty && reason !== 'length' && reason !== 'content_filter') throw this.failure('empty-reply');
    const events = this.take();
    if (this.signed.length > 0) events.push({ type: 'reasoningSigned', blocks: this.signed });
    if (calls.length > 0) events.push({ type: 'toolCallsCompleted', calls });
    const usage: Usage | undefined = readUsage(this.usage);
    const cost = this.options.charged?.(this.usage);
    events.push({
      type: 'modelFinished',
      reason,
      ...((usage ?? cost) && { usage: { ...usage, ...(cost && { cost }) } }),
      ...(this.model !== undefined && { model: this.model }),
    });
    return events;
  }

  /** What was held back in case it began a tag; to be taken before an error ends the answer. */
  endText(): void {
    const rest = this.think.end();
    this.pushReasoning(rest.reasoning);
    this.pushText(rest.text);
  }

  private addReasoning(text: string): void {
    // Anthropic-backed models may send a lone line break, usually after the answer: that is no reasoning.
    if (text.trim() === '' && (this.hasText || !this.hasReasoning)) return;
    this.hasReasoning = true;
    this.pushReasoning(text);
  }

  private addText(text: string): void {
    if (this.think.isPlain) {
      this.pushText(text);
      return;
    }
    const split = this.think.add(text);
    this.pushReasoning(split.reasoning);
    this.pushText(split.text);
  }

  private pushText(text: string): void {
    if (!text) return;
    this.limit.add(text.length);
    if (this.reasoning) this.flush();
    this.text += text;
    this.hasText ||= text.trim() !== '';
  }

  private pushReasoning(text: string): void {
    if (!text) return;
    this.limit.add(text.length);
    if (this.text) this.flush();
    this.reasoning += text;
  }

  /** At most one of the two is pending, so the order of events is the order of arrival. */
  private flush(): void {
    if (this.reasoning) this.events.push({ type: 'reasoningAdded', text: this.reasoning });
    if (this.text) this.events.push({ type: 'textAdded', text: this.text });
    this.reasoning = '';
    this.text = '';
  }

  private failure(code: 'truncated' | 'empty-reply'): SwitchboardError {
    const { address } = this.options;
    const isEmpty = !this.hasText && !this.hasReasoning;
    return new SwitchboardError(code, messageFor(code, { address, isEmpty }), { address });
  }
}

/** A call weighs something even when it says nothing: a million of them do too. */
const callWeight = 200;

function sizeOf({ id, name, arguments: args }: ToolCallFragment): number {
  const given = typeof args === 'string' ? args.length : args ? JSON.stringify(args).length : 0;
  return given + (id || name ? callWeight : 1);
}
