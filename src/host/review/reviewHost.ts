import * as l10n from '@vscode/l10n';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import type { ChatController } from '../../chat/chatController.ts';
import type { ChatSession } from '../../chat/chatSession.ts';
import type { EditsItem } from '../../chat/conversation.ts';
import { EditReviews, type FileToReview, type HunkChoice } from '../../chat/editReviews.ts';
import type { UndoProblem } from '../../chat/events.ts';
import type { TextSnapshots } from '../../tools/editJournal.ts';
import { createReviewAccess } from '../../tools/review/reviewAccess.ts';
import { showWarning } from '../notifications.ts';
import type { WorkspaceTools } from '../workspaceTools.ts';
import { ChangeView } from './changeView.ts';

export interface ReviewDependencies {
  chat: ChatController;
  tools(): Promise<WorkspaceTools>;
  snapshots(conversationId: string): Promise<TextSnapshots>;
}

/** The review of what turns changed, in the editor. */
export interface ReviewHost extends Disposable {
  /** Keeps or undoes hunks of what a turn changed. False if there was nothing to decide. */
  decide(itemId: string, decision: 'keep' | 'undo', choice?: HunkChoice): Promise<boolean>;
  /** Opens what a turn changed against the state before it, in one file or in all. */
  show(itemId: string, path?: string): Promise<void>;
  /** What is still to be reviewed of a file; a problem where that is not known. */
  review(itemId: string, path: string): Promise<FileToReview | UndoProblem | undefined>;
}

/** Loaded with the first change that is to be reviewed. */
export function createReviewHost({ chat, tools, snapshots }: ReviewDependencies): ReviewHost {
  const parts = new DisposableStore();
  const access = async () => createReviewAccess((await tools()).needs);
  const reviews = new EditReviews({ access, snapshots });
  const changes = parts.add(new ChangeView({ tools, snapshots }));

  /** A turn's changes, wherever their conversation is held. */
  const find = (itemId: string): { session: ChatSession; item: EditsItem } | undefined => {
    for (const session of chat.sessions) {
      const item = session.conversation.all.find(({ id }) => id === itemId);
      if (item?.type === 'edits') return { session, item };
    }
    return undefined;
  };

  return {
    async decide(itemId, decision, choice) {
      const found = find(itemId);
      if (!found) return false;
      if (found.session.isRunning) {
        void showWarning(l10n.t('Wait until the model has finished, or stop it, before you review changes.'));
        return false;
      }
      return reviews.decide(found.session, itemId, decision, choice);
    },
    async show(itemId, path) {
      const found = find(itemId);
      if (found) await changes.show(found.session.conversation.id, found.item, path);
    },
    async review(itemId, path) {
      const found = find(itemId);
      return found && reviews.review(found.session, found.item, path);
    },
    dispose: () => parts.dispose(),
  };
}
