import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import { inList } from '../../base/text/oneLine.ts';
import type { Dataset } from '../../platform/records.ts';
import { asYaml } from '../../knowledgeTests/appendQuestions.ts';
import { completeTestFile } from '../../knowledgeTests/testFileHints.ts';
import { knowledgeTestFiles, notTestFiles } from '../ids.ts';
import { type KnowledgeTestParts, rangeIn, type ReadTestFile } from './testFileItems.ts';

const mostOffered = 2000;

export function editTestFiles(
  parts: () => Promise<KnowledgeTestParts>,
): Disposable & { show(file: ReadTestFile): void; forget(uri: vscode.Uri): void } {
  const problems = vscode.languages.createDiagnosticCollection('switchboard-knowledge-tests');
  const completion = vscode.languages.registerCompletionItemProvider(
    { pattern: knowledgeTestFiles },
    { provideCompletionItems: (document, position, token) => complete(parts, document, position, token) },
    ...[' ', '/'],
  );
  return {
    show({ uri, text, problems: found }) {
      problems.set(
        uri,
        found.map(({ message, ...range }) => {
          const diagnostic = new vscode.Diagnostic(rangeIn(text, range), message);
          diagnostic.source = 'Switchboard';
          return diagnostic;
        }),
      );
    },
    forget: (uri) => problems.delete(uri),
    dispose: () => vscode.Disposable.from(problems, completion).dispose(),
  };
}

async function complete(
  parts: () => Promise<KnowledgeTestParts>,
  document: vscode.TextDocument,
  position: vscode.Position,
  token: vscode.CancellationToken,
): Promise<vscode.CompletionItem[]> {
  const text = document.getText();
  if (text.trim() === '') return [skeleton()];
  const found = completeTestFile(text, document.offsetAt(position));
  if (!found) return [];
  const range = new vscode.Range(document.positionAt(found.start), position);
  const toItem = (label: string, kind: vscode.CompletionItemKind, insertText = label) => {
    const item = new vscode.CompletionItem(inList(label), kind);
    return Object.assign(item, { insertText, range, filterText: label });
  };
  switch (found.type) {
    case 'fields':
      return found.names.map((name) => toItem(name, vscode.CompletionItemKind.Property, `${name}: `));
    case 'knowledge':
      return (await loadedBases(parts)).map(({ name }) =>
        toItem(name, vscode.CompletionItemKind.Value, asYaml(name)),
      );
    case 'file': {
      const folder = vscode.workspace.getWorkspaceFolder(document.uri);
      if (!folder) return [];
      const all = new vscode.RelativePattern(folder, '**/*');
      const files = await vscode.workspace.findFiles(all, notTestFiles, mostOffered, token);
      return files.map((uri) => {
        const path = vscode.workspace.asRelativePath(uri, false);
        return toItem(path, vscode.CompletionItemKind.File, asYaml(path));
      });
    }
  }
}

/** The knowledge bases that the window knows already: writing a file asks no server. */
async function loadedBases(parts: () => Promise<KnowledgeTestParts>): Promise<readonly Dataset[]> {
  const { platform } = await parts();
  return (await platform.get())?.knowledge.bases.state.datasets ?? [];
}

export function newTestFile(knowledge?: string): vscode.SnippetString {
  const snippet = new vscode.SnippetString('knowledge: ');
  if (knowledge === undefined) snippet.appendPlaceholder('name');
  else snippet.appendText(asYaml(knowledge));
  const rest: [text: string, placeholder: string][] = [
    ['\nquestions:\n  - question: ', 'question'],
    ['\n    find:\n      - file: ', 'path'],
    ['\n        words: ', 'words'],
  ];
  for (const [text, placeholder] of rest) snippet.appendText(text).appendPlaceholder(placeholder);
  return snippet.appendText('\n');
}

function skeleton(): vscode.CompletionItem {
  const item = new vscode.CompletionItem(l10n.t('Knowledge tests'), vscode.CompletionItemKind.Snippet);
  item.filterText = 'knowledge questions';
  item.insertText = newTestFile();
  return item;
}
