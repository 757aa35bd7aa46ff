import { DisposableStore, type Disposable } from '../base/disposable.ts';
import { sourcesOf, type AnswerSources } from '../chat/answerSources.ts';
import type { Attachment } from '../chat/attachments/attachment.ts';
import type { ChatChange, ChatController } from '../chat/chatController.ts';
import { EventBatcher } from '../chat/eventBatcher.ts';
import type { ModelCatalog } from '../chat/modelCatalog.ts';
import type { Channel } from '../shared/channel.ts';
import type { ToHost, ToPage } from '../shared/protocol.ts';
import type { Connection, Entry, Location, Models } from '../shared/transcript.ts';
import type { AttachmentDesk } from './attachmentDesk.ts';
import type { KnowledgeDesk } from './knowledgeDesk.ts';
import { toEntry, toEntryEnd, toFailure, toModelOption, toRevertNote, toToolEnd } from './present.ts';
import { toCitable } from './presentSources.ts';

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
  openSettings(): void;
  showLog(): void;
  /** The person's word on a call that asks. */
  answerTool(id: string, decision: 'allow' | 'always' | 'deny', reason: string | undefined): void;
  openLocation(location: Location): void;
  /** Lets the person switch tools of other extensions on and off. */
  chooseTools(): void;
  openLink(href: string): void;
  copyText(text: string): void;
  insertText(text: string): void;
}

/** One frame of a 60 Hz screen: the page is told of new text at most this often. */
const frameMs = 16;
/** How many entries a fresh page gets, and how many more each time it asks. */
const pageSize = 30;

/** The host's half of the panel: orders in, facts out. It works without a page; `attach` gives it one. */
export class PanelController implements Disposable {
  private readonly disposables = new DisposableStore();
  private page: { channel: Channel<ToHost, ToPage>; ready: boolean; firstShown: number } | undefined;
  /** A message waits for what goes with it to be judged again. */
  private isPreparing = false;
  private readonly outgoing = new EventBatcher<ToPage>(frameMs, (message) =>
    this.page?.channel.post(message),
  );

  constructor(
    private readonly chat: ChatController,
    private readonly catalog: ModelCatalog,
    private readonly host: PanelHost,
    private readonly attachments: AttachmentDesk,
    private readonly knowledge: KnowledgeDesk,
  ) {
    this.disposables.add(this.outgoing);
    attachments.listen((message) => this.post(message));
    knowledge.listen((message) => this.post(message));
    this.disposables.add(chat.onDidChange((change) => this.onChatChange(change)));
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

  focusMessageBox(): void {
    this.post({ type: 'messageBoxFocused' });
  }

  dispose(): void {
    this.disposables.dispose();
  }

  private onMessage(message: ToHost): void {
    const { chat, host } = this;
    switch (message.type) {
      case 'ready':
        return this.showAll();
      case 'sendMessage':
        return void this.send(message.text);
      case 'stopTurn':
        return void chat.stop();
      case 'retryTurn':
        return void chat.retry(message.entryId);
      case 'startNewChat':
        return void chat.startNewChat();
      case 'selectModel':
        host.modelPicked(message.modelId);
        return chat.selectModel(message.modelId);
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
        return this.applyRemedy(message);
      case 'answerTool':
        return host.answerTool(message.entryId, message.decision, message.reason);
      case 'chooseTools':
        return host.chooseTools();
      case 'revertEdits':
        return void chat.revertEdits(message.entryId);
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
      case 'unpackAttachment': {
        const text = this.attachments.onOrder(message);
        if (text !== undefined) this.addToDraft(text);
        return;
      }
      case 'chooseKnowledge':
      case 'removeKnowledge':
      case 'openSource':
      case 'addSource':
        return this.knowledge.onOrder(message);
    }
  }

  private async send(text: string): Promise<void> {
    if (this.attachments.isEmpty) return this.submit(text, []);
    if (this.isPreparing) return;
    this.isPreparing = true;
    const attachments = await this.attachments.prepare();
    this.isPreparing = false;
    if (attachments) this.submit(text, attachments);
    // Nothing was sent: what can no longer be sent says so now, and the text is still there.
    else this.post({ type: 'messageHeld' });
  }

  /** The box is only emptied when the message is part of the conversation, so nothing typed can be lost. */
  private submit(text: string, attachments: readonly Attachment[]): void {
    if (!this.chat.submit(text, attachments)) return;
    this.attachments.sent();
    this.host.draft = '';
    this.post({ type: 'draftReplaced', text: '' });
  }

  /** Puts an attached text back where it came from, below what was typed since. */
  private addToDraft(text: string): void {
    const { draft } = this.host;
    this.host.draft = draft ? `${draft}\n${text}` : text;
    this.post({ type: 'draftReplaced', text: this.host.draft });
  }

  private applyRemedy({ remedy, entryId }: ToHost & { type: 'applyRemedy' }): void {
    const { chat, host } = this;
    switch (remedy) {
      case 'retry':
        return void (entryId ? chat.retry(entryId) : this.catalog.load());
      case 'connectRelay':
        return host.connectRelay();
      case 'openRelay':
        return host.openRelaySite();
      case 'newChat':
        return void chat.startNewChat();
      case 'continue':
        return void chat.resume();
      case 'openSettings':
        return host.openSettings();
      case 'showLog':
        return host.showLog();
      case 'selectModel':
        // The page opens its own picker for this one.
        return;
    }
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
        if (!this.attachments.isEmpty) this.attachments.show();
        return;
      case 'statusChanged':
        return this.post(change);
      case 'userSaid':
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
        return this.postCitable();
      case 'editsReverted':
        return this.post({ type: 'editsReverted', entryId: change.id, note: toRevertNote(change.outcome) });
      case 'toolsCalled':
        return this.postAdded(change.calls.length);
      case 'textReplaced':
        return this.post({ type: 'textReplaced', entryId: change.id, text: change.text });
      case 'toolStateChanged':
        return this.post({ type: 'toolStateChanged', entryId: change.id, state: change.state });
      case 'toolFinished':
        return this.post({ type: 'toolEnded', entryId: change.id, end: toToolEnd(change.outcome) });
      case 'textAdded':
      case 'reasoningAdded':
        return this.post({ type: change.type, entryId: change.id, text: change.text });
      case 'answerEnded':
        return this.postEnd(change.id);
      case 'itemsRemoved':
        return this.post({ type: 'entriesRemoved', fromEntryId: change.fromId });
    }
  }

