import { alignToCharacter } from '../../tools/truncate.ts';
import { estimateTokens } from './tokenEstimate.ts';

/** Of what is kept, the beginning gets this share: it says what the text is. */
const headShare = 2 / 3;

/**
 * The head and the tail of a text with a notice of what was cut between them, of at most `maxTokens`. The notice
 * alone where nothing more fits, and the text as it is where that is no longer.
 */
export function shortenText(
  text: string,
  maxTokens: number,
  notice: (cut: number, all: number) => string,
): string {
  const size = estimateTokens(text);
  if (size <= maxTokens) return text;
  const bare = notice(text.length, text.length);
  const bareSize = estimateTokens(bare);
  // The text is not equally dense everywhere, so the first guess may be too long.
  for (let left = Math.floor((text.length * (maxTokens - bareSize)) / size); left >= 60; left *= 0.93) {
    const head = text.slice(0, alignToCharacter(text, Math.floor(left * headShare)));
    const tail = text.slice(alignToCharacter(text, text.length - Math.floor(left * (1 - headShare))));
    const short = `${head}\n${notice(text.length - head.length - tail.length, text.length)}\n${tail}`;
    if (estimateTokens(short) <= maxTokens) return short;
  }
  return bareSize < size ? bare : text;
}

/** How much of `room` each gets: small ones what they need, the others the same share of the rest. */
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
