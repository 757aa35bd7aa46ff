/** Calls again only for another argument. */
export function memoizeLast<A, R>(create: (argument: A) => R): (argument: A) => R {
  let last: { argument: A; result: R } | undefined;
  return (argument) => {
    if (last?.argument !== argument) last = { argument, result: create(argument) };
    return last.result;
  };
}
