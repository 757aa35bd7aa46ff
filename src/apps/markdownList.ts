/** A list in markdown, of the items that there are. */
export function markdownList(items: readonly (string | false | undefined)[]): string {
  return items
    .filter(Boolean)
    .map((item) => `- ${item}`)
    .join('\n');
}
