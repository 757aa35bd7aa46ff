const maxShown = 100;

/** A text in one line, cut where it is long. */
export function oneLine(text: string, max = maxShown): string {
  // Only as much is looked at as can be shown: a text may be a whole file.
  const line = text
    .slice(0, max * 4)
    .trim()
    .replace(/\s+/g, ' ');
  return line.length > max || text.length > max * 4 ? `${line.slice(0, max).trimEnd()}…` : line;
}
