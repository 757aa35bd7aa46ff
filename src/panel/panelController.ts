import { DisposableStore, type Disposable } from '../base/disposable.ts';
import { toSwitchboardError } from '../base/errors/toSwitchboardError.ts';
import type { AttachmentSource } from '../chat/attachments/attachment.ts';
import type { ChatChange, ChatController } from '../chat/chatController.ts';
import { EventBatcher } from '../chat/store/eventBatcher.ts';
import type { ModelCatalog } from '../chat/models/modelCatalog.ts';
import type { Channel } from '../shared/channel.ts';
import type { PostToPage, ToHost, ToPage } from '../shared/protocol.ts';
import type { AttachmentController } from './attachmentController.ts';
import type { AppController } from './apps/appController.ts';
import { ChangeController } from './changeController.ts';
import { MessageBox } from './messageBox.ts';
import { MessageEdits } from './messages/messageEdits.ts';
import type { KnowledgeController } from './knowledgeController.ts';
import type { ModeController } from './modeController.ts';
import { ModelController } from './modelController.ts';
import { PictureController } from './pictureController.ts';
import { ParameterController } from './parameterController.ts';
import type { PromptController } from './promptController.ts';
import type { PanelNotices } from './panelNotices.ts';
import type { ToldController } from './toldController.ts';
import type { ContextController } from './contextController.ts';
import { StarterController } from './starterController.ts';
import { sentImage } from './present/presentAttachment.ts';
import { applyRemedy } from './remedies.ts';
import { type CommandHandlers, handleCommand } from './commandHandlers.ts';
import type { PanelHost } from './panelHost.ts';
import { type FoundPlace, NavigationController } from './navigationController.ts';
import { ShownPlan } from './present/shownPlan.ts';
import { ShownTranscript } from './present/shownTranscript.ts';

/** Content of the panel and receivers of its commands. The panel disposes of none of them. */
export interface PanelParts {
  readonly chat: ChatController;
  readonly catalog: ModelCatalog;
  readonly host: PanelHost;
  readonly attachments: AttachmentController;
  readonly editedAttachments: AttachmentController;
  readonly knowledge: KnowledgeController;
  readonly apps: AppController;
  readonly notices: PanelNotices;
  readonly modes: ModeController;
  readonly told: ToldController;
  readonly prompts: PromptController;
  readonly context: ContextController;
}

const frameMs = 16;

interface Page {
  channel: Channel<ToHost, ToPage>;
  ready: boolean;
  /** Set while the conversation is read: the entry the page wants, and commands to run afterwards. */
  opening?: { wanted?: EntryPlace | undefined; commands: ToHost[] };
}

interface EntryPlace {
  chatId: string;
  id: string;
}

const neededAtOnce = new Set<ToHost['type']>(['ready', 'changeDraft']);

/** The panel's host side: commands in, events out. It works without a page until `attach`. */
export class PanelController implements Disposable {
  private readonly disposables = new DisposableStore();
  private page: Page | undefined;
  private opensPicker = false;
  private opensModes = false;
  private found: FoundPlace | undefined;
  private promptRequest = 0;
  private readonly transcript: ShownTranscript;
  private readonly navigation: NavigationController;
  private readonly box: MessageBox;
  private readonly edits: MessageEdits;
  private readonly models: ModelController;
  private readonly changes: ChangeController;
  private readonly plan: ShownPlan;
  private readonly parameters: ParameterController;
  private readonly starters: StarterController;
  private readonly pictures: PictureController;
  private readonly commands: CommandHandlers<ToHost>;
  private readonly outgoing = new EventBatcher<ToPage>(frameMs, (message) =>
    this.page?.channel.post(message),
  );

