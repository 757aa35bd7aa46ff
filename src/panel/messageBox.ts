import type { AttachmentSource } from '../chat/attachments/attachment.ts';
import type { PostToPage, QueuedMessage, ToHost } from '../shared/protocol.ts';
import type { AttachmentController } from './attachmentController.ts';
import type { CommandHandlers } from './commandHandlers.ts';
import { setAsideIn } from './leftDrafts.ts';
import { BranchTarget } from './messages/branchTarget.ts';
import { MessageSender, type MessageSenderDependencies, type Outbox } from './messages/messageSender.ts';
import type { ToldController } from './toldController.ts';

export interface MessageBoxDependencies extends MessageSenderDependencies {
  memory: { draft: string; branchTarget: unknown };
  attachments: AttachmentController;
  told: ToldController;
  post: PostToPage;
}

export class MessageBox {
  readonly target: BranchTarget;
  private readonly sender: MessageSender;
  readonly commands = {
    sendQueued: ({ id }) => this.deps.chat.shown.queue.send(id),
    editQueued: ({ id }) => this.editQueued(id),
    removeQueued: ({ id }) => void this.deps.chat.shown.queue.remove(id),
  } satisfies Partial<CommandHandlers<ToHost>>;

  constructor(private readonly deps: MessageBoxDependencies) {
    this.restoreSetAside();
    this.target = new BranchTarget(deps);
    this.sender = new MessageSender(deps, this.outbox());
  }

  /** @param later true to send it after all turns before it */
  async send(text: string, later: true | undefined): Promise<void> {
    const { apps, prompts } = this.deps;
    const isSlash = text.trimStart().startsWith('/') && !apps.chosen;
    const slash = isSlash ? await prompts.read(text) : undefined;
    if (slash?.action) {
      this.remove(text);
      await prompts.run(slash.action);
    } else await this.sender.send(text, slash, later);
  }

  /** True if sent or queued; a box in use gets it added. `place` shows the conversation, but not for a draft. */
  async ask(
    text: string,
    sources: readonly AttachmentSource[],
    place?: () => Promise<void>,
  ): Promise<boolean> {
    const { attachments, memory } = this.deps;
    if (place && !this.isInUse) await place();
    const { isInUse } = this;
    attachments.add(sources);
    this.add(text);
    if (isInUse) {
      this.focus();
      return false;
    }
    await this.send(text, undefined);
    return memory.draft === '';
  }

  private get isInUse(): boolean {
    const { attachments, memory } = this.deps;
    return (
      memory.draft.trim() !== '' ||
      !attachments.isEmpty ||
      this.target.shown !== undefined ||
      this.sender.isPreparing
    );
  }

  /** For text from an agent file: sent only on its own, never with what the user has typed. */
  async say(text: string, sends: boolean): Promise<void> {
    if (sends) await this.ask(text, []);
    else {
      this.add(text);
      this.focus();
    }
  }

  branchFrom(id: string): void {
    this.target.branchFrom(id);
    this.focus();
  }

  cancelBranch(): void {
    this.target.cancel();
    this.focus();
  }

  private editQueued(id: string): void {
    const { chat, attachments } = this.deps;
    const message = chat.shown.queue.remove(id);
    if (!message) return;
    attachments.restore(message);
    const text = message.typed ?? message.text;
    if (text) this.add(text);
    this.focus();
  }

  showQueue(): void {
    this.deps.post({ type: 'queueChanged', queue: this.queue() });
  }

  queue(): QueuedMessage[] {
    const { conversation, queue } = this.deps.chat.shown;
    const { steering } = queue;
    return conversation.queue.map((message) => {
      const { id, text, typed = text, attachments = [] } = message;
      return {
        id,
        text: typed,
        attachments: attachments.length,
        ...(steering.includes(message) && { steers: true }),
      };
    });
  }

  add(text: string): void {
    const { draft } = this.deps.memory;
    this.replace(draft ? `${draft}\n${text}` : text);
  }

  remove(text: string): void {
    if (this.deps.memory.draft === text) this.replace('');
  }

  private outbox(): Outbox {
    const { attachments, told, post } = this.deps;
    const { target } = this;
    return {
      attachments,
      get inPlaceOf() {
        return target.inPlaceOf;
      },
      ofEditor: () => told.sourcesToAttach(attachments.sources),
      held: () => post({ type: 'messageHeld' }),
      left: (way) => {
        attachments.sent();
        this.replace('');
        if (way === 'sent') target.cancel();
      },
    };
  }

  /** Up to version 0.2.0, a message was edited in the box, and the draft from before was set aside. */
  private restoreSetAside(): void {
    const { attachments, memory } = this.deps;
    const aside = setAsideIn(memory.branchTarget);
    if (!aside) return;
    memory.branchTarget = undefined;
    memory.draft = [memory.draft, aside.draft].filter(Boolean).join('\n');
    attachments.add(aside.sources);
  }

  private focus(): void {
    this.deps.post({ type: 'messageBoxFocused' });
  }

  private replace(text: string): void {
    this.deps.memory.draft = text;
    this.deps.post({ type: 'draftReplaced', text });
  }
}
