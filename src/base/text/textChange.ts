export interface TextChange {
  /** In UTF-16 code units. */
  rangeOffset: number;
  rangeLength: number;
  text: string;
}

/** Splits no line end or character. */
export function differenceOf(before: string, after: string): TextChange {
  const [start, end] = commonEnds(before, after);
  return {
    rangeOffset: start,
    rangeLength: before.length - end - start,
    text: after.slice(start, after.length - end),
  };
}

/** Lengths of the common prefix and suffix, which split no line end or character. */
function commonEnds(before: string, after: string): [start: number, end: number] {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before[start] === after[start]) start++;
  if (splits(before, start) || splits(after, start)) start--;
  let end = 0;
  while (end < shorter - start && before.at(-1 - end) === after.at(-1 - end)) end++;
  if (end > 0 && (splits(before, before.length - end) || splits(after, after.length - end))) end--;
  return [start, end];
}

function splits(text: string, index: number): boolean {
  if (text[index] === '\n' && text[index - 1] === '\r') return true;
  const code = text.charCodeAt(index);
  return index > 0 && code >= 0xdc00 && code <= 0xdfff;
}
