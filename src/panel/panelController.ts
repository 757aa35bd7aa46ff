import { DisposableStore, type Disposable } from '../base/disposable.ts';
import { toSwitchboardError } from '../base/toSwitchboardError.ts';
import type { FilledForm } from '../apps/appForm.ts';
import type { Attachment } from '../chat/attachments/attachment.ts';
import type { ChatChange, ChatController } from '../chat/chatController.ts';
import { EventBatcher } from '../chat/eventBatcher.ts';
import type { ModelCatalog } from '../chat/modelCatalog.ts';
import type { Question } from '../chat/calls/toolBox.ts';
import type { Channel } from '../shared/channel.ts';
import type { FileToReview, HunkChoice, RestoredParts } from '../chat/editReviews.ts';
import { editsFrom } from '../chat/rollback.ts';
import type { UndoProblem } from '../chat/events.ts';
import type { DecideHunks } from '../shared/tools.ts';
import type { QueuedMessage, ToHost, ToPage } from '../shared/protocol.ts';
import type { Connection, Location, Models, ToolCount } from '../shared/transcript.ts';
import type { AttachmentController } from './attachmentController.ts';
import type { AppController } from './appController.ts';
import type { KnowledgeController } from './knowledgeController.ts';
import type { ModeController } from './modeController.ts';
import type { PreparedPrompt, PromptController } from './promptController.ts';
import type { PanelNotices } from './panelNotices.ts';
import type { ToldController } from './toldController.ts';
import type { ContextController } from './contextController.ts';
import { toModels } from './presentModels.ts';
import { sentChipId } from './presentAttachment.ts';
import { applyRemedy } from './remedies.ts';
import { ShownTranscript } from './shownTranscript.ts';

/** What the panel needs of the editor. */
export interface PanelHost {
  connection(): Connection;
  /** What is typed and not sent; it outlives the page and the window. */
  draft: string;
  favourites: readonly string[];
  /** Remembers the pick for chats to come. */
  modelPicked(modelId: string): void;
  connectRelay(): void;
  openRelaySite(): void;
  addApp(): void;
  /** The site of a platform, whose address this is. */
  openPlatform(address: string): void;
  openSettings(): void;
  showLog(): void;
  /** What the user is asked about this call, while it waits for the answer. */
  questionOf(callId: string): Question | undefined;
  answerTool(callId: string, decision: 'allow' | 'always' | 'deny', reason: string | undefined): void;
  /** Shows the edit that a call asks about. */
  showProposal(callId: string, path: string): void;
  /** Keeps or undoes hunks of what a turn changed. */
  decideHunks(itemId: string, decision: 'keep' | 'undo', choice: HunkChoice): Promise<void>;
  /** Shows what a turn changed against the state before it, in one file or in all. */
  showChanges(itemId: string, path: string | undefined): Promise<void>;
  /** Restores the state before a message, as the user chooses, or takes a restoration back. */
  restore(checkpointId: string): Promise<RestoredParts | undefined>;
  /** Asks about the files that were changed from an item on; false if the user stays with them. */
  leaveVersion(itemId: string): Promise<boolean>;
  /** What is still to be reviewed of a file; a problem where that is not known. */
  review(itemId: string, path: string): Promise<FileToReview | UndoProblem | undefined>;
  openLocation(location: Location): void;
  /** Lets the user switch tools of other extensions on and off. */
  chooseTools(): void;
  toolCount(): ToolCount;
  openLink(href: string): void;
  copyText(text: string): void;
  insertText(text: string): void;
}

/** A message that nothing has to be asked about any more. */
interface ReadyMessage extends PreparedPrompt {
  later: true | undefined;
  attachments: readonly Attachment[];
  inputs?: FilledForm | undefined;
}

/** One frame of a 60 Hz screen: the page is told of new text at most this often. */
const frameMs = 16;

