/** Ends a switch over a union, which then fails to compile when a member is added. */
export function assertNever(value: never): never {
  throw new Error(`Unexpected ${JSON.stringify(value)}`);
}
