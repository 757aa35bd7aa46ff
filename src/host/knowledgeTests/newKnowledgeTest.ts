import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { SwitchboardError } from '../../base/errors/errors.ts';
import { testFilePattern } from '../../knowledgeTests/testFile.ts';
import type { Dataset } from '../../platform/records.ts';
import { newTestFile } from './testFileEditing.ts';

const ending = '.knowledge-test.yaml';

export async function newKnowledgeTest(dataset: Dataset | undefined): Promise<vscode.Uri | undefined> {
  const uri = await createTestFile(dataset);
  if (!uri) return undefined;
  const editor = await vscode.window.showTextDocument(uri);
  await editor.insertSnippet(newTestFile(dataset?.name.trim()));
  return uri;
}

export async function createTestFile(dataset: Dataset | undefined): Promise<vscode.Uri | undefined> {
  const folder = await chooseFolder();
  if (!folder) return undefined;
  const proposed = `${slug(dataset?.name ?? '') || 'questions'}${ending}`;
  const typed = await vscode.window.showInputBox({
    title: l10n.t('New Knowledge Test'),
    prompt: l10n.t('Path of the file in {0}', folder.name),
    value: proposed,
    valueSelection: [0, proposed.length - ending.length],
    validateInput: (text) => problemWith(folder, text),
  });
  if (typed === undefined || (await problemWith(folder, typed))) return undefined;
  const uri = vscode.Uri.joinPath(folder.uri, typed.trim());
  const edit = new vscode.WorkspaceEdit();
  edit.createFile(uri);
  if (await vscode.workspace.applyEdit(edit)) return uri;
  throw new SwitchboardError('local-file', l10n.t("The file couldn't be created: {0}", typed.trim()));
}

async function chooseFolder(): Promise<vscode.WorkspaceFolder | undefined> {
  const { workspaceFolders = [], getWorkspaceFolder } = vscode.workspace;
  const [only] = workspaceFolders;
  if (!only) throw new SwitchboardError('settings', l10n.t('Open a folder first: tests are files in it.'));
  if (workspaceFolders.length === 1) return only;
  const open = vscode.window.activeTextEditor?.document.uri;
  return (open && getWorkspaceFolder(open)) ?? vscode.window.showWorkspaceFolderPick();
}

async function problemWith(folder: vscode.WorkspaceFolder, text: string): Promise<string | undefined> {
  const path = text.trim();
  const names = path.split('/');
  const isPath = names.every((name) => name !== '' && !/^\.{1,2}$|[\\:*?"<>|\p{Cc}]/u.test(name));
  if (!testFilePattern.test(path) || !isPath || names.at(-1)!.startsWith('.')) {
    return l10n.t('Enter a path in the folder that ends with {0}.', ending);
  }
  try {
    await vscode.workspace.fs.stat(vscode.Uri.joinPath(folder.uri, path));
    return l10n.t('The file exists.');
  } catch {
    return undefined;
  }
}

function slug(name: string): string {
  return name
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 60);
}
