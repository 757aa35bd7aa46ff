import { visibleName } from './visibleText.ts';

const maxShown = 100;

/** A text in one line with nothing in it that is not seen, cut where it is long. */
export function oneLine(text: string, max = maxShown): string {
  // Only as much is looked at as can be shown: a text may be a whole file.
  const line = text
    .slice(0, max * 4)
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim();
  const isCut = line.length > max || text.length > max * 4;
  // Half of a pair is no character.
  return isCut
    ? `${visibleName(
        line
          .slice(0, max)
          .replace(/[\ud800-\udbff]$/, '')
          .trimEnd(),
      )}…`
    : visibleName(line);
}
