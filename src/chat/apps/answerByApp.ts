import type { ChatTurn } from '../answerQuestion.ts';
import { followTurn } from '../answerQuestion.ts';
import { withAttachments } from '../attachments/attachmentText.ts';
import type { ChatItem, UserItem } from '../conversation.ts';
import type { AnswerEnd } from '../events.ts';
import { toFailure } from '../../base/failure.ts';
import { toSources, toStep } from './appBounds.ts';
import type { FormAnswers } from '../../apps/appForm.ts';
import type { AppQuestion, ChatApp, ChatApps } from './chatApp.ts';
import { fileOf } from './uploads.ts';

/** What was asked and by whom it is answered. */
export interface AppTurn {
  turn: ChatTurn;
  apps: ChatApps;
  appId: string;
  /** What the form was filled in with, for a conversation that is to begin. */
  answers: FormAnswers | undefined;
}

/** How a turn ended; `messageId` is the platform's, if it named the turn. */
export interface AppTurnEnd {
  end: AnswerEnd;
  answerId?: string;
  messageId?: string;
}

/** Answers the newest message with an app: runs the turn on the platform and records what happens in it. */
export async function answerByApp(
  { turn, apps, appId, answers }: AppTurn,
  app: ChatApp,
  signal: AbortSignal,
): Promise<AppTurnEnd> {
  const { conversation, model } = turn;
  if (saysMoreThan(conversation.all, model) && !hasAnswered(conversation.all, model)) {
    const detail = apps.all.find(({ id }) => id === appId)?.name ?? '';
    turn.record({ type: 'noticed', id: turn.newId(), kind: 'app-apart', detail });
  }
  const asked = conversation.all.findLast((item) => item.type === 'user');
  const inputs = conversation.inputsFor(appId);
  const question: AppQuestion = {
    model,
    ...(asked ? toQuestion(asked) : { query: '', files: [] }),
    conversationId: conversation.withApp(appId),
    answers,
    ...(inputs && { inputs }),
    keepInputs: (known) => turn.record({ type: 'appInputsKnown', appId, inputs: { ...known } }),
    newId: () => turn.newId(),
    now: () => turn.now(),
    onUploading: (name: string) => turn.setStatus({ type: 'uploading', name }),
  };
  let messageId: string | undefined;
  let answerId: string | undefined;
  let waitsFor: readonly string[] | undefined;
  for await (const event of app.ask(question, signal)) {
    switch (event.type) {
      case 'platformNamed': {
        const { conversationId } = event;
        messageId = event.messageId ?? messageId;
        if (conversationId && conversationId !== conversation.withApp(appId)) {
          turn.record({ type: 'appConversationStarted', appId, conversationId });
          apps.setChatOf(appId, conversationId, conversation.id);
        }
        break;
      }
      case 'stepChanged': {
        const step = toStep(event.step);
        turn.record({ type: 'stepChanged', id: event.id, step });
        if (step.status === 'running' && turn.status.type !== 'answering') {
          turn.setStatus({ type: 'runningStep', title: step.title });
        }
        break;
      }
      case 'quiet':
        turn.setStatus({ type: 'quiet', state: event.state, sinceMs: turn.now() - event.forMs });
        break;
      case 'segmentsFound':
        turn.record({ type: 'segmentsFound', id: event.id, sources: toSources(event.segments) });
        break;
      case 'personNeeded':
        waitsFor = event.reasons;
        break;
      case 'fileGiven':
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
