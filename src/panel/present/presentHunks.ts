import { countChanges, diffLines } from '../../base/text/lineDiff.ts';
import { visibleText } from '../../base/text/visibleText.ts';
import { keyOf, type FileToReview, type Hunk } from '../../chat/edits/editReviews.ts';
import type { UndoProblem } from '../../chat/store/events.ts';
import type { HunksLoaded, ShownHunk } from '../../shared/tools.ts';
import { undoProblemMessage } from './presentRestoration.ts';

const shownLines = 40;
const shownHunks = 100;

export function toShownHunks(
  found: FileToReview | UndoProblem,
): Pick<HunksLoaded, 'hunks' | 'more' | 'problem'> {
  if ('reason' in found) return { hunks: [], more: 0, problem: undoProblemMessage(found) };
  const { hunks } = found.review;
  const shown = hunks.slice(0, shownHunks).map((hunk) => toShownHunk(hunk, keyOf(hunks, hunk)));
  return { hunks: shown, more: hunks.length - shown.length };
}

function toShownHunk({ from, before, now, isEdited }: Hunk, key: string): ShownHunk {
  const { added, removed } = countChanges(before, now);
  const lines = diffLines(before, now, 0)
    .flatMap(({ kind, lines: texts }) => (kind === 'same' ? [] : texts.map((text) => ({ kind, text }))))
    .slice(0, shownLines)
    .map(({ kind, text }) => ({ kind, text: visibleText(text) }));
  return { key, line: from + 1, lines, more: added + removed - lines.length, isEdited };
}
