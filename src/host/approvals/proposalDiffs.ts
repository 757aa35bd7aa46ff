import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { inline } from '../../base/text/oneLine.ts';
import { DisposableStore } from '../../base/disposable.ts';
import type { ChatController } from '../../chat/chatController.ts';
import type { PendingApproval, ToolApprovals } from '../../chat/calls/toolApprovals.ts';
import { proposalScheme } from '../ids.ts';

interface Sides {
  path: string;
  before: vscode.Uri;
  after: vscode.Uri;
  title: string;
}

interface ShownProposal {
  conversationId: string;
  sides: readonly Sides[];
}

/** Shows a proposed edit in a diff until the edit is made; closing it before would delay the edit. */
export class ProposalDiffs implements vscode.Disposable {
  private readonly parts = new DisposableStore();
  private readonly texts = new Map<string, string>();
  private readonly shown = new Map<string, ShownProposal>();

  constructor(
    private readonly approvals: ToolApprovals,
    private readonly chat: Pick<ChatController, 'shown' | 'onDidChange'>,
  ) {
    this.parts.add(approvals.onDidChange(() => this.update()));
    this.parts.add(
      chat.onDidChange(({ type }) => {
        if (type === 'editMade' || type === 'toolFinished' || type === 'chatOpened') this.closeSettled();
      }),
    );
    this.parts.add(
      vscode.workspace.registerTextDocumentContentProvider(proposalScheme, {
        provideTextDocumentContent: (uri) => this.texts.get(uri.toString()) ?? '',
      }),
    );
    this.update();
  }

  async show(id: string, path?: string): Promise<boolean> {
    const pending = this.approvals.find(id);
    const all = pending ? this.open(pending) : [];
    const sides = all.find((each) => each.path === path) ?? all[0];
    if (!sides) return false;
    await showDiff(sides, { preserveFocus: false });
    return true;
  }

  dispose(): void {
    this.parts.dispose();
  }

  private update(): void {
    this.closeSettled(({ conversationId }) => !this.isInView(conversationId));
    for (const pending of this.approvals.pending) {
      if (this.shown.has(pending.question.id) || !this.isInView(pending.conversationId)) continue;
      const [sides] = this.open(pending);
      if (sides) void showDiff(sides, { preserveFocus: true });
    }
  }

  private isInView(conversationId: string): boolean {
    return conversationId === this.chat.shown.conversation.id;
  }

  private closeSettled(isMeant: (proposal: ShownProposal) => boolean = () => true): void {
    for (const [id, proposal] of this.shown) {
      if (!this.approvals.find(id) && isMeant(proposal)) this.close(id, proposal);
    }
  }

  private open({ conversationId, question: { id, proposal } }: PendingApproval): readonly Sides[] {
    if (!proposal) return [];
    const known = this.shown.get(id);
    if (known) return known.sides;
    const side = (name: string, file: string, text: string) => {
      // The path comes last, so that the editor detects the language.
      const uri = vscode.Uri.from({ scheme: proposalScheme, path: `/${name}/${id}/${file}` });
      this.texts.set(uri.toString(), text);
      return uri;
    };
    const all = proposal.files.map(({ path, before, after, added, removed }) => ({
      path,
      before: side('before', path, before ?? ''),
      after: side('after', path, after),
      title: l10n.t('{0} (proposed: +{1} −{2})', inline(path), added, removed),
    }));
    this.shown.set(id, { conversationId, sides: all });
    return all;
  }

  private close(id: string, { sides }: ShownProposal): void {
    this.shown.delete(id);
    for (const { before, after } of sides) {
      this.texts.delete(before.toString());
      this.texts.delete(after.toString());
      void closeDiff(after);
    }
  }
}

export function questionOf(uri: vscode.Uri | undefined): string | undefined {
  return uri?.scheme === proposalScheme ? uri.path.split('/')[2] : undefined;
}

export async function showDiff(
  { before, after, title }: Omit<Sides, 'path'>,
  options: vscode.TextDocumentShowOptions,
): Promise<void> {
  await vscode.commands.executeCommand('vscode.diff', before, after, title, { preview: true, ...options });
}

export async function closeDiff(after: vscode.Uri): Promise<void> {
  const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
  const shown = tabs.filter(
    ({ input }) => input instanceof vscode.TabInputTextDiff && input.modified.toString() === after.toString(),
  );
  if (shown.length > 0) await vscode.window.tabGroups.close(shown, true);
}
