import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { hasType } from '../../../base/json.ts';
import type { SyncedFolder } from '../../../knowledge/autoSync/syncedFolder.ts';
import type { SyncTerms } from '../../../knowledge/autoSync/syncTerms.ts';
import type { FolderLink } from '../../../knowledge/files/folderLinks.ts';
import { lacksEmbedding } from '../../../knowledge/view/describeBase.ts';
import type { BaseNode } from '../../../knowledge/view/treeNode.ts';
import { describeSync, describeWaiting, explainPause } from '../../../knowledge/view/describeSync.ts';
import type { Dataset } from '../../../platform/records.ts';
import { readSyncLimits } from './autoSyncs.ts';
import { withProgress } from '../../ui/withProgress.ts';
import { findRepositoryOf } from '../../workspace/workspaceGit.ts';
import { planAndSend } from '../addToKnowledgeBase.ts';
import type { KnowledgeCommandContext } from '../knowledgeCommandContext.ts';
import { chooseLink, folderName } from '../syncFolder.ts';
import { type AutoSyncs, notPossible } from './autoSyncs.ts';
import { confirmTerms } from './confirmTerms.ts';
import { createFolderRepository } from '../../../knowledge/autoSync/folderRepository.ts';

type AutoSyncCommand = 'autoSync' | 'pauseSync' | 'resumeSync' | 'showSyncStatus';

export function runAutoSync(
  command: AutoSyncCommand,
  context: KnowledgeCommandContext,
  syncs: AutoSyncs,
  [clicked]: readonly unknown[],
): Promise<unknown> {
  const dataset = hasType<BaseNode>(clicked, ['base']) ? clicked.dataset : undefined;
  switch (command) {
    case 'autoSync': {
      const folder = clicked instanceof vscode.Uri ? clicked : undefined;
      return keepInSync(context, syncs, { ...(folder && { folder }), ...(dataset && { dataset }) });
    }
    case 'pauseSync':
      return pauseSync(syncs, dataset?.id);
    case 'resumeSync':
      return resumeSync(syncs, dataset?.id);
    case 'showSyncStatus':
      return showSyncStatus(context, syncs, dataset?.id);
  }
}

async function keepInSync(
  context: KnowledgeCommandContext,
  syncs: AutoSyncs,
  from: { folder?: vscode.Uri; dataset?: Dataset },
): Promise<SyncTerms | undefined> {
  const link = await chooseLink(context, from);
  return link && confirmLink(context, syncs, link);
}

async function confirmLink(
  context: KnowledgeCommandContext,
  syncs: AutoSyncs,
  link: FolderLink,
): Promise<SyncTerms | undefined> {
  const impossible = notPossible(link);
  if (impossible !== undefined) {
    void context.notifications.warning(
      l10n.t("{0} can't be kept in sync: {1}.", folderName(link), impossible),
    );
    return undefined;
  }
  const plan = await withProgress(context.notifications, l10n.t('Checking files…'), (signal) =>
    context.knowledge.uploads.plan(
      { datasetId: link.datasetId, targets: [{ type: 'path', path: link.path }], isSync: true },
      signal,
    ),
  );
  const { dataset } = plan;
  if (dataset.isPipeline || lacksEmbedding(dataset)) {
    void context.notifications.warning(
      dataset.isPipeline
        ? l10n.t('"{0}" uses a knowledge pipeline, which asks each time. Sync it by hand.', dataset.name)
        : l10n.t('The embedding model of "{0}" isn\'t available.', dataset.name),
    );
    return undefined;
  }
  const proposed = await proposedTerms(context, link);
  const terms = proposed && (await confirmTerms(plan, folderName(link), proposed));
  if (!terms) return undefined;
  await context.knowledge.links.add({ ...link, auto: { terms } });
  await syncs.refresh();
  for (const folder of syncs.of(link.datasetId)) {
    if (folder.of.path === link.path && folder.state.pause) await folder.resume();
  }
  return terms;
}

async function proposedTerms(
  { notifications, settings }: KnowledgeCommandContext,
  { path, auto }: FolderLink,
): Promise<SyncTerms | undefined> {
  const repository = createFolderRepository(path, () => findRepositoryOf(path));
  const head = await repository.head(new AbortController().signal);
  const limits = readSyncLimits(settings);
  if (!head) return { when: 'quiet', ...limits };
  const { branch } = head;
  if (branch !== undefined) return { when: auto?.terms.when ?? 'commit', branch, ...limits };
  void notifications.warning(l10n.t('Check out a branch first: a folder is kept in sync on one branch.'));
  return undefined;
}

async function pauseSync(syncs: AutoSyncs, datasetId: string | undefined): Promise<boolean> {
  const folder = await chooseFolder(syncs, datasetId, l10n.t('Pause Automatic Sync'));
  await folder?.pause();
  return folder !== undefined;
}

