import { AnswerLimit } from '../base/answerLimit.ts';
import { SwitchboardError } from '../base/errors/errors.ts';
import { asObject, type JsonObject, parseJson } from '../base/json.ts';
import { ThinkTagSplitter } from '../base/text/thinkTags.ts';
import type { Cost, ModelEvent, SignedReasoning, Usage } from './messages.ts';
import { AnswerPictures } from './pictures/answerPictures.ts';
import { DataAddressReader } from './pictures/dataAddressReader.ts';
import { messageFor } from './errors/relayMessages.ts';
import { ToolCallAssembler } from './toolCallAssembler.ts';
import { readUsage, type ToolCallFragment } from './protocols/wire.ts';
import type { WireReader } from './protocols/wireProtocol.ts';

export interface AnswerOptions {
  address: string;
  toError: (body: JsonObject) => SwitchboardError;
  newCallId?: () => string;
  reader: WireReader;
  charged?: (usage: unknown) => Cost | undefined;
}

/** Text is joined until `take` is called, so a network read is one event. */
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
  private begun = false;
  private readonly limit: AnswerLimit;
  private readonly pictures: AnswerPictures;
  private readonly words: DataAddressReader;

  constructor(private readonly options: AnswerOptions) {
    this.calls = new ToolCallAssembler(options.newCallId);
    this.limit = new AnswerLimit(options.address);
    const pictures = new AnswerPictures(options.address);
    this.pictures = pictures;
    this.words = new DataAddressReader({
      text: (text) => this.pushText(text),
      counted: (characters) => pictures.count(characters),
      picture: (base64) => pictures.addData(base64),
      omitted: (reason) => pictures.omit(reason),
    });
  }

  /** Only usage may follow. */
  get isComplete(): boolean {
    return this.finishReason !== undefined;
  }

  get hasBegun(): boolean {
    return this.begun || this.done;
  }

  /** Characters of text, reasoning, calls and pictures; grows with every piece of content. */
  get size(): number {
    return this.limit.size + this.pictures.size;
  }

  get hasUsage(): boolean {
    return this.usage !== undefined;
  }

  /** Some vendors never send `[DONE]` or the protocol's last event, and relays also send it after a cut answer. */
  get isDone(): boolean {
    return this.done;
  }

  /** Throws a reported failure. Skips what is not JSON, such as keep-alive words of some proxies. */
  addEvent(data: string): void {
    if (data === '[DONE]') {
      this.done = true;
      return;
    }
    const body = asObject(parseJson(data));
    if (body) this.add(body);
    // Servers that forget the blank line between events.
    else if (data.includes('\n')) for (const line of data.split('\n')) this.addEvent(line);
  }

  add(body: JsonObject): void {
    const { reader } = this.options;
    if (reader.isFailure(body)) throw this.options.toError(reader.errorIn?.(body) ?? body);
    const piece = reader.read(body);
    if (!piece) return;
    this.received = true;
    this.begun ||= piece.isPreamble !== true;
    if (piece.reasoning !== undefined) this.addReasoning(piece.reasoning);
    if (piece.text !== undefined) this.addText(piece.text);
    if (piece.pictures) this.addPictures(piece.pictures);
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

  take(): ModelEvent[] {
    this.flush();
    this.events.push(...this.pictures.take());
    const { events } = this;
    if (events.length > 0) this.events = [];
    return events;
  }

  /** Throws `truncated` (no partial calls), `content-filter`, `empty-reply`. A whole answer needs no finish reason. */
  finish(how: 'streamed' | 'whole'): ModelEvent[] {
    const calls = this.calls.finish();
    const reason =
      this.finishReason ?? (how === 'whole' ? (calls.length > 0 ? 'tool_calls' : 'stop') : undefined);
    this.endText();
    if (!this.received) throw this.failure('empty-reply');
    if (reason === undefined && this.isBlocked(calls.length)) throw this.failure('content-filter');
    // OpenRouter's word for an upstream failure, which normally was reported before.
    if (reason === undefined || reason === 'error') throw this.failure('truncated');
    const isEmpty = !this.hasText && calls.length === 0 && this.pictures.isEmpty;
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

  /** Flushes text held back because it may begin a tag or a picture; required before an error ends the answer. */
  endText(): void {
    const rest = this.think.end();
    this.pushReasoning(rest.reasoning);
    this.words.add(rest.text);
    this.words.end();
  }

  private addReasoning(text: string): void {
    // Anthropic-backed models may send a lone line break, usually after the answer.
    if (text.trim() === '' && (this.hasText || !this.hasReasoning)) return;
    this.hasReasoning = true;
    this.pushReasoning(text);
  }

  private addText(text: string): void {
    if (this.think.isPlain) {
      this.words.add(text);
      return;
    }
    const split = this.think.add(text);
    this.pushReasoning(split.reasoning);
    this.words.add(split.text);
  }

  private addPictures(addresses: readonly string[]): void {
    for (const address of addresses) {
      const link = this.pictures.addAddress(address);
      if (link !== undefined) this.pushText(`${this.hasText ? '\n\n' : ''}${link}`);
    }
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

  /** At most one of the two is pending, which keeps the order of arrival. */
  private flush(): void {
    if (this.reasoning) this.events.push({ type: 'reasoningAdded', text: this.reasoning });
    if (this.text) this.events.push({ type: 'textAdded', text: this.text });
    this.reasoning = '';
    this.text = '';
  }

  /** For a blocked prompt Google sends no candidate, and new-api sends usage and `[DONE]`. */
  private isBlocked(calls: number): boolean {
    if (!this.done || this.hasText || this.hasReasoning || !this.pictures.isEmpty || calls > 0) return false;
    const { promptTokens = 0, completionTokens = 0 } = readUsage(this.usage) ?? {};
    return promptTokens > 0 && completionTokens === 0;
  }

  private failure(code: 'truncated' | 'empty-reply' | 'content-filter'): SwitchboardError {
    const { address } = this.options;
    const isEmpty = !this.hasText && !this.hasReasoning;
    return new SwitchboardError(code, messageFor(code, { address, isEmpty }), { address });
  }
}

/** Even an empty call counts toward the limit. */
const callWeight = 200;

function sizeOf({ id, name, arguments: args, extra }: ToolCallFragment): number {
  const given = typeof args === 'string' ? args.length : args ? JSON.stringify(args).length : 0;
  return given + (extra ? JSON.stringify(extra).length : 0) + (id || name ? callWeight : 1);
}
