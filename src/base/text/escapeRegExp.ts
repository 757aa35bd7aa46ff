/** In characters; the engine rejects or is slow with much longer expressions. */
export const longestEscaped = 1000;

export function escapeRegExp(text: string): string {
  if (text.length > longestEscaped)
    throw new RangeError(`${text.length} characters are too many for an expression`);
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);
}

/** Case-insensitive occurrences of a text, as start and end offsets. Texts over 1,000 characters have none. */
export function occurrences(text: string, query: string): { start: number; end: number }[] {
  if (query === '' || query.length > longestEscaped || text === '') return [];
  return [...text.matchAll(new RegExp(escapeRegExp(query), 'giu'))].map(({ index, 0: found }) => ({
    start: index,
    end: index + found.length,
  }));
}
