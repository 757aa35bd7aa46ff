import type { AppRecord } from '../apps/appRegistry.ts';
import { assertNever } from '../base/assertNever.ts';
import { DisposableStore, type Disposable } from '../base/disposable.ts';
import { toSwitchboardError } from '../base/toSwitchboardError.ts';
import type { Attachment, AttachmentSource } from '../chat/attachments/attachment.ts';
import type { ChatChange, ChatController } from '../chat/chatController.ts';
import { EventBatcher } from '../chat/eventBatcher.ts';
import type { ModelCatalog } from '../chat/modelCatalog.ts';
import type { Question } from '../chat/calls/toolBox.ts';
import { appCommands } from '../shared/apps.ts';
import { type AttachmentCommand, attachmentCommands } from '../shared/attachments.ts';
import type { Channel } from '../shared/channel.ts';
import { branchCommands } from '../shared/branches.ts';
import { contextCommands } from '../shared/context.ts';
import { isOneOf } from '../shared/isOneOf.ts';
import { knowledgeCommands } from '../shared/knowledge.ts';
import { parameterCommands } from '../shared/parameters.ts';
import { navigationCommands } from '../shared/navigation.ts';
import { modeCommands } from '../shared/modes.ts';
import { toldCommands } from '../shared/told.ts';
import { changeCommands } from '../shared/tools.ts';
import type { PostToPage, QueuedMessage, ToHost, ToPage } from '../shared/protocol.ts';
import type { Connection, Location, Models, ToolCount } from '../shared/transcript.ts';
import type { AttachmentController } from './attachmentController.ts';
import type { AppController } from './appController.ts';
import { ChangeController, type ChangeHost } from './changeController.ts';
import { MessageBox } from './messageBox.ts';
import type { KnowledgeController } from './knowledgeController.ts';
import type { ModeController } from './modeController.ts';
import { ParameterController, type ParameterHost } from './parameterController.ts';
import type { PromptController } from './promptController.ts';
import type { PanelNotices } from './panelNotices.ts';
import type { ToldController } from './toldController.ts';
import type { ContextController } from './contextController.ts';
import { toModels } from './presentModels.ts';
import { sentChipId } from './presentAttachment.ts';
import { readModelId } from '../relay/relayModelId.ts';
import { applyRemedy } from './remedies.ts';
import { type FoundPlace, NavigationController } from './navigationController.ts';
import { ShownPlan } from './shownPlan.ts';
import { ShownTranscript } from './shownTranscript.ts';

/** What the panel needs of the editor. */
export interface PanelHost extends ChangeHost, Omit<ParameterHost, 'nameOf'> {
  connection(): Connection;
  /** What is typed and not sent; it outlives the page and the window. */
  draft: string;
  /** Where the next message goes; see `BranchTarget`. */
  savedTarget: unknown;
  favourites: readonly string[];
  /** The models that were picked last, the newest first. */
  readonly recent: readonly string[];
  /** Whether a model was seen to call tools. */
  callsTools(modelId: string): boolean;
  /** Remembers the pick for chats to come. */
  modelPicked(modelId: string): void;
  /** The one that a model is of, if any is named. */
  connectRelay(modelId?: string): void;
  openRelaySite(modelId: string | undefined): void;
  addApp(): void;
  changeAppKey(app: AppRecord): void;
  /** The site of a platform, whose address this is. */
  openPlatform(address: string): void;
  /** @param of only those of the proxy, or of our part of the network */
  openSettings(of?: 'proxy' | 'network'): void;
  diagnoseConnection(): void;
  showLog(): void;
  /** What the user is asked about this call, while it waits for the answer. */
  questionOf(callId: string): Question | undefined;
  answerTool(callId: string, decision: 'allow' | 'always' | 'deny', reason: string | undefined): void;
  /** Shows the edit that a call asks about. */
  showProposal(callId: string, path: string): void;
  openLocation(location: Location): void;
  /** Lets the user switch tools of other extensions on and off. */
  chooseTools(): void;
  toolCount(): ToolCount;
  openLink(href: string): void;
  copyText(text: string): void;
  insertText(text: string): void;
}

/** What the panel shows, and who gets its commands. It disposes of none of them. */
export interface PanelParts {
  readonly chat: ChatController;
  readonly catalog: ModelCatalog;
  readonly host: PanelHost;
  readonly attachments: AttachmentController;
  readonly knowledge: KnowledgeController;
  readonly apps: AppController;
  readonly notices: PanelNotices;
  readonly modes: ModeController;
  readonly told: ToldController;
  readonly prompts: PromptController;
  readonly context: ContextController;
}

/** One frame of a 60 Hz screen: the page is told of new text at most this often. */
const frameMs = 16;

