import type { StateBlock, StateInline } from 'markdown-it';
import type { Env } from '../limits.ts';

/** `\(…\)`, `\[…\]`, `$$…$$` and inline `$…$` stay verbatim: Markdown would read underscores and backslashes. */

/** In characters: bounds the search of an opening without an end. */
const longestInline = 2000;
const longestBlock = 4000;
const longestInDollars = 500;

const stepsWithoutEnd = 20;
const stepsPerFormula = 20;

const blockEnds: Record<string, string> = { '\\[': '\\]', $$: '$$' };
const inlineEnds: Record<string, string> = { ...blockEnds, '\\(': '\\)' };

/** The kind of block depends on text that hasn't been read. */
export class UndecidedError extends Error {}

export function readInlineMath(state: StateInline, silent: boolean): boolean {
  const { src, pos, posMax } = state;
  const closing = inlineEnds[src.slice(pos, pos + 2)];
  if (closing === undefined) return src[pos] === '$' && readInDollars(state, silent);
  const near = src.slice(pos, Math.min(posMax, pos + longestInline));
  const at = near.indexOf(closing, 2);
  if (at <= 2) {
    (state.env as Env).steps += stepsWithoutEnd;
    return false;
  }
  (state.env as Env).steps += stepsPerFormula;
  if (!silent) state.push('math', 'span', 0).content = near.slice(0, at + 2);
  state.pos += at + 2;
  return true;
}

const inDollars = /\$(?=[^\s$])((?:[^\\$\n]|\\.)*)\$(?![\p{L}\p{N}$])/uy;
/** A number alone is a price, up to the sign of the next one. */
const price = /^\d[^\\^_={}]*$/;

/** Dollars mostly mean prices or variables: mathematics has no space inside of the signs and no word outside. */
function readInDollars(state: StateInline, silent: boolean): boolean {
  const { src, pos, posMax } = state;
  if (/[\p{L}\p{N}$]/u.test(src[pos - 1] ?? '')) return false;
  inDollars.lastIndex = 0;
  const [whole, formula = ''] =
    inDollars.exec(src.slice(pos, Math.min(posMax, pos + longestInDollars))) ?? [];
  if (whole === undefined || /\s$/.test(formula) || price.test(formula)) {
    (state.env as Env).steps += stepsWithoutEnd;
    return false;
  }
  (state.env as Env).steps += stepsPerFormula;
  if (!silent) state.push('math', 'span', 0).content = whole;
  state.pos += whole.length;
  return true;
}

/** Display mathematics without empty lines; unclosed, it extends to the text's end, so nothing drawn is taken back. */
export function readBlockMath(
  state: StateBlock,
  startLine: number,
  endLine: number,
  silent: boolean,
): boolean {
  const { src, bMarks, eMarks, tShift, sCount, blkIndent } = state;
  if ((sCount[startLine] ?? 0) - blkIndent >= 4) return false;
  const begin = (bMarks[startLine] ?? 0) + (tShift[startLine] ?? 0);
  const closing = blockEnds[src.slice(begin, begin + 2)];
  if (closing === undefined) return false;
  const line = lineOfClosing(state, startLine, endLine, closing);
  if (line === undefined) return false;
  if (line < endLine) {
    const from = line === startLine ? begin + 2 : (bMarks[line] ?? 0);
    const at = src.indexOf(closing, from);
    if (at === begin + 2 || src.slice(at + 2, eMarks[line]).trim() !== '') return false;
  } else {
    if ((state.env as Env).isCut) throw new UndecidedError();
    if (src.slice(begin, eMarks[endLine - 1]).trim().length <= 2) return false;
  }
  if (silent) return true;
  const end = Math.min(line + 1, endLine);
  const token = state.push('math_block', 'p', 0);
  token.content = state.getLines(startLine, end, blkIndent, false).trim();
  token.map = [startLine, end];
  state.line = end;
  return true;
}

/** The closing line; `endLine` if there is none, undefined after an empty line. Cached: else quadratic. */
function lineOfClosing(
  state: StateBlock,
  startLine: number,
  endLine: number,
  closing: string,
): number | undefined {
  const { src, bMarks, eMarks, tShift, sCount, blkIndent, env, level } = state;
  const begin = (bMarks[startLine] ?? 0) + (tShift[startLine] ?? 0);
  if (src.slice(begin + 2, eMarks[startLine]).includes(closing)) return startLine;
  const searched = (env[`${closing}${level}`] ??= { from: 0, to: 0 }) as { from: number; to: number };
  const isSearched = startLine >= searched.from && startLine < searched.to;
  if (!isSearched) searched.from = startLine;
  for (let line = isSearched ? searched.to : startLine + 1; ; line++) {
    searched.to = line;
    if (line >= endLine) return endLine;
    const start = bMarks[line] ?? 0;
    if (state.isEmpty(line) || (sCount[line] ?? 0) < blkIndent || start - begin > longestBlock)
      return undefined;
    if (src.slice(start, eMarks[line]).includes(closing)) return line;
  }
}
