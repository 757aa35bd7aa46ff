import * as l10n from '@vscode/l10n';
import { SwitchboardError } from '../base/errors.ts';
import type { FilledForm } from '../apps/appForm.ts';
import type { Attachment, AttachmentSource } from '../chat/attachments/attachment.ts';
import type { ChatController } from '../chat/chatController.ts';
import type { ModelCatalog } from '../chat/modelCatalog.ts';
import type { BranchCommand } from '../shared/branches.ts';
import type { PostToPage } from '../shared/protocol.ts';
import type { AppController } from './appController.ts';
import type { AttachmentController } from './attachmentController.ts';
import { BranchTarget } from './branchTarget.ts';
import type { PreparedPrompt, PromptController } from './promptController.ts';
import type { ToldController } from './toldController.ts';

export interface MessageBoxDependencies {
  chat: ChatController;
  catalog: ModelCatalog;
  /** What is typed and not sent. */
  memory: { draft: string; savedTarget: unknown };
  attachments: AttachmentController;
  apps: AppController;
  told: ToldController;
  prompts: PromptController;
  post: PostToPage;
  /** There is none that could get the message. */
  chooseModel(): void;
  /** Asks about the files that were changed from a message on; false if the user stays with it. */
  leaveVersion(messageId: string): Promise<boolean>;
}

/** A message that nothing has to be asked about any more. */
interface ReadyMessage extends PreparedPrompt {
  later: true | undefined;
  attachments: readonly Attachment[];
  inputs?: FilledForm | undefined;
}

/** What is typed, and how it becomes a message: with what is attached, the form of an app, or a prompt file in its place. */
export class MessageBox {
  /** A message waits for what goes with it to be judged again. */
  private isPreparing = false;
  readonly target: BranchTarget;

  constructor(private readonly deps: MessageBoxDependencies) {
    this.target = new BranchTarget({ ...deps, replaceDraft: (text) => this.replace(text) });
  }

  /** @param later once the turns before it have ended */
  async send(text: string, later: true | undefined): Promise<void> {
    const { chat, catalog, attachments: attached, apps, told, prompts, post, chooseModel } = this.deps;
    const { model, conversation } = chat;
    const { inPlaceOf } = this.target;
    if (inPlaceOf !== undefined && (chat.isRunning || chat.isRunningElsewhere)) {
      post({ type: 'messageHeld' });
      throw busy();
    }
    if (model === undefined || catalog.isUnlisted(model)) {
      post({ type: 'messageHeld' });
      return chooseModel();
    }
    const ofEditor = apps.chosen ? [] : told.sourcesToAttach(attached.sources);
    const isPrompt = text.trimStart().startsWith('/') && !apps.chosen;
    if (attached.isEmpty && ofEditor.length === 0 && !apps.chosen && !isPrompt && inPlaceOf === undefined) {
      return this.submit({ text, later, attachments: [] });
    }
    if (this.isPreparing) return;
    this.isPreparing = true;
    let isSent = false;
    try {
      const prompt = isPrompt ? await prompts.prepare(text) : { text };
      if (!prompt) return;
      if (ofEditor.length > 0) attached.add(ofEditor);
      const attachments = attached.isEmpty ? [] : await attached.prepare();
      const form = attachments && (await apps.prepare());
      const isReady = attachments && form && chat.conversation === conversation;
      const isLeft = isReady && (inPlaceOf === undefined || (await this.deps.leaveVersion(inPlaceOf)));
      // The question about files may have stood for long. In another conversation the target is none.
      if (isLeft && this.target.inPlaceOf === inPlaceOf) {
        this.submit({ ...prompt, later, attachments, inputs: form.inputs });
        isSent = true;
      }
    } finally {
      this.isPreparing = false;
      // What can no longer be sent says so now, and the text is still there.
      if (!isSent) post({ type: 'messageHeld' });
    }
  }

