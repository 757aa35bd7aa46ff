import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { lazy } from '../../base/async/lazy.ts';
import type { RequestText } from '../../chat/prompt/describeRequest.ts';
import { sentScheme } from '../ids.ts';

/** A hidden preview reads its text again when it is shown, so texts outlive their documents. */
const mostKept = 20;

const texts = new Map<string, string>();
let shown = 0;

const register = lazy(async () =>
  vscode.workspace.registerTextDocumentContentProvider(sentScheme, {
    provideTextDocumentContent: ({ path }) =>
      texts.get(path) ?? l10n.t('This request is no longer available.'),
  }),
);

export async function showRequest(request: RequestText): Promise<void> {
  await register();
  const folder = `/${++shown}`;
  const [page, raw] = [`${folder}/${l10n.t('Request')}.md`, `${folder}/${request.rawName}`];
  texts.set(page, request.page).set(raw, request.raw);
  for (const known of [...texts.keys()].slice(0, -2 * mostKept)) texts.delete(known);
  const uriOf = (path: string) => vscode.Uri.from({ scheme: sentScheme, path });
  try {
    await vscode.commands.executeCommand('markdown.showPreview', uriOf(page));
  } catch {
    // The built-in extension is disabled; which of them there are is only known within one extension host.
    await vscode.window.showTextDocument(uriOf(raw));
  }
}
