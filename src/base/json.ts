/** A JSON object of which nothing is known yet. */
export type JsonObject = { readonly [name: string]: unknown };

/** Parses JSON, or returns undefined: JSON itself has no undefined. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** Whether a text began as JSON and broke off: as with a proxy that was interrupted, which says neither length nor end. */
export function isCutJson(text: string): boolean {
  return /^\s*[[{]/.test(text) && parseJson(text) === undefined;
}

/** The object that a JSON text is; undefined for any other text. */
export function readObject(text: string): JsonObject | undefined {
  return asObject(parseJson(text));
}

/** The value as an object; undefined for everything else, arrays included. */
export function asObject(value: unknown): JsonObject | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as JsonObject)
    : undefined;
}

/** The value as a string that says something. */
export function asText(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
