const longestOverlap = 400;
/** Shorter repetitions may be intended. */
const shortestOverlap = 12;
const fewestWords = 3;
const shortestPartOfWord = 3;
/** Longer text after the backticks means that they are no fence. */
const longestFence = 40;

/** Instruction after the beginning of an answer. Some vendors refuse a trailing partial answer, others restart it. */
export function continueInstruction(before: string): string {
  const told =
    'Your answer above was cut off before it was complete. Continue it exactly where it stops, with the very next ' +
    'characters: repeat nothing of it, and do not comment on the interruption.';
  return openFence(before)
    ? `${told} It stops inside a code block: go on with the code, and do not open the block again.`
    : told;
}

export class Seam {
  private readonly end: string;
  private readonly isInCode: boolean;
  private held: string | undefined = '';

  constructor(before: string) {
    this.end = before.slice(-longestOverlap);
    this.isInCode = openFence(before) !== undefined;
  }

  /** Returns the text to add for a piece; it may be delayed until a later piece. */
  push(text: string): string {
    if (this.held === undefined) return text;
    this.held += text;
    return this.mayStillRepeat(this.held) ? '' : this.finish();
  }

  finish(): string {
    const { held = '' } = this;
    this.held = undefined;
    const rest = held.slice(this.repeated(held));
    return this.isInCode ? rest.replace(reopenedFence, '') : rest;
  }

  private mayStillRepeat(held: string): boolean {
    for (let length = held.length + 1; length <= this.end.length; length++) {
      if (this.end.startsWith(held, this.end.length - length)) return true;
    }
    const word = lastWord(this.end);
    if (held.length <= word.length && word.startsWith(held)) return true;
    return this.isInCode && held.length < longestFence && /^\s*(?:`{0,2}$|`{3,}[^\n]*$)/.test(held);
  }

  private repeated(held: string): number {
    for (let length = Math.min(held.length, this.end.length); length >= shortestOverlap; length--) {
      if (this.end.endsWith(held.slice(0, length)) && isSurelyRepeated(held.slice(0, length))) return length;
    }
    const word = lastWord(this.end);
    const isBegunAgain =
      word.length >= shortestPartOfWord && held.startsWith(word) && isLetter(held[word.length]);
    return isBegunAgain ? word.length : 0;
  }
}

/** A fence with a language always opens a block. */
const reopenedFence = /^\s*`{3,}[\w+#.-]+[ \t]*\n/;

/** Number rows and table rulers repeat legitimately; words seldom do. */
function isSurelyRepeated(text: string): boolean {
  const words = text.match(/\p{Script=Han}|[\p{L}_]{2,}/gu) ?? [];
  return new Set(words).size >= fewestWords;
}

function lastWord(text: string): string {
  return /[\p{L}\p{N}_]+$/u.exec(text)?.[0] ?? '';
}

function isLetter(character: string | undefined): boolean {
  return character !== undefined && /[\p{L}\p{N}_]/u.test(character);
}

function openFence(text: string): string | undefined {
  let open: string | undefined;
  for (const [, fence = '', info = ''] of text.matchAll(/^ {0,3}(`{3,}|~{3,})([^\n]*)$/gm)) {
    if (open === undefined) open = fence;
    else if (fence[0] === open[0] && fence.length >= open.length && !info.trim()) open = undefined;
  }
  return open;
}
