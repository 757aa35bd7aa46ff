import * as vscode from 'vscode';
import { lazy } from './base/lazy.ts';
import { registerApps } from './host/apps/registerApps.ts';
import { registerHistory } from './host/history/registerHistory.ts';
import { registerKnowledge } from './host/knowledge/registerKnowledge.ts';
import {
  registerLanguageModels,
  registerLanguageTools,
} from './host/languageModels/registerLanguageModels.ts';
import { registerChatCommands } from './host/registerChatCommands.ts';
import { registerPanel } from './host/registerPanel.ts';
import { registerReview } from './host/review/registerReview.ts';
import type { Contributions } from './host/windowParts.ts';

let flush: (() => Promise<void>) | undefined;

/**
 * Tells the editor what there is: commands, views, models and tools. What they work with is loaded with the first of them
 * that is used.
 */
export function activate(context: vscode.ExtensionContext): void {
  const began = performance.now();
  const own = <T extends vscode.Disposable>(part: T): T => {
    context.subscriptions.push(part);
    return part;
  };
  const parts = lazy(async () => {
    const asked = performance.now();
    const { createWindowParts } = await import('./host/windowParts.ts');
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
  };
  own(registerPanel(parts));
  own(registerChatCommands(parts));
  own(registerReview(parts));
  // What the editor's own chat and other extensions may use.
  own(registerLanguageTools(parts));

  // Read by the benchmark, and shown by the editor's own performance view.
  performance.measure('switchboard.activate', { start: began });
}

/** What was not written yet is written before the window goes. */
export async function deactivate(): Promise<void> {
  await flush?.();
}
