import type { Message, ToolDefinition } from '../relay/messages.ts';
import { sizeOfMessage, sizeOfReasoning, sizeOfTool } from './promptSize.ts';
import { shortenText } from './shortenText.ts';
import type { ItemMessage } from './toMessages.ts';
import { estimateTokens } from './tokenEstimate.ts';

/** How a result is sent: as head and tail, as a mere notice, or cut to the room there was while it was the newest. */
export type ResultForm = 'brief' | 'bare' | 'cut';

type ToolMessage = Message & { role: 'tool' };

/** What is left of a result as head and tail. */
const briefTokens = 300;

/** The messages of a request while they are made to fit, with their sizes. */
export class PromptDraft {
  readonly messages: Message[];
  /** What was shortened, by item id. */
  readonly shortened = new Map<string, ResultForm>();
  /** Where the person's messages are. */
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
    const newestFrom = this.messages.findLastIndex(({ role }) => role !== 'tool') + 1;
    this.messages.forEach(({ role }, at) => {
      if (role === 'user') this.turnStarts.push(at);
      else if (role === 'tool' && at >= newestFrom) this.newestResults.push(at);
      else if (role === 'tool') this.olderResults.push([at, this.idAt(at)]);
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
    const sizes = this.messages
      .slice(start)
      .map((message, at) =>
        message.role === 'tool' ? sizeOfMessage(bareOf(message)) : this.sizeAt(start + at),
      );
    return this.fixed + sum(sizes);
  }

  /** Shortens a result; one that is as short already stays. */
  shorten(at: number, form: ResultForm): void {
    if (this.shortened.get(this.idAt(at)) === 'bare') return;
    const message = this.source[at]?.message;
    if (message?.role === 'tool')
      this.replace(at, form === 'bare' ? bareOf(message) : briefOf(message), form);
  }

  /** Shortens a result to a size. */
  cutTo(at: number, tokens: number): void {
    const message = this.source[at]?.message;
    if (message?.role !== 'tool') return;
    const framing = sizeOfMessage(message) - estimateTokens(message.content);
    this.replace(at, { ...message, content: cutContent(message, tokens - framing) }, 'cut');
  }

  private replace(at: number, message: Message, form: ResultForm): void {
    if (message.content === this.messages[at]?.content) return;
    const size = sizeOfMessage(message);
    this.total += size - this.sizeAt(at);
    this.sizes[at] = size;
    this.messages[at] = message;
    this.shortened.set(this.idAt(at), form);
  }

  private idAt(at: number): string {
    return this.source[at]?.itemId ?? '';
  }
}

const briefOf = shortForm((message) => cutContent(message, briefTokens));
const bareOf = shortForm((message) => cutContent(message, 0));

/** Made once per message: a long turn sends the same short forms with every round. */
function shortForm(contentOf: (message: ToolMessage) => string): (message: ToolMessage) => ToolMessage {
  const made = new WeakMap<ToolMessage, ToolMessage>();
  return (message) => {
    let short = made.get(message);
    if (!short) {
      short = { ...message, content: contentOf(message) };
      made.set(message, short);
    }
    return short;
  };
}

function cutContent({ content }: ToolMessage, maxTokens: number): string {
  return shortenText(content, maxTokens, (cut, all) =>
    cut === all
      ? `[This result of ${all} characters was left out to fit the context. Call the tool again if you need it.]`
      : `[… ${cut} of ${all} characters were cut here to fit the context. Call the tool again for the rest. …]`,
  );
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, number) => all + number, 0);
}
