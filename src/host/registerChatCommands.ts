import * as vscode from 'vscode';
import type { Disposable } from '../base/disposable.ts';
import { type ChatCommand, codeCommandId, codeCommands, commandIds } from './ids.ts';
import type { WindowParts } from './windowParts.ts';

/** The commands of the chat and its connection, and links that connect a relay. What they do is loaded with the first use. */
export function registerChatCommands(parts: () => Promise<WindowParts>): Disposable {
  const commands = Object.entries(commandIds).map(([name, id]) =>
    vscode.commands.registerCommand(id, async (...args: unknown[]) =>
      (await parts()).chatCommands.run(name as ChatCommand, args),
    ),
  );
  const onCode = codeCommands.map((name) =>
    vscode.commands.registerCommand(codeCommandId(name), async (uri?: unknown, range?: unknown) =>
      (await parts()).chatCommands.runOnCode(name, uri, range),
    ),
  );
  const links = vscode.window.registerUriHandler({
    handleUri: async (uri) => (await parts()).chatCommands.openLink(uri),
  });
  return vscode.Disposable.from(...commands, ...onCode, links);
}
