import * as vscode from 'vscode';
import type { KnowledgeBase, Source } from '../../chat/store/events.ts';
import type { Log } from '../../base/log.ts';
import type { Knowledge } from '../../knowledge/knowledge.ts';
import type { KnowledgeHost } from '../../panel/knowledgeController.ts';
import { commandId } from '../ids.ts';
import type { WorkspaceTools } from '../workspace/workspaceTools.ts';
import { toUri } from '../workspace/workspacePlaces.ts';
import type { Notifications } from '../ui/notifications.ts';

export interface KnowledgeHostDependencies {
  isConnected(): boolean;
  knowledge(): Promise<Knowledge | undefined>;
  recent(): readonly string[];
  used(datasetId: string): void;
  openSource(source: Source): Promise<unknown>;
  compareSource(source: Source): Promise<unknown>;
  tools(): Promise<WorkspaceTools>;
  log: Log;
  notifications: Notifications;
}

export function createKnowledgeHost(deps: KnowledgeHostDependencies): KnowledgeHost {
  const choose = async (chosen: readonly KnowledgeBase[]) => {
    if (!deps.isConnected()) await vscode.commands.executeCommand(commandId('connectPlatform'));
    const knowledge = await deps.knowledge();
    const { chooseKnowledge } = await import('./chooseKnowledge.ts');
    const picked = knowledge && (await chooseKnowledge(knowledge, chosen, deps.recent()));
    if (picked === 'addFiles') {
      void vscode.commands.executeCommand(commandId('addToKnowledgeBase'));
      return undefined;
    }
    for (const { id } of picked ?? []) if (!chosen.some((base) => base.id === id)) deps.used(id);
    // The editor doesn't return the focus to the panel.
    await vscode.commands.executeCommand(commandId('openChat'));
    return picked;
  };
  return {
    get isConnected() {
      return deps.isConnected();
    },
    choose,
    openSource: (source) => void withOrigin(source, deps).then((known) => deps.openSource(known)),
    compareSource: (source) => void withOrigin(source, deps).then((known) => deps.compareSource(known)),
    addToKnowledgeBase: (path, datasetId) => void addToKnowledgeBase(path, datasetId, deps),
    async watchSources(chat, post) {
      const { createSourceWatch } = await import('./sourceWatchHost.ts');
      return createSourceWatch({ ...deps, chat, post, withOrigin: (source) => withOrigin(source, deps) });
    },
  };
}

/** An app's source may also be a file of this workspace. */
async function withOrigin(source: Source, { knowledge }: KnowledgeHostDependencies): Promise<Source> {
  const { datasetId, documentId } = source;
  const origin = source.origin ?? (await (await knowledge())?.originOf(datasetId, documentId));
  return { ...source, ...(origin && { origin }) };
}

async function addToKnowledgeBase(
  path: string,
  datasetId: string | undefined,
  { tools, notifications }: Pick<KnowledgeHostDependencies, 'tools' | 'notifications'>,
): Promise<void> {
  const { policy } = (await tools()).dependencies;
  const verdict = await policy.check(path, 'read');
  if (verdict.isAllowed) {
    const uri = toUri(verdict.realPath);
    await vscode.commands.executeCommand(commandId('addToKnowledgeBase'), uri, undefined, datasetId);
  } else void notifications.warning(verdict.forUser);
}
