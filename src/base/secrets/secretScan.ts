import { shapesMarkedIn } from './secretMarks.ts';
import { longestSecret } from './secretShapes.ts';

export interface FoundSecret {
  /** 1-based. */
  line: number;
  /** Localized, to follow "looks like"; never the secret itself. */
  words: string;
}

/** Finds the first secret in streamed text in linear time; holds at most one secret's length. */
export class SecretScan {
  found: FoundSecret | undefined;
  private kept = '';
  private line = 1;
  private isAtStart = true;

  push(piece: string): void {
    if (!this.found) this.look(this.kept + piece, false);
  }

  end(): FoundSecret | undefined {
    if (!this.found) this.look(this.kept, true);
    return this.found;
  }

  private look(text: string, isEnd: boolean): void {
    let first = text.length;
    let words: string | undefined;
    for (const shape of shapesMarkedIn(text)) {
      for (const match of text.matchAll(shape.pattern)) {
        if (match.index >= first) break;
        // A match at a cut may have begun before it or continue after it.
        if (match.index === 0 && !this.isAtStart) continue;
        if (match.index + match[0].length === text.length && !isEnd) continue;
        if (shape.isReal && !shape.isReal(match)) continue;
        first = match.index;
        words = shape.words();
      }
    }
    if (words !== undefined) {
      this.found = { line: this.line + lineBreaks(text.slice(0, first)), words };
      return;
    }
    const cut = Math.max(0, text.length - longestSecret - 1);
    if (cut > 0) {
      this.line += lineBreaks(text.slice(0, cut));
      this.isAtStart = false;
    }
    this.kept = text.slice(cut);
  }
}

function lineBreaks(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count++;
  return count;
}
