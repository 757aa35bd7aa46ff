import type { AppliedEdit } from '../../tools/edits/editJournal.ts';
import type { Conversation } from './conversation.ts';
import type { ChatItem, EditsItem } from './items.ts';
import type { ChatEvent } from '../store/events.ts';

/** Makes room for another version: said items stay as a branch, failures and notices go, revertible edits stay. */
export function rollback(conversation: Conversation, fromId: string): ChatEvent[] {
  const isVersion = conversation.saysSomethingFrom(fromId);
  return [
    isVersion ? { type: 'versionStarted', ofId: fromId } : { type: 'itemsRemoved', fromId },
    ...editsLeftBehind(conversation, fromId),
  ];
}

/** Deletes a message and all after it; another version follows, or the path ends. Revertible edits are kept. */
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

export function editsFrom({ all, fileHistory }: Conversation, itemId: string): AppliedEdit[] {
  // Files may have changed earlier in the turn.
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

export function pathsToReview(item: EditsItem): string[] {
  return [...new Set(item.edits.map(({ path }) => path))].filter(
    (path) => !item.reviews?.[path]?.isDone && !isRestored(item, path),
  );
}

/** True if a restoration still in effect undid all changes to this file. */
export function isRestored({ restoredBy }: EditsItem, path: string): boolean {
  return restoredBy?.[path]?.isTakenBack === false;
}

/** Where a retry starts. Only failed answers are replaced alone, since the choice of tools is part of an answer. */
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
