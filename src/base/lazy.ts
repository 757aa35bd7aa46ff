/** Creates on the first call; all calls get the same. What failed is tried again by the next call. */
export function lazy<T>(create: () => Promise<T>): () => Promise<T> {
  let created: Promise<T> | undefined;
  return () => {
    if (created) return created;
    const creating = create();
    created = creating;
    creating.catch(() => {
      if (created === creating) created = undefined;
    });
    return creating;
  };
}
