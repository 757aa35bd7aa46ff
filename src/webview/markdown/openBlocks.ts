import {
  isClosed,
  isList,
  type Item,
  type ItemsBlock,
  type Passage,
  type PassageItem,
  type Section,
  type TextBlock,
} from './blocks.ts';
import { languageOf } from './render.ts';

/** A list or table of which the first items are settled, in elements of a limited number of items each. */
export class OpenItems {
  private constructor(
    private readonly type: 'list' | 'table',
    /** What must stand before more of its items for them to be read as what they are. */
    readonly prefix: string,
    /** The opening of the list or the head of the table. */
    private readonly open: string,
    /** The number of the first item in a numbered list. */
    private readonly start: number | undefined,
    /** The settled items in the last element. */
    readonly items: readonly Item[],
  ) {}

  /** Of a section that is a list or a table, with no items yet. */
  static of(passage: Passage, section: Section): OpenItems | undefined {
    const { tokens } = section;
    const [token] = tokens;
    if (token?.type === 'table_open') {
      const head = tokens.slice(1, tokens.findIndex(({ type }) => type === 'thead_close') + 1);
      const [, lines = ''] = /^(.*\n.*(?:\n|$))/.exec(passage.text.slice(section.start)) ?? [];
      return new OpenItems('table', lines, passage.render(head), undefined, []);
    }
    if (!token || !isList(tokens)) return undefined;
    const isOrdered = token.type === 'ordered_list_open';
    // The more it is indented, the less can be read as something in it.
    const prefix = `${isOrdered ? '1' : ''}${token.markup}    item\n`;
    const start = isOrdered ? Number(token.attrGet('start') ?? 1) : undefined;
    return new OpenItems('list', prefix, isOrdered ? 'ol' : 'ul', start, []);
  }

  /** The tokens of the items that are new in a passage which begins with the prefix, or in the list's own section. */
  newItems(passage: Passage, section: Section, isContinued: boolean): PassageItem[] {
    const items = passage.itemsOf(section);
    return isContinued && this.type === 'list' ? items.slice(1) : items;
  }

  /** Its elements from the last one on, with more items. */
  blocks(items: readonly Item[], size: number): ItemsBlock[] {
    const all = [...this.items, ...items];
    const blocks: ItemsBlock[] = [];
    for (let at = 0; at === 0 || at < all.length; at += size) {
      const stable = at === 0 ? this.items.length : 0;
      const head = this.type === 'table' ? this.prefix : '';
      blocks.push({ type: this.type, open: this.opening(at), head, items: all.slice(at, at + size), stable });
    }
    return blocks;
  }

  private opening(at: number): string {
    if (this.type === 'table') return this.open;
    const start = this.start === undefined || this.start + at === 1 ? '' : ` start="${this.start + at}"`;
    return `<${this.open}${start}>`;
  }

  /** The same with more settled items, and how many elements those have filled. */
  settle(items: readonly Item[], size: number): { filled: number; open: OpenItems } {
    const all = [...this.items, ...items];
    const filled = Math.floor(all.length / size);
    const start = this.start === undefined ? undefined : this.start + filled * size;
    return {
      filled,
      open: new OpenItems(this.type, this.prefix, this.open, start, all.slice(filled * size)),
    };
  }
}

/** Code or plain text whose end has not come yet. */
export class OpenText {
  constructor(
    private readonly type: TextBlock['type'],
    private readonly language: string,
    /** Where in the source the text begins. */
    readonly start: number,
    /** What ends it: a line break and what stands behind that. */
    private readonly closing: RegExp,
    /** It does not end before this place. */
    readonly earliest = start,
  ) {}

  /** Of a section that is a fence without its closing line. */
  static fence(passage: Passage, { tokens, start, end }: Section, toSource: number): OpenText | undefined {
    const [token] = tokens;
    const source = passage.text.slice(start, end);
    const text = source.indexOf('\n') + 1;
    // One that is indented takes that from each of its lines: those are few.
    if (token?.type !== 'fence' || text === 0 || source.startsWith(' ') || isClosed(source)) return undefined;
    const [mark = ''] = token.markup;
    const closing = new RegExp(`\\n {0,3}${mark}{${token.markup.length},}[ \\t]*(?=\\n|$)`, 'g');
    return new OpenText('code', languageOf(token.info), toSource + start + text, closing);
  }

  static plain(start: number, earliest: number): OpenText {
    return new OpenText('plain', '', start, /\n[ \t]*(?=\n)/g, earliest);
  }

  /** The end of it in a part of the source, with what stands before that part. */
  findEnd(source: string, from: number, to: number): { start: number; end: number } | undefined {
    // The line break before the part belongs to the first of its lines.
    const first = Math.max(from, this.earliest) - 1;
    this.closing.lastIndex = 0;
    const match = this.closing.exec(source.slice(first, to));
    return match ? { start: first + match.index, end: first + match.index + match[0].length } : undefined;
  }

  block(source: string, end: number, closed: boolean): TextBlock {
    const text = source.slice(this.start, Math.max(this.start, end));
    return { type: this.type, language: this.language, text, closed };
  }
}
