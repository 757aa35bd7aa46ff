import { type Frame, frame, readFrame } from '../../base/text/frame.ts';
import { alignToCharacter } from '../../tools/files/truncate.ts';
import { estimateTokens } from './tokenEstimate.ts';
import { knowledgeKind } from '../../tools/knowledge/searchBases.ts';

const headShare = 2 / 3;

export function shortenText(
  text: string,
  maxTokens: number,
  notice: (cut: number, all: number) => string,
): string {
  const size = estimateTokens(text);
  if (size <= maxTokens) return text;
  const bare = notice(text.length, text.length);
  const bareSize = estimateTokens(bare);
  // Density varies within a text, so the first guess may be too long.
  for (let left = Math.floor((text.length * (maxTokens - bareSize)) / size); left >= 60; left *= 0.93) {
    const head = text.slice(0, alignToCharacter(text, Math.floor(left * headShare)));
    const tail = text.slice(alignToCharacter(text, text.length - Math.floor(left * (1 - headShare))));
    const short = `${head}\n${notice(text.length - head.length - tail.length, text.length)}\n${tail}`;
    if (estimateTokens(short) <= maxTokens) return short;
  }
  return bareSize < size ? bare : text;
}

/** Cuts inside the first frame that doesn't fit and drops the rest, so no text moves into another frame. */
export function shortenFramed(
  text: string,
  maxTokens: number,
  notice: (cut: number, all: number) => string,
): string {
  const pieces = piecesOf(text);
  if (pieces.every((piece) => !piece.frame)) return shortenText(text, maxTokens, notice);
  if (estimateTokens(text) <= maxTokens) return text;
  const bare = notice(text.length, text.length);
  let left = maxTokens - estimateTokens(bare) - joints;
  let kept = '';
  for (const piece of pieces) {
    const tokens = estimateTokens(piece.text) + joints;
    if (tokens > left) {
      if (piece.frame) kept += shortenBody(piece.frame, left);
      break;
    }
    kept += piece.text;
    left -= tokens;
  }
  if (kept.trim() === '') return estimateTokens(bare) < estimateTokens(text) ? bare : text;
  return `${kept.trimEnd()}\n${notice(text.length - kept.length, text.length)}`;
}

function shortenBody(whole: Frame, maxTokens: number): string {
  const room = maxTokens - estimateTokens(frame({ ...whole, body: '' })) - joints;
  const shorten = whole.kind === knowledgeKind ? shortenFramed : shortenText;
  const body = shorten(whole.body, room, () => '[…]');
  return estimateTokens(body) <= room ? frame({ ...whole, body }) : '';
}

/** Whitespace and punctuation at joints may add tokens. */
const joints = 4;

function piecesOf(text: string): { text: string; frame?: Frame }[] {
  const pieces: { text: string; frame?: Frame }[] = [];
  let from = 0;
  for (let at = text.indexOf('<'); at >= 0; at = text.indexOf('<', Math.max(from, at + 1))) {
    const found = at === 0 || text[at - 1] === '\n' ? readFrame(text, at) : undefined;
    if (!found) continue;
    pieces.push({ text: text.slice(from, at) }, { text: text.slice(at, found.end), frame: found });
    from = found.end;
  }
  return [...pieces, { text: text.slice(from) }];
}

export function shareRoom(sizes: readonly number[], room: number): number[] {
  const shares = sizes.map(() => 0);
  const bySize = sizes.map((size, index) => ({ size, index })).toSorted((a, b) => a.size - b.size);
  let left = Math.max(0, room);
  bySize.forEach(({ size, index }, at) => {
    const share = Math.min(size, Math.floor(left / (bySize.length - at)));
    shares[index] = share;
    left -= share;
  });
  return shares;
}
