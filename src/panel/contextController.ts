import * as l10n from '@vscode/l10n';
import type { Disposable } from '../base/disposable.ts';
import type { ChatChange, ChatController } from '../chat/chatController.ts';
import type { ContextPart, ContextParts } from '../chat/context/measureParts.ts';
import type { ModelCatalog } from '../chat/models/modelCatalog.ts';
import { sumOfUsage } from '../chat/conversation/turnUsage.ts';
import type { ContextCommand } from '../shared/context.ts';
import type { PostToPage } from '../shared/protocol.ts';
import { toShownSum } from './present/shownUsage.ts';
import type { CommandHandlers } from './commandHandlers.ts';
import type { ContextUse } from '../chat/session/contextReport.ts';

export class ContextController implements Disposable {
  private post: PostToPage = () => {};
  private readonly listening: readonly Disposable[];
  private shown: string | undefined;
  private asked = 0;

  constructor(
    private readonly chat: ChatController,
    catalog: ModelCatalog,
  ) {
    this.listening = [
      chat.onDidChange((change) => this.onChatChange(change)),
      // The catalog holds the window sizes.
      catalog.onDidChange(() => void this.show()),
    ];
  }

  listen(post: PostToPage): void {
    this.post = post;
  }

  dispose(): void {
    for (const each of this.listening) each.dispose();
  }

  async begin(): Promise<void> {
    this.shown = undefined;
    await this.show();
  }

  readonly commands: CommandHandlers<ContextCommand> = {
    compactConversation: () => this.chat.shown.compact(),
    loadContextParts: () => this.loadParts(),
  };

  private async loadParts(): Promise<void> {
    await this.chat.shown.loadEarlier();
    const report = await this.chat.shown.report();
    const measured = await report.parts();
    const use = await report.use(measured);
    const spent = toShownSum(sumOfUsage(this.chat.shown.conversation.requests));
    if (measured) this.post({ type: 'contextPartsLoaded', ...toShown(measured, use), spent });
  }

  private onChatChange(change: ChatChange): void {
    switch (change.type) {
      case 'answerEnded':
      case 'turnsSummarised':
      case 'modelSelected':
      case 'branchDeleted':
      case 'versionChosen':
      case 'checkpointRestored':
        return void this.show();
      case 'statusChanged':
        return change.status.type === 'idle' ? void this.show() : undefined;
      default:
    }
  }

  private async show(): Promise<void> {
    const order = ++this.asked;
    // A failed measurement shows nothing.
    const use = await this.chat.shown
      .report()
      .then((report) => report.use())
      .catch(() => undefined);
    const text = JSON.stringify(use) ?? '';
    if (order !== this.asked || text === this.shown) return;
    this.shown = text;
    this.post({ type: 'contextUseChanged', ...(use && { use }) });
  }
}

function toShown({ tokens, canCompact }: ContextParts, use: ContextUse | undefined) {
  const parts = Object.entries(tokens).filter(([, count]) => count > 0);
  const sum = parts.reduce((all, [, count]) => all + count, 0);
  const scale = use?.isCounted ? use.tokens / sum : 1;
  return {
    parts: parts.map(([part, count]) => ({
      ...{ name: nameOf(part as ContextPart), tokens: Math.round(count * scale) },
    })),
    canCompact,
  };
}

function nameOf(part: ContextPart): string {
  switch (part) {
    case 'system':
      return l10n.t('System prompt');
    case 'tools':
      return l10n.t('Tools');
    case 'instructions':
      return l10n.t('Instructions');
    case 'summary':
      return l10n.t('Summary');
    case 'messages':
      return l10n.t('Messages');
    case 'results':
      return l10n.t('Tool results');
    case 'files':
      return l10n.t('Attached files');
  }
}
