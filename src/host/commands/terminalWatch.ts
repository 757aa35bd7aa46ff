import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import { TerminalCommands } from '../../tools/command/terminalCommands.ts';

const commands = new TerminalCommands<vscode.Terminal>();

/** Keeps the last command of each terminal from now on: the editor only gives output to active listeners. */
export function watchTerminals(): Disposable {
  return vscode.Disposable.from(
    vscode.window.onDidStartTerminalShellExecution(({ terminal, execution }) =>
      commands.began(terminal, execution),
    ),
    vscode.window.onDidEndTerminalShellExecution(({ terminal, execution, exitCode }) =>
      commands.ended(terminal, execution, exitCode),
    ),
  );
}

export function activeTerminal() {
  const { activeTerminal: terminal } = vscode.window;
  return {
    line: commands.lineIn(terminal),
    problem: commands.problemOf(terminal),
    read: (secrets: readonly string[]) => commands.read(terminal, secrets, process.env),
  };
}
