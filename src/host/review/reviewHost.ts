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

/** Loaded with the first change to review. */
export class ReviewHost implements HunkActions, Disposable {
  private readonly disposables = new DisposableStore();
  private readonly reviews: EditReviews;
  private readonly changes: TurnDiffs;
  private readonly editors: ReviewEditors;

  constructor(private readonly deps: ReviewDependencies) {
    const { chat, tools, snapshots, memory, notifications } = deps;
    const moves = new FileMoves(memory);
    this.disposables.add(
      vscode.workspace.onDidRenameFiles(({ files }) => {
        for (const { oldUri, newUri } of files) moves.add(toPath(oldUri), toPath(newUri));
      }),
    );
    const access = async () => createReviewAccess((await tools()).dependencies, moves, confirmChange);
    this.reviews = new EditReviews({ access, snapshots, newId: randomUUID });
    this.changes = this.disposables.add(new TurnDiffs({ tools, snapshots, access, notifications }));
    this.editors = this.disposables.add(new ReviewEditors(chat, this.reviews, this, moves, notifications));
  }

  run(command: ReviewCommand, hunk: unknown): Promise<boolean> {
    return this.editors.run(command, hunk);
  }

  async decide(...[itemId, decision, choice]: Parameters<HunkActions['decide']>): Promise<boolean> {
    const found = this.find(itemId);
    if (!found || this.isBusy(found.session)) return false;
    if (decision === 'redo') {
      const reason = await this.reviews.redo(found.session, itemId, choice?.path ?? '');
      if (reason !== undefined) void this.deps.notifications.warning(reason);
      return reason === undefined;
    }
    return this.reviews.decide(found.session, itemId, decision, choice);
  }

  async show(itemId: string, path?: string): Promise<void> {
    const found = this.find(itemId);
    if (found) await this.changes.show(found.session.conversation.id, found.item, path);
  }

  async restore(checkpointId: string): Promise<RestoredParts | undefined> {
    const session = this.sessionOf(checkpointId);
    const item = session?.conversation.findCheckpoint(checkpointId);
    const edits = session?.conversation.fileHistory.editsSince(checkpointId);
    if (!session || !item || !edits || this.isBusy(session)) return undefined;
    let chosen: RestoredParts | undefined;
    if (item.type === 'restoration') {
      chosen = { files: item.edits !== undefined, conversation: item.isConversation };
    } else if (item.type === 'user') {
      const { chooseRestore } = await import('./chooseRestore.ts');
      const files = await this.reviews.restorable(session, edits);
      const byCommands = session.conversation.fileHistory.commandChangesSince(checkpointId);
      chosen = await chooseRestore(item.text, files, byCommands);
    }
    if (!chosen || this.isBusy(session)) return undefined;
    return (await this.reviews.restore(session, checkpointId, chosen)) ? chosen : undefined;
  }

  async leave(itemId: string): Promise<boolean> {
    const session = this.sessionOf(itemId);
    if (!session || this.isBusy(session)) return false;
    const edits = editsFrom(session.conversation, itemId);
    const files = await this.reviews.restorable(session, edits);
    if (files.length === 0) return true;
    const { askToRestore } = await import('./chooseRestore.ts');
    const byCommands = session.conversation.fileHistory.commandChangesSince(itemId);
    const answer = await askToRestore(files, byCommands);
    if (!answer || this.isBusy(session)) return false;
    if (answer === 'keep') return true;
    return this.reviews.restore(session, itemId, { files: true, conversation: false }, edits);
  }

  async review(itemId: string, path: string): Promise<FileToReview | UndoProblem | undefined> {
    const found = this.find(itemId);
    return found && this.reviews.review(found.session, found.item, path);
  }

  dispose(): void {
    this.disposables.dispose();
  }

  private find(itemId: string): { session: ChatSession; item: EditsItem } | undefined {
    for (const session of this.deps.chat.sessions) {
      const item = session.conversation.all.find(({ id }) => id === itemId);
      if (item?.type === 'edits') return { session, item };
    }
    return undefined;
  }

  private sessionOf(checkpointId: string): ChatSession | undefined {
    return this.deps.chat.sessions.find(({ conversation }) => conversation.findCheckpoint(checkpointId));
  }

  /** Warns if a turn is running, whose tools may write to the same files. */
  private isBusy({ isRunning, windows }: ChatSession): boolean {
    const isBusyNow = isRunning || windows.isRunning;
    if (isBusyNow) {
      void this.deps.notifications.warning(
        l10n.t('Wait until the model has finished, or stop it, before you review changes.'),
      );
    }
    return isBusyNow;
  }
}
