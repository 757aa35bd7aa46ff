/** Calls once for each object, as long as somebody holds it. */
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
