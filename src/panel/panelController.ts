import { DisposableStore, type Disposable } from '../base/disposable.ts';
import { sourcesOf, type AnswerSources } from '../chat/grounding/answerSources.ts';
import type { FilledForm } from '../apps/appForm.ts';
import type { Attachment } from '../chat/attachments/attachment.ts';
import type { ChatChange, ChatController } from '../chat/chatController.ts';
import type { AnswerItem, RequestUsage } from '../chat/conversation.ts';
import { EventBatcher } from '../chat/eventBatcher.ts';
import { usageOfTurn } from '../chat/turnUsage.ts';
import type { ModelCatalog } from '../chat/modelCatalog.ts';
import type { Question } from '../chat/calls/toolBox.ts';
import type { Channel } from '../shared/channel.ts';
import type { QueuedMessage, ToHost, ToPage } from '../shared/protocol.ts';
import type { Connection, Entry, Location, Models, ToolCount } from '../shared/transcript.ts';
import type { AttachmentController } from './attachmentController.ts';
import type { ChatAppDesk } from './chatAppDesk.ts';
import type { KnowledgeController } from './knowledgeController.ts';
import type { PanelNotices } from './panelNotices.ts';
import { toEntry, toEntryEnd } from './present.ts';
import { toAnswerApp } from './presentApp.ts';
import { toModels } from './presentModels.ts';
import { sentChipId } from './presentAttachment.ts';
import { toCitable } from './presentSources.ts';
import { applyRemedy } from './remedies.ts';

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
  showProposal(callId: string): void;
  /** Shows a file against what it was before. */
  showChange(change: { path: string; before: string | undefined }): void;
  openLocation(location: Location): void;
  /** Lets the user switch tools of other extensions on and off. */
  chooseTools(): void;
  toolCount(): ToolCount;
  openLink(href: string): void;
  copyText(text: string): void;
  insertText(text: string): void;
}

/** One frame of a 60 Hz screen: the page is told of new text at most this often. */
const frameMs = 16;
/** How many entries a fresh page gets, and how many more each time it asks. */
const pageSize = 30;
/** A branch with more entries is shown like another conversation: its newest entries first. */
const mostReplaced = 2 * pageSize;
/** How many more a page gets that had scrolled up before it was hidden. */
const mostRestored = 300;

/** The host's half of the panel: orders in, facts out. It works without a page; `attach` gives it one. */
export class PanelController implements Disposable {
  private readonly disposables = new DisposableStore();
  private page: { channel: Channel<ToHost, ToPage>; ready: boolean; firstShown: number } | undefined;
  /** The page is to open the picker as soon as there is one. */
  private opensPicker = false;
  /** A message waits for what goes with it to be judged again. */
  private isPreparing = false;
  private readonly outgoing = new EventBatcher<ToPage>(frameMs, (message) =>
    this.page?.channel.post(message),
  );

