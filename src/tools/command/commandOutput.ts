import { frame } from '../../base/text/frame.ts';
import { maskSecrets } from '../../base/secrets/maskSecrets.ts';
import { redactSecrets } from '../../base/secrets/redactSecrets.ts';
import { lastLines } from './commandResult.ts';
import { EscapeFilter, LineEditor } from './escapeFilter.ts';

const shownBytes = { head: 8192, tail: 12_288 };
/** Characters redacted around a cut: half of a secret isn't recognized. */
const margin = 24_576;

interface Kept {
  head: number;
  tail: number;
}
const keptCharacters: Kept = { head: 1_000_000, tail: 1_000_000 };
/** Enough for what is shown, and for finding secrets in it. */
export const keptOfTerminal: Kept = { head: margin, tail: margin };

export class CommandOutput {
  private readonly decoder = new TextDecoder();
  private readonly filter = new EscapeFilter();
  private readonly editor = new LineEditor();
  private readonly text: BoundedText;

  private secrets: readonly string[] = [];
  private words: readonly string[] = [];

  /** @param ofEnvironment values of key variables; some of them are ordinary words */
  constructor(secrets: readonly string[], ofEnvironment: readonly string[] = [], kept = keptCharacters) {
    this.text = new BoundedText(kept);
    this.mask(secrets, ofEnvironment);
  }

  /** Replaces the secrets that are masked where the output is read. */
  mask(secrets: readonly string[], ofEnvironment: readonly string[]): void {
    const isKey = (value: string) => value.length >= 20 && /\d/.test(value);
    this.secrets = [...secrets, ...ofEnvironment.filter(isKey)];
    this.words = ofEnvironment.filter((value) => !isKey(value));
  }

  /** @returns the decoded bytes with escape sequences; an incomplete character waits for the next call */
  push(bytes: Uint8Array): string {
    const raw = this.decoder.decode(bytes, { stream: true });
    this.pushText(raw);
    return raw;
  }

  pushText(raw: string): void {
    this.text.push(this.editor.push(this.filter.push(raw)));
  }

  kept(): string {
    const [head, tail] = this.parts();
    if (tail === undefined) return this.clean(head);
    const gap = `\n[${this.text.omitted} characters were not kept]\n`;
    return this.clean(head) + gap + this.clean(tail);
  }

  newest(): string {
    const [head, tail = head] = this.parts();
    return lastLines(this.clean(tail.slice(-margin)));
  }

  /** The output for the model; `readWith` is the call that reads what is stored, if it is. */
  shown(readWith?: string): { text: string; isWhole: boolean } {
    const [head, tail] = this.parts();
    const last = tail ?? head;
    const whole =
      tail === undefined && head.length <= shownBytes.head + shownBytes.tail ? this.clean(head) : undefined;
    if (whole !== undefined && Buffer.byteLength(whole) <= shownBytes.head + shownBytes.tail) {
      return { text: framed(whole), isWhole: true };
    }
    const first = firstBytes(this.clean(head.slice(0, margin)), shownBytes.head);
    const end = lastBytes(this.clean(last.slice(-margin)), shownBytes.tail);
    return {
      text: `The output has ${this.text.length} characters. Its beginning and its end are here; ${this.rest(readWith)}\n${framed(first)}\n${framed(end)}`,
      isWhole: false,
    };
  }

  private rest(readWith: string | undefined): string {
    if (readWith === undefined) return 'the rest was not kept.';
    const [head, tail] = this.parts();
    if (tail === undefined) return `read all of it with ${readWith}.`;
    return (
      `of all of it only the first ${head.length} and the last ${tail.length} characters are kept, to be read with ` +
      `${readWith}. For what is between them run the command again with a filter, or with its output in a file.`
    );
  }

  private parts(): [string] | [string, string] {
    const [head, tail] = this.text.parts();
    const { held } = this.editor;
    return tail === undefined ? [head + held] : [head, tail + held];
  }

  private clean(text: string): string {
    const redacted = this.words.reduce((rest, word) => rest.replaceAll(word, '***'), redactSecrets(text));
    if (this.secrets.length === 0) return redacted;
    // Masking stores several numbers per character.
    const pieces = redacted.match(/[^]{1,50000}(?:.{0,1000}\n|)/g) ?? [];
    return pieces.map((piece) => maskSecrets(piece, this.secrets)).join('');
  }
}

function framed(body: string): string {
  return body.trim() === ''
    ? '[no output]'
    : frame({ kind: 'output', facts: {}, body: body.replace(/\n+$/, '') });
}

function firstBytes(text: string, bytes: number): string {
  // Holds back an incomplete character.
  const cut = new TextDecoder().decode(Buffer.from(text).subarray(0, bytes), { stream: true });
  const end = cut.lastIndexOf('\n');
  return end > bytes / 2 ? cut.slice(0, end) : cut;
}

function lastBytes(text: string, bytes: number): string {
  const all = Buffer.from(text);
  let start = Math.max(0, all.length - bytes);
  while (start < all.length && ((all[start] ?? 0) & 0xc0) === 0x80) start++;
  const cut = all.subarray(start).toString();
  const line = cut.indexOf('\n') + 1;
  return start > 0 && line > 0 && line < cut.length / 2 ? cut.slice(line) : cut;
}

/** Keeps the beginning and the end of a text, in characters; the tail can be longer by one piece. */
class BoundedText {
  private head = '';
  private readonly tail: string[] = [];
  private tailLength = 0;
  omitted = 0;

  constructor(private readonly keeps: Kept) {}

  push(text: string): void {
    const room = this.keeps.head - this.head.length;
    // A slice would keep the whole string alive.
    if (room > 0) this.head += text.slice(0, room);
    const rest = room > 0 ? text.slice(room) : text;
    if (rest === '') return;
    this.tail.push(rest);
    this.tailLength += rest.length;
    for (;;) {
      const [first] = this.tail;
      if (first === undefined || this.tailLength - first.length < this.keeps.tail) return;
      this.tail.shift();
      this.tailLength -= first.length;
      this.omitted += first.length;
    }
  }

  get length(): number {
    return this.head.length + this.omitted + this.tailLength;
  }

  parts(): [whole: string] | [head: string, tail: string] {
    const tail = this.tail.join('');
    return this.omitted === 0 ? [this.head + tail] : [this.head, tail];
  }
}
