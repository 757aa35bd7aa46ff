import { StringDecoder } from 'node:string_decoder';

/** In characters: a message of the protocol that is longer is refused instead of kept. */
export const longestLine = 4_000_000;

/** Splits bytes into lines across chunk boundaries; a line that is too long becomes `undefined`. */
export class LineSplitter {
  private readonly decoder = new StringDecoder('utf8');
  private begun = '';
  private isTooLong = false;

  constructor(private readonly longest = longestLine) {}

  push(bytes: Buffer): (string | undefined)[] {
    const [first = '', ...others] = this.decoder.write(bytes).split('\n');
    const lines: (string | undefined)[] = [];
    this.add(first);
    for (const next of others) {
      lines.push(this.isTooLong ? undefined : this.begun);
      this.begun = '';
      this.isTooLong = false;
      this.add(next);
    }
    return lines;
  }

  private add(text: string): void {
    if (this.isTooLong || this.begun.length + text.length > this.longest) {
      this.isTooLong = true;
      this.begun = '';
    } else {
      this.begun += text;
    }
  }
}
