import * as vscode from 'vscode';
import type { KnowledgeBase, Source } from '../chat/events.ts';
import type { Knowledge } from '../knowledge/knowledge.ts';
import type { KnowledgeHost } from '../panel/knowledgeController.ts';
import { commandIds, knowledgeCommandId } from './ids.ts';
import { showWarning } from './notifications.ts';
import type { WorkspaceTools } from './workspaceTools.ts';
import { toUri } from './workspaceUris.ts';

export interface KnowledgeHostDependencies {
  /** Whether a platform is connected. */
  isConnected(): boolean;
  /** Of the connected platform, if there is one. */
  knowledge(): Promise<Knowledge | undefined>;
  /** Ids of knowledge bases, the one used last first. */
  recent(): readonly string[];
  used(datasetId: string): void;
  openSource(source: Source): Promise<unknown>;
  tools(): Promise<WorkspaceTools>;
}

/** What grounding needs, met by the editor. */
export function createKnowledgeHost(deps: KnowledgeHostDependencies): KnowledgeHost {
  const choose = async (chosen: readonly KnowledgeBase[]) => {
    if (!deps.isConnected()) await vscode.commands.executeCommand(knowledgeCommandId('connectPlatform'));
    const knowledge = await deps.knowledge();
    const { chooseKnowledge } = await import('./chooseKnowledge.ts');
    const picked = knowledge && (await chooseKnowledge(knowledge, chosen, deps.recent()));
    if (picked === 'addFiles') {
      void vscode.commands.executeCommand(knowledgeCommandId('addToKnowledgeBase'));
      return undefined;
    }
    for (const { id } of picked ?? []) if (!chosen.some((base) => base.id === id)) deps.used(id);
    // The editor does not give the focus back to the panel.
    await vscode.commands.executeCommand(commandIds.openChat);
    return picked;
  };
  return {
    get isConnected() {
      return deps.isConnected();
    },
    choose,
    openSource: (source) => void openSource(source, deps),
    addToKnowledgeBase: (path) => void addToKnowledgeBase(path, deps),
  };
}

/** What an app found may be a file of this workspace, too; the app could not know. */
async function openSource(
  source: Source,
  { knowledge, openSource: open }: KnowledgeHostDependencies,
): Promise<void> {
  const { datasetId, documentId } = source;
  const origin = source.origin ?? (await (await knowledge())?.originOf(datasetId, documentId));
  await open({ ...source, ...(origin && { origin }) });
}

async function addToKnowledgeBase(
  path: string,
  { tools }: Pick<KnowledgeHostDependencies, 'tools'>,
): Promise<void> {
  const { policy } = (await tools()).dependencies;
  const verdict = await policy.check(path, 'read');
  if (verdict.isAllowed) {
    await vscode.commands.executeCommand(knowledgeCommandId('addToKnowledgeBase'), toUri(verdict.realPath));
  } else void showWarning(verdict.forUser);
}
