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

export class OpenItems {
  private constructor(
    private readonly type: 'list' | 'table',
    readonly prefix: string,
    private readonly open: string,
    private readonly start: number | undefined,
    readonly items: readonly Item[],
  ) {}

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
    // A deep indent keeps content from being read as part of the item.
    const prefix = `${isOrdered ? '1' : ''}${token.markup}    item\n`;
    const start = isOrdered ? Number(token.attrGet('start') ?? 1) : undefined;
    return new OpenItems('list', prefix, isOrdered ? 'ol' : 'ul', start, []);
  }

  newItems(passage: Passage, section: Section, isContinued: boolean): PassageItem[] {
    const items = passage.itemsOf(section);
    return isContinued && this.type === 'list' ? items.slice(1) : items;
  }

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

const emptyLine = /\n[ \t]*(?=\n)/g;
const fenceLine = /\n {0,3}(`{3,}|~{3,})[ \t]*(?=\n|$)/g;

export class OpenText {
  constructor(
    private readonly type: TextBlock['type'],
    private readonly language: string,
    readonly start: number,
    private readonly closing: string,
    readonly earliest = start,
  ) {}

  static fence(passage: Passage, { tokens, start, end }: Section, toSource: number): OpenText | undefined {
    const [token] = tokens;
    const source = passage.text.slice(start, end);
    const text = source.indexOf('\n') + 1;
    if (token?.type !== 'fence' || text === 0 || source.startsWith(' ') || isClosed(source)) return undefined;
    return new OpenText('code', languageOf(token.info), toSource + start + text, token.markup);
  }

  static plain(start: number, earliest: number): OpenText {
    return new OpenText('plain', '', start, '', earliest);
  }

  findEnd(source: string, from: number, to: number): { start: number; end: number } | undefined {
    const first = Math.max(from, this.earliest) - 1;
    const ends = source.slice(first, to).matchAll(this.closing === '' ? emptyLine : fenceLine);
    for (const { 0: line, 1: marks = '', index } of ends) {
      if (marks.startsWith(this.closing)) return { start: first + index, end: first + index + line.length };
    }
    return undefined;
  }

  block(source: string, end: number, closed: boolean): TextBlock {
    const text = source.slice(this.start, Math.max(this.start, end));
    return { type: this.type, language: this.language, text, closed };
  }
}
