import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import { lazy } from '../../base/async/lazy.ts';
import { languageModelVendor, languageToolNames, offerWorkflowsCommand } from '../ids.ts';
import type { EditorModelsDependencies } from './editorModels.ts';
import type { LanguageToolsDependencies } from './languageTools.ts';

export interface RegisteredLanguageModels extends Disposable {
  changed(): void;
}

export function registerLanguageModels(
  parts: () => Promise<EditorModelsDependencies>,
): RegisteredLanguageModels {
  const changes = new vscode.EventEmitter<void>();
  const registered: Disposable[] = [changes];
  // Some forks of the editor lack this API.
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

export function registerLanguageTools(parts: () => Promise<LanguageToolsDependencies>): Disposable {
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
