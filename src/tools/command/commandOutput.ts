import { frame } from '../../base/frame.ts';
import { maskSecrets } from '../../base/maskSecrets.ts';
import { redactSecrets } from '../../base/secrets/redact.ts';
import { BoundedText } from './boundedText.ts';
import { EscapeFilter, LineEditor } from './escapeFilter.ts';

/** Of an output the model is given so much, in bytes of UTF-8. */
const shownBytes = { head: 8192, tail: 12_288 };
/** So much can be read later, in characters. */
const keptCharacters = { head: 1_000_000, tail: 1_000_000 };
/** What is redacted before it is cut: a secret that is cut in two is none any more. */
const margin = 24_576;

/** What a command printed, as text: bounded, however much it is. */
export class CommandOutput {
  private readonly decoder = new TextDecoder();
  private readonly filter = new EscapeFilter();
  private readonly editor = new LineEditor();
  private readonly text = new BoundedText(keptCharacters);

  /** @param secrets keys that are kept, which no output may show */
  constructor(private readonly secrets: readonly string[]) {}

  /** @returns what the bytes say, with their escape sequences; the rest of a character comes with the next ones */
  push(bytes: Uint8Array): string {
    const raw = this.decoder.decode(bytes, { stream: true });
    this.text.push(this.editor.push(this.filter.push(raw)));
    return raw;
  }

  /** All that is kept, without secrets. */
  kept(): string {
    const [head, tail] = this.parts();
    if (tail === undefined) return this.clean(head);
    const gap = `\n[${this.text.omitted} characters were not kept]\n`;
    return this.clean(head) + gap + this.clean(tail);
  }

  /**
   * What the model is given, and whether that is all.
   * @param readWith the call that reads what is kept
   */
  shown(readWith: string): { text: string; isWhole: boolean } {
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

  /** How to read what is not shown, as far as it can be. */
  private rest(readWith: string): string {
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
    const redacted = redactSecrets(text);
    if (this.secrets.length === 0) return redacted;
    // Masking holds several numbers for each character.
    const pieces = redacted.match(/[^]{1,50000}(?:.{0,1000}\n|)/g) ?? [];
    return pieces.map((piece) => maskSecrets(piece, this.secrets)).join('');
  }
}

/** Nothing that a program prints can pass for what we say of it. */
function framed(body: string): string {
  return body.trim() === ''
    ? '[no output]'
    : frame({ kind: 'output', facts: {}, body: body.replace(/\n+$/, '') });
}

/** Whole lines from the beginning, if there are any. */
function firstBytes(text: string, bytes: number): string {
  // What is not whole at the end is held back.
  const cut = new TextDecoder().decode(Buffer.from(text).subarray(0, bytes), { stream: true });
  const end = cut.lastIndexOf('\n');
  return end > bytes / 2 ? cut.slice(0, end) : cut;
}

/** Whole lines up to the end. */
function lastBytes(text: string, bytes: number): string {
  const all = Buffer.from(text);
  let start = Math.max(0, all.length - bytes);
  // Not within a character.
  while (start < all.length && ((all[start] ?? 0) & 0xc0) === 0x80) start++;
  const cut = all.subarray(start).toString();
  const line = cut.indexOf('\n') + 1;
  return start > 0 && line > 0 && line < cut.length / 2 ? cut.slice(line) : cut;
}
