/** The system's name for a failure, such as ENOENT; undefined for anything else. */
export function systemCode(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}

/** Whether a file or folder is simply not there. */
export function isMissing(error: unknown): boolean {
  return systemCode(error) === 'ENOENT';
}
