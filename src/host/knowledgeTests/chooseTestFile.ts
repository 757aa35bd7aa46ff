import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { inList } from '../../base/text/oneLine.ts';
import { testFilePattern } from '../../knowledgeTests/testFile.ts';
import type { Dataset } from '../../platform/records.ts';
import { commandId, knowledgeTestFiles, notTestFiles } from '../ids.ts';
import { readFileAt, type ReadTestFile } from './testFileItems.ts';
import type { Notifications } from '../ui/notifications.ts';

const mostFiles = 500;

export function clickedTestFile(args: readonly unknown[]): vscode.Uri | undefined {
  const [clicked] = args;
  if (clicked instanceof vscode.Uri) return testFilePattern.test(clicked.path) ? clicked : undefined;
  const open = vscode.window.activeTextEditor?.document.uri;
  return clicked === undefined && open && testFilePattern.test(open.path) ? open : undefined;
}

export async function chooseTestFile(
  notifications: Notifications,
  args: readonly unknown[],
  title: string,
  dataset: Dataset | undefined,
): Promise<vscode.Uri | undefined> {
  const clicked = clickedTestFile(args);
  if (clicked) return clicked;
  const uris = await testFilesOf(dataset);
  const [only] = uris;
  if (!only) {
    const create = l10n.t('New Knowledge Test…');
    const text = dataset
      ? l10n.t('No knowledge test in this workspace names "{0}".', inList(dataset.name, 60))
      : l10n.t('There is no knowledge test in this workspace.');
    void offer(notifications, text, create, dataset);
    return undefined;
  }
  if (uris.length === 1) return only;
  const rows = uris.map((uri) => ({ label: inList(vscode.workspace.asRelativePath(uri)), uri }));
  return (await vscode.window.showQuickPick(rows, { title }))?.uri;
}

async function offer(
  notifications: Notifications,
  text: string,
  create: string,
  dataset: Dataset | undefined,
): Promise<void> {
  if ((await notifications.information(text, create)) !== create) return;
  await vscode.commands.executeCommand(commandId('newKnowledgeTest'), dataset && { type: 'base', dataset });
}

export async function testFilesOf(dataset: Dataset | undefined): Promise<vscode.Uri[]> {
  const uris = await vscode.workspace.findFiles(knowledgeTestFiles, notTestFiles, mostFiles);
  const sorted = uris.toSorted((a, b) => a.path.localeCompare(b.path));
  if (!dataset) return sorted;
  const files = await Promise.all(sorted.map((uri) => readFileAt(uri).catch(() => undefined)));
  return files.flatMap((file) => (file && namesBase(file, dataset) ? [file.uri] : []));
}

export function namesBase({ bases }: Pick<ReadTestFile, 'bases'>, { id, name }: Dataset): boolean {
  return bases.some((each) => each === name.trim() || each.toLowerCase() === id.toLowerCase());
}
