import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import type { ChatController } from '../../chat/chatController.ts';
import { pathsToReview } from '../../chat/rollback.ts';
import { reviewCommandId, reviewCommands } from '../ids.ts';
import type { ReviewHost } from './reviewHost.ts';

/** The commands on hunks in an editor. What shows hunks there is loaded with the first that is to be reviewed. */
export function registerReview(chat: ChatController, review: () => Promise<ReviewHost>): Disposable {
  const parts = new DisposableStore();
  for (const name of reviewCommands) {
    const run = async (hunk?: unknown) => (await review()).run(name, hunk);
    parts.add(vscode.commands.registerCommand(reviewCommandId(name), run));
  }
  parts.add(
    chat.onDidChange(({ type }) => {
      if (type !== 'editsMade' && type !== 'chatOpened' && type !== 'earlierLoaded') return;
      const { all } = chat.conversation;
      if (all.some((item) => item.type === 'edits' && pathsToReview(item).length > 0)) void review();
    }),
  );
  return parts;
}
