import type { Disposable } from '../base/disposable.ts';
import { Emitter } from '../base/emitter.ts';
import type { StreamModel } from '../relay/messages.ts';
import { EditJournal, type RevertOutcome } from '../tools/editJournal.ts';
import type { SearchSegments } from '../tools/knowledge/searchBases.ts';
import type { KnowledgeBase } from '../tools/knowledge/source.ts';
import type { ChatTurn } from './answerQuestion.ts';
import type { Attachment } from './attachments/attachment.ts';
import type { ChatStore } from './chatStore.ts';
import { ContextKnowledge } from './contextKnowledge.ts';
import type { ModelLimits, WindowMemory } from './contextWindows.ts';
import { Conversation } from './conversation.ts';
import type { AnswerEnd, ChatEvent, ChatStatus } from './events.ts';
import { failedEnd } from './failedEnd.ts';
import type { RequestOptions } from './modelAsker.ts';
import type { ResultForm } from './promptDraft.ts';
import type { ToolBox, ToolState, TurnParts } from './toolBox.ts';

/** The settings of a request, read anew for every turn. */
export interface ChatOptions extends RequestOptions {
  /** How often a model may call tools before the person is asked. */
  maxToolRounds: number;
}

export interface ChatDependencies {
  store: ChatStore;
  /** The relay to ask; throws a `SwitchboardError` when none is connected. */
  relay(): Promise<StreamModel>;
  options(): ChatOptions;
  /** What settings and the relay's list say of a model. */
  modelLimits(modelId: string): ModelLimits & { toolCalling?: boolean };
  /** Windows that the relay in use named in refusals. */
  windows: WindowMemory;
  /** The tools of a turn; loaded when the first turn begins. */
  tools(turn: TurnParts): Promise<ToolBox>;
  /** Searches knowledge bases of the connected platform. */
  searchSegments: SearchSegments;
  /** Takes edits back where the files are still as they were left. */
  revertEdits(journal: EditJournal): Promise<RevertOutcome>;
  /** The model a chat uses that has none of its own yet. */
  defaultModel(): string | undefined;
  newId(): string;
  now(): number;
}

/** What a model reads of a call that was running when the editor went away. */
const interrupted = 'The editor was closed before this call had a result.';

export type ChatChange =
  | ChatEvent
  | { type: 'statusChanged'; status: ChatStatus }
  | { type: 'toolStateChanged'; id: string; state: ToolState }
  | { type: 'chatOpened'; chatId: string };

/**
 * The one open chat. Every change goes through `record`, which applies it, keeps it, and tells the listeners.
 * One turn runs at a time; a second is refused by `submit` returning undefined.
 */
export class ChatController implements Disposable {
  private readonly changes = new Emitter<ChatChange>();
  readonly onDidChange = this.changes.event;

  private open: Conversation;
  private turn: { abort: AbortController; ended: Promise<AnswerEnd> } | undefined;
  private currentStatus: ChatStatus = { type: 'idle' };
  private disposed = false;
  /** Learnt from refusals; a model that cannot have tools is not offered them again. */
  private readonly refusesTools = new Set<string>();
  private readonly knowledge: ContextKnowledge;
  /** Results of the open chat that the last request had shortened. */
  private shortened = new Map<string, ResultForm>();

  constructor(private readonly deps: ChatDependencies) {
    this.open = new Conversation(deps.newId());
    this.knowledge = new ContextKnowledge((modelId) => deps.modelLimits(modelId), deps.windows);
  }

  get conversation(): Conversation {
    return this.open;
  }

  get status(): ChatStatus {
    return this.currentStatus;
  }

  /** The model the next message goes to. */
  get model(): string | undefined {
    return this.open.model ?? this.deps.defaultModel();
  }

  /** Opens a kept chat; an answer that was coming when the editor went away is marked as interrupted. */
  async openChat(chatId: string): Promise<boolean> {
    const events = await this.deps.store.load(chatId);
    if (!events) return false;
    await this.stop();
    this.open = new Conversation(chatId, events);
    this.shortened = new Map();
    for (const item of this.open.unended) {
      const { id } = item;
      if (item.type === 'answer') this.record({ type: 'answerEnded', id, end: { reason: 'interrupted' } });
      else
        this.record({
          type: 'toolFinished',
          id,
          outcome: { state: 'stopped', content: interrupted, durationMs: 0 },
        });
    }
    this.changes.fire({ type: 'chatOpened', chatId });
    return true;
  }

  async startNewChat(): Promise<string> {
    await this.stop();
    this.open = new Conversation(this.deps.newId());
    this.shortened = new Map();
    this.changes.fire({ type: 'chatOpened', chatId: this.open.id });
    return this.open.id;
  }

  selectModel(modelId: string): void {
    if (modelId !== this.open.model) this.record({ type: 'modelSelected', modelId });
  }

  /** Grounds the answers to come in these knowledge bases, or in none. */
  chooseKnowledge(bases: readonly KnowledgeBase[]): void {
    this.record({ type: 'knowledgeChosen', bases: bases.map(({ id, name }) => ({ id, name })) });
  }

