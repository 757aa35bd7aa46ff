import type { FormAnswers } from '../../apps/appForm.ts';
import type { AppQuestion, ChatApp } from '../../apps/chatApp.ts';
import { toFailure } from '../../base/failure.ts';
import { type ChatTurn, followTurn } from '../answerQuestion.ts';
import { withAttachments } from '../attachments/attachmentText.ts';
import type { AnswerItem, ChatItem, UserItem } from '../items.ts';
import type { AnswerEnd, ChatEvent } from '../events.ts';
import { type AppTurnEvent, runAppTurn } from './appTurn.ts';
import { fileOf } from './attachedFile.ts';

/** What was asked and by whom it is answered. */
export interface AppTurn {
  turn: ChatTurn;
  appId: string;
  app: ChatApp;
  /** What the user calls the app. */
  name: string;
  /** What the form was filled in with, for a conversation that is to begin. */
  answers: FormAnswers | undefined;
  /** The platform began a conversation. */
  onConversationStarted(conversationId: string): void;
}

/** How a turn ended; `messageId` is the platform's, if it named the turn. */
export interface AppTurnEnd {
  end: AnswerEnd;
  answerId?: string | undefined;
  messageId?: string | undefined;
  /** The run waits for human input, so the answer is not all of it. */
  isWaiting?: boolean;
}

/**
 * Answers the newest message with an app, or goes on with an answer whose run waited: runs the turn on the platform and
 * records what happens in it.
 */
export async function answerByApp(asked: AppTurn, signal: AbortSignal): Promise<AppTurnEnd> {
  const { turn, app, appId, name } = asked;
  const { conversation, model, continues } = turn;
  const awaited = continues?.app?.awaits;
  if (!awaited && saysMoreThan(conversation.all, model) && !hasAnswered(conversation.all, model)) {
    turn.record({ type: 'noticed', id: turn.newId(), kind: 'app-apart', detail: name });
  }
  const conversationId = conversation.withApp(appId);
  const question = questionOf(asked, conversationId);
  const messageId = awaited && continues.app?.messageId;
  const context = {
    model,
    continues: awaited && continues.id,
    ask: (stop: AbortSignal) =>
      awaited
        ? app.followRun({ runId: awaited.runId, conversationId, messageId }, stop)
        : app.ask(question, stop),
    newId: () => turn.newId(),
    now: () => turn.now(),
  };
  const recorder = new AppTurnRecorder(asked);
  for await (const event of runAppTurn(context, signal)) {
    if (event.type === 'turnEnded') return recorder.finish(event.end);
    recorder.onEvent(event);
  }
  return { end: toFailure(new Error('The turn ended without a reason.')) };
}

/** Records what happens in a turn, and what of it is to be known when it has ended. */
class AppTurnRecorder {
  /** The answer that is gone on with, if its run waited. */
  private readonly continued: AnswerItem | undefined;
  private messageId: string | undefined;
  private runId: string | undefined;
  private answerId: string | undefined;
  private required: { reasons: readonly string[]; hasForm: boolean } | undefined;
  private isRunOver = false;

  constructor(private readonly asked: AppTurn) {
    const { continues } = asked.turn;
    if (!continues?.app?.awaits) return;
    this.continued = continues;
    this.messageId = continues.app.messageId;
    this.runId = continues.app.awaits.runId;
  }