/** The host's half of the panel: commands in, events out. It works without a page; `attach` gives it one. */
export class PanelController implements Disposable {
  private readonly disposables = new DisposableStore();
  private page: { channel: Channel<ToHost, ToPage>; ready: boolean } | undefined;
  /** The page is to open the picker as soon as there is one. */
  private opensPicker = false;
  private opensModes = false;
  /** A message waits for what goes with it to be judged again. */
  private isPreparing = false;
  private readonly transcript: ShownTranscript;
  private readonly outgoing = new EventBatcher<ToPage>(frameMs, (message) =>
    this.page?.channel.post(message),
  );

  constructor(
    private readonly chat: ChatController,
    private readonly catalog: ModelCatalog,
    private readonly host: PanelHost,
    private readonly attachments: AttachmentController,
    private readonly knowledge: KnowledgeController,
    private readonly apps: AppController,
    private readonly notices: PanelNotices,
    private readonly modes: ModeController,
    private readonly told: ToldController,
    private readonly prompts: PromptController,
    private readonly context: ContextController,
  ) {
    this.disposables.add(this.outgoing);
    this.transcript = new ShownTranscript({
      chat,
      post: (message) => this.post(message),
      replaceAll: () => this.showAll(),
      nameOf: (modelId) => this.nameOf(modelId),
      questionOf: (callId) => host.questionOf(callId),
    });
    attachments.listen((message) => this.post(message));
    knowledge.listen((message) => this.post(message));
    modes.listen((message) => this.post(message));
    told.listen((message) => this.post(message));
    context.listen((message) => this.post(message));
    apps.listen((message) => this.onAppEvent(message));
    this.disposables.add(
      notices.onDidChange(() => this.post({ type: 'noticesChanged', notices: notices.all })),
    );
    this.disposables.add(chat.onDidChange((change) => this.onChatChange(change)));
    this.disposables.add(
      apps.onDidChangeApps(() => this.post({ type: 'modelsChanged', models: this.models() })),
    );
    this.disposables.add(
      catalog.onDidChange(() => {
        this.post({ type: 'modelsChanged', models: this.models() });
        if (!attachments.isEmpty) attachments.show();
      }),
    );
  }

  /** Gives the panel a page. Nothing is sent until the page says it is ready. */
  attach(channel: Channel<ToHost, ToPage>): Disposable {
    const page = { channel, ready: false };
    this.page = page;
    channel.listen((message) => this.onMessage(message));
    return {
      dispose: () => {
        if (this.page === page) this.page = undefined;
      },
    };
  }

  connectionChanged(): void {
    this.post({ type: 'connectionChanged', connection: this.host.connection() });
  }

  /** Tools were switched, or settings allow other ones. */
  toolsChanged(): void {
    this.post({ type: 'toolsChanged', tools: this.host.toolCount() });
  }

  focusMessageBox(): void {
    this.post({ type: 'messageBoxFocused' });
  }

  /** Lets the user choose a model, also in a page that is yet to come. */
  openModelPicker(): void {
    this.opensPicker = !this.page?.ready;
    this.post({ type: 'modelPickerOpened' });
  }

  /** As `openModelPicker`, for the mode. */
  openModes(): void {
    this.opensModes = !this.page?.ready;
    this.post({ type: 'modesOpened' });
  }

  dispose(): void {
    this.disposables.dispose();
  }

