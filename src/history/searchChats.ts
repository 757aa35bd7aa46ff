import { closeSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { escapeRegExp } from '../base/text/escapeRegExp.ts';
import { asObject, readObject, type JsonObject } from '../base/json.ts';
import { oneLine } from '../base/text/oneLine.ts';
import { chatExtension } from './savedChats.ts';
import { createGiveWay } from '../base/async/promises.ts';

interface Hit {
  itemId?: string;
  excerpt: string;
}

export interface FoundChat extends Hit {
  id: string;
}

/** Chunk size and overlap in bytes; a match may span several lines. */
export interface ScanSizes {
  chunk: number;
  overlap: number;
}

const usualSizes: ScanSizes = { chunk: 1024 * 1024, overlap: 64 * 1024 };
/** Longer lines are skipped. */
const longestLine = 64 * 1024 * 1024;
const longestQuery = 200;
const excerptBefore = 30;
const excerptAfter = 120;

/** Case-insensitive, in order of ids, with bounded memory. Unreadable files are skipped, as the list reports them. */
export async function* searchChats(
  folder: string,
  ids: readonly string[],
  text: string,
  signal: AbortSignal,
  sizes = usualSizes,
): AsyncGenerator<FoundChat, void, void> {
  const query = text.trim().slice(0, longestQuery);
  if (query === '') return;
  const scan = new Scan(query, sizes);
  const giveWay = createGiveWay();
  for (const id of ids) {
    try {
      for (const hit of scan.file(join(folder, `${id}${chatExtension}`))) {
        if (hit) {
          yield { id, ...hit };
          break;
        }
        if ((await giveWay()) && signal.aborted) return;
      }
    } catch {
      continue;
    }
    if (signal.aborted) return;
  }
}

class Scan {
  private readonly pattern: RegExp;
  private readonly wanted: string;
  private buffer: Buffer;

  constructor(
    query: string,
    private readonly sizes: ScanSizes,
  ) {
    this.pattern = patternOf(query);
    this.wanted = query.toLowerCase();
    this.buffer = Buffer.allocUnsafe(sizes.chunk + sizes.overlap);
  }

  *file(path: string): Generator<Hit | undefined, void, void> {
    const file = openSync(path, 'r');
    try {
      let held = 0;
      for (;;) {
        if (this.buffer.length - held < this.sizes.chunk) held = this.makeRoom(held);
        const length = readSync(file, this.buffer, held, this.sizes.chunk, null);
        const end = held + length;
        const isLast = length === 0;
        // Whole lines only; the remainder is read again.
        const whole = isLast ? end : this.buffer.lastIndexOf(0x0a, end - 1) + 1;
        const found = whole > 0 ? this.find(this.buffer.subarray(0, whole)) : undefined;
        yield found;
        if (found || isLast) return;
        const from = whole === 0 ? 0 : this.lineBefore(whole);
        this.buffer.copy(this.buffer, 0, from, end);
        held = end - from;
      }
    } finally {
      closeSync(file);
    }
  }

  private makeRoom(held: number): number {
    if (held > longestLine) return 0;
    const larger = Buffer.allocUnsafe(2 * this.buffer.length + this.sizes.chunk);
    this.buffer.copy(larger, 0, 0, held);
    this.buffer = larger;
    return held;
  }

  private lineBefore(whole: number): number {
    const at = whole - this.sizes.overlap;
    return at <= 0 ? 0 : Math.min(this.buffer.indexOf(0x0a, at) + 1, whole);
  }

  private find(bytes: Buffer): Hit | undefined {
    // One character per byte: only matches are decoded.
    const text = bytes.toString('latin1');
    this.pattern.lastIndex = 0;
    for (let hit = this.pattern.exec(text); hit; hit = this.pattern.exec(text)) {
      if (isStructure(text, hit.index, hit.index + hit[0].length)) continue;
      const start = text.lastIndexOf('\n', hit.index) + 1;
      const after = text.indexOf('\n', hit.index + hit[0].length);
      const end = after < 0 ? text.length : after;
      const found = this.findIn(bytes.toString('utf8', start, end).split('\n'));
      if (found) return found;
      this.pattern.lastIndex = Math.max(end, hit.index + 1);
    }
    return undefined;
  }

  private findIn(lines: readonly string[]): Hit | undefined {
    for (const { itemId, text } of textsIn(lines)) {
      const at = text.toLowerCase().indexOf(this.wanted);
      if (at >= 0) return { ...(itemId && { itemId }), excerpt: excerptOf(text, at, this.wanted.length) };
    }
    return undefined;
  }
}

export function textsIn(lines: readonly string[]): TextOfItem[] {
  const texts: TextOfItem[] = [];
  let last = '';
  for (const line of lines) {
    if (line === '') continue;
    const event = readObject(line);
    if (!event) continue;
    const piece =
      event.type === 'textAdded' || event.type === 'reasoningAdded'
        ? `${event.type} ${String(event.id)}`
        : '';
    const own = textsOf(event);
    const begun = piece !== '' && piece === last ? texts.at(-1) : undefined;
    if (begun) begun.text += own[0]?.text ?? '';
    else texts.push(...own);
    last = piece;
  }
  return texts;
}

interface TextOfItem {
  itemId?: string;
  text: string;
}

function textsOf(event: JsonObject): TextOfItem[] {
  const { attachments, calls, outcome, text } = event;
  const own: unknown[] = [text, asObject(outcome)?.content];
  for (const attachment of asList(attachments)) own.push(attachment.label, attachment.text);
  const called = asList(calls).flatMap((call) =>
    ofItem(call.id, [call.inputText, call.arguments, ...valuesIn(call.input)]),
  );
  return [...ofItem(event.id, own), ...called];
}

function ofItem(id: unknown, values: readonly unknown[]): TextOfItem[] {
  const texts = values.filter((each) => typeof each === 'string');
  return texts.map((text) => ({ ...(typeof id === 'string' && { itemId: id }), text }));
}

function valuesIn(input: unknown): unknown[] {
  return typeof input === 'object' && input !== null ? Object.values(input).flatMap(valuesIn) : [input];
}

function asList(value: unknown): JsonObject[] {
  return Array.isArray(value) ? value.map(asObject).filter((each) => each !== undefined) : [];
}

/** True for field names, ids and types, which occur in every line. Quotes within text are escaped. */
function isStructure(text: string, start: number, end: number): boolean {
  const next = text.indexOf('"', end);
  if (text[next + 1] === ':' && text[next - 1] !== '\\') return true;
  const quote = text.lastIndexOf('"', start);
  return text.startsWith('"id":', quote - 5) || text.startsWith('"type":', quote - 7);
}

const seam = '(?:"\\}\\n+\\{"type":"(?:textAdded|reasoningAdded)","id":"[^"\\n]*","text":")?';

/** Matches against bytes decoded as Latin-1. */
function patternOf(query: string): RegExp {
  const characters = Array.from(query).map((character) => {
    const forms = new Set([character, character.toLowerCase(), character.toUpperCase()]);
    const written = [...forms].map((form) => {
      const json = JSON.stringify(form).slice(1, -1);
      return escapeRegExp(Buffer.from(json).toString('latin1'));
    });
    return written.length > 1 ? `(?:${written.join('|')})` : (written[0] ?? '');
  });
  return new RegExp(characters.join(seam), 'g');
}

function excerptOf(text: string, at: number, length: number): string {
  const from = Math.max(0, at - excerptBefore);
  const to = Math.min(text.length, at + length + excerptAfter);
  return oneLine(
    `${from > 0 ? '…' : ''}${text.slice(from, to)}${to < text.length ? '…' : ''}`,
    2 * excerptAfter,
  );
}
