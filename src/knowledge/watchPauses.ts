const beginning = [1000, 2000, 4000];
const usualMs = 5000;
const longestMs = 30_000;
const longestStuckMs = 60_000;
const growth = 1.25;

/**
 * The pause before the next look at what is being indexed, in milliseconds.
 * @param looks how many there were since something was sent
 * @param quiet how many of the last ones found nothing moved, or failed
 */
export function watchPause(looks: number, quiet: number, isAllStuck: boolean): number {
  const first = beginning[looks];
  if (first !== undefined) return first;
  return Math.min(usualMs * growth ** quiet, isAllStuck ? longestStuckMs : longestMs);
}
