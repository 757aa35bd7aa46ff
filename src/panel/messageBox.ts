import * as l10n from '@vscode/l10n';
import { SwitchboardError } from '../base/errors/errors.ts';
import type { FilledForm } from '../apps/appForm.ts';
import type { AttachmentSource } from '../chat/attachments/attachment.ts';
import type { ChatController } from '../chat/chatController.ts';
import type { OutgoingMessage } from '../chat/conversation/items.ts';
import type { ModelCatalog } from '../chat/models/modelCatalog.ts';
import type { PostToPage, QueuedMessage, ToHost } from '../shared/protocol.ts';
import type { AppController } from './appController.ts';
import type { AttachmentController } from './attachmentController.ts';
import { BranchTarget } from './branchTarget.ts';
import type { CommandHandlers } from './commandHandlers.ts';
import type { PromptController } from './promptController.ts';
import type { ToldController } from './toldController.ts';

export interface MessageBoxDependencies {
  chat: ChatController;
  catalog: ModelCatalog;
  memory: { draft: string; savedTarget: unknown };
  attachments: AttachmentController;
  apps: AppController;
  told: ToldController;
  prompts: PromptController;
  post: PostToPage;
  chooseModel(): void;
  leaveVersion(messageId: string): Promise<boolean>;
}

export class MessageBox {
  private isPreparing = false;
  readonly target: BranchTarget;
  readonly commands = {
    sendQueued: ({ id }) => this.deps.chat.shown.queue.send(id),
    editQueued: ({ id }) => this.editQueued(id),
    removeQueued: ({ id }) => void this.deps.chat.shown.queue.remove(id),
  } satisfies Partial<CommandHandlers<ToHost>>;

  constructor(private readonly deps: MessageBoxDependencies) {
    this.target = new BranchTarget({ ...deps, replaceDraft: (text) => this.replace(text) });
  }

  /** @param later true to send it after all turns before it */
  async send(text: string, later: true | undefined): Promise<void> {
    const { chat, catalog, attachments: attached, apps, told, prompts, post, chooseModel } = this.deps;
    const isSlash = text.trimStart().startsWith('/') && !apps.chosen;
    const slash = isSlash ? await prompts.read(text) : undefined;
    if (slash?.action) {
      this.remove(text);
      await prompts.run(slash.action);
      return;
    }
    const { choices, conversation } = chat.shown;
    const { model } = choices;
    const { inPlaceOf } = this.target;
    if (inPlaceOf !== undefined && (chat.shown.isRunning || chat.shown.windows.isRunning)) {
      post({ type: 'messageHeld' });
      throw busy();
    }
    if (model === undefined || catalog.isUnlisted(model)) {
      post({ type: 'messageHeld' });
      return chooseModel();
    }
    const when = !later && { steers: true as const };
    const ofEditor = apps.chosen ? [] : told.sourcesToAttach(attached.sources);
    if (attached.isEmpty && ofEditor.length === 0 && !apps.chosen && !slash && inPlaceOf === undefined) {
      return this.submit({ text, ...when });
    }
    if (this.isPreparing) return;
    this.isPreparing = true;
    let isSent = false;
    try {
      const prompt = slash ? await slash.prepare(!attached.isEmpty) : { message: { text } };
      if (!prompt) return;
      const added = [...ofEditor, ...(prompt.sources ?? [])];
      if (added.length > 0) attached.add(added);
      const attachments = attached.isEmpty ? [] : await attached.prepare();
      const form = attachments && (await apps.prepare());
      const isReady = attachments && form && chat.shown.conversation === conversation;
      const isLeft = isReady && (inPlaceOf === undefined || (await this.deps.leaveVersion(inPlaceOf)));
      // The question about files may have been open for long. Another conversation has no target.
      if (isLeft && this.target.inPlaceOf === inPlaceOf) {
        const { sources } = attached;
        this.submit({ ...prompt.message, ...when, attachments, sources }, form.inputs);
        isSent = true;
      }
    } finally {
      this.isPreparing = false;
      // Attachments that can no longer be sent say so now, and the draft stays.
      if (!isSent) post({ type: 'messageHeld' });
    }
  }

  /**
   * Sends an editor command's request, or adds it to the draft if the box is in use. True if sent or queued.
   * @param place shows the conversation for it; not called for a draft
   */
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
      this.isPreparing
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

  edit(id: string): void {
    this.target.edit(id);
    this.focus();
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

  /** Empties the box only once the message is in the conversation or its queue, so no draft can be lost. */
  private submit(message: OutgoingMessage, inputs?: FilledForm): void {
    const { attachments, post } = this.deps;
    let way: 'sent' | 'queued' | undefined;
    try {
      // Another window may turn out to be answering; then the message is queued.
      way = this.sendNow(message, inputs) ? 'sent' : this.enqueue(message, inputs) ? 'queued' : undefined;
    } finally {
      if (!way) post({ type: 'messageHeld' });
    }
    if (!way) return;
    attachments.sent();
    this.replace('');
    if (way === 'sent') this.target.sent();
  }

  private sendNow({ text, ...message }: OutgoingMessage, inputs: FilledForm | undefined): boolean {
    const { chat } = this.deps;
    const { edited, inPlaceOf } = this.target;
    const waits = !message.steers && chat.shown.conversation.queue.length > 0 && inPlaceOf === undefined;
    if (chat.shown.isRunning || waits) return false;
    const answer = this.target.whileSending(() =>
      chat.shown.submit(text, {
        ...{ inputs, inPlaceOf },
        // An edited text keeps the tools that its prompt file allows.
        ...(edited?.tools && { tools: edited.tools }),
        ...message,
      }),
    );
    return answer !== undefined;
  }

  private enqueue(message: OutgoingMessage, inputs: FilledForm | undefined): boolean {
    const { chat } = this.deps;
    // The other window's answer may remove the message's place.
    if (chat.shown.windows.isRunning && (this.target.inPlaceOf !== undefined || inputs)) throw busy();
    if (this.target.inPlaceOf !== undefined) return false;
    return chat.shown.queue.add(message);
  }

  private focus(): void {
    this.deps.post({ type: 'messageBoxFocused' });
  }

  private replace(text: string): void {
    this.deps.memory.draft = text;
    this.deps.post({ type: 'draftReplaced', text });
  }
}

function busy(): SwitchboardError {
  return new SwitchboardError(
    'conflict',
    l10n.t('Wait until this answer finishes, or stop it. Then send your message.'),
  );
}
