import * as l10n from '@vscode/l10n';
import type { FilledForm } from '../../apps/appForm.ts';
import { SwitchboardError } from '../../base/errors/errors.ts';
import type { AttachmentSource } from '../../chat/attachments/attachment.ts';
import type { ChatController } from '../../chat/chatController.ts';
import type { OutgoingMessage, UserItem } from '../../chat/conversation/items.ts';
import type { ModelCatalog } from '../../chat/models/modelCatalog.ts';
import type { AppController } from '../apps/appController.ts';
import type { AttachmentController } from '../attachmentController.ts';
import type { PromptController, SlashMessage } from '../promptController.ts';

export interface MessageSenderDependencies {
  chat: ChatController;
  catalog: ModelCatalog;
  apps: AppController;
  prompts: PromptController;
  chooseModel(): void;
  leaveVersion(messageId: string): Promise<boolean>;
}

/** Where a message is written: the message box, or the place of a message being edited. */
export interface Outbox {
  readonly attachments: AttachmentController;
  /** The replaced message; undefined at the end of the conversation. */
  readonly inPlaceOf: string | undefined;
  readonly edited?: UserItem | undefined;
  /** Sources that the editor adds to the attachments. */
  ofEditor(): readonly AttachmentSource[];
  /** The message was held back; it is still a draft. */
  held(): void;
  /** The message is in the conversation or its queue. */
  left(way: 'sent' | 'queued'): void;
}

export class MessageSender {
  isPreparing = false;

  constructor(
    private readonly deps: MessageSenderDependencies,
    private readonly from: Outbox,
  ) {}

  /** `slash`: the name after a slash that the text begins with. `later`: to be sent after all turns before it. */
  async send(text: string, slash?: SlashMessage, later?: true): Promise<void> {
    const { from } = this;
    const { chat, catalog, apps, chooseModel } = this.deps;
    const { choices, conversation } = chat.shown;
    const { model } = choices;
    const { attachments: attached, inPlaceOf } = from;
    if (inPlaceOf !== undefined && (chat.shown.isRunning || chat.shown.windows.isRunning)) {
      from.held();
      throw busy();
    }
    if (model === undefined || catalog.isUnlisted(model)) {
      from.held();
      return chooseModel();
    }
    const when = !later && { steers: true as const };
    const ofEditor = apps.chosen ? [] : from.ofEditor();
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
      if (isLeft && from.inPlaceOf === inPlaceOf) {
        const { sources } = attached;
        this.submit({ ...prompt.message, ...when, attachments, sources }, form.inputs);
        isSent = true;
      }
    } finally {
      this.isPreparing = false;
      // Attachments that can no longer be sent say so now, and the draft stays.
      if (!isSent) from.held();
    }
  }

  /** Leaves the box only once the message is in the conversation or its queue, so no draft can be lost. */
  private submit(message: OutgoingMessage, inputs?: FilledForm): void {
    let way: 'sent' | 'queued' | undefined;
    try {
      // Another window may turn out to be answering; then the message is queued.
      way = this.sendNow(message, inputs) ? 'sent' : this.enqueue(message, inputs) ? 'queued' : undefined;
    } finally {
      if (way) this.from.left(way);
      else this.from.held();
    }
  }

  private sendNow({ text, ...message }: OutgoingMessage, inputs: FilledForm | undefined): boolean {
    const { chat } = this.deps;
    const { edited, inPlaceOf } = this.from;
    const waits = !message.steers && chat.shown.conversation.queue.length > 0 && inPlaceOf === undefined;
    if (chat.shown.isRunning || waits) return false;
    const answer = chat.shown.submit(text, {
      ...{ inputs, inPlaceOf },
      // An edited text keeps the tools that its prompt file allows.
      ...(edited?.tools && { tools: edited.tools }),
      ...message,
    });
    return answer !== undefined;
  }

  private enqueue(message: OutgoingMessage, inputs: FilledForm | undefined): boolean {
    const { chat } = this.deps;
    const { inPlaceOf } = this.from;
    // The other window's answer may remove the message's place.
    if (chat.shown.windows.isRunning && (inPlaceOf !== undefined || inputs)) throw busy();
    if (inPlaceOf !== undefined) return false;
    return chat.shown.queue.add(message);
  }
}

function busy(): SwitchboardError {
  return new SwitchboardError(
    'conflict',
    l10n.t('Wait until this answer finishes, or stop it. Then send your message.'),
  );
}
