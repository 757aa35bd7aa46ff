import * as z from 'zod/mini';
import type { Log } from '../base/log.ts';
import { asObject } from '../base/json.ts';
import { loosely } from '../base/schemas.ts';
import type { Page } from './records.ts';

// What platforms answer, read loosely: other keys are ignored, and a field of an unexpected kind counts as absent.

export const text = loosely(z.string());
export const count = loosely(z.number().check(z.nonnegative()));
export const number = loosely(z.number());
export const flag = loosely(z.boolean());
export const anyObject = loosely(z.record(z.string(), z.unknown()));
export const documentForm = loosely(z.enum(['text_model', 'hierarchical_model', 'qa_model']));
/** What no record can do without. */
export const id = z.string().check(z.minLength(1));

/** The items of a list that can be read; the others, and a list that is none, are left out. */
export function readList<T>(value: unknown, read: (item: unknown) => T | undefined): T[] {
  if (!Array.isArray(value)) return [];
  return value.map(read).filter((item) => item !== undefined);
}

/** Reads a page of a list. Malformed records are left out and only told to the log. */
export function pageOf<T>(
  read: (item: unknown) => T | undefined,
  log: Log,
): (json: unknown) => Page<T> | undefined {
  return (json) => {
    const outer = asObject(json);
    const data = Array.isArray(json) ? json : outer?.['data'];
    // An absent list is an error, an empty one may be null.
    if (!Array.isArray(data) && data !== null) return undefined;
    const items = readList(data, read);
    const skipped = (data?.length ?? 0) - items.length;
    if (skipped > 0) log.warn(`Left out ${skipped} of ${data?.length} records that cannot be read`);
    const { has_more, total, total_pages, page, limit } = pagingSchema.parse(outer ?? {});
    return {
      items,
      hasMore:
        has_more ?? isBefore(page, total_pages) ?? isBefore(page && limit && page * limit, total) ?? false,
      ...(total !== undefined && { total }),
    };
  };
}

const pagingSchema = z.object({
  has_more: flag,
  total: count,
  total_pages: count,
  page: count,
  limit: count,
});

function isBefore(place: number | undefined, end: number | undefined): boolean | undefined {
  return place === undefined || end === undefined ? undefined : place < end;
}

/** The most a page can have. */
export const maxPageSize = 100;

/**
 * Goes through the pages of a list. `has_more` may be wrong either way, so it ends at the first page with nothing
 * new, too: some servers answer every page with the first.
 */
export async function* eachPage<T extends { id: string }>(
  fetchPage: (query: { page: number; limit: number }) => Promise<Page<T>>,
): AsyncGenerator<T, void> {
  const seen = new Set<string>();
  for (let page = 1; ; page++) {
    const { items, hasMore } = await fetchPage({ page, limit: maxPageSize });
    const fresh = items.filter((item) => !seen.has(item.id));
    for (const item of fresh) seen.add(item.id);
    yield* fresh;
    if (!hasMore || fresh.length === 0) return;
  }
}

/** Unknown stays absent rather than undefined, so that spreading never erases what is known. */
export function withKnown<T extends object>(fields: T): T {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T;
}