  constructor(
    private readonly chat: ChatController,
    private readonly catalog: ModelCatalog,
    private readonly host: PanelHost,
    private readonly attachments: AttachmentController,
    private readonly knowledge: KnowledgeController,
    private readonly apps: ChatAppDesk,
    private readonly notices: PanelNotices,
  ) {
    this.disposables.add(this.outgoing);
    attachments.listen((message) => this.post(message));
    knowledge.listen((message) => this.post(message));
    apps.listen((message) => this.onAppFact(message));
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
    const page = { channel, ready: false, firstShown: 0 };
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
        return void this.send(message.text);
      case 'stopTurn':
        return void chat.stop();
      case 'sendQueued':
        return void chat.sendQueued(message.id);
      case 'editQueued':
        return this.editQueued(message.id);
      case 'removeQueued':
        chat.removeQueued(message.id);
        return;
      case 'retryTurn':
        return void this.retry(message.entryId);
      case 'continueAnswer':
        return void chat.continueAnswer(message.entryId);
      case 'chooseVersion':
        return chat.chooseVersion(message.entryId, message.direction);
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
        return this.showEarlier();
      case 'changeDraft':
        host.draft = message.text;
        return;
      case 'applyRemedy':
        return applyRemedy(message, {
          ...{ chat, host, catalog: this.catalog, apps: this.apps },
          retry: (entryId) => this.retry(entryId),
        });
      case 'answerTool':
        return host.answerTool(message.entryId, message.decision, message.reason);
      case 'answerNotice':
        return this.notices.answer(message.id, message.action);
      case 'chooseTools':
        return host.chooseTools();
      case 'revertEdits':
        return void chat.revertEdits(message.entryId, message.path);
      case 'showProposal':
        return host.showProposal(message.entryId);
      case 'showChange':
        return this.showChange(message.entryId, message.path);
      case 'openLocation':
        return host.openLocation(message.location);
      case 'openLink':
        return host.openLink(message.href);
      case 'copyText':
        return host.copyText(message.text);
      case 'insertText':
        return host.insertText(message.text);
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

  private showChange(entryId: string, path: string): void {
    const item = this.chat.conversation.all.find(({ id }) => id === entryId);
    const edit = item?.type === 'edits' ? item.edits.find((each) => each.path === path) : undefined;
    if (edit) this.host.showChange({ path, before: edit.before });
  }

  private async send(text: string): Promise<void> {
    const { model } = this.chat;
    if (model === undefined || this.catalog.isUnlisted(model)) {
      this.post({ type: 'messageHeld' });
      return this.openModelPicker();
    }
    if (this.attachments.isEmpty && !this.apps.chosen) return this.submit(text, []);
    if (this.isPreparing) return;
    this.isPreparing = true;
    const { conversation } = this.chat;
    const attachments = this.attachments.isEmpty ? [] : await this.attachments.prepare();
    const form = attachments && (await this.apps.prepare());
    this.isPreparing = false;
    if (attachments && form && this.chat.conversation === conversation) {
      this.submit(text, attachments, form.inputs);
    }
    // Nothing was sent: what can no longer be sent says so now, and the text is still there.
    else this.post({ type: 'messageHeld' });
  }

  /** The box is only emptied when the message is part of the conversation or of its queue, so nothing typed can be lost. */
  private submit(text: string, attachments: readonly Attachment[], inputs?: FilledForm): void {
    const { chat } = this;
    const isTaken = chat.isRunning
      ? chat.enqueue({ text, attachments, sources: this.attachments.sources })
      : chat.submit(text, attachments, inputs) !== undefined;
    if (!isTaken) return;
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
  private async retry(entryId: string): Promise<void> {
    const form = await this.apps.prepare();
    if (form) void this.chat.retry(entryId, form.inputs);
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
      case 'stepChanged':
        return this.post({ type: 'stepChanged', entryId: change.id, step: change.step });
      case 'segmentsFound':
        return this.postCitable(change.id);
      case 'answerNamed':
      case 'fileOutput':
      case 'questionsSuggested':
      case 'answerRated':
        return this.postAnswerApp(change.id);
      case 'statusChanged':
        if (change.status.type === 'idle' || change.status.type === 'connecting') this.postEndAtCalls();
        return this.post(change);
      case 'answerContinued':
        return this.post({ type: 'entryContinued', entryId: change.id });
      case 'messageQueued':
      case 'queuedMessageRemoved':
        return this.post({ type: 'queueChanged', queue: this.queue() });
      case 'userMessageAdded':
        this.post({ type: 'queueChanged', queue: this.queue() });
        return this.postAdded(1);
      case 'answerStarted':
      case 'editsMade':
        return this.postAdded(1);
      case 'noticed':
      case 'turnsSummarised':
        return this.postPlaced(change.id);
      case 'knowledgeChosen':
        return this.knowledge.show();
      case 'knowledgeSearched':
        this.postPlaced(change.id);
        return this.postCitable(this.chat.conversation.all.at(-1)?.id);
      case 'editsReverted':
      case 'toolStateChanged':
      case 'toolFinished':
        return this.postChanged(change.id);
      case 'toolsCalled':
        return this.postAdded(change.calls.length);
      case 'textReplaced':
        return this.post({ type: 'textReplaced', entryId: change.id, text: change.text });
      case 'textAdded':
      case 'reasoningAdded':
        return this.post({ type: change.type, entryId: change.id, text: change.text });
      case 'answerEnded':
        return this.postEnd(change.id);
      case 'itemsRemoved':
      case 'versionStarted':
        return this.postAfter(this.chat.conversation.all.length);
      case 'versionChosen':
        return this.postVersion(change.id);
    }
  }

  /** The newest items are new. */
  private postAdded(count: number): void {
    for (const item of this.chat.conversation.all.slice(-count)) {
      this.post({ type: 'entryAdded', entry: this.toEntry(item) });
    }
  }

  /** What the page shows from here on is another way now. */
  private postAfter(from: number): void {
    const { page } = this;
    if (!page) return;
    const { all } = this.chat.conversation;
    if (from < page.firstShown || all.length - from > mostReplaced) return this.showAll();
    const before = all[from - 1]?.id;
    const entries = all.slice(from).map((item) => this.toEntry(item));
    this.post({ type: 'entriesReplaced', ...(before && { afterEntryId: before }), entries });
  }

  /** What stands above something said, such as a search for it, belongs to its version. */
  private postVersion(id: string): void {
    const { all } = this.chat.conversation;
    const at = all.findIndex((item) => item.id === id);
    const before = all.findLastIndex(
      ({ type }, index) => index < at && (type === 'user' || type === 'answer'),
    );
    this.postAfter(before + 1);
  }

  private postChanged(id: string): void {
    const item = this.chat.conversation.all.findLast((candidate) => candidate.id === id);
    const entry = item && this.toEntry(item);
    if (entry?.type === 'tool' || entry?.type === 'edits') this.post({ type: 'entryChanged', entry });
  }

  private postEnd(id: string): void {
    const item = this.answer(id);
    if (!item?.end) return;
    const surroundings = { sources: this.sourcesOf(id), requests: this.requestsOf(item) };
    this.post({ type: 'entryEnded', entryId: id, end: toEntryEnd(item, item.end, surroundings) });
  }

  /** The answer was begun before it was known what it may cite. */
  private postCitable(id: string | undefined): void {
    if (id === undefined || !this.answer(id)) return;
    this.post({ type: 'citableChanged', entryId: id, citable: toCitable(this.sourcesOf(id)) });
  }

  private postAnswerApp(id: string): void {
    const app = this.answer(id)?.app;
    if (app) this.post({ type: 'answerAppChanged', entryId: id, app: toAnswerApp(app) });
  }

  private answer(id: string): AnswerItem | undefined {
    const item = this.chat.conversation.all.findLast((candidate) => candidate.id === id);
    return item?.type === 'answer' ? item : undefined;
  }

  /** While a turn runs, it is not known yet which answer is its last, unless that has ended in no calls. */
  private requestsOf({ id, end }: AnswerItem): RequestUsage[] | undefined {
    if (end?.reason === 'called' && this.chat.status.type !== 'idle') return undefined;
    return usageOfTurn(this.chat.conversation.all, id);
  }

  /** A turn can also end, and go on, at calls: the answer that made them has its figures only in between. */
  private postEndAtCalls(): void {
    const last = this.chat.conversation.all.findLast(({ type }) => type === 'answer' || type === 'user');
    if (last?.type === 'answer' && last.end?.reason === 'called') this.postEnd(last.id);
  }

  private sourcesOf(answerId: string): AnswerSources {
    return sourcesOf(this.chat.conversation.all, answerId);
  }

  /** An item that has its place among others, which the page may not show yet. */
  private postPlaced(id: string): void {
    const { all } = this.chat.conversation;
    const index = all.findLastIndex((item) => item.id === id);
    const item = all[index];
    if (!item || !this.page) return;
    if (index < this.page.firstShown) {
      this.page.firstShown++;
      return;
    }
    const next = all[index + 1]?.id;
    this.post({ type: 'entryAdded', entry: this.toEntry(item), ...(next && { beforeEntryId: next }) });
  }

  /** @param wanted an entry that is to be among those that are sent */
  private showAll(wanted?: { chatId: string; entryId: string }): void {
    const page = this.page;
    if (!page) return;
    // What is still held back is part of the conversation that is sent whole.
    this.outgoing.flush();
    page.ready = true;
    const items = this.chat.conversation.all;
    const isSame = wanted?.chatId === this.chat.conversation.id;
    const index = isSame ? items.findIndex(({ id }) => id === wanted.entryId) : -1;
    const newest = Math.max(0, items.length - pageSize);
    // One that lies very far up is looked for by scrolling.
    page.firstShown = index >= 0 && index >= newest - mostRestored ? Math.min(index, newest) : newest;
    void this.catalog.ensure();
    const app = this.apps.view();
    this.post({
      type: 'stateReplaced',
      state: {
        chatId: this.chat.conversation.id,
        entries: items.slice(page.firstShown).map((item) => this.toEntry(item)),
        hasEarlier: page.firstShown > 0,
        draft: this.host.draft,
        attachments: this.attachments.chips(),
        queue: this.queue(),
        notices: this.notices.all,
        knowledge: this.knowledge.state(),
        status: this.chat.status,
        connection: this.host.connection(),
        models: this.models(),
        tools: this.host.toolCount(),
        nowMs: Date.now(),
        ...(app && { app }),
      },
    });
    if (this.opensPicker) this.openModelPicker();
  }

  private showEarlier(): void {
    const page = this.page;
    if (!page || page.firstShown === 0) return;
    const from = Math.max(0, page.firstShown - pageSize);
    const entries = this.chat.conversation.all.slice(from, page.firstShown).map((item) => this.toEntry(item));
    page.firstShown = from;
    this.post({ type: 'earlierEntriesAdded', entries, hasEarlier: from > 0 });
  }

  private toEntry(item: Parameters<typeof toEntry>[0]): Entry {
    return toEntry(item, {
      modelName: (id) => this.nameOf(id),
      sourcesOf: (id) => this.sourcesOf(id),
      requestsOf: (answer) => this.requestsOf(answer),
      versionOf: (id) => this.chat.conversation.versionOf(id),
      questionOf: (id) => this.host.questionOf(id),
    });
  }

  private queue(): QueuedMessage[] {
    return this.chat.conversation.queue.map(({ id, text, attachments = [] }) => ({
      ...{ id, text, attachments: attachments.length },
    }));
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

  private onAppFact(message: ToPage): void {
    this.post(message);
    // What an app takes is known now, or another app is chosen.
    if (message.type === 'appChanged' && !this.attachments.isEmpty) this.attachments.show();
  }

  private post(message: ToPage): void {
    if (this.page?.ready) this.outgoing.push(message);
  }
}