  /** The newest items are new. */
  private postAdded(count: number): void {
    for (const item of this.chat.conversation.all.slice(-count)) {
      this.post({ type: 'entryAdded', entry: this.toEntry(item) });
    }
  }

  private postEnd(id: string): void {
    const item = this.chat.conversation.all.findLast((candidate) => candidate.id === id);
    if (item?.type !== 'answer' || !item.end) return;
    this.post({ type: 'entryEnded', entryId: id, end: toEntryEnd(item.end, item.text, this.sourcesOf(id)) });
  }

  /** The answer was begun before it was known what it may cite. */
  private postCitable(): void {
    const item = this.chat.conversation.all.at(-1);
    if (item?.type !== 'answer') return;
    this.post({ type: 'citableChanged', entryId: item.id, citable: toCitable(this.sourcesOf(item.id)) });
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

  private showAll(): void {
    const page = this.page;
    if (!page) return;
    // What is still held back is part of the conversation that is sent whole.
    this.outgoing.flush();
    page.ready = true;
    const items = this.chat.conversation.all;
    page.firstShown = Math.max(0, items.length - pageSize);
    void this.catalog.ensure();
    this.post({
      type: 'stateReplaced',
      state: {
        entries: items.slice(page.firstShown).map((item) => this.toEntry(item)),
        hasEarlier: page.firstShown > 0,
        draft: this.host.draft,
        attachments: this.attachments.chips(),
        knowledge: this.knowledge.state(),
        status: this.chat.status,
        connection: this.host.connection(),
        models: this.models(),
      },
    });
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
      modelName: (id) => this.catalog.find(id)?.name ?? id,
      sourcesOf: (id) => this.sourcesOf(id),
    });
  }

  private models(): Models {
    const { state, models, error } = this.catalog.state;
    const selectedId = this.chat.model;
    const selected = models.find((model) => model.id === selectedId);
    return {
      state,
      options: models.map(toModelOption),
      favourites: [...this.host.favourites],
      // A model typed by hand need not be listed to be used.
      ...(selectedId && {
        selected: selected ? toModelOption(selected) : { id: selectedId, name: selectedId },
      }),
      ...(error && { failure: toFailure(error) }),
    };
  }

  private post(message: ToPage): void {
    if (this.page?.ready) this.outgoing.push(message);
  }
}
