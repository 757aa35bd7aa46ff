import type { SourceState } from '../../tools/knowledge/source.ts';
import { type LineRange, SegmentLocator } from '../files/locateSegment.ts';

export interface IndexedSegment {
  content: string;
  path: string;
  lines?: LineRange | undefined;
}

export interface CurrentFile {
  locator: SegmentLocator | undefined;
  /** True if the file, or the selection, is what was indexed; undefined if unknown. */
  isAsIndexed: boolean | undefined;
}

export function currentText(text: string, isAsIndexed?: boolean): CurrentFile {
  return { locator: new SegmentLocator(text), isAsIndexed };
}

/**
 * Judges if a source is still true. Undefined if nothing can be said. Platforms clean texts, so words that aren't in a
 * file that is as it was indexed are no change.
 */
export function sourceState(
  { content, path, lines: before }: IndexedSegment,
  current: CurrentFile | 'gone',
): SourceState | undefined {
  if (current === 'gone') return { type: 'gone' };
  const { locator, isAsIndexed } = current;
  if (!locator) return isAsIndexed === undefined ? undefined : { type: isAsIndexed ? 'current' : 'changed' };
  if (content.trim() === '') return { type: 'current' };
  const found = locator.find(content, {
    near: before?.startLine,
    isMarkdown: /\.(md|mdx|markdown)$/i.test(path),
  });
  if (!found) return { type: isAsIndexed ? 'current' : 'changed' };
  const { lines, isWhole } = found;
  if (isAsIndexed) return { type: 'current', lines };
  if (!isWhole) return { type: 'changed', lines };
  const isInPlace = !before || (before.startLine <= lines.startLine && lines.endLine <= before.endLine);
  return { type: isInPlace ? 'current' : 'moved', lines };
}
