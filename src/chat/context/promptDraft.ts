import type { Message, ToolDefinition } from '../../relay/messages.ts';
import { estimateTokens, sizeOfMessage, sizeOfTool } from './tokenEstimate.ts';
import { shortenFramed } from './shortenText.ts';
import type { ItemMessage } from './toMessages.ts';

/** Tokens left of an older result: head and tail, or only a notice. */
export const briefTokens = 300;
export const noticeOnly = 0;

export class PromptDraft {
  readonly messages: Message[];
  readonly shortened = new Map<string, number>();
  readonly turnStarts: number[] = [];
  readonly olderResults: number[] = [];
  readonly newestResults: number[] = [];
  private readonly sizes: number[];
  private readonly fixed: number;
  private total: number;

  constructor(
    private readonly source: readonly ItemMessage[],
    tools: readonly ToolDefinition[],
  ) {
    this.messages = source.map(({ message }) => message);
    this.sizes = this.messages.map((message) => sizeOfMessage(message));
    const answered = this.messages.findLastIndex(({ role }) => role === 'assistant');
    source.forEach((item, at) => {
      if (item.message.role === 'user') this.turnStarts.push(at);
      if (resultOf(item)) (at > answered ? this.newestResults : this.olderResults).push(at);
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

  tokensFrom(at: number): number {
    return this.fixed + sum(this.sizes.slice(at));
  }

  leastTokensFrom(start: number): number {
    const sizes = this.source
      .slice(start)
      .map((item, at) =>
        resultOf(item) ? sizeOfMessage(inForm(item, noticeOnly)) : this.sizeAt(start + at),
      );
    return this.fixed + sum(sizes);
  }

  shortenAs(known: ReadonlyMap<string, number>): void {
    if (known.size === 0) return;
    for (const at of [...this.olderResults, ...this.newestResults]) {
      const tokens = known.get(resultOf(this.source[at]!)?.id ?? '');
      if (tokens !== undefined) this.shorten(at, tokens);
    }
  }

  shorten(at: number, maxTokens: number): void {
    const item = this.source[at];
    const result = item && resultOf(item);
    if (!result || (this.shortened.get(result.id) ?? Infinity) <= maxTokens) return;
    const message = inForm(item, maxTokens);
    if (message.content === this.messages[at]?.content) return;
    const size = sizeOfMessage(message);
    this.total += size - this.sizeAt(at);
    this.sizes[at] = size;
    this.messages[at] = message;
    this.shortened.set(result.id, maxTokens);
  }

  cutTo(at: number, tokens: number): void {
    const item = this.source[at];
    const result = item && resultOf(item);
    if (!result) return;
    const framing = sizeOfMessage(item.message) - estimateTokens(result.text);
    this.shorten(at, Math.max(noticeOnly, Math.floor(tokens - framing)));
  }
}

interface Result {
  id: string;
  text: string;
  again: string;
}

function resultOf({ itemId = '', message, found }: ItemMessage): Result | undefined {
  if (message.role === 'tool')
    return { id: itemId, text: message.content, again: 'Call the tool again if you need it.' };
  return found && { id: found.itemId, text: found.text, again: 'Say so if you would need it.' };
}

export function inBrief(item: ItemMessage): Message {
  return item.found ? inForm(item, briefTokens) : item.message;
}

const made = new WeakMap<Message, Map<number, Message>>();

/** Cached per message, as a long turn sends the same short forms with every round. */
function inForm(item: ItemMessage, maxTokens: number): Message {
  const result = resultOf(item);
  if (!result) return item.message;
  const forms = made.get(item.message) ?? new Map<number, Message>();
  made.set(item.message, forms);
  const form = forms.get(maxTokens) ?? withResult(item, cutResult(result, maxTokens));
  forms.set(maxTokens, form);
  return form;
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