interface Page {
  channel: Channel<ToHost, ToPage>;
  ready: boolean;
  /** The conversation is still being read: what the page wants of it then, and what the user did meanwhile. */
  opening?: { wanted?: EntryPlace | undefined; commands: ToHost[] };
}

/** An entry of a conversation. */
interface EntryPlace {
  chatId: string;
  id: string;
}

/** These have nothing to do with the conversation. */
const neededAtOnce = new Set<ToHost['type']>(['ready', 'changeDraft']);

/** The host's half of the panel: commands in, events out. It works without a page; `attach` gives it one. */
export class PanelController implements Disposable {
  private readonly disposables = new DisposableStore();
  private page: Page | undefined;
  /** The page is to open the picker as soon as there is one. */
  private opensPicker = false;
  private opensModes = false;
  /** The page is to show this as soon as it shows the conversation. */
  private found: FoundPlace | undefined;
  private promptRequest = 0;
  private readonly transcript: ShownTranscript;
  private readonly navigation: NavigationController;
  private readonly box: MessageBox;
  private readonly changes: ChangeController;
  private readonly plan: ShownPlan;
  private readonly parameters: ParameterController;
  private readonly outgoing = new EventBatcher<ToPage>(frameMs, (message) =>
    this.page?.channel.post(message),
  );

