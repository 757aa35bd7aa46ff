import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import { chatCommands, commandId, type CommandName, codeCommands, reviewCommands, viewId } from '../ids.ts';
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
  const register = <Name extends CommandName>(
    names: readonly Name[],
    run: (loaded: ChatParts, name: Name, args: unknown[]) => unknown,
  ) =>
    names.map((name) =>
      vscode.commands.registerCommand(commandId(name), async (...args: unknown[]) =>
        run(await parts(), name, args),
      ),
    );
  const commands = [
    ...register(chatCommands, (loaded, name, args) => loaded.chatCommands.run(name, args)),
    ...register(codeCommands, (loaded, name, args) => loaded.chatCommands.runOnCode(name, args)),
    ...register(reviewCommands, async ({ review }, name, [hunk]) => (await review()).run(name, hunk)),
  ];
  const links = vscode.window.registerUriHandler({
    handleUri: async (uri) => (await parts()).chatCommands.openLink(uri),
  });
  return vscode.Disposable.from(panel, ...commands, links);
}
