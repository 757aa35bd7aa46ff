import { batch, signal, type Signal } from '@preact/signals';
import type { AnswerApp, AppStep, AppView } from '../shared/apps.ts';
import type { AttachmentChip } from '../shared/attachments.ts';
import type { BranchTarget } from '../shared/branches.ts';
import type { ParametersLoaded } from '../shared/parameters.ts';
import type { ContextPartsLoaded, ContextUse } from '../shared/context.ts';
import type { ToldChip } from '../shared/told.ts';
import type { Citable, Knowledge, SearchEntry } from '../shared/knowledge.ts';
import type { Permissions } from '../shared/modes.ts';
import type { FindOpened, TextFound } from '../shared/navigation.ts';
import type { PanelNotice, QueuedMessage, ToPage } from '../shared/protocol.ts';
import type { EditsEntry, HunksLoaded, Plan, ToolEntry } from '../shared/tools.ts';
import type {
  Connection,
  Entry,
  EntryEnd,
  Models,
  Status,
  ToolCount,
  Version,
} from '../shared/transcript.ts';
import type { Thumbnails } from './thumbnails.ts';
import type { MentionAnswer } from './mentionTyping.ts';
import { mergeDraft } from './draft.ts';
import { EntryHeights } from './entryHeights.ts';

export type UserItem = Extract<Entry, { type: 'user' }>;

/** An answer; each part that changes is a signal, so that a delta touches this entry and nothing else. */
export interface AssistantItem {
  readonly type: 'assistant';
  readonly id: string;
  readonly model: string;
  readonly version: Version | undefined;
  readonly text: Signal<string>;
  readonly reasoning: Signal<string>;
  /** What [n] may stand for, beside what is listed at its end. */
  readonly citable: Signal<Citable>;
  readonly end: Signal<EntryEnd | undefined>;
  /** Of a flow that an app went through. */
  readonly steps: Signal<readonly AppStep[]>;
  readonly app: Signal<AnswerApp | undefined>;
}

/** A tool call of the answer before it. */
export interface ToolItem {
  readonly type: 'tool';
  readonly id: string;
  readonly entry: Signal<ToolEntry>;
}

/** The files a turn changed. */
export interface EditsItem {
  readonly type: 'edits';
  readonly id: string;
  readonly entry: Signal<EditsEntry>;
  /** By path, of the files that were unfolded. */
  readonly hunks: Signal<Readonly<Record<string, HunksLoaded>>>;
}

export type NoticeItem = Extract<Entry, { type: 'notice' }>;

export type Item = UserItem | AssistantItem | ToolItem | NoticeItem | EditsItem | SearchEntry;

/** @param show called again when what is drawn late has moved the entry; without it the entry gets the focus */
export interface Sought {
  index: number;
  id: string;
  show?(entry: HTMLElement): void;
}

