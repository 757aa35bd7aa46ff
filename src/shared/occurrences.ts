/** Where a text occurs in another, whatever the case of its letters: the beginning and the end of each. */
export function occurrences(text: string, query: string): { start: number; end: number }[] {
  if (query === '' || text === '') return [];
  const pattern = new RegExp(query.replace(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`), 'giu');
  return [...text.matchAll(pattern)].map(({ index, 0: found }) => ({
    start: index,
    end: index + found.length,
  }));
}
