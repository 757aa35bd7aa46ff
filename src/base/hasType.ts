/** True for an object of one of the types, as unions tell theirs apart; of values that come as `unknown`. */
export function hasType<T extends { type: string }>(value: unknown, types: readonly T['type'][]): value is T {
  return (
    typeof value === 'object' &&
    value !== null &&
    'type' in value &&
    types.some((type) => type === value.type)
  );
}
