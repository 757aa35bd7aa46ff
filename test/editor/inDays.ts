/** The extension has the clock of this process. */
export async function inDays<T>(days: number, act: () => Promise<T>): Promise<T> {
  const { now } = Date;
  Date.now = () => now() + days * 24 * 60 * 60_000;
  try {
    return await act();
  } finally {
    Date.now = now;
  }
}
