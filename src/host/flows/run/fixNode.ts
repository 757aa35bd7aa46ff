import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { SwitchboardError } from '../../../base/errors/errors.ts';
import { nodeName } from '../../../flows/dsl/nodeKinds.ts';
import { readFlow } from '../../../flows/dsl/readFlow.ts';
import { nodeFailureText } from '../../../flows/nodeFailure.ts';
import { changesSinceRun } from '../../../flows/publishedVersion.ts';
import type { ToldProblem } from '../../code/askAboutCode.ts';
import { commandId } from '../../ids.ts';
import type { FlowRuns } from './flowRuns.ts';

export async function fixNode(
  runs: FlowRuns,
  uri: vscode.Uri,
  nodeId = runs.of(uri)?.nodes.failed,
): Promise<unknown> {
  const run = runs.of(uri);
  const nodeRun = nodeId === undefined ? undefined : run?.nodes.get(nodeId);
  const document = await vscode.workspace.openTextDocument(uri);
  const flow = readFlow(document.getText());
  const node = flow.nodes.find(({ id }) => id !== undefined && id === nodeId);
  if (!nodeRun || !node) {
    throw new SwitchboardError(
      'request',
      l10n.t('No node of this file failed in its last run. Run the file first.'),
    );
  }
  const { start, end } = node.range;
  const range = new vscode.Range(document.positionAt(start), document.positionAt(end));
  const published = run?.published;
  const problem: ToldProblem = {
    type: 'problem',
    request: l10n.t(
      'The attached node of this workflow failed when it was run. Find the cause and fix it in the file. Change no more than that needs.',
    ),
    name: l10n.t('Failure of {0}', nodeName(node)),
    text: nodeFailureText({
      ...{ node, path: vscode.workspace.asRelativePath(uri), error: nodeRun.error, inputs: nodeRun.inputs },
      isChanged: published !== undefined && changesSinceRun(published, flow).nodes.has(node.id ?? ''),
    }),
  };
  return vscode.commands.executeCommand(commandId('fixSelection'), uri, range, problem);
}
