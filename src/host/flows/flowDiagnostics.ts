import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { type Flow, readFlow } from '../../flows/dsl/readFlow.ts';
import { isYaml, looksLikeFlow } from './findFlows.ts';
import { flowCompletions, flowHover } from '../../flows/flowHints.ts';
import { registerFlowLenses } from './run/flowLenses.ts';
import { createGiveWay } from '../../base/async/promises.ts';
import { firstLostText } from '../../flows/lostByPush.ts';
import type { TextRange } from '../../flows/dsl/flowValue.ts';
import { type FlowProblem, flowProblems, namesDatasets } from '../../flows/flowProblems.ts';
import { FlowContents, type FlowContentsDependencies } from './flowContents.ts';
import type { FlowFiles } from './flowFiles.ts';
import { markdownText } from '../ui/statusItem.ts';
import { findLinkedFile } from './flowWorkspace.ts';

const quietMs = 300;
const mostShown = 500;

export function watchFlows(
  parts: () => Promise<FlowContentsDependencies>,
  files: FlowFiles,
): vscode.Disposable {
  const watcher = new FlowWatcher(new FlowContents(parts, files));
  const checkAgain = (isMeant: (document: vscode.TextDocument) => boolean): void => {
    for (const document of vscode.workspace.textDocuments.filter(isMeant)) void watcher.check(document);
  };
  checkAgain(() => true);
  const pattern = { pattern: '**/*.{yml,yaml}' };
  return vscode.Disposable.from(
    vscode.workspace.onDidOpenTextDocument((document) => watcher.check(document)),
    vscode.workspace.onDidChangeTextDocument(({ document }) => watcher.checkSoon(document)),
    vscode.workspace.onDidCloseTextDocument((document) => watcher.forget(document)),
    files.onDidChangeContents((uri) => checkAgain((document) => document.uri.toString() === uri.toString())),
    vscode.languages.registerCompletionItemProvider(pattern, watcher, '#', ' '),
    vscode.languages.registerHoverProvider(pattern, watcher),
    registerFlowLenses(files.runs),
    watcher,
  );
}

class FlowWatcher implements vscode.CompletionItemProvider, vscode.HoverProvider, vscode.Disposable {
  private readonly problems = vscode.languages.createDiagnosticCollection('switchboard-flows');
  private readonly timers = new Map<string, NodeJS.Timeout>();
  private readonly read = new Map<string, Flow>();

  constructor(private readonly contents: FlowContents) {}

  checkSoon(document: vscode.TextDocument): void {
    const key = document.uri.toString();
    if (!this.read.has(key) && !isFlow(document)) return;
    clearTimeout(this.timers.get(key));
    this.timers.set(
      key,
      setTimeout(() => void this.check(document), quietMs),
    );
  }

  async check(document: vscode.TextDocument): Promise<void> {
    const { uri } = document;
    // A linked file may be broken beyond recognition.
    if (isFlow(document) || (isYaml(uri) && (await findLinkedFile(uri)))) await this.show(document);
    else this.forget(document);
  }

  forget({ uri }: vscode.TextDocument): void {
    const key = uri.toString();
    clearTimeout(this.timers.get(key));
    this.timers.delete(key);
    this.read.delete(key);
    this.problems.delete(uri);
  }

  dispose(): void {
    for (const timer of this.timers.values()) clearTimeout(timer);
    this.problems.dispose();
  }

  provideCompletionItems(document: vscode.TextDocument, position: vscode.Position): vscode.CompletionItem[] {
    if (!isFlow(document)) return [];
    return flowCompletions(this.current(document), document.offsetAt(position)).map(
      ({ label, detail, text, range }) => {
        const item = new vscode.CompletionItem(
          { label, description: detail },
          vscode.CompletionItemKind.Value,
        );
        item.insertText = text;
        item.range = rangeOf(document, range);
        item.filterText = document.getText(item.range) + label;
        return item;
      },
    );
  }

  provideHover(document: vscode.TextDocument, position: vscode.Position): vscode.Hover | undefined {
    if (!isFlow(document)) return undefined;
    const found = flowHover(this.current(document), document.offsetAt(position));
    // Titles are others' text, never Markdown.
    return (
      found &&
      new vscode.Hover(new vscode.MarkdownString(markdownText(found.text)), rangeOf(document, found.range))
    );
  }

  private current(document: vscode.TextDocument): Flow {
    const key = document.uri.toString();
    const text = document.getText();
    const known = this.read.get(key);
    if (known?.text === text) return known;
    const flow = readFlow(text, known);
    this.read.set(key, flow);
    return flow;
  }

  private async show(document: vscode.TextDocument): Promise<void> {
    const { uri, version } = document;
    const flow = this.current(document);
    const giveWay = createGiveWay();
    const found: vscode.Diagnostic[] = [];
    for (const problem of flowProblems(flow, this.contents.of(uri))) {
      if (found.length >= mostShown) break;
      found.push(toDiagnostic(document, problem));
      // Parsing a large file happens while its problems are requested.
      if ((await giveWay()) && (document.isClosed || document.version !== version)) return;
    }
    const lost = firstLostText(flow);
    if (lost) found.push(toDiagnostic(document, { ...lost, ...lostTextNote() }));
    if (document.isClosed || document.version !== version) return;
    this.problems.set(uri, found);
    if (namesDatasets(flow) && (await this.contents.read(uri))) await this.check(document);
  }
}

function isFlow(document: vscode.TextDocument): boolean {
  return isYaml(document.uri) && looksLikeFlow(document.getText());
}

function toDiagnostic(
  document: vscode.TextDocument,
  { start, end, message, severity }: FlowProblem,
): vscode.Diagnostic {
  const range = rangeOf(document, { start, end });
  const level = {
    error: vscode.DiagnosticSeverity.Error,
    warning: vscode.DiagnosticSeverity.Warning,
    information: vscode.DiagnosticSeverity.Information,
  }[severity];
  const diagnostic = new vscode.Diagnostic(range, message, level);
  diagnostic.source = 'Switchboard';
  return diagnostic;
}

function rangeOf(document: vscode.TextDocument, { start, end }: TextRange): vscode.Range {
  return new vscode.Range(document.positionAt(start), document.positionAt(end));
}

function lostTextNote(): Pick<FlowProblem, 'message' | 'severity'> {
  return {
    severity: 'information',
    message: l10n.t(
      "Comments and the order of keys aren't kept on the platform. A pull after a push removes them here.",
    ),
  };
}
