import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { messageOf } from '../../base/errors/errors.ts';
import { testFilePattern } from '../../knowledgeTests/testFile.ts';
import { knowledgeTestFiles, notTestFiles } from '../ids.ts';
import { runTests } from './runTests.ts';
import { editTestFiles } from './testFileEditing.ts';
import { type KnowledgeTestParts, readFileAt, showQuestions } from './testFileItems.ts';

const quietMs = 300;
const mostFiles = 500;

/** The workspace's knowledge tests in the Test Explorer. Sends nothing until a test is run. */
export class KnowledgeTests implements Disposable {
  private readonly owned = new DisposableStore();
  private readonly controller: vscode.TestController;
  private readonly timers = new Map<string, NodeJS.Timeout>();
  private readonly editing: ReturnType<typeof editTestFiles>;

  constructor(parts: () => Promise<KnowledgeTestParts>) {
    // The window's parts, which do the same, are loaded with the first run.
    l10n.config({ contents: vscode.l10n.bundle ?? {} });
    this.controller = this.owned.add(
      vscode.tests.createTestController('switchboard.knowledgeTests', l10n.t('Knowledge Tests')),
    );
    this.controller.resolveHandler = (item) => (item ? this.update(item.uri!) : this.discover());
    this.controller.refreshHandler = () => this.discover();
    this.controller.createRunProfile(
      l10n.t('Run Knowledge Tests'),
      vscode.TestRunProfileKind.Run,
      (request, token) => runTests(this.controller, request, token, parts),
      true,
    );
    this.editing = this.owned.add(editTestFiles(parts));
    this.watch();
    void this.discover();
  }

  dispose(): void {
    for (const timer of this.timers.values()) clearTimeout(timer);
    this.owned.dispose();
  }

  private watch(): void {
    // Taking the editor's API apart would load all of it at activation.
    const workspace = vscode.workspace;
    const watcher = this.owned.add(workspace.createFileSystemWatcher(knowledgeTestFiles, false, false, true));
    const updateOpen = (document: vscode.TextDocument) => {
      if (testFilePattern.test(document.uri.path)) void this.update(document.uri);
    };
    this.owned.add(watcher.onDidCreate((uri) => this.update(uri)));
    this.owned.add(watcher.onDidChange((uri) => this.update(uri)));
    // The editor reports a deleted folder alone, not the files in it.
    const deletions = this.owned.add(workspace.createFileSystemWatcher('**/*', true, true, false));
    this.owned.add(deletions.onDidDelete((uri) => this.forget(uri)));
    this.owned.add(workspace.onDidOpenTextDocument(updateOpen));
    this.owned.add(workspace.onDidCloseTextDocument(({ uri }) => this.editing.forget(uri)));
    this.owned.add(workspace.onDidChangeWorkspaceFolders(() => this.discover()));
    this.owned.add(
      workspace.onDidChangeTextDocument(({ document }) => {
        const key = document.uri.toString();
        if (!testFilePattern.test(document.uri.path)) return;
        clearTimeout(this.timers.get(key));
        this.timers.set(
          key,
          setTimeout(() => updateOpen(document), quietMs),
        );
      }),
    );
  }

  private forget(uri: vscode.Uri): void {
    const deleted = uri.toString();
    for (const [key, timer] of this.timers) {
      // The document of a deleted file is open a moment longer.
      if (key === deleted || key.startsWith(`${deleted}/`)) clearTimeout(timer);
    }
    for (const [id, item] of this.controller.items) {
      if (id !== deleted && !id.startsWith(`${deleted}/`)) continue;
      this.controller.items.delete(id);
      this.editing.forget(item.uri!);
    }
  }

  private async discover(): Promise<void> {
    const found = await vscode.workspace.findFiles(knowledgeTestFiles, notTestFiles, mostFiles);
    const known = new Set(found.map((uri) => uri.toString()));
    for (const [id] of this.controller.items) if (!known.has(id)) this.controller.items.delete(id);
    for (const uri of found) await this.update(uri);
  }

  private async update(uri: vscode.Uri): Promise<void> {
    // The files that a test names are beside it in a workspace folder.
    if (!vscode.workspace.getWorkspaceFolder(uri) || /\/node_modules\//.test(uri.path)) return;
    const id = uri.toString();
    try {
      const file = await readFileAt(uri);
      let item = this.controller.items.get(id);
      if (!item) {
        item = this.controller.createTestItem(
          id,
          vscode.workspace.asRelativePath(uri).replace(testFilePattern, ''),
          uri,
        );
        this.controller.items.add(item);
      }
      showQuestions(this.controller, item, file);
      if (file.isOpen) this.editing.show(file);
    } catch (error) {
      const item = this.controller.items.get(id);
      if (item) item.error = messageOf(error);
    }
  }
}
