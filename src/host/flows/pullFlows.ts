import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { AppRecord } from '../../apps/appRegistry.ts';
import { isCancelled, messageOf, SwitchboardError } from '../../base/errors/errors.ts';
import { safeFileName } from '../../base/files/safeFileName.ts';
import { formatNumber } from '../../base/text/format.ts';
import { formatDuration } from '../../base/text/formatTime.ts';
import { inline } from '../../base/text/oneLine.ts';
import { hashOfDsl } from '../../flows/flowState.ts';
import type { FlowLink } from '../../flows/sync/flowLinks.ts';
import { pullEach, pullFlow } from '../../flows/sync/pullFlow.ts';
import type { AppCommandContext } from '../apps/appCommandContext.ts';
import { withProgress } from '../ui/withProgress.ts';
import { type LinkedFile, linkedFiles, readText, saveLink, writePulled, serverOf } from './flowWorkspace.ts';
import { confirmModal } from '../ui/modals.ts';
import type { Notifications } from '../ui/notifications.ts';

interface PullResult {
  pulled: number;
  skipped: number;
  failed: number;
}

interface Target {
  folder: vscode.WorkspaceFolder;
  uri: vscode.Uri;
  link: Pick<FlowLink, 'path' | 'appId' | 'server'> & Partial<FlowLink>;
}

export async function pullWorkflow(
  context: AppCommandContext,
  app: AppRecord | undefined,
): Promise<PullResult | undefined> {
  const chosen = app ?? (await chooseFlow(context));
  if (!chosen?.account) return undefined;
  const known = (await linkedFiles()).find(({ link }) => isOf(link, chosen));
  const target = known ?? (await chooseFile(chosen, chosen.account.appId));
  if (!target) return undefined;
  if (await isChangedHere(target)) {
    const isSure = await confirmModal(
      l10n.t('Overwrite "{0}"?', target.link.path),
      l10n.t('Overwrite'),
      l10n.t('The file has changed since the last pull. Those changes are lost.'),
    );
    if (!isSure) return undefined;
  }
  await withProgress(context.notifications, l10n.t('Pulling {0}…', inline(chosen.name, 60)), (signal) =>
    pullTo(context, target, signal),
  );
  await vscode.window.showTextDocument(target.uri, { preview: false });
  return { pulled: 1, skipped: 0, failed: 0 };
}

export async function pullAllWorkflows(context: AppCommandContext): Promise<PullResult | undefined> {
  const targets = await allTargets(context);
  if (!targets) return undefined;
  const skipped: string[] = [];
  let pulled = 0;
  let shown = 0;
  const { failed, isStopped } = await withProgress(
    context.notifications,
    l10n.t('Pulling workflows…'),
    async (signal, report) => {
      try {
        const outcome = await pullEach(
          targets,
          async (target, each) => {
            if (await isChangedHere(target)) return void skipped.push(target.link.path);
            await pullTo(context, target, each);
            pulled++;
          },
          {
            signal,
            report: ({ done, total, leftMs }) => {
              report({
                message: l10n.t(
                  '{0} of {1}, {2} left',
                  formatNumber(done),
                  formatNumber(total),
                  formatDuration(leftMs, 'about'),
                ),
                increment: (100 * (done - shown)) / total,
              });
              shown = done;
            },
          },
        );
        return { ...outcome, isStopped: false };
      } catch (error) {
        if (isCancelled(error) || signal.aborted) return { failed: [], isStopped: true };
        throw error;
      }
    },
  );
  for (const { item, error } of failed) context.log.warn(`pull ${item.link.appId}: ${messageOf(error)}`);
  tellPulled(context.notifications, { pulled, skipped, failed: failed.length, isStopped });
  return { pulled, skipped: skipped.length, failed: failed.length };
}

function tellPulled(
  notifications: Notifications,
  told: { pulled: number; skipped: string[]; failed: number; isStopped: boolean },
): void {
  const { pulled, skipped, failed, isStopped } = told;
  const lines = [l10n.t('Pulled workflows: {0}.', formatNumber(pulled))];
  if (isStopped) lines.push(l10n.t('Stopped; the others were not pulled.'));
  if (skipped.length > 0) {
    lines.push(l10n.t('Changed here and skipped: {0}.', skipped.slice(0, 5).join(', ')));
  }
  if (failed > 0) lines.push(l10n.t('Failed: {0}. The log has the reasons.', formatNumber(failed)));
  const isFine = skipped.length === 0 && failed === 0;
  void notifications[isFine ? 'information' : 'warning'](lines.join(' '));
}