  private onMessage(message: ToHost): void {
    const { chat, host } = this;
    switch (message.type) {
      case 'ready':
        return this.showAll(message.position);
      case 'sendMessage':
        this.notices.clear();
        return this.explain(this.send(message.text, message.later));
      case 'stopTurn':
        return this.explain(chat.stop());
      case 'sendQueued':
        return void chat.sendQueued(message.id);
      case 'editQueued':
        return this.editQueued(message.id);
      case 'removeQueued':
        chat.removeQueued(message.id);
        return;
      case 'retryTurn':
        return this.explain(this.retry(message.id));
      case 'continueAnswer':
        return void chat.continueAnswer(message.id);
      case 'chooseVersion':
        return this.explain(this.chooseVersion(message));
      case 'restoreCheckpoint':
        return this.explain(this.restore(message.id));
      case 'selectModel':
        host.modelPicked(message.modelId);
        chat.selectModel(message.modelId);
        // Also when it was selected already: that the user insists on it is news.
        return this.post({ type: 'modelsChanged', models: this.models() });
      case 'toggleFavourite':
        return this.toggleFavourite(message.modelId);
      case 'loadModels':
        return void this.catalog.load();
      case 'loadEarlierEntries':
        return this.explain(this.transcript.showEarlier());
      case 'changeDraft':
        host.draft = message.text;
        return;
      case 'applyRemedy':
        return applyRemedy(message, {
          ...{ chat, host, catalog: this.catalog, apps: this.apps },
          retry: (id) => this.retry(id),
          restore: (id) => this.explain(this.restore(id)),
        });
      case 'answerTool':
        return host.answerTool(message.id, message.decision, message.reason);
      case 'answerNotice':
        return this.notices.answer(message.id, message.action);
      case 'chooseTools':
        return host.chooseTools();
      case 'decideHunks':
        return this.explain(this.decideHunks(message));
      case 'loadHunks':
        return this.explain(this.showHunks(message.id, message.path));
      case 'showProposal':
        return host.showProposal(message.id, message.path);
      case 'showChanges':
        return this.explain(host.showChanges(message.id, message.path));
      case 'openLocation':
        return host.openLocation(message.location);
      case 'openLink':
        return host.openLink(message.href);
      case 'copyText':
        return host.copyText(message.text);
      case 'insertText':
        return host.insertText(message.text);
      case 'findPrompts':
        return this.explain(this.findPrompts(message));
      case 'findMentions':
      case 'attachMention':
      case 'attachFiles':
      case 'attachUris':
      case 'attachImage':
      case 'attachText':
      case 'removeAttachment':
      case 'releaseSecrets':
      case 'unpackAttachment':
      case 'loadPicture': {
        const sent = message.type === 'loadPicture' && this.sentImage(message.id);
        if (sent) return this.attachments.showPicture(message.id, sent);
        const text = this.attachments.onMessage(message);
        if (text !== undefined) this.addToDraft(text);
        return;
      }
      case 'chooseKnowledge':
      case 'removeKnowledge':
      case 'openSource':
      case 'addSource':
        return this.knowledge.onMessage(message);
      case 'selectMode':
      case 'selectApprovals':
      case 'loadModes':
      case 'startPlan':
        return this.modes.onMessage(message);
      case 'switchTold':
      case 'attachActiveEditor':
      case 'showSent':
        return this.explain(this.told.onMessage(message));
      case 'loadContextParts':
      case 'compactConversation':
        return this.explain(this.context.onMessage(message));
      case 'rateAnswer':
      case 'sendSuggestion':
      case 'changeInput':
      case 'chooseInputFiles':
      case 'addInputAddress':
      case 'removeInputFile':
      case 'reloadApp':
        return this.apps.onMessage(message);
    }
  }

  private async decideHunks({ id, decision, path, keys }: DecideHunks): Promise<void> {
    await this.host.decideHunks(id, decision, { path, keys });
    // Also where nothing was decided: what the page shows may be from before.
    if (path !== undefined && keys) await this.showHunks(id, path);
  }

  private async chooseVersion({ id, direction }: Extract<ToHost, { type: 'chooseVersion' }>): Promise<void> {
    if (this.leavesChanges(id) && !(await this.host.leaveVersion(id))) return;
    this.chat.chooseVersion(id, direction);
  }

  /** Another version in the place of an answer or a message leaves what its turns did to files. */
  private leavesChanges(id: string): boolean {
    const { chat } = this;
    return !chat.isRunning && editsFrom(chat.conversation, id).length > 0;
  }

  /** A message that the conversation goes back to before returns to the message box, and leaves it with its return. */
  private async restore(checkpointId: string): Promise<void> {
    const { conversation } = this.chat;
    const to = conversation.findCheckpoint(checkpointId);
    const restored = await this.host.restore(checkpointId);
    if (!restored?.conversation) return;
    const message = to?.type === 'restoration' ? conversation.findCheckpoint(to.toId) : to;
    if (message?.type !== 'user') return;
    if (to === message) this.addToDraft(message.text);
    else if (this.host.draft === message.text) {
      this.host.draft = '';
      this.post({ type: 'draftReplaced', text: '' });
    }
  }

