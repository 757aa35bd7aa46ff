import * as vscode from 'vscode';
import { lazy } from './base/async/lazy.ts';
import { registerApps } from './host/apps/registerApps.ts';
import { registerFlows } from './host/flows/registerFlows.ts';
import { registerHistory } from './host/history/registerHistory.ts';
import { registerKnowledge } from './host/knowledge/registerKnowledge.ts';
import { registerKnowledgeTests } from './host/knowledgeTests/registerKnowledgeTests.ts';
import {
  registerLanguageModels,
  registerLanguageTools,
} from './host/languageModels/registerLanguageModels.ts';
import { registerChat } from './host/panel/registerChat.ts';
import { registerSuggestions } from './host/suggestions/registerSuggestions.ts';
import type { Contributions } from './host/window/windowParts.ts';

let flush: (() => Promise<void>) | undefined;

/** Registers commands, views, models and tools. The first of them that is used loads the parts they work with. */
export function activate(context: vscode.ExtensionContext): Promise<void> {
  const began = performance.now();
  const own = <T extends vscode.Disposable>(part: T): T => {
    context.subscriptions.push(part);
    return part;
  };
  const parts = lazy(async () => {
    const asked = performance.now();
    const { createWindowParts } = await import('./host/window/windowParts.ts');
    const made = own(createWindowParts(context, contributions));
    ({ flush } = made);
    performance.measure('switchboard.parts', { start: asked });
    return made;
  });
  const contributions: Contributions = {
    knowledgeTree: own(registerKnowledge(parts)),
    appsTree: own(registerApps(parts)),
    historyTree: own(registerHistory(parts)),
    languageModels: own(registerLanguageModels(parts)),
    flows: own(registerFlows(parts)),
  };
  own(registerChat(parts));
  own(registerLanguageTools(parts));
  const suggestions = own(registerSuggestions(parts));
  own(registerKnowledgeTests(parts));

  // Measured by the benchmark and shown in the editor's performance view.
  performance.measure('switchboard.activate', { start: began });
  return suggestions.ready;
}

export async function deactivate(): Promise<void> {
  await flush?.();
}
