import { SwitchboardError } from '../base/errors.ts';
import { isMissingOnServer } from './platformErrors.ts';
import { notFoundMessage } from './platformMessages.ts';
import type { Page } from './records.ts';
import { eachPage } from './wire.ts';

/** One record by its own call, or from the list where the server's version has no such call. */
export async function getOrFind<T extends { id: string }>(
  recordId: string,
  get: () => Promise<T>,
  fetchPage: (query: { page: number; limit: number }) => Promise<Page<T>>,
): Promise<T> {
  try {
    return await get();
  } catch (error) {
    if (!isMissingOnServer(error)) throw error;
  }
  for await (const record of eachPage(fetchPage)) {
    if (record.id === recordId) return record;
  }
  throw new SwitchboardError('request', notFoundMessage(), { status: 404 });
}
