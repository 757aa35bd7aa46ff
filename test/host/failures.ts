// What is looked at when a test has failed, e.g. a picture of the window.
type Witness = (testTitle: string) => Promise<void>;

const witnesses = new Set<Witness>();

/**
 * Has this called after each failing test.
 * @returns what takes it off the list again
 */
export function onTestFailure(witness: Witness): () => void {
  witnesses.add(witness);
  return () => witnesses.delete(witness);
}

/** Told by the runner. A witness that fails must not hide the failure it was called for. */
export async function testFailed(title: string): Promise<void> {
  await Promise.allSettled([...witnesses].map((witness) => witness(title)));
}
