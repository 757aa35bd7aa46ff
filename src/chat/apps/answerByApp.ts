import type { FormAnswers } from '../../apps/appForm.ts';
import type { AppQuestion, ChatApp } from '../../apps/chatApp.ts';
import { toFailure } from '../../base/failure.ts';
import { type ChatTurn, followTurn } from '../answerQuestion.ts';
import { withAttachments } from '../attachments/attachmentText.ts';
import type { ChatItem, UserItem } from '../items.ts';
import type { AnswerEnd, ChatEvent } from '../events.ts';
import { runAppTurn } from './appTurn.ts';
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
export async function answerByApp(
  { turn, appId, app, name, answers, onConversationStarted }: AppTurn,
  signal: AbortSignal,
): Promise<AppTurnEnd> {
  const { conversation, model, continues } = turn;
  const awaited = continues?.app?.awaits;
  if (!awaited && saysMoreThan(conversation.all, model) && !hasAnswered(conversation.all, model)) {
    turn.record({ type: 'noticed', id: turn.newId(), kind: 'app-apart', detail: name });
  }
  const conversationId = conversation.withApp(appId);
  const asked = conversation.all.findLast((item) => item.type === 'user');
  const question: AppQuestion = {
    ...(asked ? toQuestion(asked) : { query: '', files: [] }),
    conversationId,
    answers,
    inputs: conversation.inputsFor(appId),
    keepInputs: (inputs) => turn.record({ type: 'appInputsKnown', appId, inputs: { ...inputs } }),
    onUploading: (file) => turn.setStatus({ type: 'uploading', name: file }),
  };
  const known = awaited && continues.app?.messageId;
  const context = {
    model,
    continues: awaited && continues.id,
    ask: (stop: AbortSignal) =>
      awaited
        ? app.followRun({ runId: awaited.runId, conversationId, messageId: known }, stop)
        : app.ask(question, stop),
    newId: () => turn.newId(),
    now: () => turn.now(),
  };
  let messageId = known;
  let answerId: string | undefined;
  let runId = awaited?.runId;
  let required: { reasons: readonly string[]; hasForm: boolean } | undefined;
  let isRunOver = false;
  for await (const event of runAppTurn(context, signal)) {
    switch (event.type) {
      case 'runStarted': {
        const { conversationId: begun } = event;
        messageId = event.messageId ?? messageId;
        runId = event.runId ?? runId;
        if (begun && begun !== conversation.withApp(appId)) {
          turn.record({ type: 'appConversationStarted', appId, conversationId: begun });
          onConversationStarted(begun);
        }
        break;
      }
      case 'stepChanged': {
        const { step } = event;
        turn.record(event);
        if (step.status === 'running' && turn.status.type !== 'answering') {
          turn.setStatus({ type: 'runningStep', title: step.title });
        }
        break;
      }
      case 'stalled':
        turn.setStatus({ type: 'stalled', state: event.state, sinceMs: turn.now() - event.forMs });
        break;
      case 'inputRequired':
        required = event;
        break;
      case 'inputProvided':
        required = undefined;
        break;
      case 'runFinished':
        isRunOver = true;
        break;
      case 'textReplaced':
        // Who listens to a run later is told what it had said by then, which may be older than what was heard.
        if (!awaited || !continues.text.startsWith(event.text)) followTurn(turn, event);
        break;
      case 'segmentsFound':
      case 'fileOutput':
        turn.record(event);
        break;
      case 'answerEnded':
        if (event.end.reason !== 'called') {
          answerId = event.id;
          if (messageId && messageId !== known) turn.record({ type: 'answerNamed', id: event.id, messageId });
        }
        turn.record(event);
        break;
      case 'turnEnded': {
        const { end } = event;
        const isWaiting = required !== undefined && !isRunOver;
        if (required && isWaiting && answerId && runId) turn.record(toAwaited(answerId, runId, required));
        // Of a run that was not heard to its end, the end can still be asked for.
        else if (awaited && (isRunOver || end.reason !== 'failed')) {
          turn.record({ type: 'inputSettled', id: continues.id });
        }
        return { end, answerId, messageId, isWaiting };
      }
      default:
        followTurn(turn, event);
    }
  }
  return { end: toFailure(new Error('The turn ended without a reason.')) };
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