  onEvent(event: Exclude<AppTurnEvent, { type: 'turnEnded' }>): void {
    const { turn } = this.asked;
    switch (event.type) {
      case 'runStarted':
        return this.onRunStarted(event);
      case 'stepChanged':
        turn.record(event);
        if (event.step.status === 'running' && turn.status.type !== 'answering') {
          turn.setStatus({ type: 'runningStep', title: event.step.title });
        }
        return;
      case 'stalled':
        turn.setStatus({ type: 'stalled', state: event.state, sinceMs: turn.now() - event.forMs });
        return;
      case 'inputRequired':
        this.required = event;
        return;
      case 'inputProvided':
        this.required = undefined;
        return;
      case 'runFinished':
        this.isRunOver = true;
        return;
      case 'textReplaced':
        // Who listens to a run later is told what it had said by then, which may be older than what was heard.
        if (!this.continued?.text.startsWith(event.text)) followTurn(turn, event);
        return;
      case 'segmentsFound':
      case 'fileOutput':
        turn.record(event);
        return;
      case 'answerEnded':
        if (event.end.reason !== 'called') this.nameAnswer(event.id);
        turn.record(event);
        return;
      default:
        followTurn(turn, event);
    }
  }

  private onRunStarted(event: Extract<AppTurnEvent, { type: 'runStarted' }>): void {
    const { turn, appId, onConversationStarted } = this.asked;
    const { conversationId } = event;
    this.messageId = event.messageId ?? this.messageId;
    this.runId = event.runId ?? this.runId;
    if (!conversationId || conversationId === turn.conversation.withApp(appId)) return;
    turn.record({ type: 'appConversationStarted', appId, conversationId });
    onConversationStarted(conversationId);
  }

  private nameAnswer(id: string): void {
    const { messageId } = this;
    this.answerId = id;
    if (messageId && messageId !== this.continued?.app?.messageId) {
      this.asked.turn.record({ type: 'answerNamed', id, messageId });
    }
  }

  finish(end: AnswerEnd): AppTurnEnd {
    const { asked, continued, required, answerId, messageId, runId, isRunOver } = this;
    const isWaiting = required !== undefined && !isRunOver;
    if (required && isWaiting && answerId && runId) {
      asked.turn.record(toAwaited(answerId, runId, required));
    } else if (continued && (isRunOver || end.reason !== 'failed')) {
      // Of a run that was not heard to its end, the end can still be asked for.
      asked.turn.record({ type: 'inputSettled', id: continued.id });
    }
    return { end, answerId, messageId, isWaiting };
  }
}

function questionOf({ turn, appId, answers }: AppTurn, conversationId: string | undefined): AppQuestion {
  const { conversation } = turn;
  const message = conversation.all.findLast((item) => item.type === 'user');
  return {
    ...(message ? toQuestion(message) : { query: '', files: [] }),
    conversationId,
    answers,
    inputs: conversation.inputsFor(appId),
    keepInputs: (inputs) => turn.record({ type: 'appInputsKnown', appId, inputs: { ...inputs } }),
    onUploading: (file) => turn.setStatus({ type: 'uploading', name: file }),
  };
}

/** More steps than a flow has that wait at once, and more of a title than is shown. */
const maxTitles = 20;
const maxTitle = 200;

function toAwaited(
  id: string,
  runId: string,
  { reasons, hasForm }: { reasons: readonly string[]; hasForm: boolean },
): ChatEvent {
  const titles = reasons.slice(0, maxTitles).map((title) => title.slice(0, maxTitle));
  return { type: 'inputAwaited', id, runId, titles, place: hasForm ? 'here' : 'platform' };
}

/** Files go as files; everything else that was put beside the words goes with them as text. */
function toQuestion({ text, attachments = [] }: UserItem) {
  const files = attachments.flatMap((attachment) => fileOf(attachment) ?? []);
  const texts = attachments.filter((attachment) => !fileOf(attachment));
  const words = withAttachments(text, texts);
  // The platform refuses a question without words.
  return { files, query: words.trim() || files.map(({ name }) => name).join(', ') };
}

function hasAnswered(items: readonly ChatItem[], model: string): boolean {
  return items.some((item) => item.type === 'answer' && item.model === model);
}

/** Whether others have answered here. */
function saysMoreThan(items: readonly ChatItem[], model: string): boolean {
  return items.some((item) => item.type === 'answer' && item.model !== model && item.text !== '');
}
