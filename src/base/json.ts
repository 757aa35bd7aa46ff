export type JsonObject = { readonly [name: string]: unknown };

/** Parses JSON; undefined if the text is invalid. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** True for text that begins as JSON but is incomplete, as after an interrupted proxy. */
export function isCutJson(text: string): boolean {
  return /^\s*[[{]/.test(text) && parseJson(text) === undefined;
}

/** Parses a JSON object; undefined for anything else. */
export function readObject(text: string): JsonObject | undefined {
  return asObject(parseJson(text));
}

/** The value as an object; undefined for arrays and everything else. */
export function asObject(value: unknown): JsonObject | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as JsonObject)
    : undefined;
}

export function asText(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** Type guard for an object whose `type` is one of these. */
export function hasType<T extends { type: string }>(value: unknown, types: readonly T['type'][]): value is T {
  return (
    typeof value === 'object' &&
    value !== null &&
    'type' in value &&
    types.some((type) => type === value.type)
  );
}
