import { basename } from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { planPush } from '../../flows/sync/pushFlow.ts';
import type { FlowState } from '../../flows/flowState.ts';
import type { AppCommandContext } from '../apps/appCommandContext.ts';
import { showReport } from '../ui/readOnlyTexts.ts';
import { withProgress } from '../ui/withProgress.ts';
import { stateText } from './flowDecorations.ts';
import type { FlowFiles } from './flowFiles.ts';
import { currentText, linkedFile, serverOf } from './flowWorkspace.ts';
import type { Notifications } from '../ui/notifications.ts';

export async function compareWorkflow(
  context: AppCommandContext,
  uri: vscode.Uri,
): Promise<{ state: FlowState; changes: readonly string[] }> {
  const { link } = await linkedFile(uri);
  const server = await serverOf(context, link);
  const text = await currentText(uri);
  const { platform, changes, state, issues } = await withProgress(
    context.notifications,
    l10n.t('Comparing with the platform…'),
    (signal) => planPush(server, link, text, signal),
  );
  const files = await context.flows.files();
  files.noteDraft(uri, platform.text);
  files.noteIssues(uri, issues);
  await showComparison(files, uri, platform.text);
  void tell(context.notifications, state, changes);
  return { state, changes };
}

export async function showComparison(files: FlowFiles, uri: vscode.Uri, platformText: string): Promise<void> {
  const there = files.platformDocument(uri, platformText);
  const title = l10n.t('{0}: Platform ↔ File', basename(uri.path));
  await vscode.commands.executeCommand('vscode.diff', there, uri, title);
}

async function tell(
  notifications: Notifications,
  state: FlowState,
  changes: readonly string[],
): Promise<void> {
  if (changes.length === 0) return void notifications.information(stateText(state));
  const show = l10n.t('Show Summary');
  const answer = await notifications.information(
    `${stateText(state)} ${changes.slice(0, 3).join('; ')}`,
    show,
  );
  if (answer === show) await showReport(l10n.t('Summary'), [stateText(state), '', ...changes].join('\n'));
}
