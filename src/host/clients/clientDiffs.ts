import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { FileChange } from '../../clients/clientFiles.ts';
import { maskedKey } from '../../connections/connectionLink.ts';
import { closeDiff, showDiff } from '../approvals/proposalDiffs.ts';
import { clientScheme } from '../ids.ts';

/** Diffs of other programs' files. The key is masked, since other extensions can read documents. */
export class ClientDiffs {
  private readonly texts = new Map<string, string>();
  private readonly provider = vscode.workspace.registerTextDocumentContentProvider(clientScheme, {
    provideTextDocumentContent: (uri) => this.texts.get(uri.toString()) ?? '',
  });
  private readonly shown: vscode.Uri[] = [];

  constructor(private readonly key?: string) {}

  /** In a group below, which quick picks don't cover. The editor removes the group with its last tab. */
  async show(changes: readonly FileChange[]): Promise<void> {
    await vscode.commands.executeCommand('workbench.action.newGroupBelow');
    for (const { path, before, after } of changes.toReversed()) {
      const file = vscode.Uri.file(path).path;
      const sides = {
        before: this.side('before', file, before),
        after: this.side('after', file, after),
        title: l10n.t('{0} (proposed)', path),
      };
      this.shown.push(sides.after);
      await showDiff(sides, { preview: changes.length === 1, preserveFocus: true });
    }
  }

  async close(): Promise<void> {
    for (const uri of this.shown) await closeDiff(uri);
    this.provider.dispose();
  }

  private side(name: string, path: string, bytes: Buffer = Buffer.alloc(0)): vscode.Uri {
    const uri = vscode.Uri.from({ scheme: clientScheme, path: `/${name}${path}` });
    const text = bytes.toString('utf8');
    this.texts.set(uri.toString(), this.key ? text.replaceAll(this.key, maskedKey(this.key)) : text);
    return uri;
  }
}
