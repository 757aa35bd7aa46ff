import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { lazy } from '../../base/async/lazy.ts';
import { planPush } from '../../flows/sync/pushFlow.ts';
import { type FlowState, hashOfDsl } from '../../flows/flowState.ts';
import type { AppCommandContext } from '../apps/appCommandContext.ts';
import { flowScheme } from '../ids.ts';
import { showReport } from '../ui/readOnlyTexts.ts';
import { withProgress } from '../ui/withProgress.ts';
import { noteIssues } from './flowContents.ts';
import { notePlatform, stateText } from './flowDecorations.ts';
import { currentText, linkedFile, serverOf } from './flowWorkspace.ts';
import type { Notifications } from '../ui/notifications.ts';

const texts = new Map<string, string>();
const provider = lazy(async () => {
  vscode.workspace.onDidCloseTextDocument(({ uri }) => texts.delete(uri.toString()));
  return vscode.workspace.registerTextDocumentContentProvider(flowScheme, {
    provideTextDocumentContent: (uri) => texts.get(uri.toString()) ?? '',
  });
});
let next = 1;

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
  notePlatform(uri, platform.text);
  noteIssues(uri, issues);
  await showComparison(uri, platform.text);
  void tell(context.notifications, state, changes);
  return { state, changes };
}

/** Hashes of the platform's texts that the user compared with a file, until the window closes. */
const compared = new Map<string, string>();

export function hasCompared(uri: vscode.Uri, platformText: string): boolean {
  return compared.get(uri.toString()) === hashOfDsl(platformText);
}

export async function showComparison(uri: vscode.Uri, platformText: string): Promise<void> {
  compared.set(uri.toString(), hashOfDsl(platformText));
  await provider();
  const name = uri.path.split('/').at(-1) ?? '';
  const there = vscode.Uri.from({ scheme: flowScheme, path: `/${next++}/${name}` });
  texts.set(there.toString(), platformText);
  const title = l10n.t('{0}: Platform ↔ File', name);
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
