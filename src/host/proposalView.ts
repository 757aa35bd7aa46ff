import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Question } from '../chat/toolBox.ts';

const scheme = 'switchboard-proposal';

/** Shows an edit that is asked about in the editor's own diff, and takes it away when the answer is given. */
export class ProposalView implements vscode.Disposable {
  private readonly texts = new Map<string, string>();
  private readonly registration = vscode.workspace.registerTextDocumentContentProvider(scheme, {
    provideTextDocumentContent: (uri) => this.texts.get(uri.toString()) ?? '',
  });

  /** Returns what closes it. A call without an edit has nothing to show. */
  show({ id, proposal }: Question): () => void {
    if (!proposal) return () => {};
    const side = (name: string, text: string) => {
      // The path last, so that the editor knows the language.
      const uri = vscode.Uri.from({ scheme, path: `/${name}/${id}/${proposal.path}` });
      this.texts.set(uri.toString(), text);
      return uri;
    };
    const before = side('before', proposal.before ?? '');
    const after = side('after', proposal.after);
    const title = l10n.t('{0} (proposed: +{1} −{2})', proposal.path, proposal.added, proposal.removed);
    void vscode.commands.executeCommand('vscode.diff', before, after, title, {
      preview: true,
      preserveFocus: true,
    } satisfies vscode.TextDocumentShowOptions);
    return () => {
      this.texts.delete(before.toString());
      this.texts.delete(after.toString());
      void closeDiff(after);
    };
  }

  dispose(): void {
    this.registration.dispose();
  }
}

async function closeDiff(after: vscode.Uri): Promise<void> {
  const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
  const shown = tabs.filter(
    ({ input }) => input instanceof vscode.TabInputTextDiff && input.modified.toString() === after.toString(),
  );
  if (shown.length > 0) await vscode.window.tabGroups.close(shown, true);
}
