import type { FoundText, HistoryEntry } from './historySource.ts';

export interface Listing {
  entry: HistoryEntry;
  twins: readonly HistoryEntry[];
}

export function listOnce(sources: readonly (readonly HistoryEntry[])[]): Listing[][] {
  const here = new Set<string>();
  const there = new Map<string, HistoryEntry[]>();
  for (const entry of sources.flat()) {
    if (entry.chatId === undefined) here.add(entry.id);
    else there.set(entry.chatId, [...(there.get(entry.chatId) ?? []), entry]);
  }
  const isListedHere = ({ chatId }: HistoryEntry) => chatId !== undefined && here.has(chatId);
  return sources.map((entries) =>
    entries
      .filter((entry) => !isListedHere(entry))
      .map((entry) => ({ entry, twins: entry.chatId === undefined ? (there.get(entry.id) ?? []) : [] })),
  );
}

/** Prefers the platform's name over the first line, unless the name is only an attachment. */
export function titleOf({ entry, twins: [twin] }: Listing): string {
  return twin && !twin.isTitlePoor ? twin.title : entry.title;
}

/** Falls back to the local copy, then throws the platform's error. False if the conversation no longer exists. */
export async function openListing({ entry, twins: [twin] }: Listing, found?: FoundText): Promise<boolean> {
  try {
    if (!(await (twin ?? entry).open())) return false;
  } catch (error) {
    if (twin) await entry.open();
    throw error;
  }
  if (found) await entry.reveal?.(found);
  return true;
}

/** Deletes the platform copy first; if that is refused, the local copy stays. */
export async function deleteListing({ entry, twins }: Listing): Promise<void> {
  for (const twin of twins) await twin.delete();
  await entry.delete();
}
