import type { Message, ToolDefinition } from '../../relay/messages.ts';
import { sizeOfMessage, sizeOfReasoning, sizeOfTool } from './promptSize.ts';
import { shortenFramed } from './shortenText.ts';
import type { ItemMessage } from './toMessages.ts';
import { estimateTokens } from './tokenEstimate.ts';

/**
 * How a result is sent, be it a tool's or what was found for a question before it: as head and tail, as a mere notice, or cut to
 * the room there was while it was the newest.
 */
export type ResultForm = 'brief' | 'bare' | 'cut';

/** What is left of a result as head and tail. */
const briefTokens = 300;

/** The messages of a request while they are made to fit, with their sizes. */
export class PromptDraft {
  readonly messages: Message[];
  /** What was shortened, by item id. */
  readonly shortened = new Map<string, ResultForm>();
  /** Where the user's messages are. */
  readonly turnStarts: number[] = [];
  /** Position and item id of the results that the model has read before. */
  readonly olderResults: [at: number, id: string][] = [];
  /** Positions of the results that it is about to read. */
  readonly newestResults: number[] = [];
  private readonly sizes: number[];
  private readonly fixed: number;
  private total: number;

  constructor(
    private readonly source: readonly ItemMessage[],
    tools: readonly ToolDefinition[],
  ) {
    this.messages = source.map(({ message }) => message);
    const newestTurn = this.messages.findLastIndex(({ role }) => role === 'user');
    this.sizes = this.messages.map(
      (message, at) => sizeOfMessage(message) + (at > newestTurn ? sizeOfReasoning(message) : 0),
    );
    const lastSaid = this.messages.findLastIndex(({ role }) => role !== 'tool');
    source.forEach((item, at) => {
      if (item.message.role === 'user') this.turnStarts.push(at);
      const result = resultOf(item);
      if (result && at >= lastSaid) this.newestResults.push(at);
      else if (result) this.olderResults.push([at, result.id]);
    });
    const toolTokens = sum(tools.map(sizeOfTool));
    const before = this.turnStarts[0] ?? 0;
    this.fixed = toolTokens + sum(this.sizes.slice(0, before));
    this.total = toolTokens + sum(this.sizes);
  }

  get tokens(): number {
    return this.total;
  }

  get newestResultTokens(): number {
    return this.newestResults.reduce((all, at) => all + this.sizeAt(at), 0);
  }

  sizeAt(at: number): number {
    return this.sizes[at] ?? 0;
  }

  /** What is sent if all between the system text and this position goes. */
  tokensFrom(at: number): number {
    return this.fixed + sum(this.sizes.slice(at));
  }

  /** The same with every result as short as it can be. */
  leastTokensFrom(start: number): number {
    const sizes = this.source
      .slice(start)
      .map((item, at) => (resultOf(item) ? sizeOfMessage(inForm(item, 'bare')) : this.sizeAt(start + at)));
    return this.fixed + sum(sizes);
  }

  /** Shortens a result; one that is as short already stays. */
  shorten(at: number, form: ResultForm): void {
    const item = this.source[at];
    if (!item || this.shortened.get(resultOf(item)?.id ?? '') === 'bare') return;
    this.replace(at, item, inForm(item, form === 'bare' ? 'bare' : 'brief'), form);
  }

  /** Shortens a result to a size. */
  cutTo(at: number, tokens: number): void {
    const item = this.source[at];
    const result = item && resultOf(item);
    if (!result) return;
    const framing = sizeOfMessage(item.message) - estimateTokens(result.text);
    this.replace(at, item, withResult(item, cutResult(result, tokens - framing)), 'cut');
  }

  private replace(at: number, item: ItemMessage, message: Message, form: ResultForm): void {
    if (message.content === this.messages[at]?.content) return;
    const size = sizeOfMessage(message);
    this.total += size - this.sizeAt(at);
    this.sizes[at] = size;
    this.messages[at] = message;
    this.shortened.set(resultOf(item)?.id ?? '', form);
  }
}

/** What of a message may be shortened. */
interface Result {
  /** Of the item it comes from. */
  id: string;
  text: string;
  /** How the model gets what was cut. */
  again: string;
}

function resultOf({ itemId = '', message, found }: ItemMessage): Result | undefined {
  if (message.role === 'tool')
    return { id: itemId, text: message.content, again: 'Call the tool again if you need it.' };
  return found && { id: found.itemId, text: found.text, again: 'Say so if you would need it.' };
}

/** A message as it goes into a summary: what is in it of results in brief. */
export function inBrief(item: ItemMessage): Message {
  return item.found ? inForm(item, 'brief') : item.message;
}

type ShortForms = Partial<Record<'brief' | 'bare', Message>>;
const made = new WeakMap<Message, ShortForms>();

/** Made once per message: a long turn sends the same short forms with every round. */
function inForm(item: ItemMessage, form: 'brief' | 'bare'): Message {
  const result = resultOf(item);
  if (!result) return item.message;
  const forms = made.get(item.message) ?? {};
  made.set(item.message, forms);
  return (forms[form] ??= withResult(item, cutResult(result, form === 'brief' ? briefTokens : 0)));
}

function withResult({ message, found }: ItemMessage, text: string): Message {
  return { ...message, content: found ? message.content.replace(found.text, () => text) : text };
}

function cutResult({ text, again }: Result, maxTokens: number): string {
  return shortenFramed(text, maxTokens, (cut, all) =>
    cut === all
      ? `[This result of ${all} characters was left out to fit the context. ${again}]`
      : `[… ${cut} of ${all} characters were cut here to fit the context. ${again} …]`,
  );
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, number) => all + number, 0);
}
