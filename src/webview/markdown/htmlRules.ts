import * as l10n from '@vscode/l10n';
import type { StateBlock, StateInline, Token } from 'markdown-it';
import { deepestInline, type Env } from './limits.ts';
import { UndecidedError } from './math/mathRules.ts';

/** The few elements of HTML that models write in Markdown. A tag with attributes, and all other HTML, is text. */

const inlineTag = /<(\/?)(b|i|sub|sup|kbd)>|<br ?\/?>/iy;
const detailsLine = /^<details>[ \t]*(?:<summary>(.*?)<\/summary>)?[ \t]*$/i;
const summaryLine = /^<summary>(.*?)<\/summary>[ \t]*$/i;
const longestTagLine = 1000;

export const rawHtml = /^<(?!\/?(?:b|i|sub|sup|kbd)>|br ?\/?>)(?:[a-z][\w-]*[\s/>]|\/[a-z]|!--|[?!])/i;

export function readInlineTag(state: StateInline, silent: boolean): boolean {
  if (state.src[state.pos] !== '<') return false;
  inlineTag.lastIndex = state.pos;
  const [raw, slash = '', name] = inlineTag.exec(state.src) ?? [];
  if (raw === undefined || state.pos + raw.length > state.posMax) return false;
  if (!silent && name === undefined) state.push('hardbreak', 'br', 0);
  else if (!silent) {
    const token = state.push('html_tag', name?.toLowerCase() ?? '', 0);
    token.content = raw;
    token.markup = slash;
  }
  state.pos += raw.length;
  return true;
}

/** Pairs the tags that are nested properly among themselves and with Markdown's own; the others stay text. */
export function pairTags(tokens: readonly Token[]): void {
  const open: Token[] = [];
  for (const token of tokens) {
    if (token.type !== 'html_tag') {
      if (token.nesting === 1) open.push(token);
      if (token.nesting === -1) open.length = open.findLastIndex(({ type }) => type !== 'html_tag');
      continue;
    }
    if (token.markup === '') {
      open.push(token);
      continue;
    }
    const at = open.findLastIndex(({ type, tag }) => type !== 'html_tag' || tag === token.tag);
    const first = open[at];
    if (first?.type !== 'html_tag') continue;
    open.length = at;
    if (at < deepestInline) [first, token].forEach(draw);
  }
}

function draw(token: Token): void {
  token.nesting = token.markup === '' ? 1 : -1;
  token.type = `${token.tag}_${token.markup === '' ? 'open' : 'close'}`;
  token.content = '';
}

/** `<details>` with Markdown in it, up to its closing line; unclosed, to the end. */
export function readDetails(state: StateBlock, startLine: number, endLine: number, silent: boolean): boolean {
  if ((state.sCount[startLine] ?? 0) - state.blkIndent >= 4) return false;
  const [line, named] = detailsLine.exec(lineAt(state, startLine)) ?? [];
  if (line === undefined) return false;
  if (silent) return true;
  const { end, isClosed } = endOfDetails(state, startLine + 1, endLine);
  if (!isClosed && (state.env as Env).isCut) throw new UndecidedError();
  const next = Math.min(state.skipEmptyLines(startLine + 1), end);
  const [, below] = (named === undefined && next < end && summaryLine.exec(lineAt(state, next))) || [];
  const last = isClosed ? end + 1 : end;
  state.push('details_open', 'details', 1).map = [startLine, last];
  state.push('summary_open', 'summary', 1);
  const summary = state.push('inline', '', 0);
  summary.content = (named ?? below ?? '').trim() || l10n.t('Details');
  summary.children = [];
  state.push('summary_close', 'summary', -1);
  readInside(state, below === undefined ? startLine + 1 : next + 1, end);
  state.push('details_close', 'details', -1);
  state.line = last;
  return true;
}

function readInside(state: StateBlock, from: number, end: number): void {
  const { lineMax, parentType } = state;
  state.lineMax = end;
  state.parentType = 'root';
  state.md.block.tokenize(state, from, end);
  state.lineMax = lineMax;
  state.parentType = parentType;
}

function endOfDetails(state: StateBlock, from: number, endLine: number): { end: number; isClosed: boolean } {
  let depth = 1;
  let fence: string | undefined;
  for (let line = from; line < endLine; line++) {
    if (!state.isEmpty(line) && (state.sCount[line] ?? 0) < state.blkIndent)
      return { end: line, isClosed: false };
    const text = lineAt(state, line);
    const mark = /^(`{3,}|~{3,})/.exec(text)?.[1];
    if (fence !== undefined) {
      if (mark?.startsWith(fence) && text.trimEnd() === mark) fence = undefined;
    } else if (mark !== undefined) fence = mark;
    else if (detailsLine.test(text)) depth++;
    else if (/^<\/details>[ \t]*$/i.test(text) && --depth === 0) return { end: line, isClosed: true };
  }
  return { end: endLine, isClosed: false };
}

function lineAt({ src, bMarks, tShift, eMarks }: StateBlock, line: number): string {
  const start = (bMarks[line] ?? 0) + (tShift[line] ?? 0);
  if (src[start] !== '<' && src[start] !== '`' && src[start] !== '~') return '';
  const end = eMarks[line] ?? start;
  return end - start > longestTagLine ? '' : src.slice(start, end);
}
