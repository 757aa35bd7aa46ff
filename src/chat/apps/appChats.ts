import type { ChatTurn } from '../answerQuestion.ts';
import { Conversation } from '../conversation.ts';
import type { AnswerEnd, ChatEvent } from '../events.ts';
import { answerByApp } from './answerByApp.ts';
import type { FormAnswers } from './appForm.ts';
import type { Rating } from './appEvents.ts';
import { appIdOf, appModelId, type ChatApps } from './chatApp.ts';
import {
  chatIdOf,
  eventsToMatch,
  isOnlyOf,
  loadMessages,
  type PlatformConversation,
} from './platformConversation.ts';

/** What goes on with an app needs of the open chat. */
export interface OpenChat {
  current(): { conversation: Conversation; isBusy: boolean };
  load(chatId: string): Promise<readonly ChatEvent[] | undefined>;
  /** Keeps an event of a chat that is not shown. */
  keep(chatId: string, event: ChatEvent): void;
  /** Shows a chat in place of the open one. */
  show(chatId: string, events: readonly ChatEvent[]): Promise<void>;
  newId(): string;
  /** Applies, keeps and shows an event, if the conversation is still the open one. */
  record(conversation: Conversation, event: ChatEvent): void;
}

const maxQuestions = 10;
const maxQuestionLength = 500;

/** Conversations with apps of the platform. Loaded with the first turn of one. */
export class AppChats {
  /** What is asked for after a turn, which nobody waits for. */
  private afterwards = new AbortController();

  constructor(
    private readonly apps: ChatApps,
    private readonly chat: OpenChat,
  ) {}

  /** Answers the newest message; then, beside whatever the person does, asks how to go on. */
  async answer(
    turn: ChatTurn,
    appId: string,
    answers: FormAnswers | undefined,
    signal: AbortSignal,
  ): Promise<AnswerEnd> {
    this.afterwards.abort();
    this.afterwards = new AbortController();
    const app = await this.apps.open(appId);
    const { end, answerId, messageId } = await answerByApp(
      { turn, apps: this.apps, appId, answers },
      app,
      signal,
    );
    if (end.reason === 'answered' && answerId && messageId) {
      void this.suggest(turn.conversation, answerId, () =>
        app.suggestions(messageId, this.afterwards.signal),
      );
    }
    return end;
  }

  /** Tells the platform what the person thinks of an answer; undefined takes it back. Throws when that failed. */
  async rate(conversation: Conversation, answerId: string, rating: Rating | undefined): Promise<void> {
    const item = conversation.all.find(({ id }) => id === answerId);
    if (item?.type !== 'answer' || !item.app?.messageId) return;
    const appId = appIdOf(item.model);
    if (appId === undefined) return;
    const app = await this.apps.open(appId);
    await app.rate(item.app.messageId, rating, new AbortController().signal);
    this.chat.record(conversation, { type: 'answerRated', id: answerId, ...(rating && { rating }) });
  }

  /** Shows what the platform keeps of a conversation, which then goes on here. Resolves with the chat's id. */
  async openConversation(appId: string, { id, inputs }: PlatformConversation): Promise<string> {
    const { apps, chat } = this;
    const model = appModelId(appId);
    const app = await apps.open(appId);
    const loaded = await loadMessages(app, id, new AbortController().signal);
    const chatId = apps.chatOf(appId, id) ?? chatIdOf(appId, id);
    // What is being said comes to the platform by itself.
    const { conversation, isBusy } = chat.current();
    if (isBusy && conversation.id === chatId) return chatId;
    const known = (await chat.load(chatId)) ?? [];
    const held = new Conversation(chatId, known);
    const news: ChatEvent[] = [];
    // A chat in which others answered, too, is more than the platform knows.
    if (isOnlyOf(held, model)) {
      news.push(...eventsToMatch(held, appId, { ...loaded, inputs }, () => chat.newId()));
    }
    if (held.withApp(appId) !== id) news.push({ type: 'appConversationStarted', appId, conversationId: id });
    if (held.model !== model) news.push({ type: 'modelSelected', modelId: model });
    for (const event of news) chat.keep(chatId, event);
    apps.setChatOf(appId, id, chatId);
    await chat.show(chatId, [...known, ...news]);
    return chatId;
  }

  private async suggest(conversation: Conversation, id: string, ask: () => Promise<string[]>): Promise<void> {
    const { signal } = this.afterwards;
    // An answer is whole without them.
    const asked = await ask().catch((): string[] => []);
    const questions = asked.filter((text) => text.trim() && text.length <= maxQuestionLength);
    if (questions.length === 0 || signal.aborted) return;
    this.chat.record(conversation, {
      type: 'questionsSuggested',
      id,
      questions: questions.slice(0, maxQuestions),
    });
  }
}
