/** Does `work` on up to `limit` items at a time; gives the results in the items' order. The first failure ends it. */
export async function* mapInOrder<T, R>(
  items: AsyncIterable<T> | Iterable<T>,
  limit: number,
  work: (item: T) => Promise<R>,
): AsyncGenerator<R, void, void> {
  const begun: Promise<R>[] = [];
  for await (const item of items) {
    const result = work(item);
    // It may fail before its turn comes, at which the failure is thrown.
    void Promise.allSettled([result]);
    begun.push(result);
    const first = begun.length >= limit ? begun.shift() : undefined;
    if (first) yield await first;
  }
  for (const result of begun) yield await result;
}
