/** Creates a value on the first call and returns it to all callers; a failure is retried by the next call. */
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

export function onDemand<T extends object>(create: () => T): () => T {
  let created: T | undefined;
  return () => (created ??= create());
}

/** Caches results by argument for as long as the argument is referenced. */
export function memoize<A extends object, R>(create: (argument: A) => R): (argument: A) => R {
  const results = new WeakMap<A, R>();
  return (argument) => {
    const known = results.get(argument);
    if (known !== undefined) return known;
    const result = create(argument);
    results.set(argument, result);
    return result;
  };
}
