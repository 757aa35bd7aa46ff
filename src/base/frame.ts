import { createHash } from 'node:crypto';
import { visibleName } from './visibleText.ts';

/** A text of others, and what we say of it. */
export interface Frame {
  kind: string;
  facts: Readonly<Record<string, string>>;
  body: string;
}

/**
 * Puts a text of others (of a file, a server, a model) between tags with a mark that does not occur in it: nothing in
 * it can pass for the end of it, and so for another source, for our words or for the user's. The same text gets the
 * same tags, so that what was sent can be sent again byte for byte. `readFrame` gives back what was put in.
 */
export function frame({ kind, facts, body }: Frame): string {
  const tag = `${kind}-${markFor(body)}`;
  const attributes = Object.entries(facts).map(([name, value]) => ` ${name}="${escape(visibleName(value))}"`);
  return `<${tag}${attributes.join('')}>\n${body}\n</${tag}>`;
}

const opening = /<([a-z]+)-([0-9a-f]{4,})((?: [a-z-]+="[^"<>\n]*")*)>\n/y;

/** The frame that begins at a place in a text, and where it ends; undefined if no whole one does. */
export function readFrame(text: string, at = 0): (Frame & { end: number }) | undefined {
  opening.lastIndex = at;
  const [all, kind = '', mark = '', attributes = ''] = opening.exec(text) ?? [];
  if (all === undefined) return undefined;
  const closing = `\n</${kind}-${mark}>`;
  const start = at + all.length;
  // The line end behind the opening tag is also the one before the closing tag where nothing is between them.
  const close = text.indexOf(closing, start);
  if (close < 0) return undefined;
  const body = text.slice(start, close);
  return { kind, facts: readFacts(attributes), body, end: close + closing.length };
}

/** The facts in an opening tag, which may be cut. */
export function readFacts(tag: string): Record<string, string> {
  return Object.fromEntries(
    [...tag.matchAll(/ ([a-z-]+)="([^"]*)"/g)].map(([, name = '', value = '']) => [name, unescape(value)]),
  );
}

/** Hexadecimal digits that a reader does not find in the text, whatever he skips or takes for the same. */
function markFor(text: string): string {
  const seen = text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^0-9a-z]+/g, '');
  const hash = createHash('sha256').update(text).digest('hex').repeat(2);
  for (let tries = 0; ; tries++) {
    const from = tries % triesPerLength;
    const mark = hash.slice(from, from + fewestDigits + Math.floor(tries / triesPerLength));
    if (!seen.includes(mark)) return mark;
  }
}

/** Short, since each is sent twice; longer ones are rarer. */
const fewestDigits = 4;
const triesPerLength = 8;

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const characters = Object.fromEntries(
  Object.entries(entities).map(([character, entity]) => [entity, character]),
);

function escape(text: string): string {
  return text.replace(/[&<>"]/g, (character) => entities[character] ?? character);
}

function unescape(text: string): string {
  return text.replace(/&(?:amp|lt|gt|quot);/g, (entity) => characters[entity] ?? entity);
}
