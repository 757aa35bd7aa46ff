import { randomUUID } from 'node:crypto';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import type { ChatController } from '../../chat/chatController.ts';
import type { ChatSession } from '../../chat/session/chatSession.ts';
import type { EditsItem } from '../../chat/conversation/items.ts';
import { EditReviews, type FileToReview, type RestoredParts } from '../../chat/edits/editReviews.ts';
import type { UndoProblem } from '../../chat/store/events.ts';
import { editsFrom } from '../../chat/conversation/rollback.ts';
import type { TextSnapshots } from '../../tools/edits/editJournal.ts';
import { createReviewAccess } from '../../tools/review/reviewAccess.ts';
import { FileMoves, type MoveMemory } from '../../tools/review/fileMoves.ts';
import { toPath } from '../workspace/workspacePlaces.ts';
import type { WorkspaceTools } from '../workspace/workspaceTools.ts';
import type { ReviewCommand } from '../ids.ts';
import { type HunkActions, ReviewEditors } from './reviewEditors.ts';
import { TurnDiffs } from './turnDiffs.ts';
import { confirmChange } from './confirmChange.ts';
import type { Notifications } from '../ui/notifications.ts';

export interface ReviewDependencies {
  chat: ChatController;
  tools(): Promise<WorkspaceTools>;
  snapshots(conversationId: string): Promise<TextSnapshots>;
  memory: MoveMemory;
  notifications: Notifications;
}

export interface ReviewHost extends HunkActions, Disposable {
  run(command: ReviewCommand, hunk: unknown): Promise<boolean>;
  restore(checkpointId: string): Promise<RestoredParts | undefined>;
  leave(itemId: string): Promise<boolean>;
  review(itemId: string, path: string): Promise<FileToReview | UndoProblem | undefined>;
}

/** Loaded with the first change to review. */
export function createReviewHost({
  notifications,
  chat,
  tools,
  snapshots,
  memory,
}: ReviewDependencies): ReviewHost {
  const disposables = new DisposableStore();
  const moves = new FileMoves(memory);
  disposables.add(
    vscode.workspace.onDidRenameFiles(({ files }) => {
      for (const { oldUri, newUri } of files) moves.add(toPath(oldUri), toPath(newUri));
    }),
  );
  const access = async () => createReviewAccess((await tools()).dependencies, moves, confirmChange);
  const reviews = new EditReviews({ access, snapshots, newId: randomUUID });
  const changes = disposables.add(new TurnDiffs({ tools, snapshots, access, notifications }));

  const find = (itemId: string): { session: ChatSession; item: EditsItem } | undefined => {
    for (const session of chat.sessions) {
      const item = session.conversation.all.find(({ id }) => id === itemId);
      if (item?.type === 'edits') return { session, item };
    }
    return undefined;
  };

  const sessionOf = (checkpointId: string) =>
    chat.sessions.find(({ conversation }) => conversation.findCheckpoint(checkpointId));

  const host: ReviewHost = {
    run: (command, hunk) => editors.run(command, hunk),
    async decide(itemId, decision, choice) {
      const found = find(itemId);
      if (!found || isBusy(notifications, found.session)) return false;
      if (decision === 'redo') {
        const reason = await reviews.redo(found.session, itemId, choice?.path ?? '');
        if (reason !== undefined) void notifications.warning(reason);
        return reason === undefined;
      }
      return reviews.decide(found.session, itemId, decision, choice);
    },
    async show(itemId, path) {
      const found = find(itemId);
      if (found) await changes.show(found.session.conversation.id, found.item, path);
    },
    async restore(checkpointId) {
      const session = sessionOf(checkpointId);
      const item = session?.conversation.findCheckpoint(checkpointId);
      const edits = session?.conversation.fileHistory.editsSince(checkpointId);
      if (!session || !item || !edits || isBusy(notifications, session)) return undefined;
      let chosen: RestoredParts | undefined;
      if (item.type === 'restoration') {
        chosen = { files: item.edits !== undefined, conversation: item.isConversation };
      } else if (item.type === 'user') {
        const { chooseRestore } = await import('./chooseRestore.ts');
        const files = await reviews.restorable(session, edits);
        const byCommands = session.conversation.fileHistory.commandChangesSince(checkpointId);
        chosen = await chooseRestore(item.text, files, byCommands);
      }
      if (!chosen || isBusy(notifications, session)) return undefined;
      return (await reviews.restore(session, checkpointId, chosen)) ? chosen : undefined;
    },
    async leave(itemId) {
      const session = sessionOf(itemId);
      if (!session || isBusy(notifications, session)) return false;
      const edits = editsFrom(session.conversation, itemId);
      const files = await reviews.restorable(session, edits);
      if (files.length === 0) return true;
      const { askToRestore } = await import('./chooseRestore.ts');
      const byCommands = session.conversation.fileHistory.commandChangesSince(itemId);
      const answer = await askToRestore(files, byCommands);
      if (!answer || isBusy(notifications, session)) return false;
      if (answer === 'keep') return true;
      return reviews.restore(session, itemId, { files: true, conversation: false }, edits);
    },
    async review(itemId, path) {
      const found = find(itemId);
      return found && reviews.review(found.session, found.item, path);
    },
    dispose: () => disposables.dispose(),
  };
  const editors = disposables.add(new ReviewEditors(chat, reviews, host, moves, notifications));
  return host;
}

/** Warns if a turn is running, whose tools may write to the same files. */
function isBusy(notifications: Notifications, { isRunning, windows }: ChatSession): boolean {
  const isBusyNow = isRunning || windows.isRunning;
  if (isBusyNow) {
    void notifications.warning(
      l10n.t('Wait until the model has finished, or stop it, before you review changes.'),
    );
  }
  return isBusyNow;
}
