import * as l10n from '@vscode/l10n';
import { SwitchboardError } from '../base/errors/errors.ts';
import { formatNumber, plural } from '../base/text/format.ts';
import type { ChatController } from '../chat/chatController.ts';
import type { FileToReview, HunkChoice, RestoredParts } from '../chat/edits/editReviews.ts';
import type { UndoProblem } from '../chat/store/events.ts';
import { editsFrom } from '../chat/conversation/rollback.ts';
import type { BranchCommand } from '../shared/branches.ts';
import type { PostToPage } from '../shared/protocol.ts';
import type { ChangeCommand } from '../shared/tools.ts';
import type { AppController } from './apps/appController.ts';
import type { MessageBox } from './messageBox.ts';
import type { MessageEdits } from './messages/messageEdits.ts';
import type { PanelNotices } from './panelNotices.ts';
import type { CommandHandlers } from './commandHandlers.ts';
import { runningElsewhere } from '../chat/store/chatStore.ts';

export interface ChangeHost {
  decideHunks(itemId: string, decision: 'keep' | 'undo' | 'redo', choice: HunkChoice): Promise<void>;
  showChanges(itemId: string, path: string | undefined): Promise<void>;
  /** Restores the state before a message as the user chooses, or undoes a restoration. */
  restore(checkpointId: string): Promise<RestoredParts | undefined>;
  /** Asks about files changed since an item; false if the user stays. */
  leaveVersion(itemId: string): Promise<boolean>;
  pickModel(): Promise<string | undefined>;
  /** Hunks of a file still to review, or why they are unknown. */
  review(itemId: string, path: string): Promise<FileToReview | UndoProblem | undefined>;
}

export class ChangeController {
  constructor(
    private readonly chat: ChatController,
    private readonly host: ChangeHost,
    private readonly apps: AppController,
    private readonly box: MessageBox,
    private readonly edits: MessageEdits,
    private readonly notices: PanelNotices,
    private readonly post: PostToPage,
  ) {}

  readonly commands: CommandHandlers<ChangeCommand | BranchCommand> = {
    retryTurn: async ({ id }) => {
      this.refuseElsewhere();
      await this.retry(id);
    },
    chooseVersion: async ({ id, direction }) => {
      this.refuseElsewhere();
      if (this.leavesChanges(id) && !(await this.host.leaveVersion(id))) return;
      this.chat.shown.branches.chooseVersion(id, direction);
    },
    restoreCheckpoint: ({ id }) => this.restore(id),
    decideHunks: async ({ id, decision, path, keys }) => {
      await this.host.decideHunks(id, decision, { path, keys });
      // Sent even if nothing was decided: the page may be stale.
      if (path !== undefined && keys) await this.showHunks(id, path);
    },
    loadHunks: ({ id, path }) => this.showHunks(id, path),
    showChanges: ({ id, path }) => this.host.showChanges(id, path),
    editMessage: ({ id }) => this.edit(id),
    cancelEdit: ({ id }) => this.edits.end(id),
    branchFrom: ({ id }) => {
      this.refuseElsewhere();
      this.box.branchFrom(id);
    },
    cancelBranch: () => this.box.cancelBranch(),
    deleteFrom: async ({ id }) => {
      this.refuseElsewhere();
      await this.deleteFrom(id);
    },
    retryWithModel: async ({ id }) => {
      this.refuseElsewhere();
      if (this.chat.shown.branches.answerLeftByRetry(id) === undefined) return;
      const modelId = await this.host.pickModel();
      if (modelId !== undefined) await this.retry(id, modelId);
    },
  };

  edit(id: string): void {
    this.refuseElsewhere();
    this.edits.start(id);
  }

  /** The page offers these commands because nothing runs in this window. */
  private refuseElsewhere(): void {
    if (!this.chat.shown.windows.isRunning) return;
    throw runningElsewhere();
  }

  private async deleteFrom(id: string): Promise<void> {
    const { chat, notices } = this;
    const { conversation } = chat.shown;
    if (!(await this.leave(id)) || chat.shown.conversation !== conversation) return;
    const from = conversation.all.findIndex((item) => item.id === id);
    const count = conversation.all
      .slice(from)
      .filter(({ type }) => type === 'user' || type === 'answer').length;
    if (!chat.shown.branches.deleteFrom(id)) throw busy();
    const undo = l10n.t('Undo');
    const text = plural(
      count,
      l10n.t('1 message deleted.'),
      l10n.t('{0} messages deleted.', formatNumber(count)),
    );
    if ((await notices.show({ severity: 'information', text, actions: [undo] })) !== undo) return;
    // Another conversation may be open by now.
    if (chat.shown.conversation.id !== conversation.id && !(await chat.openChat(conversation.id))) return;
    if (chat.shown.isRunning || chat.shown.windows.isRunning) throw busy();
    chat.shown.branches.goTo(id);
  }

  /** Retries; the form of an app whose conversation never began is checked again. */
  async retry(id: string, modelId?: string): Promise<void> {
    const left = this.chat.shown.branches.answerLeftByRetry(id);
    if (left === undefined || !(await this.leave(left))) return;
    if (modelId !== undefined) this.chat.shown.choices.selectModel(modelId);
    const form = await this.apps.prepare();
    if (form) await this.chat.shown.retry(id, form.inputs);
  }

  /** Restores a checkpoint. Its message returns to the message box; undoing the restoration removes it there. */
  async restore(checkpointId: string): Promise<void> {
    const { conversation } = this.chat.shown;
    const to = conversation.findCheckpoint(checkpointId);
    const restored = await this.host.restore(checkpointId);
    if (!restored?.conversation) return;
    const message = to?.type === 'restoration' ? conversation.findCheckpoint(to.toId) : to;
    if (message?.type !== 'user') return;
    if (to === message) this.box.add(message.text);
    else this.box.remove(message.text);
    // The item may be gone by now.
    this.post({ type: 'messageBoxFocused' });
  }

  /** Asks about the files that turns changed before another version replaces them. False if the user stays. */
  async leave(id: string): Promise<boolean> {
    return !this.leavesChanges(id) || this.host.leaveVersion(id);
  }

  private leavesChanges(id: string): boolean {
    const { chat } = this;
    return !chat.shown.isRunning && editsFrom(chat.shown.conversation, id).length > 0;
  }

  private async showHunks(id: string, path: string): Promise<void> {
    const found = await this.host.review(id, path);
    if (!found) return;
    const { toShownHunks } = await import('./present/presentHunks.ts');
    this.post({ type: 'hunksLoaded', id, path, ...toShownHunks(found) });
  }
}

function busy(): SwitchboardError {
  return new SwitchboardError('conflict', l10n.t('Wait until this answer finishes, or stop it.'));
}
