import type { Disposable } from '../base/disposable.ts';
import { Emitter } from '../base/emitter.ts';
import { once } from '../base/once.ts';
import { EditJournal, type RevertOutcome } from '../tools/editJournal.ts';
import type { KnowledgeBase } from '../tools/knowledge/source.ts';
import type { ChatTurn } from './answerQuestion.ts';
import type { GivenInputs } from './apps/appForm.ts';
import type { Rating } from './apps/appEvents.ts';
import { appIdOf } from './apps/chatApp.ts';
import type { PlatformConversation } from './apps/platformConversation.ts';
import type { Attachment } from './attachments/attachment.ts';
import type { ChatDependencies } from './chatDependencies.ts';
import { ContextKnowledge } from './contextKnowledge.ts';
import { Conversation } from './conversation.ts';
import type { AnswerEnd, ChatEvent, ChatStatus } from './events.ts';
import { failedEnd } from '../base/failedEnd.ts';
import { interruptions } from './interrupted.ts';
import type { ResultForm } from './promptDraft.ts';
import { retriedFrom, takeBack } from './takeBack.ts';

export type ChatChange =
  ChatEvent | { type: 'statusChanged'; status: ChatStatus } | { type: 'chatOpened'; chatId: string };

/**
 * The one open chat. Every change goes through `record`, which applies it, keeps it, and tells the listeners.
 * One turn runs at a time; a second is refused by `submit` returning undefined.
 */
export class ChatController implements Disposable {
  private readonly changes = new Emitter<ChatChange>();
  readonly onDidChange = this.changes.event;

  private open: Conversation;
  /** Loaded with the first conversation with an app. */
  private readonly apps = once(async () => {
    const { AppChats } = await import('./apps/appChats.ts');
    const { apps, store, newId } = this.deps;
    return new AppChats(apps, {
      current: () => ({ conversation: this.open, isBusy: this.turn !== undefined }),
      load: (chatId) => store.load(chatId),
      keep: (chatId, event) => store.append(chatId, event),
      show: (chatId, events) => this.show(chatId, events),
      record: (conversation, event) => {
        if (this.open === conversation) this.record(event);
      },
      newId,
    });
  });
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
    if (events) await this.show(chatId, events);
    return events !== undefined;
  }

  async startNewChat(): Promise<string> {
    await this.show(this.deps.newId());
    return this.open.id;
  }

  /**
   * Opens a conversation that the platform keeps, as it is there now; the same one always in the same chat. Resolves
   * with the chat's id, throws a `SwitchboardError` when it could not be loaded.
   */
  async openAppConversation(appId: string, conversation: PlatformConversation): Promise<string> {
    return (await this.apps()).openConversation(appId, conversation);
  }

  /** Tells the platform what the person thinks of an app's answer. Throws when that failed. */
  async rateAnswer(answerId: string, rating: Rating | undefined): Promise<void> {
    await (await this.apps()).rate(this.open, answerId, rating);
  }

  selectModel(modelId: string): void {
    if (modelId !== this.open.model) this.record({ type: 'modelSelected', modelId });
  }

  /** Grounds the answers to come in these knowledge bases, or in none. */
  chooseKnowledge(bases: readonly KnowledgeBase[]): void {
    this.record({ type: 'knowledgeChosen', bases: bases.map(({ id, name }) => ({ id, name })) });
  }

  /**
   * Adds the person's message and runs the turn. Resolves when it ended; undefined when it could not start.
   * @param inputs what the form of an app was filled in with
   */
  submit(
    text: string,
    attachments: readonly Attachment[] = [],
    inputs?: GivenInputs,
  ): Promise<AnswerEnd> | undefined {
    // What goes with it can be a message by itself, if anything of it is left.
    const saysSomething = text.trim() !== '' || attachments.some(({ refusal }) => !refusal);
    if (this.turn || !saysSomething || !this.model) return undefined;
    if (inputs && inputs.shown.length > 0) {
      const detail = inputs.shown.map(({ label, value }) => `${label}: ${value}`).join('\n');
      this.record({ type: 'noticed', id: `inputs:${this.model}`, kind: 'app-inputs', detail });
    }
    const said = attachments.length > 0 ? { text, attachments: [...attachments] } : { text };
    this.record({ type: 'userSaid', id: this.deps.newId(), ...said });
    return this.run(inputs);
  }

  /** Asks again; see `retriedFrom`. */
  retry(itemId: string, inputs?: GivenInputs): Promise<AnswerEnd> | undefined {
    if (this.turn || !this.model) return undefined;
    const from = retriedFrom(this.open.all, itemId, appIdOf(this.model) !== undefined);
    if (from === undefined) return undefined;
    for (const event of takeBack(this.open.all, from)) this.record(event);
    return this.run(inputs);
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

  /** Shows another chat; an answer that was coming when the editor went away is marked as interrupted. */
  private async show(chatId: string, events: readonly ChatEvent[] = []): Promise<void> {
    await this.stop();
    this.open = new Conversation(chatId, events);
    this.shortened = new Map();
    for (const event of interruptions(this.open)) this.record(event);
    this.changes.fire({ type: 'chatOpened', chatId });
  }

  private run(inputs?: GivenInputs): Promise<AnswerEnd> {
    this.setStatus({ type: 'connecting' });
    const abort = new AbortController();
    const journal = new EditJournal();
    const ended = this.answer(journal, inputs, abort.signal).finally(() => {
      this.recordEdits(journal);
      this.turn = undefined;
      this.setStatus({ type: 'idle' });
    });
    this.turn = { abort, ended };
    return ended;
  }

  private async answer(
    journal: EditJournal,
    inputs: GivenInputs | undefined,
    signal: AbortSignal,
  ): Promise<AnswerEnd> {
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
    };
    const appId = appIdOf(model);
    try {
      if (appId !== undefined) return await (await this.apps()).answer(turn, appId, inputs?.answers, signal);
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
