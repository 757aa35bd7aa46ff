import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { FolderLink } from '../../knowledge/files/folderLinks.ts';
import type { ReportCounts } from '../../knowledge/view/reportText.ts';
import type { Dataset } from '../../platform/records.ts';
import { toPath, toUri } from '../workspace/workspacePlaces.ts';
import { planAndSend } from './addToKnowledgeBase.ts';
import { chooseBase } from './chooseBase.ts';
import type { KnowledgeCommandContext } from './knowledgeCommandContext.ts';

export async function syncFolder(
  context: KnowledgeCommandContext,
  from: { folder?: vscode.Uri; dataset?: Dataset },
): Promise<ReportCounts | undefined> {
  const link = await chooseLink(context, from);
  if (!link) return undefined;
  return planAndSend(context, {
    datasetId: link.datasetId,
    targets: [{ type: 'path', path: link.path }],
    isSync: true,
  });
}

export async function unlinkFolder(
  { notifications, knowledge }: KnowledgeCommandContext,
  dataset: Dataset,
): Promise<boolean> {
  const links = (await knowledge.links.all()).filter(({ datasetId }) => datasetId === dataset.id);
  const [only] = links;
  const link =
    links.length === 1 ? only : await pickLink(links, l10n.t('Unlink a Folder from {0}', dataset.name));
  if (!link) return false;
  await knowledge.links.remove(link);
  void notifications.information(
    l10n.t('"{0}" is no longer synced. Uploaded documents stay on the platform.', folderName(link)),
  );
  return true;
}

export async function chooseLink(
  context: KnowledgeCommandContext,
  { folder, dataset }: { folder?: vscode.Uri; dataset?: Dataset },
): Promise<FolderLink | undefined> {
  const path = folder && toPath(folder);
  const all = await context.knowledge.links.all();
  const links = all.filter(
    (link) =>
      (path === undefined || link.path === path) && (dataset === undefined || link.datasetId === dataset.id),
  );
  const [only] = links;
  if (links.length === 1 && (path ?? dataset) !== undefined) return only;
  if (links.length === 0) return linkFolder(context, path, dataset);
  const picked = await pickLink(links, l10n.t('Sync Folder'), true);
  return picked === 'new' ? linkFolder(context, path, dataset) : picked;
}

async function linkFolder(
  context: KnowledgeCommandContext,
  path: string | undefined,
  dataset: Dataset | undefined,
): Promise<FolderLink | undefined> {
  const chosen = path ?? (await chooseFolder());
  if (chosen === undefined) return undefined;
  const verdict = await context.dependencies.policy.check(chosen, 'list');
  if (!verdict.isAllowed) {
    void context.notifications.warning(verdict.forUser);
    return undefined;
  }
  const folder = verdict.shown === '.' ? '' : verdict.shown;
  const base =
    dataset ??
    (await chooseBase(context, l10n.t('Sync {0} with a Knowledge Base', folder || verdict.folder.name)));
  if (!base) return undefined;
  const link = { folder, path: chosen, datasetId: base.id, datasetName: base.name };
  await context.knowledge.links.add(link);
  return link;
}

async function chooseFolder(): Promise<string | undefined> {
  const [folder] = vscode.workspace.workspaceFolders ?? [];
  const chosen = await vscode.window.showOpenDialog({
    title: l10n.t('Link a Folder'),
    openLabel: l10n.t('Link'),
    canSelectFiles: false,
    canSelectFolders: true,
    ...(folder && { defaultUri: folder.uri }),
  });
  return chosen?.[0] && toPath(chosen[0]);
}

async function pickLink(links: readonly FolderLink[], title: string): Promise<FolderLink | undefined>;
async function pickLink(
  links: readonly FolderLink[],
  title: string,
  mayBeNew: true,
): Promise<FolderLink | 'new' | undefined>;
async function pickLink(
  links: readonly FolderLink[],
  title: string,
  mayBeNew = false,
): Promise<FolderLink | 'new' | undefined> {
  const rows: (vscode.QuickPickItem & { link: FolderLink | 'new' })[] = links.map((link) => ({
    label: `$(folder) ${folderName(link)}`,
    description: link.datasetName,
    link,
  }));
  if (mayBeNew)
    rows.push({ label: `$(link) ${l10n.t('Link Another Folder…')}`, alwaysShow: true, link: 'new' });
  const picked = await vscode.window.showQuickPick(rows, { title, matchOnDescription: true });
  return picked?.link;
}

export function folderName({ folder, path }: FolderLink): string {
  return folder || vscode.workspace.getWorkspaceFolder(toUri(path))?.name || path;
}
