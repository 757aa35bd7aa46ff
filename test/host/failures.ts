// @returns a description of the failure, such as the path of a picture; empty if there is nothing to say
type Witness = (testTitle: string) => Promise<string>;

declare global {
  var switchboardWitnesses: Set<Witness> | undefined;
}
const witnesses = (globalThis.switchboardWitnesses ??= new Set());

/**
 * Calls the witness after each failing test.
 * @returns a function that removes it
 */
export function onTestFailure(witness: Witness): () => void {
  witnesses.add(witness);
  return () => witnesses.delete(witness);
}

/**
 * Adds the witnesses' descriptions to a failure; called before the pages they look at are closed. A witness
 * that fails must not hide the original failure.
 */
export async function testEnded(test: Mocha.Test | undefined): Promise<void> {
  if (test?.state !== 'failed') return;
  const seen = await Promise.allSettled([...witnesses].map((witness) => witness(test.fullTitle())));
  const words = seen
    .map((each) => (each.status === 'fulfilled' ? each.value : String(each.reason)))
    .filter((each) => each !== '');
  if (test.err && words.length > 0) test.err.message += `\n${words.join('\n')}`;
}
