import type { Call } from './platformRoute.ts';

/** One page of a list on most routes: `has_more` compares with the limit as it was sent. */
export function pageOf<T>(
  items: readonly T[],
  { request }: Call,
  toWire: (item: T) => object,
): { data: object[]; has_more: boolean; limit: number; total: number; page: number } {
  const page = numberOf(request.query.get('page'), 1);
  const limit = numberOf(request.query.get('limit'), 20);
  const size = Math.min(limit, 100);
  const data = items.slice((page - 1) * size, page * size).map((item) => toWire(item));
  return { data, has_more: data.length === limit, limit, total: items.length, page };
}

function numberOf(text: string | null, otherwise: number): number {
  return text !== null && /^[1-9]\d{0,6}$/.test(text) ? Number(text) : otherwise;
}
