import type { Token } from 'markdown-it';
import { isVisible, Passage, type Block, type Section } from './blocks.ts';
import { limits as standardLimits, type Limits, type References } from './limits.ts';
import { OpenItems, OpenText } from './openBlocks.ts';

export interface BlockChange {
  readonly from: number;
  readonly blocks: readonly Block[];
  /** These are the last blocks of the text. If false, blocks drawn behind them stay until the next step. */
  readonly isComplete: boolean;
}

/** In longer lists and tables all items but the last `liveItems` are final. */
const manyItems = 10;
const liveItems = 2;
const charactersPerLine = 80;

/** A last line that may still become a list item, a rule or a heading's underline. */
const undecidedLine = /^[ \t>]*(?:(?:-+|=+)[ \t]*)?$/;

const longestUndecided = 200;

/**
 * Reads the blocks of a growing text in steps of bounded size. Settled parts are not read again: all but the last two
 * blocks, which a setext underline or a lazy continuation may change; all but the last two items of a list or table;
 * the lines of a fence. A block that is too long or can't be read is plain text up to an empty line. If an address is
 * defined after its use, the text is read again when it has ended.
 */
export class BlockReader {
  private text = '';
  private hasEnded = false;
  private lines = '';
  private source = '';
  private offset = 0;
  private settled = 0;
  /** The partly settled block; `offset` is behind its settled part. */
  private open: OpenItems | OpenText | undefined;
  private window: number;
  private references = noReferences();
  /** Blocks were read before all addresses were known. */
  private isLate = false;
  private isRepeated = false;

  constructor(private readonly limits: Limits = standardLimits) {
    this.window = limits.window;
  }

  read(text: string, hasEnded = false): BlockChange {
    this.take(text, hasEnded);
    const from = this.settled;
    const blocks: Block[] = [];
    const { open } = this;
    const isComplete = open instanceof OpenText ? this.readText(open, blocks) : this.readBlocks(open, blocks);
    if (!isComplete || !hasEnded || !this.isLate || this.isRepeated) return { from, blocks, isComplete };
    this.startOver();
    this.isRepeated = true;
    return { from, blocks, isComplete: false };
  }

  private take(text: string, hasEnded: boolean): void {
    if (text === this.text && hasEnded === this.hasEnded) return;
    // Compared by slice, since `startsWith` is far slower. Replaced or ended text is read from the start.
    if (this.hasEnded || text.slice(0, this.text.length) !== this.text) {
      this.startOver();
      this.references = noReferences();
      this.text = '';
      this.lines = '';
    }
    const added = text.slice(this.text.length);
    const isHalf = this.text.endsWith('\r') && added.startsWith('\n');
    this.lines += added
      .slice(isHalf ? 1 : 0)
      .replace(/\r\n?/g, '\n')
      .replaceAll('\0', '\ufffd');
    this.text = text;
    this.hasEnded = hasEnded;
    this.source = hasEnded ? this.lines : decided(this.lines);
  }

  private startOver(): void {
    this.offset = 0;
    this.settled = 0;
    this.open = undefined;
    this.window = this.limits.window;
    this.isLate = false;
    this.isRepeated = false;
  }