  /** Adds the person's message and runs the turn. Resolves when it ended; undefined when it could not start. */
  submit(text: string, attachments: readonly Attachment[] = []): Promise<AnswerEnd> | undefined {
    // What goes with it can be a message by itself, if anything of it is left.
    const saysSomething = text.trim() !== '' || attachments.some(({ refusal }) => !refusal);
    if (this.turn || !saysSomething || !this.model) return undefined;
    const said = attachments.length > 0 ? { text, attachments: [...attachments] } : { text };
    this.record({ type: 'userSaid', id: this.deps.newId(), ...said });
    return this.run();
  }

  /**
   * Asks again. A failed answer that came after tools had run is replaced alone, so their results stay; any other
   * is taken back with all of its turn, since a model's choice of tools is part of the answer.
   */
  retry(itemId: string): Promise<AnswerEnd> | undefined {
    const items = this.open.all;
    const index = items.findIndex((candidate) => candidate.id === itemId);
    const item = items[index];
    if (this.turn || item?.type !== 'answer' || !this.model) return undefined;
    const start = items.findLastIndex((candidate, at) => at < index && candidate.type === 'user') + 1;
    const from = item.end?.reason === 'failed' ? item : items[start];
    if (from) this.takeBack(from.id);
    return this.run();
  }

  /** Goes on after a limit ended the turn. */
  resume(): Promise<AnswerEnd> | undefined {
    return this.turn || !this.model || this.open.all.length === 0 ? undefined : this.run();
  }

  /** Takes a turn's edits back together; files that somebody changed since stay, and are named. */
  async revertEdits(itemId: string): Promise<RevertOutcome | undefined> {
    const chat = this.open;
    const item = chat.all.find((candidate) => candidate.id === itemId);
    if (this.turn || item?.type !== 'edits') return undefined;
    const outcome = await this.deps.revertEdits(new EditJournal([...item.edits]));
    // Another chat may have been opened meanwhile, whose file this is no part of.
    if (this.open === chat) this.record({ type: 'editsReverted', id: itemId, outcome });
    return outcome;
  }

  /** Stops the running turn, if any, and resolves when its end is recorded. */
  async stop(): Promise<void> {
    this.turn?.abort.abort();
    await this.turn?.ended;
  }

  /** The window goes away: the socket is closed, and the answer stays without an end so that it is found interrupted. */
  dispose(): void {
    this.disposed = true;
    this.turn?.abort.abort();
  }

  private run(): Promise<AnswerEnd> {
    this.setStatus({ type: 'connecting' });
    const abort = new AbortController();
    const journal = new EditJournal();
    const ended = this.answer(journal, abort.signal).finally(() => {
      this.recordEdits(journal);
      this.turn = undefined;
      this.setStatus({ type: 'idle' });
    });
    this.turn = { abort, ended };
    return ended;
  }

  /** Removes items from one on. The files that tools changed stay changed, so what can revert them stays too. */
  private takeBack(fromId: string): void {
    const { all } = this.open;
    const removed = all.slice(all.findIndex(({ id }) => id === fromId));
    this.record({ type: 'itemsRemoved', fromId });
    for (const item of removed) {
      if (item.type === 'edits' && !item.outcome)
        this.record({ type: 'editsMade', id: item.id, edits: item.edits });
    }
  }

  private async answer(journal: EditJournal, signal: AbortSignal): Promise<AnswerEnd> {
    const { deps } = this;
    const status = () => this.currentStatus;
    const model = this.model ?? '';
    const isKnownToRefuse = deps.modelLimits(model).toolCalling === false;
    const turn: ChatTurn = {
      model,
      conversation: this.open,
      relay: () => deps.relay(),
      options: () => deps.options(),
      knowledge: this.knowledge,
      shortened: this.shortened,
      refusesTools: isKnownToRefuse ? new Set([model]) : this.refusesTools,
      tools: (parts) => deps.tools(parts),
      journal,
      searchSegments: (query, stop) => deps.searchSegments(query, stop),
      newId: () => deps.newId(),
      now: () => deps.now(),
      record: (event) => this.record(event),
      get status() {
        return status();
      },
      setStatus: (next) => this.setStatus(next),
      toolStateChanged: (id, state) => {
        if (!this.disposed) this.changes.fire({ type: 'toolStateChanged', id, state });
      },
    };
    try {
      // Loaded with the first turn.
      const { answerQuestion } = await import('./answerQuestion.ts');
      return await answerQuestion(turn, signal);
    } catch (error) {
      return this.failAtOnce(model, error);
    }
  }

  /** A turn that could not begin still ends where the person sees it. */
  private failAtOnce(model: string, error: unknown): AnswerEnd {
    const id = this.deps.newId();
    const end = failedEnd(error);
    this.record({ type: 'answerStarted', id, model });
    this.record({ type: 'answerEnded', id, end });
    return end;
  }

  private recordEdits({ edits }: EditJournal): void {
    if (edits.length > 0) this.record({ type: 'editsMade', id: this.deps.newId(), edits: [...edits] });
  }

  private record(event: ChatEvent): void {
    if (this.disposed) return;
    this.open.apply(event);
    this.deps.store.append(this.open.id, event);
    this.changes.fire(event);
  }

  private setStatus(status: ChatStatus): void {
    this.currentStatus = status;
    this.changes.fire({ type: 'statusChanged', status });
  }
}
