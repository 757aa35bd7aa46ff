import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import { lazy } from '../../base/lazy.ts';
import { languageModelVendor, languageToolNames, offerWorkflowsCommand } from '../ids.ts';
import type { WindowParts } from '../windowParts.ts';

export interface RegisteredLanguageModels extends Disposable {
  /** There are others now. */
  changed(): void;
}

/**
 * The relay's models and the platform's chat apps as models of the editor, for its own chat and for other extensions.
 * What they do is loaded when somebody asks for them.
 */
export function registerLanguageModels(parts: () => Promise<WindowParts>): RegisteredLanguageModels {
  const changes = new vscode.EventEmitter<void>();
  const registered: Disposable[] = [changes];
  // Not every fork of the editor has models of others.
  if ('registerLanguageModelChatProvider' in vscode.lm) {
    const models = lazy(async () => new (await import('./editorModels.ts')).EditorModels(await parts()));
    registered.push(
      vscode.lm.registerLanguageModelChatProvider(languageModelVendor, {
        onDidChangeLanguageModelChatInformation: changes.event,
        provideLanguageModelChatInformation: async ({ silent }) => (await models()).list(silent),
        provideLanguageModelChatResponse: async (...request) => (await models()).answer(...request),
        provideTokenCount: async (_model, text) => (await models()).countTokens(text),
      }),
    );
  }
  return { changed: () => changes.fire(), dispose: () => vscode.Disposable.from(...registered).dispose() };
}

/**
 * Our tools among those of the editor: search of knowledge bases, *Add to Knowledge Base*, and the workflows that the user
 * offers. What they do is loaded with the first call.
 */
export function registerLanguageTools(parts: () => Promise<WindowParts>): Disposable {
  const registered: Disposable[] = [
    vscode.commands.registerCommand(offerWorkflowsCommand, async () => {
      const { offerWorkflows } = await import('./languageTools.ts');
      return offerWorkflows(await parts());
    }),
  ];
  if ('registerTool' in vscode.lm) {
    const tools = lazy(async () => new (await import('./languageTools.ts')).LanguageTools(await parts()));
    for (const name of Object.values(languageToolNames)) {
      registered.push(
        vscode.lm.registerTool<unknown>(name, {
          prepareInvocation: async ({ input }, token) => (await tools()).prepare(name, input, token),
          invoke: async ({ input }, token) => (await tools()).invoke(name, input, token),
        }),
      );
    }
  }
  return vscode.Disposable.from(...registered);
}
