import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { nodeRunText } from '../../../apps/run/nodeRuns.ts';
import { type RunStatus, statusIcon, statusLabel } from '../../../apps/run/runStatus.ts';
import { formatDuration } from '../../../base/text/formatTime.ts';
import { inline } from '../../../base/text/oneLine.ts';
import { type Flow, readFlow } from '../../../flows/dsl/readFlow.ts';
import { changesSinceRun, publishedState } from '../../../flows/publishedVersion.ts';
import type { FlowLink } from '../../../flows/sync/flowLinks.ts';
import { commandId } from '../../ids.ts';
import { findLinkedFile } from '../flowWorkspace.ts';
import type { FileRun, FlowRuns } from './flowRuns.ts';

export function registerFlowLenses(runs: FlowRuns): vscode.Disposable {
  return vscode.languages.registerCodeLensProvider({ pattern: '**/*.{yml,yaml}' }, new FlowLenses(runs));
}

interface ShownFlow {
  flow: Flow;
  published: string | undefined;
  changes: ReturnType<typeof changesSinceRun> | undefined;
}

class FlowLenses implements vscode.CodeLensProvider {
  readonly onDidChangeCodeLenses: vscode.Event<void>;
  private readonly shown = new WeakMap<vscode.TextDocument, ShownFlow>();

  constructor(private readonly runs: FlowRuns) {
    this.onDidChangeCodeLenses = runs.onDidChange;
  }

  async provideCodeLenses(document: vscode.TextDocument): Promise<vscode.CodeLens[]> {
    const linked = await findLinkedFile(document.uri);
    if (!linked) return [];
    const run = this.runs.of(document.uri);
    const { flow, changes } = this.read(document, run?.published);
    const head = headCommands(document, linked.link, run, changes?.lines ?? []);
    const top = new vscode.Range(0, 0, 0, 0);
    const lenses = head.map((command) => new vscode.CodeLens(top, command));
    for (const node of run ? flow.nodes : []) {
      const id = node.id ?? '';
      const nodeRun = run?.nodes.get(id);
      if (!nodeRun) continue;
      const range = lineAt(document, node.range.start);
      const since = changes?.nodes.has(id) ? ` · ${l10n.t('changed in this file')}` : '';
      const title = `$(${iconFor(nodeRun.status)}) ${nodeRunText(nodeRun)}${since}`;
      lenses.push(new vscode.CodeLens(range, { title, command: '', tooltip: nodeRun.error }));
      if (nodeRun.status === 'failed') {
        const fix = {
          title: `$(sparkle) ${l10n.t('Fix with Model')}`,
          ...{ command: commandId('fixWorkflowNode'), arguments: [document.uri, id] },
        };
        lenses.push(new vscode.CodeLens(range, fix));
      }
    }
    return lenses;
  }

  /** Lenses are asked for with every step of a run; unchanged texts are not read again. */
  private read(document: vscode.TextDocument, published: string | undefined): ShownFlow {
    const text = document.getText();
    const known = this.shown.get(document);
    if (known?.flow.text === text && known.published === published) return known;
    const flow = readFlow(text, known?.flow);
    const changes = published === undefined ? undefined : changesSinceRun(published, flow);
    const shown = { flow, published, changes };
    this.shown.set(document, shown);
    return shown;
  }
}

function headCommands(
  document: vscode.TextDocument,
  { synced }: FlowLink,
  run: FileRun | undefined,
  changes: readonly string[],
): vscode.Command[] {
  const { uri } = document;
  const commands: vscode.Command[] = [
    {
      title: `$(play) ${l10n.t('Run Published Version…')}`,
      ...{ command: commandId('runWorkflowFile'), arguments: [uri] },
    },
  ];
  if (publishedState(document.getText(), synced, run?.published) === 'different') {
    commands.push({
      title: `$(info) ${l10n.t('Published version differs')}`,
      tooltip: changes.join('\n'),
      ...{ command: commandId('compareWorkflow'), arguments: [uri] },
    });
  }
  if (run) commands.push({ title: runText(run), command: '', ...(run.error && { tooltip: run.error }) });
  return commands;
}

function runText({ state, error, elapsedMs, isByKey, nodes }: FileRun): string {
  const facts = [
    state === 'failed' && error && nodes.failed === undefined
      ? l10n.t('Failed: {0}', inline(error.trim().split('\n').at(-1) ?? '', 120))
      : statusLabel(state),
    elapsedMs !== undefined && formatDuration(elapsedMs),
    isByKey && l10n.t("run with the app's key"),
  ];
  return `$(${iconFor(state)}) ${facts.filter(Boolean).join(' · ')}`;
}

function iconFor(status: RunStatus): string {
  const { icon } = statusIcon(status);
  return icon === 'sync' ? 'sync~spin' : icon;
}

function lineAt(document: vscode.TextDocument, offset: number): vscode.Range {
  const { line } = document.positionAt(offset);
  return new vscode.Range(line, 0, line, 0);
}
