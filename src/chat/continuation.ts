/** The words that a model may repeat are looked for in so much of what was there before. */
const longestOverlap = 400;
/** Less than this may well be meant. */
const shortestOverlap = 12;
const fewestWords = 3;
const shortestPartOfWord = 3;
/** Where a fence has more after it than a language, it is no fence. */
const longestFence = 40;

/**
 * What a model is told after the beginning of its answer. An answer's beginning alone, as the last message, is refused
 * by some vendors and answered from the start by others.
 */
export function continueInstruction(before: string): string {
  const told =
    'Your answer above was cut off before it was complete. Continue it exactly where it stops, with the very next ' +
    'characters: repeat nothing of it, and do not comment on the interruption.';
  return openFence(before)
    ? `${told} It stops inside a code block: go on with the code, and do not open the block again.`
    : told;
}

/** Where the rest of an answer meets its beginning: what a model repeats of it in spite of being told is left out. */
export class Seam {
  private readonly end: string;
  private readonly isInCode: boolean;
  /** What came and may still be a repetition. */
  private held: string | undefined = '';

  constructor(before: string) {
    this.end = before.slice(-longestOverlap);
    this.isInCode = openFence(before) !== undefined;
  }

  /** What is to be added of a piece; it may come with a later one. */
  push(text: string): string {
    if (this.held === undefined) return text;
    this.held += text;
    return this.mayStillRepeat(this.held) ? '' : this.finish();
  }

  /** What was still held back, at the end. */
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

  /** How many characters at the beginning were there before. */
  private repeated(held: string): number {
    for (let length = Math.min(held.length, this.end.length); length >= shortestOverlap; length--) {
      if (this.end.endsWith(held.slice(0, length)) && isSurelyRepeated(held.slice(0, length))) return length;
    }
    // A word that was cut in two is often begun again.
    const word = lastWord(this.end);
    const isBegunAgain =
      word.length >= shortestPartOfWord && held.startsWith(word) && isLetter(held[word.length]);
    return isBegunAgain ? word.length : 0;
  }
}

/** A fence with a language only ever opens a block. */
const reopenedFence = /^\s*`{3,}[\w+#.-]+[ \t]*\n/;

/** Rows of numbers and rulers of tables repeat themselves; words seldom do. */
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

/** The fence of the code block in which a text ends, if it does. */
function openFence(text: string): string | undefined {
  let open: string | undefined;
  for (const [, fence = '', info = ''] of text.matchAll(/^ {0,3}(`{3,}|~{3,})([^\n]*)$/gm)) {
    if (open === undefined) open = fence;
    else if (fence[0] === open[0] && fence.length >= open.length && !info.trim()) open = undefined;
  }
  return open;
}
