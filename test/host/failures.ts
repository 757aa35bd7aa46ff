// Witnesses of a failed test, e.g. a picture of the window.
/** @returns what was seen, in words; empty if there is nothing to say */
type Witness = (testTitle: string) => Promise<string>;

declare global {
  /** Shared by the bundles of one process. */
  var switchboardWitnesses: Set<Witness> | undefined;
}
const witnesses = (globalThis.switchboardWitnesses ??= new Set());

/**
 * Has this called after each failing test.
 * @returns what takes it off the list again
 */
export function onTestFailure(witness: Witness): () => void {
  witnesses.add(witness);
  return () => witnesses.delete(witness);
}

/**
 * Adds to a failure of a test what its witnesses see. To be called before what they look at is closed. A witness that
 * fails must not hide the failure it was called for.
 */
export async function testEnded(test: Mocha.Test | undefined): Promise<void> {
  if (test?.state !== 'failed') return;
  const seen = await Promise.allSettled([...witnesses].map((witness) => witness(test.fullTitle())));
  const words = seen
    .map((each) => (each.status === 'fulfilled' ? each.value : String(each.reason)))
    .filter((each) => each !== '');
  if (test.err && words.length > 0) test.err.message += `\n${words.join('\n')}`;
}
