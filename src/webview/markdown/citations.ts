import type { Token, Tokens } from 'marked';
import { lex, normalizeLineEnds } from './render.ts';

/** Whether a number is that of a source. */
export type IsSource = (n: number) => boolean;

/** The numbers that a text cites: those in square brackets, outside of code and links. */
export function citedNumbers(text: string): Set<number> {
  const cited = new Set<number>();
  // An answer without brackets need not be read.
  if (!text.includes('[')) return cited;
  const tokens: Token[] = lex(normalizeLineEnds(text));
  for (let token = tokens.pop(); token; token = tokens.pop()) {
    if (token.type === 'citation') for (const n of numbersIn(token.raw)) cited.add(n);
    else tokens.push(...childrenOf(token));
  }
  return cited;
}

function childrenOf(token: Token): Token[] {
  if (token.type === 'list') return (token as Tokens.List).items;
  if (token.type !== 'table') return ('tokens' in token && token.tokens) || [];
  const { header, rows } = token as Tokens.Table;
  return [header, ...rows].flat().flatMap((cell) => cell.tokens);
}

/** The numbers of one citation: `[1]`, `[1, 2]`. */
export function numbersIn(citation: string): number[] {
  return (citation.match(/\d+/g) ?? []).map(Number);
}