/** Everything the page shows, as signals. */
export interface PageState {
  /** False until the host sent the first full state. Nothing of it is shown before, but for the message box. */
  readonly loaded: Signal<boolean>;
  /** The page came with the message box: it is expected that messages can be written. */
  readonly hasBox: boolean;
  /** A window of the conversation: the entries around what is seen. */
  readonly items: Signal<readonly Item[]>;
  /** The place of the first of them in the conversation, counted from 0. */
  readonly first: Signal<number>;
  /** How many entries the conversation has. */
  readonly total: Signal<number>;
  /** The conversation is not there yet. */
  readonly opening: Signal<boolean>;
  /** There are more before them, which the host has not read yet. */
  readonly isEndOnly: Signal<boolean>;
  /** Of all entries, also of those that the window left. */
  readonly heights: EntryHeights;
  /** The answer that began last, while the window is elsewhere: it is read out when it has ended. */
  unseenAnswer: AssistantItem | undefined;
  /** Entries that were asked for and have not come: those beside the window, or others in its place. */
  readonly loading: Signal<{ requestId: number; where: 'beside' | 'elsewhere' } | undefined>;
  /** Counts what the user has sent, or asked for again: its answer is wanted in view. */
  readonly asked: Signal<number>;
  /** Of the conversation that is shown. */
  chatId: string | undefined;
  /** Counts the full states: entries of another one are other entries, also under the same id. */
  generation: number;
  readonly draft: Signal<string>;
  /** What goes with the next message. */
  readonly attachments: Signal<readonly AttachmentChip[]>;
  /** What models are told beside the message. */
  readonly told: Signal<readonly ToldChip[]>;
  /** How full the model's context is; undefined where that is not shown. */
  readonly context: Signal<ContextUse | undefined>;
  /** What fills it, since it was asked for. */
  readonly contextParts: Signal<ContextPartsLoaded | undefined>;
  /** What is sent with each request, while that is shown. */
  readonly parameters: Signal<ParametersLoaded | undefined>;
  /** The checklist that the model keeps. */
  readonly plan: Signal<Plan | undefined>;
  /** Messages that are sent when what runs has ended. */
  readonly queue: Signal<readonly QueuedMessage[]>;
  /** Where the next message goes, if not to the end. */
  readonly branchTarget: Signal<BranchTarget | undefined>;
  readonly thumbnails: Thumbnails;
  readonly knowledge: Signal<Knowledge>;
  /** What is to be read out of what goes with it. */
  readonly attachmentNews: Signal<string>;
  /** What the host found last for an @ being typed. */
  readonly mentionAnswer: Signal<MentionAnswer | undefined>;
  /** A text that was just pasted and is long enough to be an attachment. */
  readonly longPaste: Signal<string | undefined>;
  /** What was sent and not yet taken over by the host; the box keeps it until then. */
  readonly sent: Signal<string | undefined>;
  /** When the user last typed, or 0; not a signal, since nothing is drawn from it. */
  typedAtMs: number;
  /** When `sent` was sent. */
  sentAtMs: number;
  readonly status: Signal<Status>;
  /** How far the host's clock is before the page's; its moments are read by it. Not a signal: it hardly changes. */
  hostAheadMs: number;
  readonly connection: Signal<Connection>;
  readonly models: Signal<Models>;
  readonly tools: Signal<ToolCount>;
  /** Undefined until the host has said it. */
  readonly permissions: Signal<Permissions | undefined>;
  /** Which choice is open below the message box. */
  readonly choiceOpen: Signal<'mode' | 'approvals' | 'context' | 'parameters' | undefined>;
  /** The app that the next message goes to. */
  readonly app: Signal<AppView | undefined>;
  /** The answer that ended last while the page watched, to be read out. */
  readonly finished: Signal<AssistantItem | undefined>;
  /** Counts the host's wishes to have the message box focused. */
  readonly focusWishes: Signal<number>;
  readonly pickerOpen: Signal<boolean>;
  /** How often the find bar was asked for; 0 while it is closed. */
  readonly finding: Signal<number>;
  readonly textFound: Signal<TextFound | undefined>;
  /** What the find bar is to look for, until it does. */
  readonly findOpened: Signal<FindOpened | undefined>;
  /** An entry that is to be brought into view, wherever it stands, and what is then done with it. */
  readonly sought: Signal<Sought | undefined>;
  readonly recalled: Signal<{ back: number; text: string } | undefined>;
  readonly notices: Signal<readonly PanelNotice[]>;
  /** Another version was asked for by this button, which has the focus again when that is shown. */
  versionWish: 'previous' | 'next' | undefined;
}

/** How long a typed letter may take to the host before the host's draft counts as newer. */
const draftTravelMs = 500;

