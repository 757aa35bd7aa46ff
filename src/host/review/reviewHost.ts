import { randomUUID } from 'node:crypto';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import type { ChatController } from '../../chat/chatController.ts';
import type { ChatSession } from '../../chat/chatSession.ts';
import type { EditsItem } from '../../chat/items.ts';
import {
  EditReviews,
  type FileToReview,
  type HunkChoice,
  type RestoredParts,
} from '../../chat/editReviews.ts';
import type { UndoProblem } from '../../chat/events.ts';
import { editsFrom } from '../../chat/rollback.ts';
import type { TextSnapshots } from '../../tools/editJournal.ts';
import { createReviewAccess } from '../../tools/review/reviewAccess.ts';
import { FileMoves, type MoveMemory } from '../../tools/review/fileMoves.ts';
import { toPath } from '../workspaceUris.ts';
import { showWarning } from '../notifications.ts';
import type { WorkspaceTools } from '../workspaceTools.ts';
import type { ReviewCommand } from '../ids.ts';
import { ReviewEditors } from './reviewEditors.ts';
import { ChangeView } from './changeView.ts';

export interface ReviewDependencies {
  chat: ChatController;
  tools(): Promise<WorkspaceTools>;
  snapshots(conversationId: string): Promise<TextSnapshots>;
  memory: MoveMemory;
}

/** The review of what turns changed, in the editor. */
export interface ReviewHost extends Disposable {
  /** Keeps or undoes hunks of what a turn changed. False if there was nothing to decide. */
  decide(itemId: string, decision: 'keep' | 'undo', choice?: HunkChoice): Promise<boolean>;
  /** Opens what a turn changed against the state before it, in one file or in all. */
  show(itemId: string, path?: string): Promise<void>;
  /** Does what a command says, with the hunk it was given or the one at the cursor. False if there is none. */
  run(command: ReviewCommand, hunk: unknown): Promise<boolean>;
  /** Restores the state before a message, as far as the user chooses; before a restoration, what that had changed. */
  restore(checkpointId: string): Promise<RestoredParts | undefined>;
  /**
   * Before another version takes the place of this item and all after it: asks about the files they changed. False if
   * the user stays.
   */
  leave(itemId: string): Promise<boolean>;
  /** What is still to be reviewed of a file; a problem where that is not known. */
  review(itemId: string, path: string): Promise<FileToReview | UndoProblem | undefined>;
}

/** Loaded with the first change that is to be reviewed. */
export function createReviewHost({ chat, tools, snapshots, memory }: ReviewDependencies): ReviewHost {
  const disposables = new DisposableStore();
  const moves = new FileMoves(memory);
  disposables.add(
    vscode.workspace.onDidRenameFiles(({ files }) => {
      for (const { oldUri, newUri } of files) moves.add(toPath(oldUri), toPath(newUri));
    }),
  );
  const access = async () => createReviewAccess((await tools()).dependencies, moves);
  const reviews = new EditReviews({ access, snapshots, newId: randomUUID });
  const changes = disposables.add(new ChangeView({ tools, snapshots, access }));

  /** A turn's changes, wherever their conversation is held. */
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
      if (!found || isBusy(found.session)) return false;
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
      if (!session || !item || !edits || isBusy(session)) return undefined;
      let chosen: RestoredParts | undefined;
      if (item.type === 'restoration') {
        chosen = { files: item.edits !== undefined, conversation: item.isConversation };
      } else if (item.type === 'user') {
        const { chooseRestore } = await import('./chooseRestore.ts');
        const files = await reviews.restorable(session, edits);
        const byCommands = session.conversation.fileHistory.commandChangesSince(checkpointId);
        chosen = await chooseRestore(item.text, files, byCommands);
      }
      if (!chosen || isBusy(session)) return undefined;
      return (await reviews.restore(session, checkpointId, chosen)) ? chosen : undefined;
    },
    async leave(itemId) {
      const session = sessionOf(itemId);
      if (!session || isBusy(session)) return false;
      const edits = editsFrom(session.conversation, itemId);
      const files = await reviews.restorable(session, edits);
      if (files.length === 0) return true;
      const { askToRestore } = await import('./chooseRestore.ts');
      const byCommands = session.conversation.fileHistory.commandChangesSince(itemId);
      const answer = await askToRestore(files, byCommands);
      if (!answer || isBusy(session)) return false;
      if (answer === 'keep') return true;
      return reviews.restore(session, itemId, { files: true, conversation: false }, edits);
    },
    async review(itemId, path) {
      const found = find(itemId);
      return found && reviews.review(found.session, found.item, path);
    },
    dispose: () => disposables.dispose(),
  };
  const editors = disposables.add(new ReviewEditors(chat, reviews, host, moves));
  return host;
}

/** Says so, too: its tools may be writing into the same files. */
function isBusy({ isRunning, isRunningElsewhere }: ChatSession): boolean {
  const isBusyNow = isRunning || isRunningElsewhere;
  if (isBusyNow) {
    void showWarning(l10n.t('Wait until the model has finished, or stop it, before you review changes.'));
  }
  return isBusyNow;
}
