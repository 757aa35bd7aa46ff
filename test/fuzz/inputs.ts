import fc from 'fast-check';

/** Invisible characters, and those that some readers take for a line end. */
export const unseen = [
  ...['\u200b', '\u200c', '\u200d', '\u2060', '\ufeff', '\u00ad', '\u202e', '\u2066', '\u034f', '\u180e'],
  ...['\u3164', '\ufe0f', '\u{e0041}'],
] as const;
export const breaks = ['\n', '\r\n', '\r', '\v', '\f', '\u001c', '\u0085', '\u2028', '\u2029'] as const;

/** Text as hostile servers, files and models send it, mixed with the target's own `words`. */
export function hostileText(words: readonly string[], maxLength = 30): fc.Arbitrary<string> {
  const unit = fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(...words) },
    {
      weight: 3,
      arbitrary: fc.constantFrom('a', 'B', '7', ' ', '\t', '.', '/', '"', "'", '<', '>', '\\', '-'),
    },
    { weight: 1, arbitrary: fc.constantFrom(...unseen) },
    { weight: 1, arbitrary: fc.constantFrom(...breaks) },
    { weight: 1, arbitrary: fc.string({ unit: 'binary', minLength: 1, maxLength: 2 }) },
    // Half of a surrogate pair.
    { weight: 1, arbitrary: fc.constantFrom('\ud83c', '\udf89', '\0') },
  );
  return fc.array(unit, { maxLength }).map((parts) => parts.join(''));
}

export const places = fc.array(fc.nat({ max: 5000 }), { maxLength: 12 });

export function cutText(text: string, at: readonly number[]): string[] {
  const cuts = [0, ...at.map((place) => place % (text.length + 1)), text.length].toSorted((a, b) => a - b);
  return cuts.slice(1).map((end, index) => text.slice(cuts[index], end));
}

type Json = fc.JsonValue;

type Change = { at: number } & (
  | { kind: 'remove' }
  | { kind: 'repeat' }
  | { kind: 'wrap' }
  | { kind: 'put'; value: Json }
);

const change: fc.Arbitrary<Change> = fc.oneof(
  fc.record({ at: fc.nat(), kind: fc.constantFrom('remove' as const, 'repeat' as const, 'wrap' as const) }),
  fc.record({
    at: fc.nat(),
    kind: fc.constant('put' as const),
    value: fc.oneof(
      fc.jsonValue({ maxDepth: 2 }),
      fc.constantFrom<Json>(null, '', 0, -1, {}, [], true, '1', 1e99),
    ),
  }),
);

/** JSON values like the given ones, with parts removed, repeated or of another type. */
export function spoilt(values: fc.Arbitrary<Json>, maxLength = 4): fc.Arbitrary<Json> {
  return fc
    .tuple(values, fc.array(change, { maxLength }))
    .map(([value, changes]) => changes.reduce(applyChange, value));
}

function applyChange(whole: Json, { at, ...what }: Change): Json {
  let left = at % (sizeOf(whole) || 1);
  const visit = (value: Json): Json[] => {
    if (left-- === 0) {
      if (what.kind === 'remove') return [];
      if (what.kind === 'repeat') return [value, value];
      return [what.kind === 'wrap' ? [value] : what.value];
    }
    if (Array.isArray(value)) return [value.flatMap(visit)];
    if (typeof value !== 'object' || value === null) return [value];
    // JSON.parse treats `__proto__` as an ordinary name.
    const fields = fieldsOf(value).flatMap(([name, field]) =>
      visit(field).map((kept, index): [string, Json] => [index === 0 ? name : `${name}_`, kept]),
    );
    return [Object.fromEntries(fields)];
  };
  return visit(whole)[0] ?? null;
}

function sizeOf(value: Json): number {
  const inside = typeof value === 'object' && value !== null ? fieldsOf(value) : [];
  return 1 + inside.reduce((sum, [, each]) => sum + sizeOf(each), 0);
}

/** JSON has no undefined, whatever the type says. */
export function fieldsOf(value: object): [name: string, value: Json][] {
  return Object.entries(value) as [string, Json][];
}

/** Every text in a value, including field names and the fields of errors. */
export function textsIn(value: unknown, seen = new Set<unknown>()): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null || seen.has(value)) return [];
  seen.add(value);
  const names = Object.getOwnPropertyNames(value);
  return names.flatMap((name) => [name, ...textsIn((value as Record<string, unknown>)[name], seen)]);
}