/** @param page how it came */
export function createState({ hasBox = false } = {}): PageState {
  return {
    loaded: signal(false),
    hasBox,
    items: signal([]),
    first: signal(0),
    opening: signal(true),
    total: signal(0),
    isEndOnly: signal(false),
    heights: new EntryHeights(),
    unseenAnswer: undefined,
    loading: signal(undefined),
    asked: signal(0),
    chatId: undefined,
    generation: 0,
    draft: signal(''),
    attachments: signal([]),
    told: signal([]),
    context: signal(undefined),
    contextParts: signal(undefined),
    parameters: signal(undefined),
    plan: signal(undefined),
    queue: signal([]),
    branchTarget: signal(undefined),
    thumbnails: new Map(),
    knowledge: signal({ isConnected: false, chosen: [] }),
    attachmentNews: signal(''),
    mentionAnswer: signal(undefined),
    longPaste: signal(undefined),
    sent: signal(undefined),
    typedAtMs: 0,
    sentAtMs: 0,
    status: signal({ type: 'idle' }),
    hostAheadMs: 0,
    connection: signal({ state: 'none' }),
    models: signal({ state: 'none', options: [], favourites: [], recent: [] }),
    tools: signal({ on: 0, total: 0 }),
    permissions: signal(undefined),
    choiceOpen: signal(undefined),
    app: signal(undefined),
    finished: signal(undefined),
    focusWishes: signal(0),
    pickerOpen: signal(false),
    finding: signal(0),
    textFound: signal(undefined),
    findOpened: signal(undefined),
    sought: signal(undefined),
    recalled: signal(undefined),
    notices: signal([]),
    versionWish: undefined,
  };
}

/** Folds one event of the host into the state. What names an unknown entry is ignored. */
export function receive(state: PageState, message: ToPage): void {
  // The first full state brings all that was said before it.
  if (!state.loaded.peek() && message.type !== 'stateReplaced') return;
  batch(() => fold(state, message));
}

