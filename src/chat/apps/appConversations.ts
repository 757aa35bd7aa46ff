import type { Rating } from '../../apps/app.ts';
import type { FormAnswers } from '../../apps/appForm.ts';
import { appIdOf, appModelId } from '../../apps/appModelId.ts';
import type { AppService } from '../../apps/appService.ts';
import type { ConversationLinks } from '../chatDependencies.ts';
import type { ChatTurn } from '../turn/chatTurn.ts';
import { Conversation } from '../conversation/conversation.ts';
import type { AnswerEnd, ChatEvent } from '../store/events.ts';
import { answerByApp } from './answerByApp.ts';
import {
  chatIdOf,
  eventsToMatch,
  isOnlyOf,
  loadMessages,
  type PlatformConversation,
} from './platformConversation.ts';

export interface Sessions {
  find(chatId: string): Session | undefined;
  load(chatId: string): Promise<readonly ChatEvent[] | undefined>;
  keep(chatId: string, event: ChatEvent): void;
  newId(): string;
}

export type ConfirmAnnotation = (appName: string, isUsed: boolean) => Promise<boolean>;

interface Session {
  readonly conversation: Conversation;
  readonly isRunning: boolean;
  record(event: ChatEvent): void;
}

const maxQuestions = 10;
const maxQuestionLength = 500;

export class AppConversations {
  private readonly afterwards = new WeakMap<Conversation, AbortController>();

  constructor(
    private readonly apps: Pick<AppService, 'find' | 'open'>,
    private readonly links: ConversationLinks,
    private readonly sessions: Sessions,
  ) {}

  async answer(
    turn: ChatTurn,
    appId: string,
    answers: FormAnswers | undefined,
    signal: AbortSignal,
  ): Promise<AnswerEnd> {
    const { conversation } = turn;
    this.afterwards.get(conversation)?.abort();
    const afterwards = new AbortController();
    this.afterwards.set(conversation, afterwards);
    const app = await this.apps.open(appId);
    const name = this.apps.find(appId)?.name ?? '';
    const onConversationStarted = (id: string) => this.links.set(appId, id, conversation.id);
    const asked = { turn, appId, app, name, answers, onConversationStarted };
    const { end, answerId, messageId, isWaiting } = await answerByApp(asked, signal);
    if (end.reason === 'answered' && answerId && messageId && !isWaiting) {
      void this.suggest(turn.conversation, answerId, afterwards.signal, () =>
        app.suggestedQuestions(messageId, afterwards.signal),
      );
    }
    return end;
  }

  async rate(conversation: Conversation, answerId: string, rating: Rating | undefined): Promise<void> {
    const item = conversation.all.find(({ id }) => id === answerId);
    if (item?.type !== 'answer' || !item.app?.messageId) return;
    const appId = appIdOf(item.model);
    if (appId === undefined) return;
    const app = await this.apps.open(appId);
    await app.rate(item.app.messageId, rating, new AbortController().signal);
    this.record(conversation, { type: 'answerRated', id: answerId, ...(rating && { rating }) });
  }

  async annotate({ all }: Conversation, answerId: string, confirm: ConfirmAnnotation): Promise<boolean> {
    const at = all.findIndex(({ id }) => id === answerId);
    const answer = all[at];
    const question = all.slice(0, at).findLast((item) => item.type === 'user');
    const record = answer?.type === 'answer' ? this.apps.find(appIdOf(answer.model) ?? '') : undefined;
    if (answer?.type !== 'answer' || !question || !record) return false;
    const app = await this.apps.open(record.id);
    const { signal } = new AbortController();
    const { repliesByAnnotation: isUsed = false } = await app.parameters(signal);
    if (!(await confirm(record.name, isUsed))) return false;
    await app.annotate(question.text, answer.text, signal);
    return true;
  }

  async openConversation(
    appId: string,
    { id, inputs }: PlatformConversation,
  ): Promise<{ chatId: string; events: readonly ChatEvent[] }> {
    const { apps, links, sessions } = this;
    const model = appModelId(appId);
    const app = await apps.open(appId);
    const loaded = await loadMessages(app, id, new AbortController().signal);
    const chatId = links.get(appId, id) ?? chatIdOf(appId, id);
    const known = (await sessions.load(chatId)) ?? [];
    // The running turn's messages reach the platform without this.
    if (sessions.find(chatId)?.isRunning) return { chatId, events: known };
    const held = new Conversation(chatId, known);
    const news: ChatEvent[] = [];
    // A chat that other models answered in holds more than the platform's conversation.
    if (isOnlyOf(held, model)) {
      news.push(...eventsToMatch(held, appId, { ...loaded, inputs }, () => sessions.newId()));
    }
    if (held.withApp(appId) !== id) news.push({ type: 'appConversationStarted', appId, conversationId: id });
    if (inputs && !isSameJson(held.inputsFor(appId), inputs)) {
      news.push({ type: 'appInputsKnown', appId, inputs: { ...inputs } });
    }
    if (held.model !== model) news.push({ type: 'modelSelected', modelId: model });
    for (const event of news) sessions.keep(chatId, event);
    links.set(appId, id, chatId);
    return { chatId, events: [...known, ...news] };
  }

  private async suggest(
    conversation: Conversation,
    id: string,
    signal: AbortSignal,
    ask: () => Promise<string[]>,
  ): Promise<void> {
    // Suggestions are optional.
    const asked = await ask().catch((): string[] => []);
    const questions = asked.filter((text) => text.trim() && text.length <= maxQuestionLength);
    if (questions.length === 0 || signal.aborted) return;
    this.record(conversation, {
      type: 'questionsSuggested',
      id,
      questions: questions.slice(0, maxQuestions),
    });
  }

  private record(conversation: Conversation, event: ChatEvent): void {
    const session = this.sessions.find(conversation.id);
    if (session?.conversation === conversation) session.record(event);
  }
}

function isSameJson(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
