/** True for a node of one of the types. The editor hands a tree's own objects over to its commands, and more besides. */
export function isTreeNode<T extends { type: string }>(
  value: unknown,
  types: readonly T['type'][],
): value is T {
  return (
    typeof value === 'object' &&
    value !== null &&
    'type' in value &&
    types.some((type) => type === value.type)
  );
}
