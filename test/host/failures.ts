/** Returns a description such as the path of a picture; empty if there is nothing to say. */
type Witness = (testTitle: string) => Promise<string>;

declare global {
  /** Shared by the bundles of one process. */
  var switchboardWitnesses: Set<Witness> | undefined;
}
const witnesses = (globalThis.switchboardWitnesses ??= new Set());

/** @returns a function that removes the witness */
export function onTestFailure(witness: Witness): () => void {
  witnesses.add(witness);
  return () => witnesses.delete(witness);
}

/** Adds the witnesses' descriptions to a failure; a witness that fails never hides it. */
export async function testEnded(test: Mocha.Test | undefined): Promise<void> {
  if (test?.state !== 'failed') return;
  const seen = await Promise.allSettled([...witnesses].map((witness) => witness(test.fullTitle())));
  const words = seen
    .map((each) => (each.status === 'fulfilled' ? each.value : String(each.reason)))
    .filter((each) => each !== '');
  if (test.err && words.length > 0) test.err.message += `\n${words.join('\n')}`;
}
