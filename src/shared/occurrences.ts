import { escapeRegExp, longestEscaped } from '../base/text/escapeRegExp.ts';

/** Case-insensitive occurrences of a text, as start and end offsets. Texts over 1,000 characters have none. */
export function occurrences(text: string, query: string): { start: number; end: number }[] {
  if (query === '' || query.length > longestEscaped || text === '') return [];
  return [...text.matchAll(new RegExp(escapeRegExp(query), 'giu'))].map(({ index, 0: found }) => ({
    start: index,
    end: index + found.length,
  }));
}
