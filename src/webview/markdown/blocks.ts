import type { Token, Tokens } from 'marked';
import { languageOf, listTag, renderHead, renderItem, renderRow, renderToken } from './render.ts';

/** The pieces an answer is drawn from: small enough that a changed one may be drawn anew. */
export type Block = HtmlBlock | CodeBlock | ItemsBlock;

export interface HtmlBlock {
  readonly type: 'html';
  readonly html: string;
}

export interface CodeBlock {
  readonly type: 'code';
  readonly language: string;
  readonly text: string;
  /** Its end was seen: from now on it may be highlighted. */
  readonly closed: boolean;
}

/** A list or a table, whose items are drawn one by one, since a single one may be the whole answer. */
export interface ItemsBlock {
  readonly type: 'list' | 'table';
  /** The opening tag of a list, the head of a table; another one makes it another block. */
  readonly open: string;
  readonly items: string[];
  /** So many of the first items are known to be unchanged. */
  readonly stable: number;
}

/** Whether a token shows anything. */
export function isVisible(token: Token): boolean {
  return token.type !== 'space' && token.type !== 'def';
}

export function isList(token: Token): token is Tokens.List {
  return token.type === 'list';
}

export function isTable(token: Token): token is Tokens.Table {
  return token.type === 'table';
}

export function toBlock(token: Token): Block {
  if (isList(token)) {
    return { type: 'list', open: listTag(token), items: token.items.map(renderItem), stable: 0 };
  }
  if (isTable(token)) {
    return { type: 'table', open: renderHead(token), items: token.rows.map(renderRow), stable: 0 };
  }
  if (isCode(token)) {
    return { type: 'code', language: languageOf(token.lang), text: token.text, closed: isClosed(token.raw) };
  }
  return { type: 'html', html: renderToken(token) };
}

function isCode(token: Token): token is Tokens.Code {
  return token.type === 'code';
}

/** Whether the source of a fence has its closing line. Indented code has none; it is closed by what follows. */
function isClosed(raw: string): boolean {
  const opening = /^ {0,3}(`{3,}|~{3,})/.exec(raw)?.[1];
  if (!opening) return false;
  const end = raw.trimEnd();
  const lastLine = end.slice(end.lastIndexOf('\n') + 1).trim();
  return end.includes('\n') && lastLine.startsWith(opening) && /^(?:`+|~+)$/.test(lastLine);
}
