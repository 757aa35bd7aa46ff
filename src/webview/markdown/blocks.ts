import type { Token } from 'markdown-it';
import { UndecidedError } from './math/mathRules.ts';
import { keepSurplusCells, md } from './parser.ts';
import { newEnv, type References } from './limits.ts';
import { languageOf, render } from './render.ts';

export type Block = HtmlBlock | TextBlock | ItemsBlock;

export interface HtmlBlock {
  readonly type: 'html';
  readonly html: string;
  readonly source: string;
}

export interface TextBlock {
  readonly type: 'code' | 'plain';
  readonly language: string;
  readonly text: string;
  readonly closed: boolean;
}

export interface ItemsBlock {
  readonly type: 'list' | 'table';
  readonly open: string;
  readonly head: string;
  readonly items: readonly Item[];
  readonly stable: number;
}

export interface Item {
  readonly html: string;
  readonly source: string;
}

export interface PassageItem extends Item {
  readonly tokens: readonly Token[];
  readonly start: number;
}

export interface Section {
  readonly tokens: Token[];
  readonly start: number;
  readonly end: number;
}

export class Passage {
  readonly sections: readonly Section[];
  readonly references: References;
  /** Offset of a block that can never be read. */
  readonly failedAt: number | undefined;
  readonly isUndecided: boolean = false;
  private readonly lines: readonly number[];

  constructor(
    readonly text: string,
    known: References,
    isCut = false,
  ) {
    this.references = Object.create(known) as References;
    const env = newEnv(this.references, isCut);
    const tokens: Token[] = [];
    const state = new md.block.State(text, md, env, tokens);
    const rules = md.block.ruler.getRules('');
    const lines = [...state.bMarks];
    const sections: Section[] = [];
    for (let line = state.skipEmptyLines(0); line < state.lineMax; line = state.skipEmptyLines(state.line)) {
      const first = tokens.length;
      const start = lines[line] ?? 0;
      state.line = line;
      env.steps = 0;
      try {
        const isRead = rules.some((rule) => rule(state, line, state.lineMax, false));
        if (!isRead || state.line <= line) throw new Error('No rule reads this.');
        keepSurplusCells(tokens.slice(first), env);
      } catch (error) {
        // Whatever failed, the text is shown as plain text.
        this.isUndecided = error instanceof UndecidedError;
        if (!this.isUndecided) this.failedAt = start;
        break;
      }
      sections.push({ tokens: tokens.slice(first), start, end: lines[state.line] ?? text.length });
    }
    this.sections = sections;
    this.lines = lines;
  }

  get isEmpty(): boolean {
    return this.text.trim() === '';
  }

  blockOf({ tokens, start, end }: Section): HtmlBlock | TextBlock {
    const source = this.text.slice(start, end);
    const [{ type, info, content }] = tokens as [Token];
    if (type === 'plain') return { type, language: '', text: source.trimEnd(), closed: true };
    if (type !== 'fence' && type !== 'code_block') return { type: 'html', html: this.render(tokens), source };
    const language = languageOf(info);
    return { type: 'code', language, text: content.replace(/\n$/, ''), closed: isClosed(source) };
  }

  itemsOf({ tokens }: Section): PassageItem[] {
    const isTable = tokens[0]?.type === 'table_open';
    if (!isTable && !isList(tokens)) return [];
    const name = isTable ? 'tr' : 'list_item';
    const level = isTable ? 2 : 1;
    const items: Token[][] = [];
    let first = 0;
    tokens.forEach((token, index) => {
      if (token.level !== level) return;
      if (token.type === `${name}_open`) first = index;
      else if (token.type === `${name}_close`) items.push(tokens.slice(first, index + 1));
    });
    return items.slice(isTable ? 1 : 0).map((item) => this.itemOf(item));
  }

  private itemOf(tokens: Token[]): PassageItem {
    const [start, end] = (tokens[0]?.map ?? []).map((line) => this.lines[line] ?? this.text.length);
    return { tokens, start: start ?? 0, html: this.render(tokens), source: this.text.slice(start, end) };
  }

  render(tokens: Token[]): string {
    return render(tokens, this.references);
  }
}

export function isVisible({ tokens }: Section): boolean {
  return tokens.some(({ hidden }) => !hidden);
}

export function isList(tokens: readonly Token[]): boolean {
  return tokens[0]?.type === 'bullet_list_open' || tokens[0]?.type === 'ordered_list_open';
}

export function isClosed(source: string): boolean {
  const opening = /^ {0,3}(`{3,}|~{3,})/.exec(source)?.[1];
  if (!opening) return false;
  let end = source.length;
  while (' \t\n'.includes(source.charAt(end - 1)) && end > 0) end--;
  const lineStart = source.lastIndexOf('\n', end - 1) + 1;
  const mark = /^ {0,3}(`+|~+)$/.exec(source.slice(lineStart, end))?.[1];
  return lineStart > 0 && mark?.startsWith(opening) === true;
}