async function pullTo(context: AppCommandContext, { folder, uri, link }: Target, signal: AbortSignal) {
  const { text, link: pulled } = await pullFlow(await serverOf(context, link), link, signal);
  await writePulled(context, uri, text);
  await saveLink(folder, pulled);
  (await context.flows.files()).forgetDraft(uri);
}

async function isChangedHere({ uri, link }: Target): Promise<boolean> {
  const text = await readText(uri);
  return text !== undefined && hashOfDsl(text) !== link.synced?.file;
}

function isOf(link: Pick<FlowLink, 'appId' | 'server'>, { account, origin }: AppRecord): boolean {
  return link.appId === account?.appId && link.server === origin;
}

function flowsOf({ apps }: AppCommandContext): AppRecord[] {
  return apps.apps.filter(({ account, kind }) => account && (kind === 'workflow' || kind === 'chatflow'));
}

export async function chooseFlow(context: AppCommandContext): Promise<AppRecord | undefined> {
  const flows = flowsOf(context);
  if (flows.length === 0) throw noFlows();
  const items = flows.map((app) => ({ label: inline(app.name, 80), description: app.baseUrl, app }));
  return (await vscode.window.showQuickPick(items, { title: l10n.t('Pull to Workspace') }))?.app;
}

async function chooseFile({ name, origin }: AppRecord, appId: string): Promise<Target | undefined> {
  const parent = await usualFolder();
  const picked = await vscode.window.showSaveDialog({
    title: l10n.t('Pull {0} to Workspace', inline(name, 60)),
    defaultUri: vscode.Uri.joinPath(parent, fileName(name)),
    filters: { YAML: ['yml', 'yaml'] },
  });
  return picked && targetOf(picked, appId, origin);
}

function targetOf(uri: vscode.Uri, appId: string, server: string): Target {
  const folder = vscode.workspace.getWorkspaceFolder(uri);
  if (!folder) {
    throw new SwitchboardError('local-file', l10n.t('Choose a file in a folder of this workspace.'));
  }
  const path = uri.path.slice(folder.uri.path.replace(/\/$/, '').length + 1);
  return { folder, uri, link: { path, appId, server } };
}

async function allTargets(context: AppCommandContext): Promise<Target[] | undefined> {
  const flows = flowsOf(context);
  if (flows.length === 0) throw noFlows();
  const files = await linkedFiles();
  const fileOf = (app: AppRecord): LinkedFile | undefined => files.find(({ link }) => isOf(link, app));
  const missing = flows.filter((app) => !fileOf(app));
  const parent = missing.length > 0 ? await chooseFolder() : undefined;
  if (missing.length > 0 && !parent) return undefined;
  const taken = new Set(files.map(({ uri }) => uri.toString().toLowerCase()));
  return flows.map((app) => {
    const known = fileOf(app);
    if (known || !parent || !app.account) return known!;
    let uri = vscode.Uri.joinPath(parent, fileName(app.name));
    for (let number = 2; taken.has(uri.toString().toLowerCase()); number++) {
      uri = vscode.Uri.joinPath(parent, fileName(`${app.name} ${number}`));
    }
    taken.add(uri.toString().toLowerCase());
    return targetOf(uri, app.account.appId, app.origin);
  });
}

async function chooseFolder(): Promise<vscode.Uri | undefined> {
  const picked = await vscode.window.showOpenDialog({
    ...{ canSelectFiles: false, canSelectFolders: true, defaultUri: await usualFolder() },
    title: l10n.t('Select the folder for workflows'),
    openLabel: l10n.t('Select'),
  });
  return picked?.[0];
}

export async function usualFolder(): Promise<vscode.Uri> {
  const [first] = await linkedFiles();
  if (first) return vscode.Uri.joinPath(first.uri, '..');
  const [folder] = vscode.workspace.workspaceFolders ?? [];
  if (folder) return folder.uri;
  throw new SwitchboardError('local-file', l10n.t('Open a folder first: a workflow is pulled into one.'));
}

export function fileName(name: string): string {
  return `${safeFileName(name, 'workflow').toLowerCase().replaceAll(/\s+/g, '-')}.yml`;
}

function noFlows(): SwitchboardError {
  return new SwitchboardError(
    'request',
    l10n.t('There are no workflows or chatflows to pull. Sign in to the platform that has them.'),
  );
}