function fold(state: PageState, message: ToPage): void {
  switch (message.type) {
    case 'stateReplaced': {
      const { entries, first, total, draft, attachments, knowledge, status, connection, models, app } =
        message.state;
      state.hostAheadMs = differenceOf(message.state.nowMs, Date.now());
      state.attachments.value = attachments;
      state.queue.value = message.state.queue;
      state.branchTarget.value = message.state.branchTarget;
      state.notices.value = message.state.notices;
      state.knowledge.value = knowledge;
      state.generation++;
      // What was found is not of this one.
      if (message.state.chatId !== state.chatId) state.finding.value = 0;
      state.chatId = message.state.chatId;
      state.items.value = entries.map(toItem);
      state.first.value = first;
      state.total.value = total;
      state.opening.value = message.state.isOpening === true;
      state.isEndOnly.value = message.state.isEndOnly === true;
      state.heights.forget();
      state.unseenAnswer = undefined;
      state.loading.value = undefined;
      // What was just typed is on its way to the host, which has not seen it yet; before the host was there, all was.
      const travelMs = state.loaded.peek() ? draftTravelMs : Infinity;
      if (state.typedAtMs === 0 || Date.now() - state.typedAtMs > travelMs) replaceDraft(state, draft);
      state.status.value = status;
      state.connection.value = connection;
      state.models.value = models;
      state.tools.value = message.state.tools;
      state.permissions.value = message.state.permissions;
      state.app.value = app;
      state.finished.value = undefined;
      state.loaded.value = true;
      return;
    }
    case 'entryAdded':
      return addEntry(state, message);
    case 'textAdded': {
      const item = answer(state, message.id);
      if (item) item.text.value += message.text;
      return;
    }
    case 'textReplaced': {
      const item = answer(state, message.id);
      if (item) item.text.value = message.text;
      return;
    }
    case 'entryChanged': {
      const { entry } = message;
      const item = state.items.peek().findLast(({ id }) => id === entry.id);
      if (item?.type === 'tool' && entry.type === 'tool') item.entry.value = entry;
      else if (item?.type === 'edits' && entry.type === 'edits') item.entry.value = entry;
      return;
    }
    case 'hunksLoaded': {
      const item = state.items.peek().findLast(({ id }) => id === message.id);
      if (item?.type === 'edits') item.hunks.value = { ...item.hunks.peek(), [message.path]: message };
      return;
    }
    case 'reasoningAdded': {
      const item = answer(state, message.id);
      if (item) item.reasoning.value += message.text;
      return;
    }
    case 'entryEnded': {
      const item = answer(state, message.id);
      if (!item) return;
      item.end.value = message.end;
      if (!message.end.isStep) state.finished.value = item;
      return;
    }
    case 'answerContinued': {
      const item = answer(state, message.id);
      if (!item) return;
      item.end.value = undefined;
      // Read out again when it is whole.
      state.finished.value = undefined;
      return;
    }
    case 'entriesReplaced': {
      const { from, entries } = message;
      const [items, first] = [state.items.peek(), state.first.peek()];
      state.heights.truncate(from);
      state.total.value = from + entries.length;
      if (from > first + items.length) return;
      state.items.value = [...items.slice(0, Math.max(0, from - first)), ...entries.map(toItem)];
      state.first.value = Math.min(first, from);
      return;
    }
    case 'entriesShifted':
      state.first.value += message.by;
      state.total.value += message.by;
      state.isEndOnly.value = false;
      // Few are known that early.
      state.heights.forget();
      return;
    case 'entriesLoaded':
      return addStretch(state, message);
    case 'statusChanged':
      state.status.value = message.status;
      return;
    case 'connectionChanged':
      state.connection.value = message.connection;
      return;
    case 'parametersLoaded': {
      const { type: _type, ...parameters } = message;
      state.parameters.value = parameters;
      return;
    }
    case 'modelsChanged':
      state.models.value = message.models;
      return;
    case 'toldChanged':
      state.told.value = message.told;
      return;
    case 'planChanged':
      state.plan.value = message.plan;
      return;
    case 'contextUseChanged':
      state.context.value = message.use;
      return;
    case 'contextPartsLoaded':
      state.contextParts.value = message;
      return;
    case 'permissionsChanged':
      state.permissions.value = message.permissions;
      return;
    case 'modesOpened':
      state.choiceOpen.value = 'mode';
      return;
    case 'toolsChanged':
      state.tools.value = message.tools;
      return;
    case 'draftReplaced':
      replaceDraft(state, message.text);
      return;
    case 'queueChanged':
      state.queue.value = message.queue;
      return;
    case 'branchTargetChanged':
      state.branchTarget.value = message.target;
      return;
    case 'messageBoxFocused':
      state.focusWishes.value++;
      return;
    case 'modelPickerOpened':
      state.pickerOpen.value = true;
      return;
    case 'textFound':
      state.textFound.value = message;
      return;
    case 'findOpened':
      state.findOpened.value = message;
      state.finding.value++;
      return;
    case 'messageFound':
      state.sought.value = { index: message.index, id: message.id };
      return;
    case 'messageRecalled':
      state.recalled.value = message;
      return;
    case 'noticesChanged':
      state.notices.value = message.notices;
      return;
    case 'messageHeld':
      state.sent.value = undefined;
      return;
    case 'attachmentsChanged':
      state.attachments.value = message.attachments;
      return;
    case 'pictureLoaded':
      void import('./thumbnails.ts').then(({ receivePicture }) =>
        receivePicture(state.thumbnails, message.picture),
      );
      return;
    case 'mentionsFound':
      state.mentionAnswer.value = message;
      return;
    case 'knowledgeChanged':
      state.knowledge.value = message.knowledge;
      return;
    case 'appChanged':
      state.app.value = message.app;
      return;
    case 'stepChanged': {
      const item = answer(state, message.id);
      if (item) item.steps.value = putStep(item.steps.peek(), message.step);
      return;
    }
    case 'answerAppChanged': {
      const item = answer(state, message.id);
      if (item) item.app.value = message.app;
      return;
    }
    case 'citableChanged': {
      const item = answer(state, message.id);
      if (item) item.citable.value = message.citable;
      return;
    }
  }
}

/** How far one clock is before another; less than a second is how long the message was on its way. */
function differenceOf(hostMs: number, pageMs: number): number {
  return Math.abs(hostMs - pageMs) < 1000 ? 0 : hostMs - pageMs;
}

function replaceDraft(state: PageState, text: string): void {
  state.draft.value = mergeDraft(state.draft.peek(), state.sent.peek(), text);
  state.sent.value = undefined;
}

