import type { FormAnswers } from '../../apps/appForm.ts';
import type { AppQuestion, ChatApp } from '../../apps/chatApp.ts';
import { toFailure } from '../../base/failure.ts';
import { type ChatTurn, followTurn } from '../answerQuestion.ts';
import { withAttachments } from '../attachments/attachmentText.ts';
import type { ChatItem, UserItem } from '../items.ts';
import type { AnswerEnd } from '../events.ts';
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
}

/** Answers the newest message with an app: runs the turn on the platform and records what happens in it. */
export async function answerByApp(
  { turn, appId, app, name, answers, onConversationStarted }: AppTurn,
  signal: AbortSignal,
): Promise<AppTurnEnd> {
  const { conversation, model } = turn;
  if (saysMoreThan(conversation.all, model) && !hasAnswered(conversation.all, model)) {
    turn.record({ type: 'noticed', id: turn.newId(), kind: 'app-apart', detail: name });
  }
  const asked = conversation.all.findLast((item) => item.type === 'user');
  const question: AppQuestion = {
    ...(asked ? toQuestion(asked) : { query: '', files: [] }),
    conversationId: conversation.withApp(appId),
    answers,
    inputs: conversation.inputsFor(appId),
    keepInputs: (inputs) => turn.record({ type: 'appInputsKnown', appId, inputs: { ...inputs } }),
    onUploading: (file) => turn.setStatus({ type: 'uploading', name: file }),
  };
  const context = {
    model,
    ask: (stop: AbortSignal) => app.ask(question, stop),
    newId: () => turn.newId(),
    now: () => turn.now(),
  };
  let messageId: string | undefined;
  let answerId: string | undefined;
  let waitsFor: readonly string[] | undefined;
  for await (const event of runAppTurn(context, signal)) {
    switch (event.type) {
      case 'runStarted': {
        const { conversationId } = event;
        messageId = event.messageId ?? messageId;
        if (conversationId && conversationId !== conversation.withApp(appId)) {
          turn.record({ type: 'appConversationStarted', appId, conversationId });
          onConversationStarted(conversationId);
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
        waitsFor = event.reasons;
        break;
      case 'segmentsFound':
      case 'fileOutput':
        turn.record(event);
        break;
      case 'answerEnded':
        if (event.end.reason !== 'called') {
          answerId = event.id;
          if (messageId) turn.record({ type: 'answerNamed', id: event.id, messageId });
        }
        turn.record(event);
        break;
      case 'turnEnded':
        if (waitsFor) {
          turn.record({ type: 'noticed', id: turn.newId(), kind: 'app-waits', detail: waitsFor.join(', ') });
        }
        return { end: event.end, answerId, messageId };
      default:
        followTurn(turn, event);
    }
  }
  return { end: toFailure(new Error('The turn ended without a reason.')) };
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
