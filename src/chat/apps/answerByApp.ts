import type { FormAnswers } from '../../apps/appForm.ts';
import type { AppQuestion, ChatApp } from '../../apps/chatApp.ts';
import type { ChatTurn } from '../turn/chatTurn.ts';
import { withAttachments } from '../attachments/attachmentText.ts';
import type { AnswerItem, ChatItem, UserItem } from '../conversation/items.ts';
import type { AnswerEnd, ChatEvent } from '../store/events.ts';
import { type AppTurnEvent, runAppTurn } from './appTurn.ts';
import type { LocalChoice } from '../../apps/fileChoice.ts';
import type { Attachment } from '../attachments/attachment.ts';

export interface AppAnswer {
  turn: ChatTurn;
  appId: string;
  app: ChatApp;
  name: string;
  answers: FormAnswers | undefined;
  onConversationStarted(conversationId: string): void;
}

export interface AppTurnEnd {
  end: AnswerEnd;
  answerId?: string | undefined;
  messageId?: string | undefined;
  isWaiting?: boolean;
}

export async function answerByApp(asked: AppAnswer, signal: AbortSignal): Promise<AppTurnEnd> {
  const { turn, app, appId, name } = asked;
  const { conversation, model, continues, deps, log } = turn;
  const awaited = continues?.app?.awaits;
  if (!awaited && saysMoreThan(conversation.all, model) && !hasAnswered(conversation.all, model)) {
    await log.record({ type: 'noticed', id: deps.newId(), kind: 'app-apart', detail: name });
  }
  const conversationId = conversation.withApp(appId);
  const question = questionOf(asked, conversationId);
  const messageId = awaited && continues.app?.messageId;
  const recorder = new AppTurnRecorder(asked);
  const end = await runAppTurn(
    {
      model,
      continues: awaited && continues.id,
      ask: (stop) =>
        awaited
          ? app.followRun({ runId: awaited.runId, conversationId, messageId }, stop)
          : app.ask(question, stop),
      onEvent: (event) => recorder.onEvent(event),
      newId: () => deps.newId(),
      now: () => deps.now(),
    },
    signal,
  );
  return recorder.finish(end);
}

class AppTurnRecorder {
  private readonly continued: AnswerItem | undefined;
  private messageId: string | undefined;
  private runId: string | undefined;
  private answerId: string | undefined;
  private required: { reasons: readonly string[]; hasForm: boolean } | undefined;
  private isRunOver = false;

  constructor(private readonly asked: AppAnswer) {
    const { continues } = asked.turn;
    if (!continues?.app?.awaits) return;
    this.continued = continues;
    this.messageId = continues.app.messageId;
    this.runId = continues.app.awaits.runId;
  }

  async onEvent(event: AppTurnEvent): Promise<void> {
    const { log } = this.asked.turn;
    switch (event.type) {
      case 'requestSent':
      case 'retryScheduled':
      case 'stalled':
        return log.show(event);
      case 'runStarted':
        return this.onRunStarted(event);
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
        // The platform repeats the run's earlier text, which may be shorter than the text already received.
        if (this.continued?.text.startsWith(event.text)) return;
        break;
      case 'answerEnded':
        if (event.end.reason !== 'called') await this.nameAnswer(event.id);
    }
    await log.record(event);
  }

  private async onRunStarted(event: Extract<AppTurnEvent, { type: 'runStarted' }>): Promise<void> {
    const { turn, appId, onConversationStarted } = this.asked;
    const { conversationId } = event;
    this.messageId = event.messageId ?? this.messageId;
    this.runId = event.runId ?? this.runId;
    if (!conversationId || conversationId === turn.conversation.withApp(appId)) return;
    await turn.log.record({ type: 'appConversationStarted', appId, conversationId });
    onConversationStarted(conversationId);
  }

  private async nameAnswer(id: string): Promise<void> {
    const { messageId } = this;
    this.answerId = id;
    if (messageId && messageId !== this.continued?.app?.messageId) {
      await this.asked.turn.log.record({ type: 'answerNamed', id, messageId });
    }
  }

  async finish(end: AnswerEnd): Promise<AppTurnEnd> {
    const { asked, continued, required, answerId, messageId, runId, isRunOver } = this;
    const { log } = asked.turn;
    const isWaiting = required !== undefined && !isRunOver;
    if (required && isWaiting && answerId && runId) {
      await log.record(toAwaited(answerId, runId, required));
    } else if (continued && (isRunOver || end.reason !== 'failed')) {
      // The result of a run that wasn't followed to its end can still be requested.
      await log.record({ type: 'inputSettled', id: continued.id });
    }
    return { end, answerId, messageId, isWaiting };
  }
}

function questionOf({ turn, appId, answers }: AppAnswer, conversationId: string | undefined): AppQuestion {
  const { conversation } = turn;
  const message = conversation.all.findLast((item) => item.type === 'user');
  return {
    ...(message ? toQuestion(message) : { query: '', files: [] }),
    conversationId,
    answers,
    inputs: conversation.inputsFor(appId),
    keepInputs: (inputs) => void turn.log.record({ type: 'appInputsKnown', appId, inputs: { ...inputs } }),
    onUploading: (name) => turn.log.show({ type: 'uploading', name }),
  };
}

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

/** Files are uploaded; all other attachments become part of the text. */
function toQuestion({ text, attachments = [] }: UserItem) {
  const files = attachments.flatMap((attachment) => fileOf(attachment) ?? []);
  const texts = attachments.filter((attachment) => !fileOf(attachment));
  const words = withAttachments(text, texts);
  // The platform rejects a question without text.
  return { files, query: words.trim() || files.map(({ name }) => name).join(', ') };
}

function hasAnswered(items: readonly ChatItem[], model: string): boolean {
  return items.some((item) => item.type === 'answer' && item.model === model);
}

function saysMoreThan(items: readonly ChatItem[], model: string): boolean {
  return items.some((item) => item.type === 'answer' && item.model !== model && item.text !== '');
}

const extensions: Record<string, string> = {
  'image/png': '.png',
  'image/jpeg': '.jpg',
  'image/gif': '.gif',
  'image/webp': '.webp',
};

function fileOf({ label, image, upload, refusal }: Attachment): LocalChoice | undefined {
  if (refusal) return undefined;
  if (upload?.realPath !== undefined) {
    return { method: 'local_file', name: label, size: upload.bytes ?? 0, realPath: upload.realPath };
  }
  if (!image) return undefined;
  const { mimeType, data, bytes } = image;
  // The platform infers the file type from the extension, which pasted images lack.
  const name = /\.\w+$/.test(label) ? label : `${label}${extensions[mimeType] ?? ''}`;
  return { method: 'local_file', name, size: bytes, data };
}
