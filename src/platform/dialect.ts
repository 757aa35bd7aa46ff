import { isRouteMissing, readError, type Refusal } from './platformErrors.ts';
import type { IndexingTechnique } from './records.ts';

/** What a server was found to want other than the spec's form. Absent: the spec's form, as nothing else was learnt. */
export interface Dialect {
  /** `economy`: its word for the technique that the spec calls `economical`. */
  economy?: 'economy';
  /** `blocking`: its word for the response mode that the spec calls `sync`. */
  sync?: 'blocking';
  /** `hyphen`: it has `create-by-text`, not `create_by_text`. */
  paths?: 'hyphen';
}

/** Remembers dialects by server origin, for longer than the window lives. */
export interface DialectMemory {
  get(origin: string): Dialect;
  /** Adds what was learnt to what is known; a field that is undefined restores the spec's form. */
  learn(origin: string, found: Dialect): void;
}

/** The forms in which a request could also be put. */
export type DialectForm = keyof Dialect;

/**
 * Which of a request's forms the server refused, so that the other one is worth a try; undefined when the refusal
 * is about something else. Only refusals that come before anything was done are considered. Source: platform-api.md 10.
 */
export function refusedForm(
  refusal: Pick<Refusal, 'status' | 'body' | 'contentType'>,
  forms: readonly DialectForm[],
): DialectForm | undefined {
  return forms.find((form) => refuses[form](refusal));
}

const refuses: Record<DialectForm, (refusal: Pick<Refusal, 'status' | 'body' | 'contentType'>) => boolean> = {
  economy: ({ status, body }) => status === 400 && /indexing[_ ]technique|economical/i.test(body),
  sync: ({ status, body }) => status === 400 && /response_mode/i.test(body),
  paths: (refusal) => isRouteMissing(refusal) || isUnnamed404(refusal),
};

/** A JSON 404 that names no record: some proxies and forks answer unknown routes that way. */
function isUnnamed404({ status, body }: Pick<Refusal, 'status' | 'body'>): boolean {
  const error = status === 404 ? readError(body) : undefined;
  return error?.code === 'not_found' && !/dataset|document/i.test(error.message);
}

/** The dialect with one form changed to the other of its two ways. */
export function changed(dialect: Dialect, form: DialectForm): Dialect {
  switch (form) {
    case 'economy':
      return { ...dialect, economy: dialect.economy ? undefined : 'economy' };
    case 'sync':
      return { ...dialect, sync: dialect.sync ? undefined : 'blocking' };
    case 'paths':
      return { ...dialect, paths: dialect.paths ? undefined : 'hyphen' };
  }
}

/** The word for an indexing technique. */
export function techniqueIn(dialect: Dialect, technique: IndexingTechnique): string {
  return technique === 'economical' ? (dialect.economy ?? technique) : technique;
}

/** A path's last piece, such as `create_by_text`. */
export function pathIn(dialect: Dialect, name: string): string {
  return dialect.paths === 'hyphen' ? name.replaceAll('_', '-') : name;
}