  /**
   * Sends what a command of the editor asks. What the user has in the box is not sent with it unasked: the request joins
   * it there, and the user decides.
   * @returns whether it was sent, or waits in the queue
   */
  async ask(text: string, sources: readonly AttachmentSource[]): Promise<boolean> {
    const { attachments, memory, post } = this.deps;
    const isInUse = memory.draft.trim() !== '' || !attachments.isEmpty || this.target.shown !== undefined;
    attachments.add(sources);
    this.add(text);
    if (isInUse || this.isPreparing) {
      post({ type: 'messageBoxFocused' });
      return false;
    }
    await this.send(text, undefined);
    return memory.draft === '';
  }

  /** @returns whether the command is about where the next message goes */
  onBranchCommand(command: BranchCommand): boolean {
    switch (command.type) {
      case 'editMessage':
        this.target.edit(command.id);
        break;
      case 'branchFrom':
        this.target.branchFrom(command.id);
        break;
      case 'cancelBranch':
        this.target.cancel();
        break;
      default:
        return false;
    }
    this.deps.post({ type: 'messageBoxFocused' });
    return true;
  }

  /** Takes a message that waits back, with what goes with it. */
  editQueued(id: string): void {
    const { chat, attachments, post } = this.deps;
    const message = chat.removeQueued(id);
    if (!message) return;
    attachments.restore(message);
    const text = message.typed ?? message.text;
    if (text) this.add(text);
    post({ type: 'messageBoxFocused' });
  }

  /** Puts a text below what was typed. */
  add(text: string): void {
    const { draft } = this.deps.memory;
    this.replace(draft ? `${draft}\n${text}` : text);
  }

  /** Empties it, if this is all that is typed. */
  remove(text: string): void {
    if (this.deps.memory.draft === text) this.replace('');
  }

  /** The box is only emptied when the message is part of the conversation or of its queue, so nothing typed can be lost. */
  private submit(message: ReadyMessage): void {
    const { attachments, post } = this.deps;
    let way: 'sent' | 'queued' | undefined;
    try {
      // It also waits where another window is found to answer.
      way = this.say(message) ? 'sent' : this.enqueue(message) ? 'queued' : undefined;
    } finally {
      if (!way) post({ type: 'messageHeld' });
    }
    if (!way) return;
    attachments.sent();
    this.replace('');
    if (way === 'sent') this.target.sent();
  }

  /** @returns whether it is part of the conversation */
  private say({ text, choices, later, attachments, inputs }: ReadyMessage): boolean {
    const { chat } = this.deps;
    const { edited, inPlaceOf } = this.target;
    const waits = later && chat.conversation.queue.length > 0 && inPlaceOf === undefined;
    if (chat.isRunning || waits) return false;
    const answer = this.target.whileSending(() =>
      chat.submit(text, attachments, inputs, {
        ...{ sources: this.deps.attachments.sources, inPlaceOf },
        // What tools a prompt file allows is no less true of its edited text.
        ...(edited?.tools && { tools: edited.tools }),
        ...choices,
      }),
    );
    return answer !== undefined;
  }

  /** @returns whether it waits in the queue */
  private enqueue({ text, typed, choices, later, attachments, inputs }: ReadyMessage): boolean {
    const { chat, attachments: attached } = this.deps;
    // What the other answer leaves of the conversation may have no place for it.
    if (chat.isRunningElsewhere && (this.target.inPlaceOf !== undefined || inputs)) throw busy();
    if (this.target.inPlaceOf !== undefined) return false;
    return chat.enqueue({
      ...{ text, attachments, sources: attached.sources, ...choices },
      ...(typed !== undefined && { typed }),
      ...(!later && { steers: true }),
    });
  }

  private replace(text: string): void {
    this.deps.memory.draft = text;
    this.deps.post({ type: 'draftReplaced', text });
  }
}

function busy(): SwitchboardError {
  return new SwitchboardError(
    'conflict',
    l10n.t('Wait until this answer has ended, or stop it. Then send your message.'),
  );
}
