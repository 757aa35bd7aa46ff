import MarkdownIt, { type Env as AnyEnv, type StateBlock, type StateCore, type Token } from 'markdown-it';
import { readCitation } from './citationRule.ts';
import {
  deepestBlock,
  deepestInline,
  longestInline,
  mostBlockSteps,
  mostColumns,
  mostEmptyCells,
  mostInlineSteps,
  stepsPerBlock,
  stepsPerCell,
  stepsPerTask,
} from './limits.ts';
import { readBlockMath, readInlineMath } from './math.ts';

/** Markdown → tokens. HTML is text, and nothing is dropped: what is too deep, too wide or too long stays plain. */
export const md = new MarkdownIt({ linkify: true });

// Whether an address may be opened is for the renderer to say: it shows the others with what they would have opened.
md.validateLink = () => true;
// What is shown is what was written, not a decoded form that may look like another address.
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

/** The addresses that a text gives names to, by name as `normalizeReference` makes it. */
export type References = Record<string, { href: string; title: string }>;

/** What is shared by all that is read of one block. */
export interface Env extends AnyEnv {
  references: References;
  /** What it has cost. */
  steps: number;
  /** So many has the table that is being read. */
  columns: number;
  /** The cells of rows that have more, by line. */
  surplus: Map<number, string[]>;
  /** The text goes on behind what is read. */
  isCut: boolean;
}

export function newEnv(references: References, isCut = false): Env {
  return { references, steps: 0, columns: 0, surplus: new Map(), isCut };
}

class TooComplexError extends Error {}

const everywhere = { alt: ['paragraph', 'reference', 'blockquote', 'list'] };
md.block.ruler.before('table', 'steps', countBlockSteps, everywhere);
md.block.ruler.before('table', 'deep', readTooDeep);
md.block.ruler.before('table', 'wide', readTooWide, { alt: ['paragraph', 'reference'] });
md.block.ruler.before('fence', 'math', readBlockMath, everywhere);

md.inline.ruler.before('text', 'steps', ({ env }) => countSteps(env as Env, 1, mostInlineSteps));
md.inline.ruler.before('escape', 'math', readInlineMath);
md.inline.ruler.before('link', 'citation', readCitation);

// Blocks come from `readBlocks`; the rest of the chain is given one of them, or one of its items, at a time.
md.core.ruler.disable(['normalize', 'block', 'strip_references', 'replacements', 'smartquotes']);
md.core.ruler.before('inline', 'items', unwrapSingleParagraphs);
md.core.ruler.before('inline', 'rows', joinEmptyCells);
md.core.ruler.at('inline', readInline);
md.core.ruler.push('elements', chooseElements);

/** Reads the texts in the tokens of a block, or of an item of it, so that they can be rendered. */
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

/** Comes first at each line that may begin a block, or (then silently) end one. */
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

/** All that is in too many quotations and lists. */
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

/** A table with more columns than can be shown. */
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

/** A line of a table, as the library takes it apart. */
function cellsOf({ src, bMarks, tShift, eMarks }: StateBlock, line: number): string[] {
  const text = src.slice((bMarks[line] ?? 0) + (tShift[line] ?? 0), eMarks[line]).trim();
  const cells = text.split(/(?<!\\)\|/);
  if (cells[0] === '') cells.shift();
  if (cells.at(-1) === '') cells.pop();
  return cells;
}

/** What a row has behind its table's last column, and would be left out, stands in its last cell. */
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

/**
 * A paragraph that is the only one of its item stands in the item itself. (Markdown asks whether there is an empty line
 * anywhere in the list, which is known at its end; both look alike.)
 */
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

/** A row has as many cells as its table has columns, however short it is: those that are only filled in are one. */
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

/** The texts of a block; one that cannot be read stays as it was written. */
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

/** Where what is shown differs from the elements that Markdown has. */
function chooseElements({ tokens }: StateCore): void {
  tokens.forEach((token, index) => {
    if (token.type === 'td_open' || token.type === 'th_open') alignByAttribute(token);
    // Lines of HTML are lines on the screen, too.
    if (token.type === 'paragraph_open' && looksLikeHtml.test(tokens[index + 1]?.content ?? '')) {
      token.attrs = [['class', 'raw-html']];
      token.hidden = false;
      const close = tokens[index + 2];
      if (close) close.hidden = false;
    }
    if (token.type === 'inline' && token.children) chooseInlineElements(token.children);
  });
}

const looksLikeHtml = /^<(?:[a-z][\w-]*[\s/>]|\/[a-z]|!--|[?!])/i;

/** The panel's policy forbids the `style` that the library writes. */
function alignByAttribute(cell: Token): void {
  const style = cell.attrs?.find(([name]) => name === 'style');
  if (style) [style[0], style[1]] = ['align', String(style[1]).slice('text-align:'.length)];
}

/** Whether a click may open it, after a question. */
export function isSafeAddress(address: string): boolean {
  return /^(?:https?:\/\/|mailto:)/i.test(address);
}

function chooseInlineElements(tokens: Token[]): void {
  let linkTag: string | undefined;
  for (const token of tokens) {
    if (token.type === 'link_open') {
      const href = String(token.attrGet('href') ?? '');
      const isSafe = isSafeAddress(href);
      // Others are shown as text, with what they would have opened: nothing is hidden from the reader.
      linkTag = isSafe ? 'a' : 'span';
      token.attrs = isSafe
        ? [
            ['href', href],
            ['title', href],
          ]
        : [['title', href]];
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