  constructor(private readonly parts: PanelParts) {
    const { chat, catalog, host, attachments, editedAttachments, knowledge } = parts;
    const { apps, notices, modes, told, prompts, context } = parts;
    this.disposables.add(this.outgoing);
    const post: PostToPage = (message) => this.post(message);
    this.models = new ModelController(parts, post);
    this.transcript = new ShownTranscript({
      chat,
      post,
      replaceAll: () => this.showAll(),
      nameOf: (modelId) => this.models.nameOf(modelId),
      questionOf: (callId) => host.questionOf(callId),
    });
    const sending = {
      ...{ chat, catalog, memory: host.memory, apps, prompts, post },
      chooseModel: () => this.openModelPicker(),
      leaveVersion: (id: string) => this.changes.leave(id),
      explain: (action: Promise<unknown>) => this.explain(action),
    };
    this.box = new MessageBox({ ...sending, attachments, told });
    this.edits = new MessageEdits({ ...sending, attachments: editedAttachments });
    this.changes = new ChangeController(chat, host, apps, this.box, this.edits, notices, post);
    this.plan = new ShownPlan(chat, post);
    this.starters = this.disposables.add(new StarterController(chat, host, post));
    this.parameters = new ParameterController(
      chat,
      {
        defaultParameters: () => host.defaultParameters(),
        refusedParameters: (id) => host.refusedParameters(id),
        nameOf: (id) => this.models.nameOf(id),
      },
      post,
    );
    this.navigation = new NavigationController(chat, post);
    this.pictures = new PictureController(chat, host, post);
    this.commands = {
      ...inEachBox(attachments.commands, editedAttachments.commands, (box) => this.edits.isShown(box)),
      ...knowledge.commands,
      ...modes.commands,
      ...apps.commands,
      ...told.commands,
      ...this.models.commands,
      ...this.box.commands,
      ...this.parameters.commands,
      ...this.starters.commands,
      ...context.commands,
      ...this.pictures.commands,
      ...this.navigation.commands,
      ...this.changes.commands,
      ...this.ownCommands(),
    };
    attachments.listen(post);
    knowledge.listen(post);
    modes.listen(post, (text, sends) => this.box.say(text, sends));
    told.listen(post);
    context.listen(post);
    apps.listen((message) => this.onAppEvent(message));
    this.disposables.add(
      notices.onDidChange(() => this.post({ type: 'noticesChanged', notices: notices.all })),
    );
    this.disposables.add(chat.onDidChange((change) => this.onChatChange(change)));
    this.disposables.add(apps.onDidChangeApps(() => this.models.show()));
    this.disposables.add(
      catalog.onDidChange(() => {
        this.models.show();
        this.showAttachments();
      }),
    );
  }

