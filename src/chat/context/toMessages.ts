import { assertNever } from '../../base/assertNever.ts';
import { frame } from '../../base/frame.ts';
import type { Message } from '../../relay/messages.ts';
import { appIdOf } from '../../apps/appModelId.ts';
import { imagesOf, wordsOf } from '../attachments/attachmentText.ts';
import { checklistText, newestChecklist } from '../checklist.ts';
import { findTextToolCalls } from '../calls/textToolCalls.ts';
import { fullText } from '../modes/tellMode.ts';
import { contextMessage } from '../prompt/messageContext.ts';
import type { AnswerItem, ChatItem, SearchItem, SummaryItem, ToolItem, UserItem } from '../items.ts';

/** A message with the item it was made of. */
export interface ItemMessage {
  /** Absent for the system text. */
  readonly itemId?: string;
  readonly message: Message;
  /** What was found for the user's message and is a part of its content, which may be shortened. */
  readonly found?: FoundPart;
}

export interface FoundPart {
  /** Of the search. */
  readonly itemId: string;
  readonly text: string;
}

/** What the model is told of a call that has no result, so that the conversation can always go on. */
const noResult = 'The call was stopped before it had a result.';

/**
 * What is sent to a model: the system text, then every message, oldest first, from the newest summary on. An answer
 * with neither text nor calls is left out, since servers refuse it; every call is followed by exactly one result.
 */
export function toMessages(items: readonly ChatItem[], instructions: string): ItemMessage[] {
  const messages: ItemMessage[] = [];
  if (instructions.trim()) messages.push({ message: { role: 'system', content: instructions } });
  let before: string | undefined;
  let isByApp = false;
  const start = Math.max(
    0,
    items.findLastIndex((item) => item.type === 'summary'),
  );
  for (let index = start; index < items.length; index++) {
    const item = items[index]!;
    switch (item.type) {
      case 'user':
        messages.push(
          toUserMessage(item, {
            search: searchAfter(items, index),
            before,
            // What it refers to is summarised.
            mode: before && item.mode?.isRepeated ? fullText(items, item) : item.mode?.text,
          }),
        );
        before = undefined;
        break;
      case 'answer': {
        // What an app used was no tool of ours: only its words are told.
        isByApp = appIdOf(item.model) !== undefined;
        const calls = isByApp ? [] : callsAfter(items, index);
        if (isByApp && messages.at(-1)?.message.role === 'assistant') goOn(messages, item);
        else if (item.text || calls.length > 0)
          messages.push({ itemId: item.id, message: toAssistantMessage(item, calls) });
        break;
      }
      case 'tool':
        if (!isByApp && isCalled(messages, item))
          messages.push({ itemId: item.id, message: toToolMessage(item) });
        break;
      case 'summary': {
        const next = items.findIndex(({ type }, at) => at > index && (type === 'user' || type === 'answer'));
        if (items[next]?.type === 'answer') messages.push(toMessageWithin(items, index, item));
        else {
          const earlier = items[next] && isHandedIn(items, next) ? askedBefore(items, next) : [];
          before = [summaryBefore(items, index, item), ...workedOn(earlier)].join('\n\n');
        }
        break;
      }
      case 'search':
      case 'notice':
      case 'edits':
      case 'restoration':
        break;
      default:
        assertNever(item);
    }
  }
  return messages;
}

/** Where a summary or a damaged file has taken the answer away that asked for it, a result is nothing to send. */
function isCalled(messages: readonly ItemMessage[], { callId }: ToolItem): boolean {
  const answer = messages.findLast(({ message }) => message.role === 'assistant')?.message;
  return answer?.role === 'assistant' && answer.toolCalls?.some(({ id }) => id === callId) === true;
}

/** The calls of an answer are the tool items up to the next thing said. */
function callsAfter(items: readonly ChatItem[], index: number): ToolItem[] {
  const calls: ToolItem[] = [];
  for (let at = index + 1; at < items.length; at++) {
    const item = items[at]!;
    if (item.type === 'tool') calls.push(item);
    else if (item.type === 'user' || item.type === 'answer') break;
  }
  return calls;
}

/** What was found for a message before it was sent, if that was searched for; of several searches the last. */
function searchAfter(items: readonly ChatItem[], index: number): SearchItem | undefined {
  let search: SearchItem | undefined;
  for (let at = index + 1; at < items.length; at++) {
    const item = items[at]!;
    if (item.type === 'search') search = item;
    else if (item.type === 'user') break;
  }
  return search;
}

interface UserMessageParts {
  search: SearchItem | undefined;
  /** What stands in place of what was said before it. */
  before: string | undefined;
  mode: string | undefined;
}

/**
 * A summary, the facts of that time, the mode, and what was found for the question, go with the message after them: one of their own would be a
 * second user message in a row, which some models' templates refuse.
 */
function toUserMessage(item: UserItem, { search, before, mode }: UserMessageParts): ItemMessage {
  const found = search && { itemId: search.id, text: search.outcome.content };
  const { context } = item;
  const told = context && contextMessage(context);
  const parts = [before, told, mode, found?.text, wordsOf(item)];
  const content = parts.filter((part) => part !== undefined).join('\n\n');
  const images = imagesOf(item);
  const message = kept(
    item,
    (known) => known.content === content,
    () => ({ role: 'user', content, ...(images.length > 0 && { images }) }),
  );
  return { itemId: item.id, message, ...(found && { found }) };
}

