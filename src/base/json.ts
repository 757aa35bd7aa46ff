export type JsonObject = { readonly [name: string]: unknown };

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

export function readObject(text: string): JsonObject | undefined {
  return asObject(parseJson(text));
}

export function asObject(value: unknown): JsonObject | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as JsonObject)
    : undefined;
}

export function asText(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

export function hasType<T extends { type: string }>(value: unknown, types: readonly T['type'][]): value is T {
  return (
    typeof value === 'object' &&
    value !== null &&
    'type' in value &&
    types.some((type) => type === value.type)
  );
}
