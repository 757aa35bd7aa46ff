import * as vscode from 'vscode';
import { lazy } from '../../base/async/lazy.ts';
import type { Disposable } from '../../base/disposable.ts';
import { commandId, suggestionCommands } from '../ids.ts';
import { registerCommands } from '../registerCommands.ts';
import type { SuggestionParts } from './chooseSuggestionModel.ts';

/** Loads nothing until the user's settings name a model. `ready`: the command that activates finds the provider. */
export function registerSuggestions(
  parts: () => Promise<SuggestionParts>,
): Disposable & { ready: Promise<void> } {
  let host: Disposable | undefined;
  const load = lazy(async () => {
    const { SuggestionsHost } = await import('./suggestionsHost.ts');
    const made = new SuggestionsHost(parts);
    host = made;
    return made;
  });
  const follow = async () => {
    if (vscode.workspace.getConfiguration('switchboard').get('completions.model')) await load();
  };
  const ready = follow();
  const registered = vscode.Disposable.from(
    vscode.workspace.onDidChangeConfiguration(follow),
    registerCommands(suggestionCommands, commandId, async (name, args) => (await load()).run(name, args)),
    { dispose: () => host?.dispose() },
  );
  return { ready, dispose: () => registered.dispose() };
}