  /** Sends nothing before the page's `ready`. `opening` ends when the conversation was read; the page shows before. */
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
        if (this.page !== page) return;
        this.page = undefined;
        this.parts.knowledge.pageClosed();
        this.starters.end();
        this.parts.host.setQuestionFocused(false);
      },
    };
  }

  private opened(page: Page): void {
    const { wanted, commands = [] } = page.opening ?? {};
    delete page.opening;
    if (this.page === page && page.ready) this.showAll(wanted);
    for (const command of commands) this.onMessage(command);
  }

  connectionChanged(): void {
    this.post({ type: 'connectionChanged', connection: this.parts.host.connection() });
  }

  toolsChanged(): void {
    this.post({ type: 'toolsChanged', tools: this.parts.host.toolCount() });
  }

  focusMessageBox(): void {
    this.post({ type: 'messageBoxFocused' });
  }

  openModelPicker(): void {
    this.opensPicker = !this.page?.ready;
    this.post({ type: 'modelPickerOpened' });
  }

  openModes(): void {
    this.opensModes = !this.page?.ready;
    this.post({ type: 'modesOpened' });
  }

  reveal(place: FoundPlace): void {
    this.found = place;
    this.showFound();
  }

  async ask(...request: Parameters<MessageBox['ask']>): Promise<boolean> {
    this.parts.notices.clear();
    const asking = this.box.ask(...request);
    this.explain(asking);
    return asking.catch(() => false);
  }

  addUnsent(text: string, sources: readonly AttachmentSource[]): void {
    this.parts.attachments.add(sources);
    if (text) this.box.add(text);
    this.focusMessageBox();
  }

  dispose(): void {
    this.disposables.dispose();
  }

  private ownCommands() {
    const { chat, catalog, host, attachments, editedAttachments, notices, told } = this.parts;
    return {
      ready: ({ position }) => this.showAll(position),
      sendMessage: ({ text, later, box }) => {
        notices.clear();
        return box === undefined ? this.box.send(text, later) : this.edits.send(box, text);
      },
      stopTurn: () => chat.shown.stop(),
      continueAnswer: ({ id }) => chat.shown.continueAnswer(id),
      loadEntries: (command) => this.transcript.load(command),
      changeDraft: ({ text, box }) => {
        if (box !== undefined) return this.edits.change(box, text);
        host.memory.draft = text;
        return told.onTyping();
      },
      applyRemedy: (command) =>
        applyRemedy(command, { ...{ chat, host, catalog }, apps: this.parts.apps, changes: this.changes }),
      answerTool: ({ id, decision, reason }) => host.answerTool(id, decision, reason),
      questionFocused: ({ hasFocus }) => host.setQuestionFocused(hasFocus),
      unfoldTool: ({ id }) => {
        host.unfoldTool(id);
        this.transcript.postChanged(id);
      },
      showTerminal: ({ id }) => host.showTerminal(id),
      answerNotice: ({ id, action }) => notices.answer(id, action),
      chooseTools: () => host.chooseTools(),
      trustWorkspace: () => host.trustWorkspace(),
      showProposal: ({ id, path }) => host.showProposal(id, path),
      openLocation: ({ location }) => host.openLocation(location),
      openLink: ({ href }) => host.openLink(href),
      copyText: ({ text }) => host.copyText(text),
      insertText: ({ text }) => host.insertText(text),
      useCode: (use) => host.useCode(use),
      findPaths: async ({ paths }) => this.post({ type: 'pathsFound', ...(await host.findPaths(paths)) }),
      findPrompts: (command) => this.findPrompts(command),
      loadPicture: ({ id }) => {
        const image =
          sentImage(chat.shown.conversation.all, id) ??
          attachments.imageOf(id) ??
          editedAttachments.imageOf(id);
        if (image) attachments.showPicture(id, image);
      },
      unpackAttachment: ({ id, box }) => {
        if (box !== undefined) return this.edits.unpack(box, id);
        const text = attachments.takeText(id);
        if (text !== undefined) this.box.add(text);
      },
    } satisfies Partial<CommandHandlers<ToHost>>;
  }

  private onMessage(message: ToHost): void {
    this.explain(handleCommand(this.commands, message));
  }

  private async findPrompts({ requestId, query }: Extract<ToHost, { type: 'findPrompts' }>): Promise<void> {
    this.promptRequest = requestId;
    const options = this.parts.apps.chosen ? [] : await this.parts.prompts.find(query);
    // A late answer must not replace that of a newer query.
    if (requestId !== this.promptRequest) return;
    this.post({ type: 'mentionsFound', requestId, options, isComplete: true });
  }

  /** Shows unexpected failures in the panel, so no click goes unanswered. */
  private explain(action: Promise<unknown>): void {
    action.catch((error: unknown) => {
      const { message } = toSwitchboardError(error);
      void this.parts.notices.show({ severity: 'error', text: message });
    });
  }

  private onChatChange(change: ChatChange): void {
    this.tellChange(change);
    if (this.page?.opening) return;
    // After the entries, among which the edited message has its place.
    this.edits.onChange(change);
    if (this.page?.ready) this.starters.onChange(change);
  }

  private tellChange(change: ChatChange): void {
    this.plan.onChange(change);
    this.parameters.onChange(change);
    this.box.target.onChange(change);
    switch (change.type) {
      case 'chatOpened':
        if (!this.page?.opening) this.showAll();
        return;
      case 'modelSelected':
        this.models.show();
        this.parts.apps.show();
        return this.showAttachments();
      case 'appConversationStarted':
      case 'appInputsKnown':
        return this.parts.apps.show();
      case 'modeSelected':
      case 'approvalsSelected':
      case 'grantsChanged':
      case 'parametersChosen':
        return;
      case 'knowledgeChosen':
        // The knowledge tool is offered only if there is something to search.
        this.toolsChanged();
        return this.parts.knowledge.show();
      case 'messageQueued':
      case 'queuedMessageRemoved':
        return this.box.showQueue();
      case 'userMessageAdded':
        this.box.showQueue();
        return this.transcript.onChange(change);
      case 'instructionsRead':
        return this.parts.told.show();
      case 'toolFinished':
        // Reading files can add instruction files.
        if (change.outcome.instructions) this.parts.told.show();
        return this.transcript.onChange(change);
      case 'statusChanged':
        this.transcript.onChange(change);
        // Messages meant for the running turn are ordinary queued messages now.
        if (change.status.type === 'idle' && this.parts.chat.shown.conversation.queue.length > 0)
          this.box.showQueue();
        return this.post(change);
      default:
        return this.transcript.onChange(change);
    }
  }

  /** @param wanted an entry that must be among the sent ones */
  private showAll(wanted?: EntryPlace): void {
    const page = this.page;
    if (!page) return;
    if (page.opening) page.opening.wanted = wanted;
    page.ready = true;
    const app = this.parts.apps.view();
    const { shown: branchTarget } = this.box.target;
    const edit = page.opening ? undefined : this.edits.state();
    this.post({
      type: 'stateReplaced',
      state: {
        chatId: this.parts.chat.shown.conversation.id,
        ...(page.opening && { isOpening: true }),
        ...this.transcript.begin(wanted),
        draft: this.parts.host.memory.draft,
        attachments: this.parts.attachments.chips(),
        queue: this.box.queue(),
        notices: this.parts.notices.all,
        knowledge: this.parts.knowledge.state(),
        status: this.parts.chat.shown.status,
        connection: this.parts.host.connection(),
        models: this.models.state(),
        tools: this.parts.host.toolCount(),
        permissions: this.parts.modes.state(),
        nowMs: Date.now(),
        ...(app && { app }),
        ...(branchTarget && { branchTarget }),
        ...(edit && { edit }),
        ...this.starters.state(),
      },
    });
    this.parts.apps.showForm();
    this.parts.told.begin();
    this.plan.begin();
    this.parameters.begin();
    this.explain(this.parts.context.begin());
    if (!page.opening) this.starters.begin();
    if (this.opensPicker) this.openModelPicker();
    if (this.opensModes) this.openModes();
    this.showFound();
    // Models are requested only after the page has its first state.
    void this.parts.catalog.ensure();
  }

  private showFound(): void {
    const { found, page } = this;
    if (!found || !page?.ready || page.opening) return;
    this.found = undefined;
    this.explain(this.navigation.reveal(found));
  }

  private onAppEvent(message: ToPage): void {
    this.post(message);
    // The chosen app, or its file rules, may have changed.
    if (message.type === 'appChanged') this.showAttachments();
  }

  private showAttachments(): void {
    const { attachments, editedAttachments } = this.parts;
    for (const each of [attachments, editedAttachments]) if (!each.isEmpty) each.show();
  }

  post(message: ToPage): void {
    if (this.page?.ready) this.outgoing.push(message);
  }
}

type AttachmentHandlers = AttachmentController['commands'];
type AttachmentCommand = Parameters<AttachmentHandlers[keyof AttachmentHandlers]>[0];

function inEachBox(
  inBox: AttachmentHandlers,
  inEdit: AttachmentHandlers,
  isEdited: (box: string) => boolean,
): AttachmentHandlers {
  const handle = async (command: AttachmentCommand) => {
    const { box } = command;
    if (box === undefined || isEdited(box)) await handleCommand(box === undefined ? inBox : inEdit, command);
  };
  return Object.fromEntries(Object.keys(inBox).map((type) => [type, handle])) as AttachmentHandlers;
}
