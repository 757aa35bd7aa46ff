import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { createGiveWay } from '../../base/async/giveWay.ts';
import { type Flow, readFlow } from '../../flows/dsl/readFlow.ts';
import { type FlowProblem, flowProblems } from '../../flows/flowProblems.ts';

/** Pause after the last key before a file is checked, in ms. */
const quietMs = 300;
const mostShown = 500;

let isWatching = false;

/** Shows the problems of open DSL files, from now on. */
export function watchFlows(): void {
  if (isWatching) return;
  isWatching = true;
  const watcher = new FlowWatcher();
  vscode.workspace.onDidOpenTextDocument((document) => watcher.check(document));
  vscode.workspace.onDidChangeTextDocument(({ document }) => watcher.checkSoon(document));
  vscode.workspace.onDidCloseTextDocument((document) => watcher.forget(document));
  for (const document of vscode.workspace.textDocuments) watcher.check(document);
}

class FlowWatcher {
  private readonly problems = vscode.languages.createDiagnosticCollection('switchboard-flows');
  private readonly timers = new Map<string, NodeJS.Timeout>();
  private readonly read = new Map<string, Flow>();

  checkSoon(document: vscode.TextDocument): void {
    const key = document.uri.toString();
    if (!this.read.has(key) && !isFlow(document)) return;
    clearTimeout(this.timers.get(key));
    this.timers.set(
      key,
      setTimeout(() => this.check(document), quietMs),
    );
  }

  check(document: vscode.TextDocument): void {
    if (isFlow(document)) void this.show(document);
    else this.forget(document);
  }

  forget({ uri }: vscode.TextDocument): void {
    const key = uri.toString();
    clearTimeout(this.timers.get(key));
    this.timers.delete(key);
    this.read.delete(key);
    this.problems.delete(uri);
  }

  private async show(document: vscode.TextDocument): Promise<void> {
    const { uri, version } = document;
    const key = uri.toString();
    const flow = readFlow(document.getText(), this.read.get(key));
    this.read.set(key, flow);
    const giveWay = createGiveWay();
    const found: vscode.Diagnostic[] = [];
    const comment = commentNote(document);
    if (comment) found.push(comment);
    for (const problem of flowProblems(flow)) {
      if (found.length >= mostShown) break;
      found.push(toDiagnostic(document, problem));
      // A large file is parsed while its problems are asked for.
      if ((await giveWay()) && (document.isClosed || document.version !== version)) return;
    }
    if (!document.isClosed && document.version === version) this.problems.set(uri, found);
  }
}

function isFlow(document: vscode.TextDocument): boolean {
  if (document.uri.scheme !== 'file' && document.uri.scheme !== 'vscode-remote') return false;
  if (!/\.ya?ml$/i.test(document.uri.path)) return false;
  const text = document.getText();
  return /^app:/m.test(text) && (/^kind: ["']?app\b/m.test(text) || /^workflow:/m.test(text));
}

function toDiagnostic(
  document: vscode.TextDocument,
  { start, end, message, severity }: FlowProblem,
): vscode.Diagnostic {
  const range = new vscode.Range(document.positionAt(start), document.positionAt(end));
  const level = {
    error: vscode.DiagnosticSeverity.Error,
    warning: vscode.DiagnosticSeverity.Warning,
    information: vscode.DiagnosticSeverity.Information,
  }[severity];
  const diagnostic = new vscode.Diagnostic(range, message, level);
  diagnostic.source = 'Switchboard';
  return diagnostic;
}

/** Recorded on 1.16.1: an export has neither comments nor the order of keys of what was pushed. */
function commentNote(document: vscode.TextDocument): vscode.Diagnostic | undefined {
  const text = document.getText();
  const at = text.search(/^\s*#/m);
  if (at < 0) return undefined;
  const { range } = document.lineAt(document.positionAt(text.indexOf('#', at)).line);
  const diagnostic = new vscode.Diagnostic(
    range,
    l10n.t(
      "Comments and the order of keys aren't kept on the platform. A pull after a push removes them here.",
    ),
    vscode.DiagnosticSeverity.Information,
  );
  diagnostic.source = 'Switchboard';
  return diagnostic;
}
