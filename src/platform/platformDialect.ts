import { isRouteMissing, readError, type Refusal } from './platformRefusal.ts';
import type { IndexingTechnique } from './records.ts';

/** A server's known deviations from the spec; absent: the spec's form. */
export interface Dialect {
  economy?: 'economy';
  sync?: 'blocking';
  paths?: 'hyphen';
}

export interface DialectMemory {
  get(origin: string): Dialect;
  /** Merges; an undefined field restores the spec's form. */
  learn(origin: string, found: Dialect): void;
}

export type DialectForm = keyof Dialect;

/** The form refused before anything was done, if its alternative is worth a try. Source: platform-api.md 10. */
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

export function techniqueIn(dialect: Dialect, technique: IndexingTechnique): string {
  return technique === 'economical' ? (dialect.economy ?? technique) : technique;
}

export function pathIn(dialect: Dialect, name: string): string {
  return dialect.paths === 'hyphen' ? name.replaceAll('_', '-') : name;
}
