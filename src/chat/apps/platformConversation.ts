import { createHash } from 'node:crypto';
import * as l10n from '@vscode/l10n';
import type { AppConversation, AppMessage, AppThought } from '../../apps/app.ts';
import { appModelId } from '../../apps/appModelId.ts';
import type { ChatApp } from '../../apps/chatApp.ts';
import { toOutputFiles } from '../../apps/client/appFiles.ts';
import { separateAttachments } from '../attachments/separateAttachments.ts';
import type { Conversation } from '../conversation/conversation.ts';
import type { ChatItem } from '../conversation/items.ts';
import { readShownInput } from '../calls/readCall.ts';
import type { AnswerEnd, ChatEvent } from '../store/events.ts';
import { toSources } from './appBounds.ts';

export type PlatformConversation = Pick<AppConversation, 'id'> & Partial<Pick<AppConversation, 'inputs'>>;

const maxInputLength = 1000;

export const mostMessages = 200;

/** Chat id of a platform conversation. Hashed, because server-provided ids are not safe in file names. */
export function chatIdOf(appId: string, conversationId: string): string {
  const hash = createHash('sha256')
    .update(JSON.stringify([appId, conversationId]))
    .digest('hex');
  return `app-${hash.slice(0, 32)}`;
}

export interface LoadedMessages {
  messages: readonly AppMessage[];
  isCut: boolean;
}

export async function loadMessages(
  app: ChatApp,
  conversationId: string,
  signal: AbortSignal,
): Promise<LoadedMessages> {
  let messages: AppMessage[] = [];
  const known = new Set<string>();
  for (;;) {
    const page = await app.messages(conversationId, messages[0]?.id, signal);
    // Some servers answer every page request with the first page.
    const older = page.messages.filter(({ id }) => !known.has(id));
    for (const { id } of older) known.add(id);
    messages = [...older, ...messages];
    if (!page.hasMore || older.length === 0) return { messages, isCut: false };
    if (messages.length >= mostMessages) return { messages: messages.slice(-mostMessages), isCut: true };
  }
}

interface HeldTurn {
  firstId: string;
  messageId?: string;
  answerId?: string;
  rating?: string;
}

/** Keeps common turns, replaces all from the first difference on, and keeps trailing turns unknown to the platform. */
export function eventsToMatch(
  conversation: Conversation,
  appId: string,
  { messages, isCut, inputs = {} }: LoadedMessages & Pick<PlatformConversation, 'inputs'>,
  newId: () => string,
): ChatEvent[] {
  const held = turnsIn(conversation.all);
  if (messages.length === 0) return [];
  // Turns older than the oldest loaded message stay.
  const first = isCut ? held.findIndex(({ messageId }) => messageId === messages[0]?.id) : 0;
  const from = Math.max(0, first);
  let same = 0;
  while (same < messages.length && held[from + same]?.messageId === messages[same]?.id) same++;
  const next = held[from + same];
  const isSame = same === messages.length && held.slice(from + same).every(({ messageId }) => !messageId);
  const ratings = messages.slice(0, same).flatMap(({ rating }, index): ChatEvent[] => {
    const { answerId, rating: known } = held[from + index] ?? {};
    return answerId && known !== rating
      ? [{ type: 'answerRated', id: answerId, ...(rating && { rating }) }]
      : [];
  });
  if (isSame) return ratings;
  // With no common turn, the items above the turns are outdated too.
  const firstId = same > 0 ? next?.firstId : conversation.all[0]?.id;
  const removed: ChatEvent[] = firstId === undefined ? [] : [{ type: 'itemsRemoved', fromId: firstId }];
  return [
    ...ratings,
    ...removed,
    ...(same === 0 ? head(inputs, isCut ? messages.length : undefined, newId) : []),
    ...messages.slice(same).flatMap((message) => eventsOf(message, appModelId(appId), newId)),
  ];
}

function head(
  inputs: Readonly<Record<string, unknown>>,
  cutTo: number | undefined,
  newId: () => string,
): ChatEvent[] {
  const lines = Object.entries(inputs).flatMap(([variable, value]) => {
    const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
    return text === '' || value === null ? [] : [`${variable}: ${text.slice(0, maxInputLength)}`];
  });
  const detail = lines.join('\n');
  return [
    ...(detail ? [{ type: 'noticed' as const, id: newId(), kind: 'app-inputs' as const, detail }] : []),
    ...(cutTo === undefined
      ? []
      : [{ type: 'noticed' as const, id: newId(), kind: 'app-cut' as const, detail: String(cutTo) }]),
  ];
}

function turnsIn(items: readonly ChatItem[]): HeldTurn[] {
  const turns: HeldTurn[] = [];
  for (const item of items) {
    const turn = turns.at(-1);
    if (item.type === 'user') turns.push({ firstId: item.id });
    else if (item.type === 'answer' && turn && item.app?.messageId) {
      turn.messageId = item.app.messageId;
      turn.answerId = item.id;
      turn.rating = item.app.rating;
    }
  }
  return turns;
}

function eventsOf(message: AppMessage, model: string, newId: () => string): ChatEvent[] {
  const { answer, reasoning, thoughts, attached, files, rating, error } = message;
  const id = newId();
  const { text, attachments: texts } = separateAttachments(message.query);
  const attachments = [
    ...texts,
    ...attached.map(({ name }) => ({ kind: 'file' as const, label: name, upload: {} })),
  ];
  const sources = toSources(message.sources);
  return [
    { type: 'userMessageAdded', id: newId(), text, ...(attachments.length > 0 && { attachments }) },
    ...eventsOfCalls(thoughts, model, newId),
    { type: 'answerStarted', id, model },
    ...(reasoning ? [{ type: 'reasoningAdded' as const, id, text: reasoning }] : []),
    ...(answer ? [{ type: 'textAdded' as const, id, text: answer }] : []),
    ...(sources.length > 0 ? [{ type: 'segmentsFound' as const, id, sources }] : []),
    ...toOutputFiles(files).map((file) => ({ type: 'fileOutput' as const, id, file })),
    { type: 'answerNamed', id, messageId: message.id },
    ...(rating ? [{ type: 'answerRated' as const, id, rating }] : []),
    { type: 'answerEnded', id, end: endOf(error) },
  ];
}

function eventsOfCalls(thoughts: readonly AppThought[], model: string, newId: () => string): ChatEvent[] {
  const used = thoughts.filter(({ tool }) => tool);
  if (used.length === 0) return [];
  const id = newId();
  const calls = used.map(({ tool = '', toolLabel = tool, toolInput = '' }) => {
    const callId = newId();
    return { id: callId, callId, name: toolLabel, ...readShownInput(toolInput), title: toolLabel };
  });
  return [
    { type: 'answerStarted', id, model },
    { type: 'toolsCalled', id, calls },
    { type: 'answerEnded', id, end: { reason: 'called' } },
    ...calls.map((call, index) => ({
      type: 'toolFinished' as const,
      id: call.id,
      outcome: { state: 'done' as const, content: used[index]?.observation ?? '', durationMs: 0 },
    })),
  ];
}

function endOf(error: string | undefined): AnswerEnd {
  if (!error) return { reason: 'answered' };
  const message = l10n.t("The app couldn't answer this.");
  return {
    reason: 'failed',
    failure: { code: 'app-unavailable', message, why: error.slice(0, maxInputLength) },
  };
}

export function isOnlyOf({ all }: Conversation, model: string): boolean {
  return all.every((item) => item.type !== 'answer' || item.model === model);
}