  private async showHunks(id: string, path: string): Promise<void> {
    const found = await this.host.review(id, path);
    if (!found) return;
    const { toShownHunks } = await import('./presentHunks.ts');
    this.post({ type: 'hunksLoaded', id, path, ...toShownHunks(found) });
  }

  private async findPrompts({ requestId, query }: Extract<ToHost, { type: 'findPrompts' }>): Promise<void> {
    const options = this.apps.chosen ? [] : await this.prompts.find(query);
    this.post({ type: 'mentionsFound', requestId, options, isComplete: true });
  }

  private async send(text: string, later: true | undefined): Promise<void> {
    const { model } = this.chat;
    if (model === undefined || this.catalog.isUnlisted(model)) {
      this.post({ type: 'messageHeld' });
      return this.openModelPicker();
    }
    const ofEditor = this.apps.chosen ? [] : this.told.sourcesToAttach(this.attachments.sources);
    const isPrompt = text.trimStart().startsWith('/') && !this.apps.chosen;
    if (this.attachments.isEmpty && ofEditor.length === 0 && !this.apps.chosen && !isPrompt) {
      return this.submit({ text, later, attachments: [] });
    }
    if (this.isPreparing) return;
    this.isPreparing = true;
    let isSent = false;
    try {
      const { conversation } = this.chat;
      const prompt = isPrompt ? await this.prompts.prepare(text) : { text };
      if (!prompt) return;
      if (ofEditor.length > 0) this.attachments.add(ofEditor);
      const attachments = this.attachments.isEmpty ? [] : await this.attachments.prepare();
      const form = attachments && (await this.apps.prepare());
      if (attachments && form && this.chat.conversation === conversation) {
        this.submit({ ...prompt, later, attachments, inputs: form.inputs });
        isSent = true;
      }
    } finally {
      this.isPreparing = false;
      // What can no longer be sent says so now, and the text is still there.
      if (!isSent) this.post({ type: 'messageHeld' });
    }
  }

  /** No click is without an answer: what fails unexpectedly is said in the panel. */
  private explain(action: Promise<unknown>): void {
    action.catch((error: unknown) => {
      const { message } = toSwitchboardError(error);
      void this.notices.show({ severity: 'error', text: message });
    });
  }

  /** The box is only emptied when the message is part of the conversation or of its queue, so nothing typed can be lost. */
  private submit({ text, later, attachments, inputs, tools }: ReadyMessage): void {
    const { chat } = this;
    const waits = chat.isRunning || (later && chat.conversation.queue.length > 0);
    const { sources } = this.attachments;
    const isTaken = waits
      ? chat.enqueue({ text, attachments, sources, ...(!later && { steers: true }) })
      : chat.submit(text, attachments, inputs, tools) !== undefined;
    if (!isTaken) return this.post({ type: 'messageHeld' });
    this.attachments.sent();
    this.host.draft = '';
    this.post({ type: 'draftReplaced', text: '' });
  }

  private editQueued(id: string): void {
    const message = this.chat.removeQueued(id);
    if (!message) return;
    this.attachments.restore(message);
    if (message.text) this.addToDraft(message.text);
    this.focusMessageBox();
  }

  /** An app whose conversation did not come to begin gets its form filled in once more. */
  private async retry(id: string): Promise<void> {
    const left = this.chat.answerLeftByRetry(id);
    if (left === undefined || (this.leavesChanges(left) && !(await this.host.leaveVersion(left)))) return;
    const form = await this.apps.prepare();
    if (form) await this.chat.retry(id, form.inputs);
  }

  /** The image that a chip of the conversation stands for. */
  private sentImage(chipId: string): Attachment['image'] {
    const sent = this.chat.conversation.all.flatMap((item) =>
      item.type === 'user'
        ? (item.attachments ?? []).map((each, n) => [sentChipId(item.id, n), each] as const)
        : [],
    );
    return sent.find(([id]) => id === chipId)?.[1].image;
  }

