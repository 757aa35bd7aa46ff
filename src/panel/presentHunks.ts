import { diffLines } from '../base/lineDiff.ts';
import { visibleText } from '../base/visibleText.ts';
import { keyOf, type FileToReview, type Hunk } from '../chat/editReviews.ts';
import type { UndoProblem } from '../chat/events.ts';
import type { HunksLoaded, ShownHunk } from '../shared/tools.ts';
import { undoProblemMessage } from './undoProblemMessage.ts';

/** More of a hunk, and of a file, is for the editor's own diff. */
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
  const lines = diffLines(before, now).flatMap(({ kind, lines: texts }) =>
    kind === 'same' ? [] : texts.map((text) => ({ kind, text: visibleText(text) })),
  );
  const more = Math.max(0, lines.length - shownLines);
  return { key, line: from + 1, lines: lines.slice(0, shownLines), more, isEdited };
}
