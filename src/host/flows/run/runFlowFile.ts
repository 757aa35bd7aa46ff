import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { RunOutcome, RunResult } from '../../../apps/run/performRun.ts';
import { inline } from '../../../base/text/oneLine.ts';
import { moreChanges } from '../../../flows/describeFlowChanges.ts';
import { readFlow } from '../../../flows/dsl/readFlow.ts';
import { changesSinceRun, publishedState } from '../../../flows/publishedVersion.ts';
import type { AppCommandContext } from '../../apps/appCommandContext.ts';
import { runApp } from '../../apps/run/runApp.ts';
import { tellError } from '../../ui/tellError.ts';
import { withProgress } from '../../ui/withProgress.ts';
import { showComparison } from '../compareFlow.ts';
import { linkedFile } from '../flowWorkspace.ts';
import type { FlowFiles } from '../flowFiles.ts';
import type { FileRun } from './flowRuns.ts';
import { type FlowRunner, followFileRun, runnerOf } from './runFlow.ts';
import type { Notifications } from '../../ui/notifications.ts';

const mostNamed = 3;
const versionMs = 30_000;

export async function runFlowFile(
  context: AppCommandContext,
  uri: vscode.Uri,
): Promise<RunResult | undefined> {
  const { link } = await linkedFile(uri);
  const files = await context.flows.files();
  const runner = await withProgress(context.notifications, l10n.t('Loading app info…'), (signal) =>
    runnerOf(context, { uri, link }, signal),
  );
  const document = await vscode.workspace.openTextDocument(uri);
  const isDifferent =
    publishedState(document.getText(), link.synced, files.runs.of(uri)?.published) === 'different';
  const note = isDifferent
    ? l10n.t('Runs the published version, which differs from the file.')
    : l10n.t('Runs the published version.');
  const query = runner.kind === 'chatflow' ? await askQuery(runner, note) : undefined;
  if (runner.kind === 'chatflow' && query === undefined) return undefined;
  const follow = followFileRun(context, files.runs, runner);
  let after = Promise.resolve();
  const result = await runApp(context, runner.app, runner.kind, undefined, {
    ...{ note, query },
    onBegin: follow.begin,
    onEvent: follow.note,
    onEnd(outcome) {
      const ending = follow.end(outcome, AbortSignal.timeout(versionMs));
      after = afterRun(context.notifications, files, runner, ending, outcome).catch((error: unknown) =>
        tellError(context.notifications, error),
      );
    },
  });
  await after;
  return result;
}

async function afterRun(
  notifications: Notifications,
  files: FlowFiles,
  { uri, link }: FlowRunner,
  ending: Promise<FileRun>,
  { error }: RunOutcome,
) {
  const failed = error && error.code !== 'cancelled' ? files.runs.of(uri)?.nodes.failed : undefined;
  if (failed !== undefined) await openNode(uri, failed);
  const { published } = await ending;
  if (published === undefined) return;
  const document = await vscode.workspace.openTextDocument(uri);
  const { lines } = changesSinceRun(published, readFlow(document.getText()));
  if (lines.length === 0) return;
  const named = lines.slice(0, mostNamed);
  if (lines.length > mostNamed) named.push(moreChanges(lines.length - mostNamed));
  const compare = l10n.t('Compare');
  const text = l10n.t(
    '"{0}" differs from the published version, which is the one that ran. In the file: {1}. Push and publish the file to run it.',
    link.path,
    named.join('; '),
  );
  void notifications
    .information(text, compare)
    .then((answer) => (answer === compare ? showComparison(files, uri, published) : undefined));
}

export async function openNode(uri: vscode.Uri, nodeId: string): Promise<boolean> {
  const document = await vscode.workspace.openTextDocument(uri);
  const node = readFlow(document.getText()).nodes.find(({ id }) => id === nodeId);
  if (!node) return false;
  const start = document.positionAt(node.range.start);
  const shown = await vscode.window.showTextDocument(document, {
    ...{ preview: false, selection: new vscode.Range(start, start) },
  });
  shown.revealRange(new vscode.Range(start, start), vscode.TextEditorRevealType.InCenter);
  return true;
}

function askQuery({ app }: FlowRunner, placeHolder: string): Thenable<string | undefined> {
  return vscode.window.showInputBox({
    title: inline(app.name, 60),
    prompt: l10n.t('Message to the chatflow. A new conversation begins.'),
    ...{ placeHolder, ignoreFocusOut: true },
    validateInput: (text) => (text.trim() === '' ? l10n.t('Required') : undefined),
  });
}
