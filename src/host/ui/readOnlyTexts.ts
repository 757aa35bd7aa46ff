import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { lazy } from '../../base/async/lazy.ts';
import { extensionId, reportScheme } from '../ids.ts';

class Reports {
  private readonly texts = new Map<string, string>();
  /** Counts on, since a document of the same name may be open for a while after its tab is closed. */
  private count = 0;
  private readonly changes = new vscode.EventEmitter<vscode.Uri>();

  constructor() {
    vscode.workspace.registerTextDocumentContentProvider(reportScheme, {
      onDidChange: this.changes.event,
      provideTextDocumentContent: (uri) => this.texts.get(uri.toString()) ?? '',
    });
    vscode.workspace.onDidCloseTextDocument(({ uri }) => this.texts.delete(uri.toString()));
  }

  async show(title: string, text: string): Promise<vscode.Uri> {
    const uri = vscode.Uri.from({ scheme: reportScheme, path: `/${title} ${++this.count}.txt` });
    this.texts.set(uri.toString(), text);
    await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri), { preview: true });
    return uri;
  }

  update(uri: vscode.Uri, text: string): void {
    this.texts.set(uri.toString(), text);
    this.changes.fire(uri);
  }
}

/** Shared: a scheme has one provider. */
const reports = lazy(async () => new Reports());

export async function showReport(title: string, report: string): Promise<vscode.Uri> {
  return (await reports()).show(title, report);
}

export async function updateReport(uri: vscode.Uri, report: string): Promise<void> {
  (await reports()).update(uri, report);
}

/** Head of a report: title and versions, nothing personal. */
export function aboutReport(title: string): string[] {
  const extension = vscode.extensions.getExtension<unknown>(extensionId);
  const { version = '' } = (extension?.packageJSON ?? {}) as { version?: string };
  const { remoteName = l10n.t('local') } = vscode.env;
  // In a browser, the remote's name is the server's address.
  const place = /[.:]/.test(remoteName) ? l10n.t('remote') : remoteName;
  return [
    title,
    `Switchboard ${version}, ${vscode.env.appName} ${vscode.version}, Node ${process.versions.node}, ${process.platform}, ${place}`,
  ];
}