/** In place of the one it is known by, else after all others. */
function putStep(steps: readonly AppStep[], step: AppStep): readonly AppStep[] {
  const at = steps.findLastIndex(({ id }) => id === step.id);
  return at < 0 ? [...steps, step] : steps.with(at, step);
}

/** The answer that is written to is nearly always the last entry, so the search starts there. */
function answer(state: PageState, id: string): AssistantItem | undefined {
  const item = state.items.peek().findLast((each) => each.id === id);
  if (!item && state.unseenAnswer?.id === id) return state.unseenAnswer;
  return item?.type === 'assistant' ? item : undefined;
}

/** Whether the window reaches to the end of the conversation. */
export function reachesEnd(state: PageState): boolean {
  return state.first.value + state.items.value.length >= state.total.value;
}

function addEntry(state: PageState, { entry, index, total }: Added): void {
  const [items, first] = [[...state.items.peek()], state.first.peek()];
  const known = items.findLastIndex(({ id }) => id === entry.id);
  const isAtEnd = index === state.total.peek();
  const at = index - first;
  if (known < 0 && total > state.total.peek()) state.heights.insert(index);
  const item = toItem(entry);
  if (known >= 0) items[known] = item;
  else if (at < 0) state.first.value += total - state.total.peek();
  else if (at < items.length || (at === items.length && isAtEnd)) items.splice(at, 0, item);
  else if (item.type === 'assistant') state.unseenAnswer = item;
  state.total.value = total;
  state.items.value = items;
  const isAnswerTo = item.type === 'assistant' && items[at - 1]?.type === 'user';
  if (known < 0 && isAtEnd && (item.type === 'user' || isAnswerTo)) state.asked.value++;
}

type Added = Extract<ToPage, { type: 'entryAdded' }>;

type Loaded = Extract<ToPage, { type: 'entriesLoaded' }>;

/** The window grows by entries that join it, or moves to where they are if that was asked for. */
function addStretch(state: PageState, { requestId, first, entries, total }: Loaded): void {
  const { loading } = state;
  const isAwaited = loading.peek()?.requestId === requestId;
  const isElsewhere = isAwaited && loading.peek()?.where === 'elsewhere';
  if (isAwaited) loading.value = undefined;
  state.total.value = total;
  const [items, start] = [state.items.peek(), state.first.peek()];
  const joins = first <= start + items.length && start <= first + entries.length;
  if (!joins && !isElsewhere) return;
  const added = entries.map(toItem);
  if (joins) {
    const after = start + items.length - first;
    state.items.value = [
      ...added.slice(0, Math.max(0, start - first)),
      ...items,
      ...added.slice(Math.min(after, added.length)),
    ];
  } else state.items.value = added;
  state.first.value = joins ? Math.min(start, first) : first;
  if (state.items.peek().some(({ id }) => id === state.unseenAnswer?.id)) state.unseenAnswer = undefined;
}

/** Leaves only these entries in the window, counted from its beginning. */
export function narrow(state: PageState, from: number, to: number): void {
  const items = state.items.peek();
  const newest = items.slice(to).findLast((item) => item.type === 'assistant');
  if (newest && !newest.end.peek()) state.unseenAnswer = newest;
  batch(() => {
    state.items.value = items.slice(from, to);
    state.first.value += from;
  });
}

function toItem(entry: Entry): Item {
  switch (entry.type) {
    case 'user':
    case 'notice':
    case 'search':
      return entry;
    case 'edits':
      return { type: 'edits', id: entry.id, entry: signal(entry), hunks: signal({}) };
    case 'tool':
      return { type: 'tool', id: entry.id, entry: signal(entry) };
    case 'assistant': {
      const { type, id, model, version, text, reasoning, citable = [], end, steps = [], app } = entry;
      return {
        ...{ type, id, model, version, text: signal(text), reasoning: signal(reasoning) },
        ...{ citable: signal(citable), end: signal(end), steps: signal(steps), app: signal(app) },
      };
    }
  }
}
