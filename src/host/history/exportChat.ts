import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { fromJson, toJson, toMarkdown } from '../../history/exportedChat.ts';
import type { FileChatStore } from '../../chat/store/fileChatStore.ts';
import { type HistoryDependencies, nameIn } from './historySources.ts';

export interface ExportOptions {
  target?: vscode.Uri;
}

const filters = () => ({ Markdown: ['md'], JSON: ['json'] });

export async function exportChat(
  deps: Pick<HistoryDependencies, 'apps' | 'models'> & { store: Pick<FileChatStore, 'load'> },
  { chatId, title, target }: ExportOptions & { chatId: string; title: string },
): Promise<string | undefined> {
  const [folder] = vscode.workspace.workspaceFolders ?? [];
  const name = `${
    title
      .replaceAll(/[^\p{L}\p{N} _-]+/gu, '')
      .trim()
      .slice(0, 60) || 'conversation'
  }.md`;
  const uri =
    target ??
    (await vscode.window.showSaveDialog({
      title: l10n.t('Export Conversation'),
      filters: filters(),
      ...(folder && { defaultUri: vscode.Uri.joinPath(folder.uri, name) }),
    }));
  if (!uri) return undefined;
  const events = (await deps.store.load(chatId)) ?? [];
  const text = uri.path.endsWith('.json')
    ? toJson({ title, events })
    : toMarkdown({ title, events }, (modelId) => nameIn(deps, modelId));
  await vscode.workspace.fs.writeFile(uri, Buffer.from(text));
  return uri.toString();
}

export async function importChat(given?: vscode.Uri): Promise<ReturnType<typeof fromJson> | undefined> {
  const [uri] = given
    ? [given]
    : ((await vscode.window.showOpenDialog({
        title: l10n.t('Import Conversation'),
        filters: { JSON: ['json'] },
      })) ?? []);
  return uri && fromJson(Buffer.from(await vscode.workspace.fs.readFile(uri)).toString());
}