async function resumeSync(syncs: AutoSyncs, datasetId: string | undefined): Promise<boolean> {
  const folder = await chooseFolder(syncs, datasetId, l10n.t('Resume Automatic Sync'));
  await folder?.resume();
  return folder !== undefined;
}

type Row = vscode.QuickPickItem & { action?: 'sync' | 'check' | 'pause' | 'resume' | 'confirm' | 'stop' };

async function showSyncStatus(
  context: KnowledgeCommandContext,
  syncs: AutoSyncs,
  datasetId: string | undefined,
): Promise<{ state: string; waiting: string[] } | undefined> {
  const folder = await chooseFolder(syncs, datasetId, l10n.t('Sync Status'));
  if (!folder) return undefined;
  const { of: link, state } = folder;
  const shown = { state: describeSync(state), waiting: state.waiting.map(({ path }) => path) };
  const picked = await vscode.window.showQuickPick(rowsOf(folder), {
    title: l10n.t('{0} → {1}: {2}', folderName(link), link.datasetName, shown.state),
    matchOnDetail: true,
  });
  switch (picked?.action) {
    case 'sync': {
      const targets = [{ type: 'path' as const, path: link.path }];
      const sent = await planAndSend(context, { datasetId: link.datasetId, targets, isSync: true });
      // Runs are noticed without this.
      if (!sent) folder.tell({ type: 'recheck' });
      break;
    }
    case 'check':
      folder.tell({ type: 'recheck' });
      break;
    case 'pause':
      await folder.pause();
      break;
    case 'resume':
      await folder.resume();
      break;
    case 'confirm':
      await confirmLink(context, syncs, link);
      break;
    case 'stop': {
      const { auto: _, ...byHand } = link;
      await context.knowledge.links.add(byHand);
      await syncs.refresh();
      break;
    }
    case undefined:
  }
  return shown;
}

function rowsOf({ of: { auto }, state }: SyncedFolder): Row[] {
  const { pause, waiting, changed } = state;
  const { terms } = auto;
  const rows: Row[] = [];
  if (pause?.reason === 'settings' || pause?.reason === 'branch') {
    rows.push(
      row('confirm', 'check', l10n.t('Keep in Sync Automatically…'), explainPause(pause, terms.branch)),
    );
  }
  const explanation = pause && explainPause(pause, terms.branch);
  const isOver = pause?.reason === 'limit';
  if (waiting.length > 0) {
    const detail = isOver ? explanation : l10n.t('Shows the plan and asks before anything');
    rows.push(row('sync', 'cloud-upload', l10n.t('Sync…'), detail));
  }
  if (pause?.reason === 'user') rows.push(row('resume', 'debug-start', l10n.t('Resume'), explanation));
  else {
    const detail = isOver ? undefined : (explanation ?? whenText(terms));
    rows.push(row('check', 'refresh', l10n.t('Check Now'), detail));
    rows.push(row('pause', 'debug-pause', l10n.t('Pause')));
  }
  rows.push(row('stop', 'close', l10n.t('Stop Keeping in Sync'), l10n.t('The folder stays linked')));
  if (waiting.length > 0) {
    rows.push({ label: l10n.t('Waiting for you'), kind: vscode.QuickPickItemKind.Separator });
    for (const each of waiting) rows.push({ label: `$(file) ${each.path}`, detail: describeWaiting(each) });
  }
  if (changed !== 'all' && changed.size > 0) {
    rows.push({ label: l10n.t('Uploaded next'), kind: vscode.QuickPickItemKind.Separator });
    for (const path of changed) {
      rows.push({ label: `$(file) ${path.slice(path.lastIndexOf('/') + 1)}`, description: path });
    }
  }
  return rows;
}

function row(action: Row['action'], icon: string, label: string, detail?: string): Row {
  return { label: `$(${icon}) ${label}`, ...(detail && { detail }), ...(action && { action }) };
}

function whenText({ when, branch = '' }: SyncTerms): string {
  return when === 'commit'
    ? l10n.t('Otherwise after the next commit on "{0}"', branch)
    : l10n.t('Otherwise when files have been quiet for a minute');
}

async function chooseFolder(
  syncs: AutoSyncs,
  datasetId: string | undefined,
  title: string,
): Promise<SyncedFolder | undefined> {
  const folders = syncs.of(datasetId);
  if (folders.length < 2) return folders[0];
  const picked = await vscode.window.showQuickPick(
    folders.map((folder) => ({
      label: `$(folder) ${folderName(folder.of)}`,
      description: folder.of.datasetName,
      detail: describeSync(folder.state),
      folder,
    })),
    { title },
  );
  return picked?.folder;
}
