import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { DisposableStore } from '../../base/disposable.ts';
import type { ToolApprovals } from '../../chat/calls/toolApprovals.ts';
import type { Question } from '../../chat/calls/toolBox.ts';
import { proposalScheme } from '../ids.ts';

interface Sides {
  path: string;
  before: vscode.Uri;
  after: vscode.Uri;
  title: string;
}

/** Shows an edit that is asked about in the editor's own diff, and closes it when the question is settled. */
export class ProposalDiffs implements vscode.Disposable {
  private readonly parts = new DisposableStore();
  private readonly texts = new Map<string, string>();
  private readonly shown = new Map<string, readonly Sides[]>();

  /** @param isShown whether the conversation is in view: nothing opens by itself for one in the background */
  constructor(
    private readonly approvals: ToolApprovals,
    private readonly isShown: (conversationId: string) => boolean,
  ) {
    this.parts.add(approvals.onDidChange(() => this.update()));
    this.parts.add(
      vscode.workspace.registerTextDocumentContentProvider(proposalScheme, {
        provideTextDocumentContent: (uri) => this.texts.get(uri.toString()) ?? '',
      }),
    );
    this.update();
  }

  /** Brings the diff of a question to the front: of the file with this path, or the first. Returns false if the question was settled or is about no edit. */
  async show(id: string, path?: string): Promise<boolean> {
    const question = this.approvals.find(id)?.question;
    const all = question ? this.open(question) : [];
    const sides = all.find((each) => each.path === path) ?? all[0];
    if (!sides) return false;
    await showDiff(sides, false);
    return true;
  }

  dispose(): void {
    this.parts.dispose();
  }

  private update(): void {
    for (const [id, all] of this.shown) {
      if (!this.approvals.find(id)) this.close(id, all);
    }
    for (const { conversationId, question } of this.approvals.pending) {
      if (this.shown.has(question.id) || !this.isShown(conversationId)) continue;
      const [sides] = this.open(question);
      if (sides) void showDiff(sides, true);
    }
  }

  private open({ id, proposal }: Question): readonly Sides[] {
    if (!proposal) return [];
    const known = this.shown.get(id);
    if (known) return known;
    const side = (name: string, file: string, text: string) => {
      // The path last, so that the editor knows the language.
      const uri = vscode.Uri.from({ scheme: proposalScheme, path: `/${name}/${id}/${file}` });
      this.texts.set(uri.toString(), text);
      return uri;
    };
    const all = proposal.files.map(({ path, before, after, added, removed }) => ({
      path,
      before: side('before', path, before ?? ''),
      after: side('after', path, after),
      title: l10n.t('{0} (proposed: +{1} −{2})', path, added, removed),
    }));
    this.shown.set(id, all);
    return all;
  }

  private close(id: string, all: readonly Sides[]): void {
    this.shown.delete(id);
    for (const { before, after } of all) {
      this.texts.delete(before.toString());
      this.texts.delete(after.toString());
      void closeDiff(after);
    }
  }
}

/** The question whose proposal this document is a side of. */
export function questionOf(uri: vscode.Uri | undefined): string | undefined {
  return uri?.scheme === proposalScheme ? uri.path.split('/')[2] : undefined;
}

async function showDiff({ before, after, title }: Sides, preserveFocus: boolean): Promise<void> {
  const options: vscode.TextDocumentShowOptions = { preview: true, preserveFocus };
  await vscode.commands.executeCommand('vscode.diff', before, after, title, options);
}

async function closeDiff(after: vscode.Uri): Promise<void> {
  const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
  const shown = tabs.filter(
    ({ input }) => input instanceof vscode.TabInputTextDiff && input.modified.toString() === after.toString(),
  );
  if (shown.length > 0) await vscode.window.tabGroups.close(shown, true);
}