  /** Puts an attached text back where it came from, below what was typed since. */
  private addToDraft(text: string): void {
    const { draft } = this.host;
    this.host.draft = draft ? `${draft}\n${text}` : text;
    this.post({ type: 'draftReplaced', text: this.host.draft });
  }

  private toggleFavourite(modelId: string): void {
    const { favourites } = this.host;
    this.host.favourites = favourites.includes(modelId)
      ? favourites.filter((id) => id !== modelId)
      : [...favourites, modelId];
    this.post({ type: 'modelsChanged', models: this.models() });
  }

  private onChatChange(change: ChatChange): void {
    switch (change.type) {
      case 'chatOpened':
        return this.showAll();
      case 'modelSelected':
        this.post({ type: 'modelsChanged', models: this.models() });
        this.apps.show();
        if (!this.attachments.isEmpty) this.attachments.show();
        return;
      case 'appConversationStarted':
        return this.apps.show();
      case 'modeSelected':
      case 'approvalsSelected':
        return this.modes.show();
      case 'knowledgeChosen':
        // Whether there is anything to search decides on a tool.
        this.toolsChanged();
        return this.knowledge.show();
      case 'messageQueued':
      case 'queuedMessageRemoved':
        return this.showQueue();
      case 'userMessageAdded':
        this.showQueue();
        return this.transcript.onChange(change);
      case 'instructionsRead':
        return this.told.show();
      case 'toolFinished':
        // It brought instruction files with it.
        if (change.outcome.instructions) this.told.show();
        return this.transcript.onChange(change);
      case 'statusChanged':
        this.transcript.onChange(change);
        // Those for the turn wait like the others now.
        if (change.status.type === 'idle' && this.chat.conversation.queue.length > 0) this.showQueue();
        return this.post(change);
      default:
        return this.transcript.onChange(change);
    }
  }

  /** @param wanted an entry that is to be among those that are sent */
  private showAll(wanted?: { chatId: string; id: string }): void {
    const page = this.page;
    if (!page) return;
    page.ready = true;
    void this.catalog.ensure();
    const app = this.apps.view();
    this.post({
      type: 'stateReplaced',
      state: {
        chatId: this.chat.conversation.id,
        ...this.transcript.begin(wanted),
        draft: this.host.draft,
        attachments: this.attachments.chips(),
        queue: this.queue(),
        notices: this.notices.all,
        knowledge: this.knowledge.state(),
        status: this.chat.status,
        connection: this.host.connection(),
        models: this.models(),
        tools: this.host.toolCount(),
        permissions: this.modes.state(),
        nowMs: Date.now(),
        ...(app && { app }),
      },
    });
    this.told.begin();
    this.explain(this.context.begin());
    if (this.opensPicker) this.openModelPicker();
    if (this.opensModes) this.openModes();
  }

  private showQueue(): void {
    this.post({ type: 'queueChanged', queue: this.queue() });
  }

  private queue(): QueuedMessage[] {
    const { conversation, steering } = this.chat;
    return conversation.queue.map((message) => {
      const { id, text, attachments = [] } = message;
      return {
        id,
        text,
        attachments: attachments.length,
        ...(steering.includes(message) && { steers: true }),
      };
    });
  }

  private models(): Models {
    return toModels(this.catalog.state, {
      apps: this.apps.options(),
      favourites: this.host.favourites,
      selectedId: this.chat.model,
      isUnlisted: (id) => this.catalog.isUnlisted(id),
      nameOf: (id) => this.nameOf(id),
    });
  }

  private nameOf(modelId: string): string {
    return this.apps.nameOf(modelId) ?? this.catalog.find(modelId)?.name ?? modelId;
  }

  private onAppEvent(message: ToPage): void {
    this.post(message);
    // What an app accepts is known now, or another app is chosen.
    if (message.type === 'appChanged' && !this.attachments.isEmpty) this.attachments.show();
  }

  private post(message: ToPage): void {
    if (this.page?.ready) this.outgoing.push(message);
  }
}
