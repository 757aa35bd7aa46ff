import * as l10n from '@vscode/l10n';
import { assertNever } from '../base/assertNever.ts';
import { SwitchboardError } from '../base/errors.ts';
import { formatNumber, plural } from '../base/format.ts';
import type { ChatController } from '../chat/chatController.ts';
import type { FileToReview, HunkChoice, RestoredParts } from '../chat/editReviews.ts';
import type { UndoProblem } from '../chat/events.ts';
import { editsFrom } from '../chat/rollback.ts';
import type { BranchCommand } from '../shared/branches.ts';
import type { PostToPage } from '../shared/protocol.ts';
import type { ChangeCommand } from '../shared/tools.ts';
import type { AppController } from './appController.ts';
import type { MessageBox } from './messageBox.ts';
import type { PanelNotices } from './panelNotices.ts';
import { runningElsewhere } from '../chat/runningElsewhere.ts';

/** What the review of changes needs of the editor. */
export interface ChangeHost {
  /** Keeps or undoes hunks of what a turn changed. */
  decideHunks(itemId: string, decision: 'keep' | 'undo', choice: HunkChoice): Promise<void>;
  /** Shows what a turn changed against the state before it, in one file or in all. */
  showChanges(itemId: string, path: string | undefined): Promise<void>;
  /** Restores the state before a message, as the user chooses, or takes a restoration back. */
  restore(checkpointId: string): Promise<RestoredParts | undefined>;
  /** Asks about the files that were changed from an item on; false if the user stays with them. */
  leaveVersion(itemId: string): Promise<boolean>;
  /** Asks for a model; undefined if none was chosen. */
  pickModel(): Promise<string | undefined>;
  /** What is still to be reviewed of a file; a problem where that is not known. */
  review(itemId: string, path: string): Promise<FileToReview | UndoProblem | undefined>;
}

/** The panel's half of what turns changed: files to review, other versions of what was said, and the way back. */
export class ChangeController {
  constructor(
    private readonly chat: ChatController,
    private readonly host: ChangeHost,
    private readonly apps: AppController,
    private readonly box: MessageBox,
    private readonly notices: PanelNotices,
    private readonly post: PostToPage,
  ) {}

  /** A rejection is for the user. */
  async onMessage(command: ChangeCommand): Promise<void> {
    const { id } = command;
    if (command.type === 'retryTurn' || command.type === 'chooseVersion') this.refuseElsewhere();
    switch (command.type) {
      case 'retryTurn':
        return this.retry(id);
      case 'chooseVersion':
        if (this.leavesChanges(id) && !(await this.host.leaveVersion(id))) return;
        this.chat.chooseVersion(id, command.direction);
        return;
      case 'restoreCheckpoint':
        return this.restore(id);
      case 'decideHunks': {
        const { decision, path, keys } = command;
        await this.host.decideHunks(id, decision, { path, keys });
        // Also where nothing was decided: what the page shows may be from before.
        if (path !== undefined && keys) await this.showHunks(id, path);
        return;
      }
      case 'loadHunks':
        return this.showHunks(id, command.path);
      case 'showChanges':
        return this.host.showChanges(id, command.path);
      default:
        return assertNever(command);
    }
  }

  /** A rejection is for the user. */
  async onBranchCommand(command: BranchCommand): Promise<void> {
    if (command.type !== 'cancelBranch') this.refuseElsewhere();
    if (this.box.onBranchCommand(command)) return;
    if (command.type === 'deleteFrom') return this.deleteFrom(command.id);
    if (command.type !== 'retryWithModel' || this.chat.answerLeftByRetry(command.id) === undefined) return;
    const modelId = await this.host.pickModel();
    if (modelId !== undefined) await this.retry(command.id, modelId);
  }

  /** The page offers it, since nothing runs here. */
  private refuseElsewhere(): void {
    if (!this.chat.isRunningElsewhere) return;
    throw runningElsewhere();
  }

  private async deleteFrom(id: string): Promise<void> {
    const { chat, notices } = this;
    const { conversation } = chat;
    if (!(await this.leave(id)) || chat.conversation !== conversation) return;
    const from = conversation.all.findIndex((item) => item.id === id);
    const count = conversation.all
      .slice(from)
      .filter(({ type }) => type === 'user' || type === 'answer').length;
    if (!chat.deleteFrom(id)) throw busy();
    const undo = l10n.t('Undo');
    const text = plural(
      count,
      l10n.t('1 message deleted.'),
      l10n.t('{0} messages deleted.', formatNumber(count)),
    );
    if ((await notices.show({ severity: 'information', text, actions: [undo] })) !== undo) return;
    // Another conversation may be shown by now.
    if (chat.conversation.id !== conversation.id && !(await chat.openChat(conversation.id))) return;
    if (chat.isRunning || chat.isRunningElsewhere) throw busy();
    chat.goTo(id);
  }

  /** An app whose conversation did not come to begin gets its form filled in once more. */
  async retry(id: string, modelId?: string): Promise<void> {
    const left = this.chat.answerLeftByRetry(id);
    if (left === undefined || !(await this.leave(left))) return;
    if (modelId !== undefined) this.chat.selectModel(modelId);
    const form = await this.apps.prepare();
    if (form) await this.chat.retry(id, form.inputs);
  }

  /** A message that the conversation goes back to before returns to the message box, and leaves it with its return. */
  async restore(checkpointId: string): Promise<void> {
    const { conversation } = this.chat;
    const to = conversation.findCheckpoint(checkpointId);
    const restored = await this.host.restore(checkpointId);
    if (!restored?.conversation) return;
    const message = to?.type === 'restoration' ? conversation.findCheckpoint(to.toId) : to;
    if (message?.type !== 'user') return;
    if (to === message) this.box.add(message.text);
    else this.box.remove(message.text);
    // What was pressed may be gone with what followed.
    this.post({ type: 'messageBoxFocused' });
  }

  /**
   * Another version in the place of an answer or a message leaves what its turns did to files: then the user is asked.
   * False if the user stays.
   */
  async leave(id: string): Promise<boolean> {
    return !this.leavesChanges(id) || this.host.leaveVersion(id);
  }

  private leavesChanges(id: string): boolean {
    const { chat } = this;
    return !chat.isRunning && editsFrom(chat.conversation, id).length > 0;
  }

  private async showHunks(id: string, path: string): Promise<void> {
    const found = await this.host.review(id, path);
    if (!found) return;
    const { toShownHunks } = await import('./presentHunks.ts');
    this.post({ type: 'hunksLoaded', id, path, ...toShownHunks(found) });
  }
}

function busy(): SwitchboardError {
  return new SwitchboardError('conflict', l10n.t('Wait until this answer has ended, or stop it.'));
}
