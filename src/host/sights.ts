import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../base/disposable.ts';
import { Emitter } from '../base/emitter.ts';
import type { ChatController } from '../chat/chatController.ts';
import type { Sights } from '../chat/sight.ts';
import type { ChatView } from './chatView.ts';

/** Follows which conversation the user has in view. */
export function createSights(chat: ChatController, view: ChatView): Sights & Disposable {
  const parts = new DisposableStore();
  const changes = new Emitter<void>();
  parts.add(view.onDidChangeVisibility(() => changes.fire()));
  parts.add(vscode.window.onDidChangeWindowState(() => changes.fire()));
  parts.add(chat.onDidChange(({ type }) => type === 'chatOpened' && changes.fire()));
  return {
    of(conversationId) {
      if (!view.isVisible || conversationId !== chat.conversation.id) return 'hidden';
      return vscode.window.state.focused ? 'seen' : 'background';
    },
    onDidChange: changes.event,
    dispose: () => parts.dispose(),
  };
}
