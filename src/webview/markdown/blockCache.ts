import type { Links, Token, Tokens } from 'marked';
import { isList, isTable, isVisible, toBlock, type Block, type ItemsBlock } from './blocks.ts';
import { lex, normalizeLineEnds } from './render.ts';

/** Blocks from here on may have changed; those before did not. */
export interface BlockChange {
  readonly from: number;
  /** The blocks from `from` to the end. */
  readonly blocks: readonly Block[];
}

/** A list or table that is longer than this gives up its first items as final, all but the last two. */
const manyItems = 10;
const liveItems = 2;

/** A line that, as long as it is the last, may become a list's item, a rule, or what makes a heading of the one before. */
const undecidedLine = /^[ \t>]*(?:(?:-+|=+)[ \t]*)?$/;

/**
 * The blocks of a text that grows at its end, computed from the part that can still change: all but the last two
 * blocks are settled, since what comes can only alter those (a setext underline, a lazy continuation), and of one
 * giant list or table all but the last two items. `finish` computes the whole, so the end never depends on that:
 * definitions that came after their use, or a list that turned loose late, are right then.
 */
export class BlockCache {
  /** Blocks that are settled. */
  private settled = 0;
  /** Where in the text the part begins that is not settled. */
  private offset = 0;
  /** A list or table of which some items are settled; `offset` is behind them. */
  private open: OpenItems | undefined;
  private links: Links = {};
  /** The text of the last update. */
  private seen = '';

  /** The changed end of the blocks, for the whole text so far but a last line whose meaning is still open. */
  update(text: string): BlockChange {
    const source = decided(normalizeLineEnds(text));
    // Mostly it has grown; a text that was replaced has nothing that is settled.
    if (!source.startsWith(this.seen)) this.startOver();
    this.seen = source;
    const tokens = lex((this.open?.prefix ?? '') + source.slice(this.offset), this.links);
    const shown = tokens.filter(isVisible);
    if (this.open && shown[0]?.type !== this.open.block.type) {
      // The live items are no longer read as items: what was settled of them was settled too early.
      this.startOver();
      return this.update(text);
    }
    const from = this.settled;
    const blocks = shown.map((token, index) => (index === 0 && this.continued(token)) || toBlock(token));
    this.settle(tokens, shown);
    return { from, blocks };
  }

  /** The blocks of the whole text, exactly. */
  finish(text: string): BlockChange {
    return { from: 0, blocks: lex(normalizeLineEnds(text)).filter(isVisible).map(toBlock) };
  }

  /** The block of which this token is the live end, if one is open. */
  private continued(token: Token): ItemsBlock | undefined {
    if (!this.open) return undefined;
    const { block, settledItems } = this.open;
    const live = toBlock(token) as ItemsBlock;
    block.items.length = settledItems;
    block.items.push(...live.items);
    return { ...block, stable: settledItems };
  }

  private settle(tokens: readonly Token[], shown: readonly Token[]): void {
    const last = shown.at(-1);
    const settling = Math.max(0, shown.length - (last && itemCount(last) > manyItems ? 1 : 2));
    const firstLive = shown[settling];
    if (!firstLive) return;
    const passed = tokens.slice(0, tokens.indexOf(firstLive));
    const start = this.offset - (this.open?.prefix.length ?? 0) + lengthOf(passed);
    if (settling > 0) {
      this.settled += settling;
      this.offset = start;
      this.open = undefined;
      this.keepLinks(passed);
    }
    if (itemCount(firstLive) > manyItems) this.settleItems(firstLive, start);
  }

  /** Takes all but the last items of a list or table, which begins at `start`, as settled. */
  private settleItems(token: Token, start: number): void {
    const count = itemCount(token) - liveItems;
    const block = this.open?.block ?? (toBlock(token) as ItemsBlock);
    const settledItems = (this.open?.settledItems ?? 0) + count;
    if (isList(token)) {
      this.offset = start + lengthOf(token.items.slice(0, count));
      this.open = { block, settledItems, prefix: '' };
    } else {
      // A row alone is no table: the two lines of the head are put before the live rows.
      const lines = token.raw.split('\n', count + 2).map((line) => `${line}\n`);
      this.offset = start + lines.join('').length;
      this.open = { block, settledItems, prefix: lines.slice(0, 2).join('') };
    }
  }

  private keepLinks(passed: readonly Token[]): void {
    for (const token of passed) {
      if (token.type !== 'def') continue;
      const { tag, href, title } = token as Tokens.Def;
      this.links[tag] ??= { href, title };
    }
  }

  private startOver(): void {
    this.settled = 0;
    this.offset = 0;
    this.open = undefined;
    this.links = {};
  }
}

interface OpenItems {
  /** All items so far; those that are not settled are replaced. */
  readonly block: ItemsBlock;
  readonly settledItems: number;
  /** What must stand before the live items for them to be read as what they are. */
  readonly prefix: string;
}

/** Drawn a moment too early, the dash of the next item would show the item above it as a heading. */
function decided(source: string): string {
  const lastLine = source.lastIndexOf('\n') + 1;
  return undecidedLine.test(source.slice(lastLine)) ? source.slice(0, lastLine) : source;
}

function lengthOf(parts: readonly { raw: string }[]): number {
  return parts.reduce((sum, { raw }) => sum + raw.length, 0);
}

function itemCount(token: Token): number {
  if (isList(token)) return token.items.length;
  return isTable(token) ? token.rows.length : 0;
}
