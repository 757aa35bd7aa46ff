import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { inline } from '../../base/text/oneLine.ts';
import type { TextRange } from '../../flows/dsl/flowValue.ts';
import { readTestFile, type TestFile, type TestQuestion } from '../../knowledgeTests/testFile.ts';
import type { Log } from '../../base/log.ts';
import type { ChatController } from '../../chat/chatController.ts';
import type { RelayModels } from '../../chat/models/relayModels.ts';
import type { Clients } from '../../connections/clients.ts';
import type { RelayConnections } from '../../connections/relayConnections.ts';
import type { ConnectedPlatform } from '../../knowledge/connectedPlatform.ts';
import type { Memory } from '../../settings/memory.ts';
import type { ChatView } from '../panel/chatView.ts';
import type { Settings } from '../settings.ts';
import type { UsableModelDependencies } from '../connect/chooseModel.ts';
import type { WorkspaceTools } from '../workspace/workspaceTools.ts';
import type { Notifications } from '../ui/notifications.ts';

export interface KnowledgeTestParts {
  platform: ConnectedPlatform;
  relays: RelayConnections;
  clients: Pick<Clients, 'relay'>;
  models: UsableModelDependencies['models'] & Pick<RelayModels, 'ask'>;
  chat: Pick<ChatController, 'shown'>;
  view: Pick<ChatView, 'openModelPicker'>;
  tools(): Promise<WorkspaceTools>;
  memory: Memory;
  settings: Settings;
  log: Log;
  notifications: Notifications;
}

export interface ReadTestFile extends TestFile {
  readonly uri: vscode.Uri;
  readonly text: string;
  readonly isOpen: boolean;
  readonly byId: ReadonlyMap<string, TestQuestion>;
}

export async function readFileAt(uri: vscode.Uri): Promise<ReadTestFile> {
  const open = vscode.workspace.textDocuments.find((document) => document.uri.toString() === uri.toString());
  const text = open?.getText() ?? new TextDecoder().decode(await vscode.workspace.fs.readFile(uri));
  const file = readTestFile(text);
  const byId = new Map<string, TestQuestion>();
  // A result stays with its question when others are added.
  for (const question of file.questions) {
    const id = question.text;
    byId.set(byId.has(id) ? `${id}#${byId.size}` : id, question);
  }
  return { ...file, uri, text, byId, isOpen: open !== undefined };
}

export function showQuestions(
  controller: vscode.TestController,
  item: vscode.TestItem,
  { uri, text, byId, problem }: ReadTestFile,
): void {
  item.error = problem;
  item.children.replace(
    [...byId].map(([id, question]) => {
      const label = question.text === '' ? l10n.t('(no question)') : inline(question.text);
      const child = controller.createTestItem(id, label, uri);
      child.range = rangeIn(text, question.range);
      child.error = question.problem;
      return child;
    }),
  );
}

export function rangeIn(text: string, { start, end }: TextRange): vscode.Range {
  return new vscode.Range(positionIn(text, start), positionIn(text, end));
}

function positionIn(text: string, offset: number): vscode.Position {
  const lines = text.slice(0, offset).split(/\r\n|\r|\n/);
  return new vscode.Position(lines.length - 1, lines.at(-1)!.length);
}
