import * as vscode from 'vscode';
import { lazy } from '../../base/async/lazy.ts';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import { messageOf } from '../../base/errors/errors.ts';
import type { PrepareServer } from '../../clients/knowledgeServer.ts';
import type { KnowledgeProgramsDependencies } from './knowledgePrograms.ts';

export interface KnowledgeServerPart extends Disposable {
  prepareKnowledge: PrepareServer;
  manageKnowledgeAccess(): Promise<number | undefined>;
}

/** Listens for programs if one was configured, in this window or, looked up when this one gets the focus, in another. */
export function createKnowledgeServer(deps: KnowledgeProgramsDependencies): KnowledgeServerPart {
  const parts = new DisposableStore();
  const programs = lazy(async () => {
    const { KnowledgePrograms } = await import('./knowledgePrograms.ts');
    return parts.add(new KnowledgePrograms(deps));
  });
  const listen = async () => {
    if (deps.memory.knowledgePrograms !== undefined) await (await programs()).listen();
  };
  const start = () =>
    void listen().catch((error: unknown) => deps.log.error(`Knowledge for programs: ${messageOf(error)}`));
  start();
  parts.add(vscode.window.onDidChangeWindowState(({ focused }) => focused && start()));
  return {
    prepareKnowledge: async (program) => (await programs()).prepare(program),
    manageKnowledgeAccess: async () => {
      const { manageAccess } = await import('./manageAccess.ts');
      return manageAccess(deps.notifications, (await programs()).access);
    },
    dispose: () => parts.dispose(),
  };
}
