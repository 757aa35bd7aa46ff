import MarkdownIt, { type StateBlock, type StateCore, type StateInline, type Token } from 'markdown-it';
import {
  deepestBlock,
  deepestInline,
  type Env,
  longestInline,
  mostBlockSteps,
  mostColumns,
  mostEmptyCells,
  mostInlineSteps,
  newEnv,
  type References,
  stepsPerBlock,
  stepsPerCell,
  stepsPerTask,
} from './limits.ts';
import { pairTags, rawHtml, readDetails, readInlineTag } from './htmlRules.ts';
import { linkedPlace } from './places.ts';
import { readBlockMath, readInlineMath } from './math/mathRules.ts';

/** Markdown to tokens. HTML is text but for a few elements; parts that are too deep, wide or long stay plain, nothing is dropped. */
export const md = new MarkdownIt({ linkify: true });

// The renderer decides which links open, and shows the address of others.
md.validateLink = () => true;
// Decoded addresses may look like other ones.
md.normalizeLinkText = (url) => url;
const { re } = md.linkify;
const hostAndPath = new RegExp(re.get_url_host_port().source + re.get_path().source, 'iy');
md.linkify
  .add('ftp:', null)
  .add('//', null)
  .add('www.', {
    validate(text, position) {
      hostAndPath.lastIndex = position;
      return hostAndPath.exec(text)?.[0].length ?? 0;
    },
    normalize(match) {
      match.url = `http://${match.url}`;
    },
  });

class TooComplexError extends Error {}

const everywhere = { alt: ['paragraph', 'reference', 'blockquote', 'list'] };
md.block.ruler.before('table', 'steps', countBlockSteps, everywhere);
md.block.ruler.before('table', 'deep', readTooDeep);
md.block.ruler.before('table', 'wide', readTooWide, { alt: ['paragraph', 'reference'] });
md.block.ruler.before('fence', 'math', readBlockMath, everywhere);
md.block.ruler.before('fence', 'details', readDetails, everywhere);

md.inline.ruler.before('text', 'steps', ({ env }) => countSteps(env as Env, 1, mostInlineSteps));
md.inline.ruler.before('escape', 'math', readInlineMath);
md.inline.ruler.before('link', 'citation', readCitation);
md.inline.ruler.before('autolink', 'tag', readInlineTag);

// Blocks come from `Passage`; the other rules get one block, or one item, at a time.
md.core.ruler.disable(['normalize', 'block', 'strip_references', 'replacements', 'smartquotes']);
md.core.ruler.before('inline', 'items', unwrapSingleParagraphs);
md.core.ruler.before('inline', 'rows', joinEmptyCells);
md.core.ruler.at('inline', readInline);
md.core.ruler.push('elements', chooseElements);

export function readTexts(tokens: Token[], references: References): Token[] {
  const state = new md.core.State('', md, newEnv(references));
  state.tokens = tokens;
  md.core.process(state);
  return state.tokens;
}

function countSteps(env: Env, steps: number, atMost: number): false {
  env.steps += steps;
  if (env.steps > atMost) throw new TooComplexError();
  return false;
}

/** Runs first at each line that may begin a block or, if silent, end one. */
function countBlockSteps(state: StateBlock, line: number, _end: number, silent: boolean): false {
  const env = state.env as Env;
  if (state.parentType === 'table') {
    const surplus = cellsOf(state, line).slice(env.columns);
    if (surplus.length > 0) env.surplus.set(line, surplus);
    return countSteps(env, stepsPerCell * env.columns, mostBlockSteps);
  }
  const steps = silent ? 1 : stepsPerBlock + (isTask(state, line) ? stepsPerTask : 0);
  return countSteps(env, steps, mostBlockSteps);
}

const taskBox = /^\[([ xX])\] +(?=\S)/;

function isTask({ src, bMarks, tShift, eMarks, parentType }: StateBlock, line: number): boolean {
  const start = (bMarks[line] ?? 0) + (tShift[line] ?? 0);
  return parentType === 'list' && taskBox.test(src.slice(start, Math.min(start + 8, eMarks[line] ?? start)));
}

function readTooDeep(state: StateBlock, startLine: number, endLine: number, silent: boolean): boolean {
  if (silent || state.level < deepestBlock) return false;
  let end = startLine + 1;
  for (let line = end; line < endLine; line++) {
    if (state.isEmpty(line)) continue;
    if ((state.sCount[line] ?? 0) < state.blkIndent) break;
    end = line + 1;
  }
  return pushPlain(state, startLine, end);
}

function readTooWide(state: StateBlock, startLine: number, endLine: number, silent: boolean): boolean {
  const lineAt = (line: number) => state.src.slice(state.bMarks[line], state.eMarks[line]);
  if (startLine + 1 >= endLine || !/^[\s|:-]+$/.test(lineAt(startLine + 1))) return false;
  const env = state.env as Env;
  env.columns = cellsOf(state, startLine).length;
  if (env.columns <= mostColumns) return false;
  if (silent) return true;
  let end = startLine + 2;
  while (end < endLine && !state.isEmpty(end) && (state.sCount[end] ?? 0) >= state.blkIndent) end++;
  return pushPlain(state, startLine, end);
}

function cellsOf({ src, bMarks, tShift, eMarks }: StateBlock, line: number): string[] {
  const text = src.slice((bMarks[line] ?? 0) + (tShift[line] ?? 0), eMarks[line]).trim();
  const cells = text.split(/(?<!\\)\|/);
  if (cells[0] === '') cells.shift();
  if (cells.at(-1) === '') cells.pop();
  return cells;
}

