import * as vscode from 'vscode';
import type { Disposable } from '../base/disposable.ts';

export function registerCommands<Name extends string>(
  names: readonly Name[],
  idOf: (name: Name) => string,
  run: (name: Name, args: unknown[]) => unknown,
): Disposable {
  return vscode.Disposable.from(
    ...names.map((name) =>
      vscode.commands.registerCommand(idOf(name), (...args: unknown[]) => run(name, args)),
    ),
  );
}
