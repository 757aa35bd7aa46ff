import type { AppliedEdit } from '../tools/editJournal.ts';
import type { Conversation } from './conversation.ts';
import type { ChatItem, EditsItem } from './items.ts';
import type { ChatEvent } from './events.ts';

/**
 * Makes room for another version of an item and all after it. What says something stays as a branch; what holds
 * nothing but failures and notices goes. The files that tools changed stay changed unless the user restored them, so what
 * can revert them stays too.
 */
export function rollback(conversation: Conversation, fromId: string): ChatEvent[] {
  const isVersion = conversation.saysSomethingFrom(fromId);
  return [
    isVersion ? { type: 'versionStarted', ofId: fromId } : { type: 'itemsRemoved', fromId },
    ...editsLeftBehind(conversation, fromId),
  ];
}

/**
 * Deletes a message and all after it: the conversation goes on with another version of it, or ends before it. As with
 * `rollback`, what can revert changed files stays.
 */
export function deletion(conversation: Conversation, fromId: string): ChatEvent[] {
  const beside = conversation.versionBeside(fromId, 'previous') ?? conversation.versionBeside(fromId, 'next');
  return [
    { type: 'branchDeleted', fromId },
    ...(beside === undefined ? [] : [{ type: 'versionChosen', id: beside } as const]),
    ...editsLeftBehind(conversation, fromId),
  ];
}

function editsLeftBehind({ all }: Conversation, fromId: string): ChatEvent[] {
  return all
    .slice(all.findIndex(({ id }) => id === fromId))
    .flatMap((item) => (item.type === 'edits' ? remainingEdits(item) : []));
}

/** What tools did to files for an item and for all after it, which another version in its place leaves behind. */
export function editsFrom({ all, fileHistory }: Conversation, itemId: string): AppliedEdit[] {
  // A turn may have changed files before this item, too.
  const since = new Set(fileHistory.editsSince(itemId));
  return all
    .slice(all.findIndex(({ id }) => id === itemId))
    .flatMap((item) => (item.type === 'edits' ? item.edits.filter((edit) => since.has(edit)) : []));
}

function remainingEdits(item: EditsItem): ChatEvent[] {
  const { id, edits, folders } = item;
  return pathsToReview(item).length > 0
    ? [{ type: 'editsMade', id, edits, ...(folders && { folders: [...folders] }) }]
    : [];
}

/** The files of which something is still to be kept or undone. */
export function pathsToReview(item: EditsItem): string[] {
  return [...new Set(item.edits.map(({ path }) => path))].filter(
    (path) => !item.reviews?.[path]?.isDone && !isRestored(item, path),
  );
}

/** All of it was taken back in this file, by a restoration that still holds. */
export function isRestored({ restoredBy }: EditsItem, path: string): boolean {
  return restoredBy?.[path]?.isTakenBack === false;
}

/**
 * From where on a turn is asked again. A failed answer is replaced alone, so that what was found and what tools did
 * for it stays; any other is replaced with all of its turn, since a model's choice of tools is part of the answer.
 * What an app did on its platform always begins from the start.
 */
export function retriedFrom(
  items: readonly ChatItem[],
  answerId: string,
  isByApp: boolean,
): string | undefined {
  const index = items.findIndex(({ id }) => id === answerId);
  const item = items[index];
  if (item?.type !== 'answer') return undefined;
  const start = items.findLastIndex((candidate, at) => at < index && candidate.type === 'user') + 1;
  return (item.end?.reason === 'failed' && !isByApp ? item : items[start])?.id;
}
