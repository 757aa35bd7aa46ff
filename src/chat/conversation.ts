import { assertNever } from '../base/assertNever.ts';
import type { AppliedEdit, RevertOutcome } from '../tools/editJournal.ts';
import type { Findings, KnowledgeBase } from '../tools/knowledge/source.ts';
import { applyToPart, emptyPart, type AppPart } from './apps/appPart.ts';
import type { Attachment } from './attachments/attachment.ts';
import type {
  AnswerEnd,
  AskedCall,
  ChatEvent,
  NoticeKind,
  SearchOutcome,
  ToolOutcome,
  ToolState,
} from './events.ts';
import { SourceNumbers } from './sourceNumbers.ts';

export interface UserItem {
  type: 'user';
  id: string;
  text: string;
  attachments?: readonly Attachment[];
}

export interface AnswerItem {
  type: 'answer';
  id: string;
  model: string;
  text: string;
  reasoning: string;
  end?: AnswerEnd;
  /** Where an app gave it. */
  app?: AppPart;
}

/** A call of the answer before it; without an outcome it still runs, or was left behind by a crash. */
export interface ToolItem extends AskedCall {
  type: 'tool';
  /** Undefined before its turn has come. */
  state?: ToolState;
  outcome?: ToolOutcome;
}

export interface NoticeItem {
  type: 'notice';
  id: string;
  kind: NoticeKind;
  detail?: string;
}

/** A search of the chosen knowledge bases for the message of the person before it. */
export interface SearchItem {
  type: 'search';
  id: string;
  outcome: SearchOutcome;
}

/** The files a turn changed. */
export interface EditsItem {
  type: 'edits';
  id: string;
  edits: AppliedEdit[];
  outcome?: RevertOutcome;
}

/** Stands where the kept part of the conversation begins; what is above it is sent as this text, or not at all. */
export interface SummaryItem {
  type: 'summary';
  id: string;
  text?: string;
  problem?: string;
}

export type ChatItem = EditsItem | UserItem | AnswerItem | ToolItem | NoticeItem | SearchItem | SummaryItem;

/** The items of one chat: a fold over its events. */
export class Conversation {
  private readonly items: ChatItem[] = [];
  private chosenModel: string | undefined;
  private chosenBases: readonly KnowledgeBase[] = [];
  private readonly appConversations = new Map<string, string>();
  private readonly appInputs = new Map<string, Readonly<Record<string, unknown>>>();
  /** Also those of what was taken back: a number never means two segments. */
  readonly sourceNumbers = new SourceNumbers();

  constructor(
    readonly id: string,
    events: Iterable<ChatEvent> = [],
  ) {
    for (const event of events) this.apply(event);
  }

  get all(): readonly ChatItem[] {
    return this.items;
  }

  /** The model picked for this chat, if one was. */
  get model(): string | undefined {
    return this.chosenModel;
  }

  /** The knowledge bases that answers are grounded in. */
  get bases(): readonly KnowledgeBase[] {
    return this.chosenBases;
  }

  /** The platform's id of what was said with this app here; undefined before its first answer. */
  withApp(appId: string): string | undefined {
    return this.appConversations.get(appId);
  }

  /** What its form was filled in with, as the platform takes it; undefined while that is not known. */
  inputsFor(appId: string): Readonly<Record<string, unknown>> | undefined {
    return this.appInputs.get(appId);
  }

