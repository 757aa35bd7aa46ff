import type { AppliedEdit } from '../../tools/edits/editJournal.ts';
import type { Findings, KnowledgeBase, FoundSegment, Source } from '../../tools/knowledge/source.ts';
import type { Parameters } from '../../relay/parameters.ts';
import type { ChatEvent } from '../store/events.ts';
import type { ApprovalLevel } from '../modes/mode.ts';
import { FileHistory } from '../edits/fileHistory.ts';
import { SourceIndex } from '../grounding/sourceIndex.ts';
import { ItemTree } from './itemTree.ts';
import type {
  AnswerItem,
  ChatItem,
  InstructionsRead,
  NoticeItem,
  QueuedMessage,
  RequestUsage,
} from './items.ts';
import { segmentKey } from '../../tools/knowledge/segmentKey.ts';

export class ConversationState {
  readonly tree = new ItemTree<ChatItem>(isSaid);
  turnEdits: AppliedEdit[] = [];
  /** Covers all branches, since any of them can be restored. */
  readonly fileHistory = new FileHistory();
  turnFolders: string[] = [];
  readonly begun = new Map<string, BegunEdit>();
  restoring: BegunRestoration | undefined;
  queued: readonly QueuedMessage[] = [];
  chosenModel: string | undefined;
  chosenMode: string | undefined;
  chosenApprovals: ApprovalLevel | undefined;
  chosenParameters: Parameters = {};
  chosenBases: readonly KnowledgeBase[] = [];
  readInstructions: InstructionsRead | undefined;
  readonly shortenedResults = new Map<string, number>();
  readonly running = new Map<string, BackgroundCommand>();
  readonly untold = new Map<string, string>();
  readonly appConversations = new Map<string, string>();
  readonly appInputs = new Map<string, Readonly<Record<string, unknown>>>();
  readonly sourceNumbers = new SourceNumbers();
  readonly sources = new SourceIndex();
  readonly requests: RequestUsage[] = [];
  wasTitleAsked = false;

  get all(): readonly ChatItem[] {
    return this.tree.path;
  }

  told(reported: readonly string[] = []): void {
    for (const id of reported) this.untold.delete(id);
  }

  spent(request: RequestUsage): RequestUsage {
    this.requests.push(request);
    return request;
  }

  unqueue(id: string): void {
    if (this.queued.some((message) => message.id === id)) {
      this.queued = this.queued.filter((message) => message.id !== id);
    }
  }

  know(findings: Findings | undefined): void {
    for (const source of findings?.sources ?? []) this.sourceNumbers.know(source);
  }

  get newestAnswer(): AnswerItem | undefined {
    return this.all.findLast((item) => item.type === 'answer');
  }

  /** Finds an answer. If a damaged file lost its start, a new one holds its later events and calls. */
  answer(id: string): AnswerItem {
    const known = this.find(id, 'answer');
    if (known) return known;
    const model = this.chosenModel ?? this.newestAnswer?.model ?? '';
    const answer: AnswerItem = { type: 'answer', id, model, text: '', reasoning: '' };
    this.tree.push(answer);
    return answer;
  }

  find<T extends ChatItem['type']>(id: string, type: T): Extract<ChatItem, { type: T }> | undefined {
    const item = this.tree.find(id);
    return item?.type === type ? (item as Extract<ChatItem, { type: T }>) : undefined;
  }

  change<T extends ChatItem['type']>(
    id: string,
    type: T,
    apply: (item: Extract<ChatItem, { type: T }>) => void,
  ): void {
    const item = this.find(id, type);
    if (item) apply(item);
  }
  placeNotice(notice: NoticeItem): void {
    if (this.tree.find(notice.id)) this.tree.replace(notice);
    else this.placeAboveAnswer(notice);
  }

  placeAboveAnswer(item: ChatItem): void {
    const { last } = this.tree;
    const isAbove = last?.type === 'answer' && !last.end && !last.text && !last.reasoning && !last.pictures;
    if (isAbove) this.tree.insertBefore(last.id, item);
    else this.tree.push(item);
  }
}

export type BegunRestoration = Extract<ChatEvent, { type: 'restorationBegun' }>;
export type BegunEdit = Extract<ChatEvent, { type: 'editBegun' }>;
export type BackgroundCommand = Extract<ChatEvent, { type: 'backgroundCommandStarted' }>;

function isSaid({ type }: ChatItem): boolean {
  return type === 'user' || type === 'answer';
}

/** Citation numbers of segments, from 1, unique within a conversation. */
export class SourceNumbers {
  private readonly numbers = new Map<string, number>();
  private highest = 0;

  know(source: Source): void {
    this.numbers.set(segmentKey(source), source.n);
    this.highest = Math.max(this.highest, source.n);
  }

  numberOf(segment: FoundSegment): number {
    const key = segmentKey(segment);
    const known = this.numbers.get(key);
    if (known !== undefined) return known;
    this.numbers.set(key, ++this.highest);
    return this.highest;
  }
}
