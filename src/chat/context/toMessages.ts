import { frame } from '../../base/text/frame.ts';
import type { Message, ToolCall } from '../../relay/messages.ts';
import { appIdOf } from '../../apps/appModelId.ts';
import { imagesOf, wordsOf } from '../attachments/attachmentText.ts';
import { checklistText, newestChecklist } from '../conversation/checklist.ts';
import { findTextToolCalls } from '../calls/textToolCalls.ts';
import { fullText } from '../modes/tellMode.ts';
import { contextMessage } from '../prompt/messageContext.ts';
import { shortenText } from './shortenText.ts';
import type {
  AnswerItem,
  ChatItem,
  SearchItem,
  SummaryItem,
  ToolItem,
  UserItem,
} from '../conversation/items.ts';
import { assertNever } from '../../base/errors/errors.ts';

export interface ItemMessage {
  readonly itemId?: string;
  readonly message: Message;
  readonly found?: FoundPart;
}

export interface FoundPart {
  readonly itemId: string;
  readonly text: string;
}

const noResult = 'The call was stopped before it had a result.';

/** Starts at the newest summary. Skips empty answers, which servers reject; every call gets one result. */
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
      case 'user': {
        const filteredTo = endOfFiltered(items, index);
        if (filteredTo !== undefined) {
          index = filteredTo - 1;
          break;
        }
        messages.push(
          toUserMessage(item, {
            search: searchAfter(items, index),
            before,
            // The full text it refers to was summarised away.
            mode: before && item.mode?.isRepeated ? fullText(items, item) : item.mode?.text,
          }),
        );
        before = undefined;
        break;
      }
      case 'answer': {
        // Calls made by an app are not our tools: only its text is sent.
        isByApp = appIdOf(item.model) !== undefined;
        const calls = isByApp ? [] : callsAfter(items, index);
        if (isByApp && messages.at(-1)?.message.role === 'assistant') goOn(messages, item);
        else if (item.text || item.pictures || calls.length > 0)
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

/** A filtered question would get later requests refused too. Undefined for the newest one, which may be retried. */
function endOfFiltered(items: readonly ChatItem[], index: number): number | undefined {
  let answer: AnswerItem | undefined;
  for (let at = index + 1; at < items.length; at++) {
    const item = items[at]!;
    if (item.type === 'answer') answer = item;
    if (item.type !== 'user') continue;
    return answer && isFiltered(answer) ? at : undefined;
  }
  return undefined;
}

/** Only a server's explicit refusal counts; a guessed blocked prompt has no status. */
export function isFiltered({ text, end }: AnswerItem): boolean {
  const { code, details } = end?.failure ?? {};
  return code === 'content-filter' && details?.status !== undefined && text === '';
}

function isCalled(messages: readonly ItemMessage[], { callId }: ToolItem): boolean {
  const answer = messages.findLast(({ message }) => message.role === 'assistant')?.message;
  return answer?.role === 'assistant' && answer.toolCalls?.some(({ id }) => id === callId) === true;
}

function callsAfter(items: readonly ChatItem[], index: number): ToolItem[] {
  const calls: ToolItem[] = [];
  for (let at = index + 1; at < items.length; at++) {
    const item = items[at]!;
    if (item.type === 'tool') calls.push(item);
    else if (item.type === 'user' || item.type === 'answer') break;
  }
  return calls;
}

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
  before: string | undefined;
  mode: string | undefined;
}

/** Summary, facts, mode and findings go into the next message: some templates reject two user messages in a row. */
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

/** Messages sent during a turn follow results or another such message. */
function isHandedIn(items: readonly ChatItem[], at: number): boolean {
  const before = items.findLast(({ type }, index) => index < at && !besideWhatIsSaid.has(type));
  return before?.type === 'tool' || before?.type === 'user';
}

const besideWhatIsSaid = new Set<ChatItem['type']>(['notice', 'search', 'summary']);

function workedOn(earlier: readonly UserItem[]): string[] {
  return earlier.length > 0 ? [goOnNote, ...earlier.map(wordsOf), handedInNote] : [];
}

export const handedInNote = '[The user has said since:]';
export const goOnNote = '[You are working on this message of the user; go on with it:]';

/** The summary and the open checklist, whose call is not sent any more. */
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

export function summaryMessage({ text }: { text?: string | undefined }): string {
  return text
    ? `[The conversation before this message did not fit the context window. This is a summary of it:]\n${frame({ kind: 'summary', facts: {}, body: text })}`
    : '[The conversation before this message did not fit the context window and was left out.]';
}

function toAssistantMessage(item: AnswerItem, calls: readonly ToolItem[]): Message {
  const { model, reasoning, signedReasoning } = item;
  const text = withPictures(item);
  const isText = calls.some((call) => call.isText);
  return kept(
    item,
    (message) =>
      message.role === 'assistant' &&
      // An answer ended by calls gets no more text.
      (isText || message.content === text) &&
      (message.toolCalls?.length ?? 0) === calls.length &&
      (message.reasoning ?? '') === reasoning &&
      message.signedReasoning === signedReasoning,
    () => ({
      role: 'assistant',
      model,
      // Calls within the text are sent as calls instead.
      content: isText ? text.slice(0, findTextToolCalls(text)?.start).trimEnd() : text,
      ...(reasoning && { reasoning }),
      ...(signedReasoning && { signedReasoning }),
      ...(calls.length > 0 && { toolCalls: calls.map(toToolCall) }),
    }),
  );
}

function toToolCall({ callId, name, input, extra }: ToolItem): ToolCall {
  return { id: callId, name, arguments: JSON.stringify(input), ...(extra && { extra }) };
}

/** Pictures are described in words, since few models accept them in their own answers. */
function withPictures({ text, pictures }: AnswerItem): string {
  if (!pictures) return text;
  const words = pictures.map(({ type }, index) => `[Picture ${index + 1}, ${type}]`);
  return [text, ...words].filter(Boolean).join('\n\n');
}

/** Joins an app's consecutive answers: two answers in a row are often rejected. */
function goOn(messages: ItemMessage[], { model, text }: AnswerItem): void {
  const last = messages.at(-1);
  if (last?.message.role !== 'assistant' || !text) return;
  const content = [last.message.content, text].filter(Boolean).join('\n\n');
  messages[messages.length - 1] = { ...last, message: { ...last.message, model, content } };
}

function toToolMessage(item: ToolItem): Message {
  const { outcome, inputText } = item;
  const content = outcome
    ? [outcome.content, inputText && wrongArguments(inputText)]
        .filter((text) => text !== undefined)
        .join('\n\n')
    : noResult;
  return kept(
    item,
    (message) => message.content === content,
    () => ({ role: 'tool', toolCallId: item.callId, content }),
  );
}

const longestArguments = 500;

/** Invalid arguments go back to the model as `{}`, so the result quotes them. */
function wrongArguments(text: string): string {
  return frame({ kind: 'arguments', facts: {}, body: shortenText(text, longestArguments, () => '[…]') });
}

const made = new WeakMap<ChatItem, Message>();

/** Reuses the message object of an unchanged item, so that its cached size remains valid. */
function kept(item: ChatItem, isStillTrue: (message: Message) => boolean, make: () => Message): Message {
  const before = made.get(item);
  if (before && isStillTrue(before)) return before;
  const message = make();
  made.set(item, message);
  return message;
}