  private readBlocks(open: OpenItems | undefined, blocks: Block[]): boolean {
    const { limits, offset, settled: from } = this;
    const end = this.windowEnd();
    const isLast = end === this.source.length;
    const prefix = open?.prefix ?? '';
    const passage = new Passage(prefix + this.source.slice(offset, end), this.references, !isLast);
    const toSource = offset - prefix.length;
    const sections = passage.sections.map((section, index) => {
      const isContinued = open !== undefined && index === 0;
      const list = isContinued ? open : OpenItems.of(passage, section);
      const items = list?.newItems(passage, section, isContinued) ?? [];
      return { section, list, items };
    });
    const add = ({ section, list, items }: (typeof sections)[number]) => {
      if (list) blocks.push(...list.blocks(items, limits.items));
      else if (isVisible(section)) blocks.push(passage.blockOf(section));
    };

    const hasFailed = passage.failedAt !== undefined;
    const { isUndecided } = passage;
    const isFinal = isLast && this.hasEnded;
    const isForced = !isLast && this.window >= limits.block;
    const last = sections.at(-1);
    const fence = last && OpenText.fence(passage, last.section, toSource);
    // A block that must be the last one fixes those before it.
    const isCertain = isForced || fence !== undefined || (last && last.items.length > manyItems);
    const liveSections = hasFailed || (isForced && isUndecided) ? 0 : isCertain ? 1 : 2;
    const settling = Math.max(0, sections.length - liveSections);
    sections.slice(0, settling).forEach(add);
    if (settling > 0) {
      this.settled += blocks.length;
      this.open = undefined;
    }
    const live = sections[settling];
    if (isLast) sections.slice(settling).forEach(add);
    const passed = sections.slice(0, isFinal ? undefined : settling).flatMap(({ section }) => section.tokens);

    if (passage.failedAt !== undefined) {
      if (open && this.open) this.closeItems(open, blocks);
      const start = Math.max(offset, toSource + passage.failedAt);
      this.openPlain(start, start + limits.window);
    } else if (fence && live === last) {
      this.open = fence;
      this.offset = fence.start;
    } else if (live?.list && live.items.length > (isForced ? 1 : manyItems)) {
      const count = live.items.length - (isForced ? 1 : liveItems);
      const items = live.items.slice(0, count);
      if (!isLast) blocks.push(...live.list.blocks(items, limits.items));
      const { filled, open: opened } = live.list.settle(items, limits.items);
      this.settled += filled;
      this.open = opened;
      this.offset = toSource + (live.items[count]?.start ?? 0);
      passed.push(...items.flatMap(({ tokens }) => tokens));
    } else if (live && (!open || live.list !== open)) {
      this.offset = toSource + live.section.start;
    } else if (!live && last) {
      this.offset = toSource + last.section.end;
    } else if (passage.isEmpty) {
      this.offset = end;
    }
    const isUnsettled = !isFinal && blocks.length > 0 && sections.slice(settling).some(namesAddress);
    if (isUnsettled) this.isLate = true;
    this.learn(passage.references, passed, from > 0 || open !== undefined);

    const hasMoved = this.offset !== offset || this.open !== open;
    if (hasMoved) this.window = limits.window;
    else if (isForced) {
      if (open) this.closeItems(open, blocks);
      this.openPlain(offset, offset + limits.block);
    } else if (!isLast) this.window = Math.min(limits.block, this.window * 2);
    return isLast && !hasFailed;
  }

  private windowEnd(): number {
    const { source, offset, window, limits } = this;
    let end = offset;
    for (let lines = window < limits.block ? window / charactersPerLine : Infinity; lines > 0; lines--) {
      const next = source.indexOf('\n', end) + 1;
      const lineEnd = next > 0 ? next : source.length;
      if (lineEnd - offset > window) return end > offset ? end : offset + window;
      end = lineEnd;
      if (end === source.length) break;
    }
    return end;
  }

  private closeItems(open: OpenItems, blocks: Block[]): void {
    if (open.items.length === 0) return;
    blocks.push(...open.blocks([], this.limits.items));
    this.settled++;
  }

  private openPlain(start: number, earliest: number): void {
    this.open = OpenText.plain(start, earliest);
    this.offset = start;
  }

  private learn(references: References, tokens: readonly Token[], isBehindBlocks: boolean): void {
    for (const { type, meta } of tokens) {
      const name = String(meta?.['label']);
      const address = references[name];
      if (type !== 'reference_definition' || !address || name in this.references) continue;
      this.references[name] = address;
      if (isBehindBlocks) this.isLate = true;
    }
  }

  private readText(open: OpenText, blocks: Block[]): boolean {
    const { source, offset } = this;
    const to = Math.min(source.length, offset + this.limits.block);
    const found = open.findEnd(source, offset, to);
    if (found && (found.end === source.length || source[found.end] === '\n')) {
      blocks.push(open.block(source, found.start, true));
      if (found.end === source.length) return true;
      this.offset = found.end + 1;
      this.open = undefined;
      this.settled++;
      return this.offset === source.length;
    }
    const lastLine = source.lastIndexOf('\n', to - 1) + 1;
    if (lastLine > offset) this.offset = lastLine;
    else if (to < source.length) this.offset = to;
    const isLineEmpty = /^[ \t]*$/.test(source.slice(lastLine, to));
    // The line break before an empty last line is not shown.
    blocks.push(open.block(source, isLineEmpty ? lastLine - 1 : to, false));
    return to === source.length;
  }
}

function namesAddress({ section }: { section: Section }): boolean {
  return section.tokens.some(({ type }) => type === 'reference_definition');
}

function noReferences(): References {
  return Object.create(null) as References;
}

/** Drops an undecided last line: a dash would briefly turn the item above it into a heading. */
function decided(source: string): string {
  const end = source.slice(-longestUndecided);
  const lastLine = end.slice(end.lastIndexOf('\n') + 1);
  const isUndecided = lastLine.length < longestUndecided && undecidedLine.test(lastLine);
  return isUndecided ? source.slice(0, source.length - lastLine.length) : source;
}
