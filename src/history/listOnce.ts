import type { FoundText, HistoryEntry } from './historySource.ts';

/** A conversation as the list shows it, with the other places that keep it. */
export interface Listing {
  entry: HistoryEntry;
  /** The same conversation on the platform, where it was loaded and is listed here already. */
  twins: readonly HistoryEntry[];
}

/** The entries of each source, with every conversation in one place: where it is saved here, if it is. */
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

/** The platform's name is better than the first line, which stands for one here, unless it is none. */
export function titleOf({ entry, twins: [twin] }: Listing): string {
  return twin && !twin.isTitlePoor ? twin.title : entry.title;
}

/**
 * Opens it as the platform has it now; without the platform, as it is saved here, and then throws what went wrong. False
 * when it no longer exists.
 * @param found what of it is to be shown
 */
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

/** Deletes it in every place: on the platform first, whose refusal leaves it here. */
export async function deleteListing({ entry, twins }: Listing): Promise<void> {
  for (const twin of twins) await twin.delete();
  await entry.delete();
}
