/** Returns a description such as the path of a picture; empty if there is nothing to say. */
type Witness = (testTitle: string) => Promise<string>;

declare global {
  /** Shared by the bundles of one process. */
  var switchboardWitnesses: Set<Witness> | undefined;
  /** The "before each" hook that failed before the running test. */
  var switchboardFailedHook: Mocha.Runnable | undefined;
}
const witnesses = (globalThis.switchboardWitnesses ??= new Set());

/** @returns a function that removes the witness */
export function onTestFailure(witness: Witness): () => void {
  witnesses.add(witness);
  return () => witnesses.delete(witness);
}

/** To be called with every failed test and hook, before the "after each" hooks. */
export function noteFailure(failed: Mocha.Runnable): void {
  if (failed.title.startsWith('"before each" hook')) globalThis.switchboardFailedHook = failed;
}

/**
 * Adds the witnesses' descriptions to the failure of a test or of a hook before it; a witness that fails never hides
 * it.
 */
export async function testEnded(test: Mocha.Test | undefined): Promise<void> {
  const failed = test?.state === 'failed' ? test : globalThis.switchboardFailedHook;
  globalThis.switchboardFailedHook = undefined;
  if (!failed) return;
  const seen = await Promise.allSettled([...witnesses].map((witness) => witness(failed.fullTitle())));
  const words = seen
    .map((each) => (each.status === 'fulfilled' ? each.value : String(each.reason)))
    .filter((each) => each !== '');
  const { err } = failed as Mocha.Test;
  if (err && words.length > 0) err.message += `\n${words.join('\n')}`;
}
