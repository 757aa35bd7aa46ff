export function unindented(lines: readonly string[]): string[] {
  const shared = lines
    .filter((line) => line.trim() !== '')
    .map((line) => /^[ \t]*/.exec(line)?.[0] ?? '')
    .reduce<string | undefined>(
      (least, each) => (least === undefined ? each : common(least, each)),
      undefined,
    );
  const length = shared?.length ?? 0;
  return lines.map((line) => line.slice(Math.min(length, line.length - line.trimStart().length)));
}

function common(a: string, b: string): string {
  let length = 0;
  while (length < a.length && a[length] === b[length]) length++;
  return a.slice(0, length);
}

/** Indents code as the file does: as deep as `own`, the line that `head` is a version of, and by the same unit. */
export function indentLike(
  code: readonly string[],
  head: string,
  file: readonly string[],
  own: string,
): string[] {
  const [unit, wanted] = [unitOf(code), unitOf(file)];
  const convert = (line: string) => {
    if (unit === undefined || wanted === undefined || unit === wanted) return line;
    const indent = /^[ \t]*/.exec(line)?.[0] ?? '';
    const steps = Math.floor(indent.length / unit.length);
    return wanted.repeat(steps) + line.slice(steps * unit.length);
  };
  const depth = /^[ \t]*/.exec(own)?.[0] ?? '';
  const base = /^[ \t]*/.exec(convert(head))?.[0] ?? '';
  const prefix = depth.startsWith(base) ? depth.slice(base.length) : depth;
  return code.map((line) => (line.trim() === '' ? '' : prefix + convert(line)));
}

function unitOf(lines: readonly string[]): string | undefined {
  const indents = lines.flatMap((line) => /^[ \t]+(?=\S)/.exec(line)?.[0] ?? []);
  if (indents.some((indent) => indent.startsWith('\t'))) return '\t';
  const sizes = indents.map(({ length }) => length).filter((length) => length > 1);
  return sizes.length > 0 ? ' '.repeat(Math.min(...sizes)) : undefined;
}
