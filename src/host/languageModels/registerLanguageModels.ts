import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import { lazy } from '../../base/lazy.ts';
import { languageModelVendor } from '../ids.ts';
import type { EditorModelsDependencies } from './editorModels.ts';

/**
 * The relay's models and the platform's chat apps as models of the editor, for its own chat and for other extensions.
 * What they do is loaded when somebody asks for them.
 */
export function registerLanguageModels(deps: EditorModelsDependencies): Disposable {
  const disposables = new DisposableStore();
  // Not every fork of the editor has models of others.
  if (!('registerLanguageModelChatProvider' in vscode.lm)) return disposables;
  const changes = disposables.add(new vscode.EventEmitter<void>());
  const models = lazy(async () => new (await import('./editorModels.ts')).EditorModels(deps));
  disposables.add(
    vscode.lm.registerLanguageModelChatProvider(languageModelVendor, {
      onDidChangeLanguageModelChatInformation: changes.event,
      provideLanguageModelChatInformation: async ({ silent }) => (await models()).list(silent),
      provideLanguageModelChatResponse: async (...request) => (await models()).answer(...request),
      provideTokenCount: async (_model, text) => (await models()).countTokens(text),
    }),
  );
  const { relays, apps } = deps;
  const { catalog } = deps.models;
  disposables.add(relays.onDidChange(() => changes.fire()));
  disposables.add(apps.onDidChange(() => changes.fire()));
  disposables.add(catalog.onDidChange(() => catalog.state.state !== 'loading' && changes.fire()));
  return disposables;
}
