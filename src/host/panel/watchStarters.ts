import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import { messageOf } from '../../base/errors/errors.ts';
import type { Log } from '../../base/log.ts';
import type { ConnectedPlatform } from '../../knowledge/connectedPlatform.ts';
import type { Starter } from '../../shared/protocol.ts';
import { watchLocalChanges } from '../workspace/workspaceGit.ts';
import type { Servers } from '../window/createServers.ts';
import type { Storage } from '../window/openStorage.ts';

type BaseSources = Pick<Storage, 'memory'> & Pick<Servers, 'platforms'> & { platform: ConnectedPlatform };

/** Uses only what the editor and this window know already. */
export function watchStarters(
  deps: BaseSources & { log: Log },
  listener: (starters: readonly Starter[]) => void,
): Disposable {
  const { platforms, log } = deps;
  const parts = new DisposableStore();
  const has = { changes: false, base: false };
  const tell = () => {
    const isProject = vscode.workspace.isTrusted && (vscode.workspace.workspaceFolders ?? []).length > 0;
    const starters: Record<Starter, boolean> = {
      explainProject: isProject,
      reviewChanges: isProject && has.changes,
      askKnowledge: has.base,
    };
    listener((Object.keys(starters) as Starter[]).filter((each) => starters[each]));
  };
  const lookForBases = () =>
    void knowsBase(deps).then((knows) => {
      has.base = knows;
      tell();
    });
  const lookForChanges = () =>
    watchLocalChanges((hasChanges) => {
      has.changes = hasChanges;
      tell();
    }).then(
      (watching) => parts.add(watching),
      (error: unknown) => log.warn(`Changes in Git: ${messageOf(error)}`),
    );
  parts.add(vscode.workspace.onDidChangeWorkspaceFolders(tell));
  parts.add(
    vscode.workspace.onDidGrantWorkspaceTrust(() => {
      tell();
      void lookForChanges();
    }),
  );
  parts.add(platforms.onDidChange(lookForBases));
  tell();
  lookForBases();
  // The extension for Git is off in Restricted Mode.
  if (vscode.workspace.isTrusted) void lookForChanges();
  return parts;
}

/** Sends no request: only bases that were used or added here, or that the side bar has listed. */
async function knowsBase({ platforms, platform, memory }: BaseSources): Promise<boolean> {
  await platforms.ready;
  const origin = platforms.current?.origin;
  if (origin === undefined) return false;
  if (memory.recentBases(origin).length > 0 || memory.addedBases(origin).length > 0) return true;
  const parts = await platform.known();
  return (parts?.knowledge.bases.state.datasets.length ?? 0) > 0;
}
