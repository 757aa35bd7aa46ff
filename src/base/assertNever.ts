/** Ends a switch over a union: adding a member then fails to compile here. */
export function assertNever(value: never): never {
  throw new Error(`Unexpected ${JSON.stringify(value)}`);
}
