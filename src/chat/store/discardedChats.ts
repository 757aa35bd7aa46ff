import { readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import {
  eventsFile,
  type FileChatStore,
  lockFile,
  pictureFolder,
  snapshotFolder,
  unlessMissing,
} from './fileChatStore.ts';

const extension = '.deleted';

/** Deletes a chat that nothing writes to; `restoreChat` undoes it. Throws while another window runs it. */
export async function discardChat(
  store: Pick<FileChatStore, 'forget'>,
  folder: string,
  chatId: string,
): Promise<void> {
  await store.forget(chatId);
  await rename(eventsFile(folder, chatId), discardedFile(folder, chatId)).catch(unlessMissing);
}

/** False if the chat was not discarded, or is deleted for good. */
export async function restoreChat(folder: string, chatId: string): Promise<boolean> {
  const isThere = await rename(discardedFile(folder, chatId), eventsFile(folder, chatId)).then(
    () => true,
    unlessMissing,
  );
  return isThere === true;
}

/** Permanently deletes one discarded chat, or all of at least that age. Resolves with their ids. */
export async function purgeChats(
  folder: string,
  which: { chatId: string } | { olderThanMs: number },
): Promise<string[]> {
  const purged = 'chatId' in which ? [which.chatId] : await discardedBefore(folder, which.olderThanMs);
  for (const chatId of purged) {
    await rm(discardedFile(folder, chatId), { force: true });
    await rm(lockFile(folder, chatId), { force: true });
    for (const folderOf of [snapshotFolder, pictureFolder]) {
      await rm(folderOf(folder, chatId), { recursive: true, force: true });
    }
  }
  return purged;
}

async function discardedBefore(folder: string, ageMs: number): Promise<string[]> {
  const names = (await readdir(folder).catch(unlessMissing)) ?? [];
  const old: string[] = [];
  for (const name of names) {
    if (!name.endsWith(extension)) continue;
    const found = await stat(join(folder, name)).catch(unlessMissing);
    // Time of renaming.
    if (found && Date.now() - found.ctimeMs > ageMs) old.push(name.slice(0, -extension.length));
  }
  return old;
}

function discardedFile(folder: string, chatId: string): string {
  return join(folder, `${chatId}${extension}`);
}