/** Puts cells beyond the last column, which the library drops, into the last one. */
export function keepSurplusCells(tokens: readonly Token[], { surplus }: Env): void {
  if (surplus.size === 0) return;
  let row: string[] | undefined;
  tokens.forEach(({ type, map }, index) => {
    if (type === 'tr_open') row = map ? surplus.get(map[0]) : undefined;
    const cell = tokens[index - 2];
    if (type === 'tr_close' && row && cell) cell.content = [cell.content, ...row].join(' | ');
  });
}

function pushPlain(state: StateBlock, startLine: number, endLine: number): true {
  const token = state.push('plain', 'p', 0);
  token.content = state.getLines(startLine, endLine, state.blkIndent, false);
  token.map = [startLine, endLine];
  state.line = endLine;
  return true;
}

/** Unwraps an item's only paragraph: loose lists are only known at their end, so tight and loose ones look alike. */
function unwrapSingleParagraphs({ tokens }: StateCore): void {
  const items: { level: number; paragraphs: number[] }[] = [];
  tokens.forEach(({ type, level }, index) => {
    if (type === 'list_item_open') items.push({ level, paragraphs: [] });
    const item = items.at(-1);
    if (type === 'paragraph_open' && level === (item?.level ?? 0) + 1) item?.paragraphs.push(index);
    if (type !== 'list_item_close') return;
    const { paragraphs = [] } = items.pop() ?? {};
    for (const open of paragraphs) {
      for (const token of [tokens[open], tokens[open + 2]]) if (token) token.hidden = paragraphs.length === 1;
    }
  });
}

function joinEmptyCells(state: StateCore): void {
  if (!state.tokens.some(({ type }) => type === 'tr_close')) return;
  const tokens: Token[] = [];
  for (const token of state.tokens) {
    if (token.type === 'tr_close') {
      let empty = 0;
      while (tokens.at(-2 - 3 * empty)?.content === '' && tokens.at(-1 - 3 * empty)?.type === 'td_close')
        empty++;
      if (empty > mostEmptyCells) {
        tokens.length -= 3 * (empty - 1);
        tokens.at(-3)?.attrSet('colspan', empty);
      }
    }
    tokens.push(token);
  }
  state.tokens = tokens;
}

function readInline({ tokens, env, Token: NewToken }: StateCore): void {
  tokens.forEach((token, index) => {
    if (token.type !== 'inline' || token.content === '') return;
    const isInItem = tokens[index - 2]?.type === 'list_item_open';
    const [box = '', mark] = (isInItem && taskBox.exec(token.content)) || [];
    try {
      if (token.content.length > longestInline) throw new TooComplexError();
      const children: Token[] = [];
      md.inline.parse(token.content.slice(box.length), md, env, children);
      if (mark !== undefined) {
        const task = new NewToken('task', '', 0);
        task.info = mark.trim();
        children.unshift(task);
      }
      token.children = children;
    } catch {
      token.type = 'plain';
      token.tag = 'span';
    }
  });
}

function chooseElements({ tokens }: StateCore): void {
  tokens.forEach((token, index) => {
    if (token.type === 'td_open' || token.type === 'th_open') alignByAttribute(token);
    if (token.type === 'paragraph_open' && rawHtml.test(tokens[index + 1]?.content ?? '')) {
      token.attrs = [['class', 'raw-html']];
      token.hidden = false;
      const close = tokens[index + 2];
      if (close) close.hidden = false;
    }
    if (token.type === 'inline' && token.children) chooseInlineElements(token.children);
  });
}

/** `[1]`, `[1, 2]`; followed by an address it is a link. */
const citation = /\[\d{1,5}(?:[ \u3000]*[,，、][ \u3000]*\d{1,5})*\](?!\()/y;

function readCitation(state: StateInline, silent: boolean): boolean {
  if (silent || state.linkLevel > 0) return false;
  citation.lastIndex = state.pos;
  const raw = citation.exec(state.src)?.[0];
  if (raw === undefined || state.pos + raw.length > state.posMax || isReference(raw, state)) return false;
  state.push('citation', '', 0).content = raw;
  state.pos += raw.length;
  return true;
}

/** A number may also be defined as a link reference. */
function isReference(raw: string, { env }: StateInline): boolean {
  const name = md.utils.normalizeReference(raw.slice(1, -1));
  return /^https?:/i.test(env.references?.[name]?.href ?? '');
}

/** The panel's policy forbids the library's `style`. */
function alignByAttribute(cell: Token): void {
  const style = cell.attrs?.find(([name]) => name === 'style');
  if (style) [style[0], style[1]] = ['align', String(style[1]).slice('text-align:'.length)];
}

/** True if a click may open it, after a confirmation. */
export function isSafeAddress(address: string): boolean {
  return /^(?:https?:\/\/|mailto:)/i.test(address);
}

function chooseInlineElements(tokens: Token[]): void {
  pairTags(tokens);
  let linkTag: string | undefined;
  for (const token of tokens) {
    if (token.type === 'link_open') {
      const href = String(token.attrGet('href') ?? '');
      const isSafe = isSafeAddress(href);
      // Shown as text with the address as its tooltip: nothing is hidden.
      linkTag = isSafe ? 'a' : 'span';
      token.attrs = isSafe
        ? [
            ['href', href],
            ['title', href],
          ]
        : [['title', href], ...(linkedPlace(href) ? [['class', 'place'] satisfies [string, string]] : [])];
      token.tag = linkTag;
    } else if (token.type === 'link_close') {
      token.tag = linkTag ?? 'a';
      linkTag = undefined;
    } else if (token.type === 'image') {
      token.hidden = linkTag !== undefined;
    } else if (token.tag === 's') token.tag = 'del';
    if (token.level >= deepestInline && /^(?:em|strong|s)_/.test(token.type)) token.hidden = true;
  }
}
