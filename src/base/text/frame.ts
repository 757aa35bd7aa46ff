import { visibleName } from './visibleText.ts';
import { sha256 } from '../sha256.ts';

export interface Frame {
  kind: string;
  facts: Readonly<Record<string, string>>;
  body: string;
}

/** A mark that doesn't occur in the text keeps it from ending the frame. Equal texts get equal tags. */
export function frame({ kind, facts, body }: Frame): string {
  const tag = `${kind}-${markFor(body)}`;
  const attributes = Object.entries(facts).map(([name, value]) => ` ${name}="${escape(visibleName(value))}"`);
  return `<${tag}${attributes.join('')}>\n${body}\n</${tag}>`;
}

const opening = /<([a-z]+)-([0-9a-f]{4,})((?: [a-z-]+="[^"<>\n]*")*)>\n/y;

export function readFrame(text: string, at = 0): (Frame & { end: number }) | undefined {
  opening.lastIndex = at;
  const [all, kind = '', mark = '', attributes = ''] = opening.exec(text) ?? [];
  if (all === undefined) return undefined;
  const closing = `\n</${kind}-${mark}>`;
  const start = at + all.length;
  // An empty body has one line end between its tags.
  const close = text.indexOf(closing, start);
  if (close < 0) return undefined;
  const body = text.slice(start, close);
  return { kind, facts: readFacts(attributes), body, end: close + closing.length };
}

export function readFacts(tag: string): Record<string, string> {
  return Object.fromEntries(
    [...tag.matchAll(/ ([a-z-]+)="([^"]*)"/g)].map(([, name = '', value = '']) => [name, unescape(value)]),
  );
}

/** Hexadecimal digits that don't occur in the text, even if other characters are skipped or normalized. */
function markFor(text: string): string {
  const seen = text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^0-9a-z]+/g, '');
  const hash = sha256(text).repeat(2);
  for (let tries = 0; ; tries++) {
    const from = tries % triesPerLength;
    const mark = hash.slice(from, from + fewestDigits + Math.floor(tries / triesPerLength));
    if (!seen.includes(mark)) return mark;
  }
}

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
