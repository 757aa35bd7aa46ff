import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import { lazy } from '../../base/lazy.ts';
import { contextKeys, languageModelVendor, languageToolNames, offerWorkflowsCommand } from '../ids.ts';
import type { EditorModelsDependencies } from './editorModels.ts';
import type { LanguageToolsDependencies } from './languageTools.ts';

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

/**
 * Our tools among those of the editor: search of knowledge bases, *Add to Knowledge Base*, and the workflows that the user
 * offers. What they do is loaded with the first call.
 */
export function registerLanguageTools(deps: LanguageToolsDependencies): Disposable {
  const disposables = new DisposableStore();
  const { apps, memory } = deps;
  const follow = () => {
    const isOffered = apps.apps.some(({ id }) => memory.offeredApps.includes(id));
    void vscode.commands.executeCommand('setContext', contextKeys.offersWorkflows, isOffered);
  };
  disposables.add(apps.onDidChange(follow));
  disposables.add(
    vscode.commands.registerCommand(offerWorkflowsCommand, async () => {
      const { offerWorkflows } = await import('./languageTools.ts');
      const names = await offerWorkflows(deps);
      follow();
      return names;
    }),
  );
  if (!('registerTool' in vscode.lm)) return disposables;
  const tools = lazy(async () => new (await import('./languageTools.ts')).LanguageTools(deps));
  for (const name of Object.values(languageToolNames)) {
    disposables.add(
      vscode.lm.registerTool<unknown>(name, {
        prepareInvocation: async ({ input }, token) => (await tools()).prepare(name, input, token),
        invoke: async ({ input }, token) => (await tools()).invoke(name, input, token),
      }),
    );
  }
  return disposables;
}
