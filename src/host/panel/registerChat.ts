import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import { chatCommands, commandId, codeCommands, reviewCommands, viewId } from '../ids.ts';
import type { ChatCommands } from './chatCommands.ts';
import type { ShownChat } from './showChat.ts';

interface ChatParts extends Pick<ShownChat, 'view' | 'review'> {
  chatCommands: ChatCommands;
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
  const commands = chatCommands.map((name) =>
    vscode.commands.registerCommand(commandId(name), async (...args: unknown[]) =>
      (await parts()).chatCommands.run(name, args),
    ),
  );
  const onCode = codeCommands.map((name) =>
    vscode.commands.registerCommand(commandId(name), async (...args: unknown[]) =>
      (await parts()).chatCommands.runOnCode(name, args),
    ),
  );
  const onHunks = reviewCommands.map((name) =>
    vscode.commands.registerCommand(commandId(name), async (hunk?: unknown) => {
      const { review } = await parts();
      return (await review()).run(name, hunk);
    }),
  );
  const links = vscode.window.registerUriHandler({
    handleUri: async (uri) => (await parts()).chatCommands.openLink(uri),
  });
  return vscode.Disposable.from(panel, ...commands, ...onCode, ...onHunks, links);
}
