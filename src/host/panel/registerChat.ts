import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import { chatCommands, codeCommands, commandId, reviewCommands, viewId } from '../ids.ts';
import { registerCommands } from '../registerCommands.ts';
import type { ChatCommands } from './chatCommands.ts';
import type { ShownChat } from './showChat.ts';

interface ChatParts extends Pick<ShownChat, 'view' | 'review'> {
  chatCommands(): Promise<ChatCommands>;
}

export function registerChat(parts: () => Promise<ChatParts>): Disposable {
  const panel = vscode.window.registerWebviewViewProvider(viewId, {
    async resolveWebviewView(shown) {
      let isClosed = false;
      shown.onDidDispose(() => (isClosed = true));
      const { view } = await parts();
      if (!isClosed) await view.resolveWebviewView(shown);
    },
  });
  const commandsOfChat = async () => (await parts()).chatCommands();
  const commands = [
    registerCommands(chatCommands, commandId, async (name, args) => (await commandsOfChat()).run(name, args)),
    registerCommands(codeCommands, commandId, async (name, args) =>
      (await commandsOfChat()).runOnCode(name, args),
    ),
    registerCommands(reviewCommands, commandId, async (name, [hunk]) => {
      const { review } = await parts();
      return (await review()).run(name, hunk);
    }),
  ];
  const links = vscode.window.registerUriHandler({
    handleUri: async (uri) => (await commandsOfChat()).openLink(uri),
  });
  return vscode.Disposable.from(panel, ...commands, links);
}
