import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { lazy } from '../../base/async/lazy.ts';
import { pageHtml, type PageFiles } from '../../panel/pageHtml.ts';

export type ChatHtml = (webview: vscode.Webview, draft: string | undefined) => Promise<string>;

export function createChatHtml(pageRoot: vscode.Uri): ChatHtml {
  const files = lazy(() => readPageFiles(pageRoot.fsPath));
  return async (webview, draft) =>
    pageHtml({
      ...(await files()),
      folder: webview.asWebviewUri(pageRoot).toString(),
      source: webview.cspSource,
      language: vscode.env.language,
      texts: vscode.l10n.bundle ?? {},
      draft,
    });
}

async function readPageFiles(folder: string): Promise<PageFiles> {
  const [, language = ''] = /bundle\.l10n(\..+)\.json$/.exec(vscode.l10n.uri?.path ?? '') ?? [];
  const [styles, shell] = await Promise.all(
    ['style.css', `shell${language}.html`].map((name) => readFile(join(folder, name), 'utf8')),
  );
  return { styles: styles ?? '', shell: shell ?? '' };
}
