import { alignToCharacter, type OutputLimits } from './truncate.ts';

export interface WindowRequest {
  /** 1-based, `endLine` inclusive; `startColumn` applies to the first line. */
  startLine: number;
  endLine: number;
  startColumn: number;
  limits: OutputLimits;
  maxColumns: number;
}

export interface WindowLine {
  number: number;
  text: string;
  cut?: { nextColumn: number; length: number };
}

export interface LineWindow {
  lines: WindowLine[];
  totalLines: number | undefined;
  nextLine: number | undefined;
}

interface Line {
  number: number;
  from: number;
  text: string;
  length: number;
}

/** Takes lines of a streamed text while holding only the result; `countsOn` decides on reading to the end. */
export async function takeWindow(
  pieces: AsyncIterable<string>,
  request: WindowRequest,
  countsOn: (charactersRead: number) => boolean,
): Promise<LineWindow> {
  const { startLine, endLine, startColumn, limits, maxColumns } = request;
  const lines: WindowLine[] = [];
  let bytes = 0;
  let nextLine: number | undefined;
  let read = 0;
  let isFull = false;
  const lineAt = (number: number): Line => ({
    number,
    from: number === startLine ? startColumn - 1 : 0,
    text: '',
    length: 0,
  });
  let line = lineAt(1);

  const isWanted = () => !isFull && line.number >= startLine;
  const append = (part: string) => {
    if (isWanted() && line.text.length <= maxColumns) {
      const skip = Math.max(0, line.from - line.length);
      // One more, to detect a carriage return.
      line.text += part.slice(skip, skip + maxColumns + 1 - line.text.length);
    }
    line.length += part.length;
  };
  const finish = (isLast: boolean) => {
    if (isWanted()) {
      const finished = toWindowLine(line, maxColumns, isLast);
      bytes += Buffer.byteLength(finished.text) + 1;
      if (lines.length > 0 && bytes > limits.maxBytes) {
        nextLine = line.number;
        isFull = true;
      } else {
        lines.push(finished);
        isFull = line.number >= endLine || lines.length >= limits.maxLines;
      }
    }
    if (!isLast) line = lineAt(line.number + 1);
  };

  for await (const piece of pieces) {
    read += piece.length;
    let start = 0;
    for (let end = piece.indexOf('\n'); end >= 0; end = piece.indexOf('\n', start)) {
      append(piece.slice(start, end));
      finish(false);
      start = end + 1;
    }
    append(piece.slice(start));
    if (isFull && !countsOn(read)) {
      return { lines, totalLines: undefined, nextLine: nextLine ?? afterLast(lines) };
    }
  }
  // A final line break doesn't begin another line.
  const hasLast = line.length > 0;
  if (hasLast) finish(true);
  const totalLines = hasLast ? line.number : line.number - 1;
  const last = lines.at(-1)?.number ?? 0;
  const wanted = Math.min(endLine, totalLines);
  return { lines, totalLines, nextLine: nextLine ?? (last > 0 && last < wanted ? last + 1 : undefined) };
}

function toWindowLine(line: Line, maxColumns: number, isLast: boolean): WindowLine {
  const { number, from, length } = line;
  const hasReturn = !isLast && from + line.text.length === length && line.text.endsWith('\r');
  const whole = hasReturn ? line.text.slice(0, -1) : line.text;
  if (whole.length <= maxColumns) return { number, text: whole };
  const text = whole.slice(0, alignToCharacter(whole, maxColumns));
  return { number, text, cut: { nextColumn: from + text.length + 1, length } };
}

function afterLast(lines: readonly WindowLine[]): number | undefined {
  const last = lines.at(-1);
  return last && last.number + 1;
}