  constructor(private readonly parts: PanelParts) {
    const { chat, catalog, host, attachments, knowledge, apps, notices, modes, told, prompts, context } =
      parts;
    this.disposables.add(this.outgoing);
    const post: PostToPage = (message) => this.post(message);
    this.transcript = new ShownTranscript({
      chat,
      post,
      replaceAll: () => this.showAll(),
      nameOf: (modelId) => this.nameOf(modelId),
      questionOf: (callId) => host.questionOf(callId),
    });
    this.box = new MessageBox({
      ...{ chat, catalog, memory: host, attachments, apps, told, prompts, post },
      chooseModel: () => this.openModelPicker(),
      leaveVersion: (id) => this.changes.leave(id),
    });
    this.changes = new ChangeController(chat, host, apps, this.box, notices, post);
    this.plan = new ShownPlan(chat, post);
    this.parameters = new ParameterController(
      chat,
      {
        defaultParameters: () => host.defaultParameters(),
        refusedParameters: (id) => host.refusedParameters(id),
        nameOf: (id) => this.nameOf(id),
      },
      post,
    );
    this.navigation = new NavigationController(chat, post);
    attachments.listen(post);
    knowledge.listen(post);
    modes.listen(post);
    told.listen(post);
    context.listen(post);
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

  /**
   * Gives the panel a page. Nothing is sent until the page says it is ready.
   * @param opening ends when the conversation has been read; the page is shown without it before
   */
  attach(channel: Channel<ToHost, ToPage>, opening?: Promise<unknown>): Disposable {
    const page: Page = { channel, ready: false, ...(opening && { opening: { commands: [] } }) };
    this.page = page;
    const opened = () => this.opened(page);
    opening?.then(opened, opened);
    channel.listen((message) => {
      if (page.opening && !neededAtOnce.has(message.type)) page.opening.commands.push(message);
      else this.onMessage(message);
    });
    return {
      dispose: () => {
        if (this.page === page) this.page = undefined;
      },
    };
  }

  /** The conversation is there: it is shown, and what the user did meanwhile is done to it, in order. */
  private opened(page: Page): void {
    const { wanted, commands = [] } = page.opening ?? {};
    delete page.opening;
    if (this.page === page && page.ready) this.showAll(wanted);
    for (const command of commands) this.onMessage(command);
  }

  /** The catalog, which follows the connections too, says by itself what that makes of the models. */
  connectionChanged(): void {
    this.post({ type: 'connectionChanged', connection: this.parts.host.connection() });
  }

  /** Tools were switched, or settings allow other ones. */
  toolsChanged(): void {
    this.post({ type: 'toolsChanged', tools: this.parts.host.toolCount() });
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

  /** Brings an item of the conversation that is shown into view, with a text that was found in it. */
  reveal(place: FoundPlace): void {
    this.found = place;
    this.showFound();
  }

  /** Sends what a command of the editor asks; see `MessageBox.ask`. */
  async ask(text: string, sources: readonly AttachmentSource[]): Promise<boolean> {
    this.parts.notices.clear();
    const asking = this.box.ask(text, sources);
    this.explain(asking);
    return asking.catch(() => false);
  }

  /** Puts a message that was not sent below what is in the box. */
  addUnsent(text: string, sources: readonly AttachmentSource[]): void {
    this.parts.attachments.add(sources);
    if (text) this.box.add(text);
    this.focusMessageBox();
  }

  dispose(): void {
    this.disposables.dispose();
  }

  /** What belongs to a part of the panel is for its controller. */
  private onMessage(message: ToHost): void {
    const { chat, host } = this.parts;
    if (isOneOf(attachmentCommands, message)) return this.onAttachmentCommand(message);
    if (isOneOf(knowledgeCommands, message)) return this.parts.knowledge.onMessage(message);
    if (isOneOf(modeCommands, message)) return this.explain(this.parts.modes.onMessage(message));
    if (isOneOf(appCommands, message)) return this.parts.apps.onMessage(message);
    if (isOneOf(toldCommands, message)) return this.explain(this.parts.told.onMessage(message));
    if (isOneOf(parameterCommands, message)) return this.parameters.onMessage(message);
    if (isOneOf(contextCommands, message)) return this.explain(this.parts.context.onMessage(message));
    if (isOneOf(navigationCommands, message)) return this.explain(this.navigation.onMessage(message));
    if (isOneOf(changeCommands, message)) return this.explain(this.changes.onMessage(message));
    if (isOneOf(branchCommands, message)) return this.explain(this.changes.onBranchCommand(message));
    switch (message.type) {
      case 'ready':
        return this.showAll(message.position);
      case 'sendMessage':
        this.parts.notices.clear();
        return this.explain(this.box.send(message.text, message.later));
      case 'stopTurn':
        return this.explain(chat.stop());
      case 'sendQueued':
        return this.explain(chat.sendQueued(message.id));
      case 'editQueued':
        return this.box.editQueued(message.id);
      case 'removeQueued':
        chat.removeQueued(message.id);
        return;
      case 'continueAnswer':
        return this.explain(this.continueAnswer(message.id));
      case 'selectModel':
        host.modelPicked(message.modelId);
        chat.selectModel(message.modelId);
        // Also when it was selected already: that the user insists on it is news.
        return this.post({ type: 'modelsChanged', models: this.models() });
      case 'toggleFavourite':
        return this.toggleFavourite(message.modelId);
      case 'loadModels':
        return void this.parts.catalog.load();
      case 'loadEntries':
        return this.explain(this.transcript.load(message));
      case 'changeDraft':
        host.draft = message.text;
        this.explain(this.parts.told.onTyping());
        return;
      case 'applyRemedy':
        return this.explain(
          applyRemedy(message, {
            ...{ chat, host, catalog: this.parts.catalog, apps: this.parts.apps },
            retry: (id) => this.changes.retry(id),
            restore: (id) => this.changes.restore(id),
            edit: (id) => this.changes.onBranchCommand({ type: 'editMessage', id }),
          }),
        );
      case 'answerTool':
        return host.answerTool(message.id, message.decision, message.reason);
      case 'answerNotice':
        return this.parts.notices.answer(message.id, message.action);
      case 'chooseTools':
        return host.chooseTools();
      case 'showProposal':
        return host.showProposal(message.id, message.path);
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
      default:
        return assertNever(message);
    }
  }

  private async continueAnswer(id: string): Promise<void> {
    await this.parts.chat.continueAnswer(id);
  }

  private onAttachmentCommand(command: AttachmentCommand): void {
    const sent = command.type === 'loadPicture' && this.sentImage(command.id);
    if (sent) return this.parts.attachments.showPicture(command.id, sent);
    const text = this.parts.attachments.onMessage(command);
    if (text !== undefined) this.box.add(text);
  }

  private async findPrompts({ requestId, query }: Extract<ToHost, { type: 'findPrompts' }>): Promise<void> {
    this.promptRequest = requestId;
    const options = this.parts.apps.chosen ? [] : await this.parts.prompts.find(query);
    // An answer that comes after that of a later letter would take its place in the page.
    if (requestId !== this.promptRequest) return;
    this.post({ type: 'mentionsFound', requestId, options, isComplete: true });
  }

  /** No click is without an answer: what fails unexpectedly is said in the panel. */
  private explain(action: Promise<unknown>): void {
    action.catch((error: unknown) => {
      const { message } = toSwitchboardError(error);
      void this.parts.notices.show({ severity: 'error', text: message });
    });
  }

  /** The image that a chip of the conversation stands for. */
  private sentImage(chipId: string): Attachment['image'] {
    const sent = this.parts.chat.conversation.all.flatMap((item) =>
      item.type === 'user'
        ? (item.attachments ?? []).map((each, n) => [sentChipId(item.id, n), each] as const)
        : [],
    );
    return sent.find(([id]) => id === chipId)?.[1].image;
  }

  private toggleFavourite(modelId: string): void {
    const { favourites } = this.parts.host;
    this.parts.host.favourites = favourites.includes(modelId)
      ? favourites.filter((id) => id !== modelId)
      : [...favourites, modelId];
    this.post({ type: 'modelsChanged', models: this.models() });
  }

  private onChatChange(change: ChatChange): void {
    this.plan.onChange(change);
    this.parameters.onChange(change);
    this.box.target.onChange(change);
    switch (change.type) {
      case 'chatOpened':
        if (!this.page?.opening) this.showAll();
        return;
      case 'modelSelected':
        this.post({ type: 'modelsChanged', models: this.models() });
        this.parts.apps.show();
        if (!this.parts.attachments.isEmpty) this.parts.attachments.show();
        return;
      case 'appConversationStarted':
        return this.parts.apps.show();
      case 'modeSelected':
      case 'approvalsSelected':
        return this.parts.modes.show();
      case 'parametersChosen':
        return;
      case 'knowledgeChosen':
        // Whether there is anything to search decides on a tool.
        this.toolsChanged();
        return this.parts.knowledge.show();
      case 'messageQueued':
      case 'queuedMessageRemoved':
        return this.showQueue();
      case 'userMessageAdded':
        this.showQueue();
        return this.transcript.onChange(change);
      case 'instructionsRead':
        return this.parts.told.show();
      case 'toolFinished':
        // It brought instruction files with it.
        if (change.outcome.instructions) this.parts.told.show();
        return this.transcript.onChange(change);
      case 'statusChanged':
        this.transcript.onChange(change);
        // Those for the turn wait like the others now.
        if (change.status.type === 'idle' && this.parts.chat.conversation.queue.length > 0) this.showQueue();
        return this.post(change);
      default:
        return this.transcript.onChange(change);
    }
  }

  /** @param wanted an entry that is to be among those that are sent */
  private showAll(wanted?: EntryPlace): void {
    const page = this.page;
    if (!page) return;
    if (page.opening) page.opening.wanted = wanted;
    page.ready = true;
    const app = this.parts.apps.view();
    const { shown: branchTarget } = this.box.target;
    this.post({
      type: 'stateReplaced',
      state: {
        chatId: this.parts.chat.conversation.id,
        ...(page.opening && { isOpening: true }),
        ...this.transcript.begin(wanted),
        draft: this.parts.host.draft,
        attachments: this.parts.attachments.chips(),
        queue: this.queue(),
        notices: this.parts.notices.all,
        knowledge: this.parts.knowledge.state(),
        status: this.parts.chat.status,
        connection: this.parts.host.connection(),
        models: this.models(),
        tools: this.parts.host.toolCount(),
        permissions: this.parts.modes.state(),
        nowMs: Date.now(),
        ...(app && { app }),
        ...(branchTarget && { branchTarget }),
      },
    });
    this.parts.told.begin();
    this.plan.begin();
    this.parameters.begin();
    this.explain(this.parts.context.begin());
    if (this.opensPicker) this.openModelPicker();
    if (this.opensModes) this.openModes();
    this.showFound();
    // Which models there are is asked when the page has all that it shows at first.
    void this.parts.catalog.ensure();
  }

  private showFound(): void {
    const { found, page } = this;
    if (!found || !page?.ready || page.opening) return;
    this.found = undefined;
    this.explain(this.navigation.reveal(found));
  }

  private showQueue(): void {
    this.post({ type: 'queueChanged', queue: this.queue() });
  }

  private queue(): QueuedMessage[] {
    const { conversation, steering } = this.parts.chat;
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

  private models(): Models {
    return toModels(this.parts.catalog.state, {
      apps: this.parts.apps.options(),
      favourites: this.parts.host.favourites,
      recent: this.parts.host.recent,
      callsTools: (id) => this.parts.host.callsTools(id),
      selectedId:
        this.parts.chat.model &&
        (this.parts.catalog.find(this.parts.chat.model)?.id ?? this.parts.chat.model),
      isUnlisted: (id) => this.parts.catalog.isUnlisted(id),
      missingRelay: (id) => this.parts.catalog.missingRelay(id),
      nameOf: (id) => this.nameOf(id),
    });
  }

  private nameOf(modelId: string): string {
    return (
      this.parts.apps.nameOf(modelId) ?? this.parts.catalog.find(modelId)?.name ?? readModelId(modelId).id
    );
  }

  private onAppEvent(message: ToPage): void {
    this.post(message);
    // What an app accepts is known now, or another app is chosen.
    if (message.type === 'appChanged' && !this.parts.attachments.isEmpty) this.parts.attachments.show();
  }

  private post(message: ToPage): void {
    if (this.page?.ready) this.outgoing.push(message);
  }
}
