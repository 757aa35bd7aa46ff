import { assertNever } from '../base/assertNever.ts';
import * as l10n from '@vscode/l10n';
import type { Disposable } from '../base/disposable.ts';
import type { ChatChange, ChatController } from '../chat/chatController.ts';
import type { ContextUse } from '../chat/context/contextUse.ts';
import type { ContextPart, ContextParts } from '../chat/context/measureParts.ts';
import type { ModelCatalog } from '../chat/modelCatalog.ts';
import { sumOfUsage } from '../chat/turnUsage.ts';
import type { ContextCommand } from '../shared/context.ts';
import type { PostToPage } from '../shared/protocol.ts';
import { toShownSum } from './presentUsage.ts';

/** The panel's half of the context meter. */
export class ContextController implements Disposable {
  private post: PostToPage = () => {};
  private readonly listening: readonly Disposable[];
  private shown: string | undefined;
  /** Counts what was asked for: what takes longer than what was asked for later is not shown. */
  private asked = 0;

  constructor(
    private readonly chat: ChatController,
    catalog: ModelCatalog,
  ) {
    this.listening = [
      chat.onDidChange((change) => this.onChatChange(change)),
      // It says how large windows are.
      catalog.onDidChange(() => void this.show()),
    ];
  }

  /** Who hears of changes from now on. */
  listen(post: PostToPage): void {
    this.post = post;
  }

  dispose(): void {
    for (const each of this.listening) each.dispose();
  }

  /** A page that has just come shows nothing yet. */
  async begin(): Promise<void> {
    this.shown = undefined;
    await this.show();
  }

  async onMessage(command: ContextCommand): Promise<void> {
    switch (command.type) {
      case 'compactConversation':
        await this.chat.compact();
        return;
      case 'loadContextParts': {
        await this.chat.loadEarlier();
        const measured = await this.chat.contextParts();
        const use = await this.chat.contextUse(measured);
        const spent = toShownSum(sumOfUsage(this.chat.conversation.requests));
        if (measured) this.post({ type: 'contextPartsLoaded', ...toShown(measured, use), spent });
        return;
      }
      default:
        return assertNever(command);
    }
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
    // What cannot be measured is not shown.
    const use = await this.chat.contextUse().catch(() => undefined);
    const text = JSON.stringify(use) ?? '';
    if (order !== this.asked || text === this.shown) return;
    this.shown = text;
    this.post({ type: 'contextUseChanged', ...(use && { use }) });
  }
}

/** Where the server counted all of it, the estimates of the parts are brought to that sum. */
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
      return l10n.t('System text');
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
