/** Limits of a result, which is sent again with every round. */
export interface OutputLimits {
  maxLines: number;
  maxBytes: number;
}

export const defaultLimits: OutputLimits = { maxLines: 1000, maxBytes: 50_000 };

export const longestLine = 500;

export function takeLines(
  lines: readonly string[],
  { maxLines, maxBytes }: OutputLimits = defaultLimits,
): { lines: string[]; left: number } {
  const taken: string[] = [];
  let bytes = 0;
  for (const line of lines) {
    bytes += Buffer.byteLength(line) + 1;
    if (taken.length >= maxLines || (bytes > maxBytes && taken.length > 0)) break;
    taken.push(bytes > maxBytes ? cutBytes(line, maxBytes) : line);
  }
  return { lines: taken, left: lines.length - taken.length };
}

/** A text within the limits, with a note if it is cut; `howToGoOn` is a sentence for the model. */
export function truncateText(text: string, howToGoOn: string, limits: OutputLimits = defaultLimits): string {
  const all = text.split('\n');
  const { lines, left } = takeLines(all, limits);
  const isCut = left > 0 || lines.at(-1) !== all[lines.length - 1];
  if (!isCut) return text;
  const what = left > 0 ? `${lines.length} of ${all.length} lines are shown` : 'a long line is cut';
  return `${lines.join('\n')}\n[${what}. ${howToGoOn}]`;
}

/** Cuts a line to `length` characters around the 0-based column `at`, with … at cuts. */
export function cutLine(line: string, at = 0, length = longestLine): string {
  if (line.length <= length) return line;
  const start = Math.max(0, Math.min(at - Math.floor(length / 4), line.length - length));
  const piece = line.slice(alignToCharacter(line, start), alignToCharacter(line, start + length));
  return `${start > 0 ? '…' : ''}${piece}${start + length < line.length ? '…' : ''}`;
}

/** A path that can't pass for a note, a tag or an indented line. */
export function pathAtLineStart(shown: string): string {
  return /^[\s[<]/.test(shown) ? `./${shown}` : shown;
}

export function alignToCharacter(text: string, index: number): number {
  const code = text.charCodeAt(index);
  return index > 0 && code >= 0xdc00 && code <= 0xdfff ? index - 1 : index;
}

function cutBytes(text: string, maxBytes: number): string {
  let end = Math.min(text.length, maxBytes);
  while (Buffer.byteLength(text.slice(0, end)) > maxBytes) end = Math.floor(end * 0.9);
  return text.slice(0, alignToCharacter(text, end));
}