/** Within a turn, the summary stands before the message that is worked on, which is no new one. */
function toMessageWithin(items: readonly ChatItem[], index: number, summary: SummaryItem): ItemMessage {
  const asked = askedBefore(items, index);
  const newest = asked.pop();
  const before = summaryBefore(items, index, summary);
  if (!newest) return { itemId: summary.id, message: { role: 'user', content: before } };
  const { message } = toUserMessage(newest, {
    search: undefined,
    before: [before, ...(asked.length > 0 ? workedOn(asked) : [goOnNote])].join('\n\n'),
    mode: newest.mode && fullText(items, newest),
  });
  return { itemId: summary.id, message };
}

/** Before a place within a turn: the message that began the turn, and those that were handed in since, oldest first. */
function askedBefore(items: readonly ChatItem[], at: number): UserItem[] {
  const asked: UserItem[] = [];
  let place = at;
  do {
    place = items.findLastIndex(({ type }, index) => index < place && type === 'user');
    const item = items[place];
    if (item?.type === 'user') asked.unshift(item);
  } while (isHandedIn(items, place));
  return asked;
}

/** A message that was said while the turn ran stands behind results, or behind another such message. */
function isHandedIn(items: readonly ChatItem[], at: number): boolean {
  const before = items.findLast(({ type }, index) => index < at && !besideWhatIsSaid.has(type));
  return before?.type === 'tool' || before?.type === 'user';
}

const besideWhatIsSaid = new Set<ChatItem['type']>(['notice', 'search', 'summary']);

/** Messages of the turn that would be known from the summary alone, before one that was handed in after them. */
function workedOn(earlier: readonly UserItem[]): string[] {
  return earlier.length > 0 ? [goOnNote, ...earlier.map(wordsOf), handedInNote] : [];
}

export const handedInNote = '[The user has said since:]';
export const goOnNote = '[You are working on this message of the user; go on with it:]';

/** A summary, with what was open of the checklist then: its call is not sent any more. */
export function summaryBefore(items: readonly ChatItem[], index: number, summary: SummaryItem): string {
  const steps = newestChecklist(items.slice(0, index)) ?? [];
  const isOpen = steps.some(({ state }) => state !== 'done');
  return isOpen
    ? `${summaryMessage(summary)}\n\n${checklistNote(checklistText(steps))}`
    : summaryMessage(summary);
}

export function checklistNote(text: string): string {
  return `[Your checklist then:]\n${text}`;
}

/** What the model reads in place of the messages before. */
export function summaryMessage({ text }: { text?: string | undefined }): string {
  return text
    ? `[The conversation before this message did not fit the context window. This is a summary of it:]\n${frame({ kind: 'summary', facts: {}, body: text })}`
    : '[The conversation before this message did not fit the context window and was left out.]';
}

function toAssistantMessage(item: AnswerItem, calls: readonly ToolItem[]): Message {
  const { model, text, reasoning, signedReasoning } = item;
  const isText = calls.some((call) => call.isText);
  return kept(
    item,
    (message) =>
      message.role === 'assistant' &&
      // Where calls ended the text, nothing is added to it any more.
      (isText || message.content === text) &&
      (message.toolCalls?.length ?? 0) === calls.length &&
      (calls.length === 0 ||
        ((message.reasoning ?? '') === reasoning && message.signedReasoning === signedReasoning)),
    () => {
      if (calls.length === 0) return { role: 'assistant', model, content: text };
      return {
        role: 'assistant',
        model,
        // What stood in place of the calls is not sent beside them.
        content: isText ? text.slice(0, findTextToolCalls(text)?.start).trimEnd() : text,
        // Some vendors want the reasoning back while a tool exchange goes on.
        ...(reasoning && { reasoning }),
        ...(signedReasoning && { signedReasoning }),
        toolCalls: calls.map(({ callId, name, input }) => ({
          ...{ id: callId, name, arguments: JSON.stringify(input) },
        })),
      };
    },
  );
}

/** What an app said after it used a tool goes on with what it said before: two answers in a row are often refused. */
function goOn(messages: ItemMessage[], { model, text }: AnswerItem): void {
  const last = messages.at(-1);
  if (last?.message.role !== 'assistant' || !text) return;
  const content = [last.message.content, text].filter(Boolean).join('\n\n');
  messages[messages.length - 1] = { ...last, message: { ...last.message, model, content } };
}

function toToolMessage(item: ToolItem): Message {
  const content = item.outcome?.content ?? noResult;
  return kept(
    item,
    (message) => message.content === content,
    () => ({ role: 'tool', toolCallId: item.callId, content }),
  );
}

const made = new WeakMap<ChatItem, Message>();

/** The same message object for an item that did not change, so that what is counted of it can be cached. */
function kept(item: ChatItem, isStillTrue: (message: Message) => boolean, make: () => Message): Message {
  const before = made.get(item);
  if (before && isStillTrue(before)) return before;
  const message = make();
  made.set(item, message);
  return message;
}
