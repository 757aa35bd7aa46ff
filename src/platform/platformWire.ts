import { loosely } from '../base/lenientSchemas.ts';
import * as z from 'zod/mini';
import * as l10n from '@vscode/l10n';
import { SwitchboardError } from '../base/errors/errors.ts';
import type { Log } from '../base/log.ts';
import { asObject } from '../base/json.ts';
import { isMissingOnServer } from './platformErrors.ts';
import { notFoundMessage } from './platformMessages.ts';
import type { Page } from './records.ts';

// Lenient schemas: unknown keys are ignored, and a field of an unexpected type counts as absent.

export const text = loosely(z.string());
export const count = loosely(z.number().check(z.nonnegative()));
export const countOrText = loosely(
  z.union([
    z.number().check(z.nonnegative()),
    z.pipe(z.string().check(z.regex(/^\d{1,15}$/)), z.transform(Number)),
  ]),
);
export const number = loosely(z.number());
export const flag = loosely(z.boolean());
export const anyObject = loosely(z.record(z.string(), z.unknown()));
export const documentForm = loosely(z.enum(['text_model', 'hierarchical_model', 'qa_model']));
export const id = z.string().check(z.minLength(1));

export function readList<T>(value: unknown, read: (item: unknown) => T | undefined): T[] {
  if (!Array.isArray(value)) return [];
  return value.map(read).filter((item) => item !== undefined);
}

/** Reads a page. Malformed records are skipped and logged. */
export function pageOf<T>(
  read: (item: unknown) => T | undefined,
  log: Log,
): (json: unknown) => Page<T> | undefined {
  return (json) => {
    const outer = asObject(json);
    const data = Array.isArray(json) ? json : outer?.['data'];
    // An absent list is an error; an empty one may be null.
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

export const maxPageSize = 100;

/** Guards against servers that always have another page. */
const mostListed = 100_000;
const mostPages = 5000;

/** Yields new records until a page has none, as `has_more` may be wrong. Throws if the list is too long. */
export async function* eachPage<T extends { id: string }>(
  fetchPage: (query: { page: number; limit: number }) => Promise<Page<T>>,
): AsyncGenerator<T[], void> {
  const seen = new Set<string>();
  for (let page = 1; seen.size < mostListed && page <= mostPages; page++) {
    const { items, hasMore } = await fetchPage({ page, limit: maxPageSize });
    const fresh = items.filter((item) => !seen.has(item.id));
    for (const item of fresh) seen.add(item.id);
    if (fresh.length > 0) yield fresh;
    if (!hasMore || fresh.length === 0) return;
  }
  throw new SwitchboardError('request', l10n.t('The list is too long to load completely.'));
}

export async function getOrFind<T extends { id: string }>(
  recordId: string,
  get: () => Promise<T>,
  fetchPage: (query: { page: number; limit: number }) => Promise<Page<T>>,
): Promise<T> {
  try {
    return await get();
  } catch (error) {
    if (!isMissingOnServer(error)) throw error;
  }
  for await (const records of eachPage(fetchPage)) {
    const found = records.find((record) => record.id === recordId);
    if (found) return found;
  }
  throw new SwitchboardError('request', notFoundMessage(), { status: 404 });
}

/** Omits undefined fields, so that spreading never erases known ones. */
export function withKnown<T extends object>(fields: T): T {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T;
}
