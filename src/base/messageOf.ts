/** What an error says of itself, whatever was thrown. */
export function messageOf(error: unknown): string {
  // Node tries all addresses of a host and reports the failures together; the first speaks for the rest.
  if (error instanceof AggregateError && !error.message) return messageOf(error.errors[0]);
  return error instanceof Error ? error.message : String(error);
}
