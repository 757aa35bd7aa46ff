/** In characters; the engine rejects or is slow with much longer expressions. */
export const longestEscaped = 1000;

/** Escapes a text for a regular expression, with or without the flag `u`. Throws if it is too long. */
export function escapeRegExp(text: string): string {
  if (text.length > longestEscaped)
    throw new RangeError(`${text.length} characters are too many for an expression`);
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);
}
