/** Creates on the first call; all calls get the same. */
export function once<T>(create: () => Promise<T>): () => Promise<T> {
  let created: Promise<T> | undefined;
  return () => (created ??= create());
}
