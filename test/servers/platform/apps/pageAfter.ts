import { invalidParam, notFound } from '../platformErrors.ts';

export function pageAfter<T extends { readonly id: string }>(
  items: readonly T[],
  query: URLSearchParams,
  toWire: (item: T) => object,
  unknownId: string,
): object {
  const limit = limitOf(query.get('limit'));
  const lastId = query.get('last_id');
  const last = lastId ? items.findIndex(({ id }) => id === lastId) : -1;
  if (lastId && last === -1) throw notFound(unknownId);
  const rest = items.slice(last + 1);
  return { limit, has_more: rest.length > limit, data: rest.slice(0, limit).map((item) => toWire(item)) };
}

/** 1 to 100; 20 by default. */
export function limitOf(sent: string | null): number {
  if (!sent) return 20;
  const limit = Number(sent);
  if (!Number.isInteger(limit) || limit < 1 || limit > 100) {
    throw invalidParam(`${sent} is not a valid choice: limit must be between 1 and 100`);
  }
  return limit;
}