  apply(event: ChatEvent): void {
    switch (event.type) {
      case 'knowledgeChosen':
        this.chosenBases = event.bases;
        return;
      case 'modelSelected':
        this.chosenModel = event.modelId;
        return;
      case 'userSaid': {
        const { id, text, attachments } = event;
        this.items.push({ type: 'user', id, text, ...(attachments && { attachments }) });
        return;
      }
      case 'answerStarted':
        this.items.push({ type: 'answer', id: event.id, model: event.model, text: '', reasoning: '' });
        return;
      case 'reasoningAdded':
        this.change(event.id, 'answer', (answer) => (answer.reasoning += event.text));
        return;
      case 'textAdded':
        this.change(event.id, 'answer', (answer) => (answer.text += event.text));
        return;
      case 'textReplaced':
        this.change(event.id, 'answer', (answer) => (answer.text = event.text));
        return;
      case 'toolsCalled':
        this.items.push(...event.calls.map((call): ToolItem => ({ type: 'tool', ...call })));
        return;
      case 'toolStateChanged':
        this.change(event.id, 'tool', (tool) => (tool.state = event.state));
        return;
      case 'toolFinished':
        this.change(event.id, 'tool', (tool) => (tool.outcome ??= event.outcome));
        this.know(event.outcome.findings);
        return;
      case 'knowledgeSearched':
        this.placeAboveAnswer({ type: 'search', id: event.id, outcome: event.outcome });
        this.know(event.outcome.findings);
        return;
      case 'editsMade':
        this.items.push({ type: 'edits', id: event.id, edits: event.edits.map(toAppliedEdit) });
        return;
      case 'editsReverted':
        this.change(event.id, 'edits', (item) => (item.outcome = event.outcome));
        return;
      case 'answerEnded':
        this.change(event.id, 'answer', (answer) => (answer.end = event.end));
        return;
      case 'noticed': {
        const { id, kind, detail } = event;
        this.placeNotice({ type: 'notice', id, kind, ...(detail && { detail }) });
        return;
      }
      case 'turnsSummarised': {
        const { id, beforeId, text, problem } = event;
        const index = this.items.findLastIndex((item) => item.id === beforeId);
        const item: SummaryItem = { type: 'summary', id, ...(text && { text }), ...(problem && { problem }) };
        if (index >= 0) this.items.splice(index, 0, item);
        return;
      }
      case 'itemsRemoved': {
        const index = this.items.findIndex((item) => item.id === event.fromId);
        if (index >= 0) this.items.length = index;
        return;
      }
      case 'appConversationStarted':
        this.appConversations.set(event.appId, event.conversationId);
        return;
      case 'appInputsKnown':
        this.appInputs.set(event.appId, event.inputs);
        return;
      case 'answerNamed':
      case 'stepChanged':
      case 'segmentsFound':
      case 'fileGiven':
      case 'questionsSuggested':
      case 'answerRated':
        this.change(event.id, 'answer', (answer) => applyToPart((answer.app ??= emptyPart()), event));
        return;
      default:
        assertNever(event);
    }
  }

  /** Answers and calls that never ended, because the editor was closed or died meanwhile. */
  get unended(): readonly (AnswerItem | ToolItem)[] {
    return this.items.filter(
      (item): item is AnswerItem | ToolItem =>
        (item.type === 'answer' && !item.end) || (item.type === 'tool' && !item.outcome),
    );
  }

  /** The message that an answer, a call or a notice is about. */
  turnOf(itemId: string): UserItem | undefined {
    const index = this.items.findIndex((item) => item.id === itemId);
    return this.items.slice(0, index + 1).findLast((item): item is UserItem => item.type === 'user');
  }

  /** A notice known already is said anew in its place. */
  private placeNotice(notice: NoticeItem): void {
    const known = this.items.findLastIndex(({ id }) => id === notice.id);
    if (known >= 0) this.items[known] = notice;
    else this.placeAboveAnswer(notice);
  }

  /** Above an answer that did not begin yet, else at the end. */
  private placeAboveAnswer(item: ChatItem): void {
    const last = this.items.at(-1);
    const isAbove = last?.type === 'answer' && !last.end && !last.text && !last.reasoning;
    this.items.splice(isAbove ? -1 : this.items.length, 0, item);
  }

  private know(findings: Findings | undefined): void {
    for (const source of findings?.sources ?? []) this.sourceNumbers.know(source);
  }

  /** What changes is at the end, so looking from there keeps a long conversation linear. */
  private change<T extends ChatItem['type']>(
    id: string,
    type: T,
    apply: (item: Extract<ChatItem, { type: T }>) => void,
  ): void {
    const item = this.items.findLast((candidate) => candidate.id === id);
    if (item?.type === type) apply(item as Extract<ChatItem, { type: T }>);
  }
}

/** JSON has no undefined: what was created has no text before. */
function toAppliedEdit(edit: Omit<AppliedEdit, 'before'> & { before?: string | undefined }): AppliedEdit {
  return { ...edit, before: edit.before };
}
