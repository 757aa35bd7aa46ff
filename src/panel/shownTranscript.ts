import type { ChatChange, ChatController } from '../chat/chatController.ts';
import type { Question } from '../chat/calls/toolBox.ts';
import type { ChatItem, RequestUsage } from '../chat/items.ts';
import { isMostlyQuestion } from './isMostlyQuestion.ts';
import { planAt } from '../chat/modes/plan.ts';
import { usageOfTurn } from '../chat/turnUsage.ts';
import { longestStretch, type Stretch, type ToHost, type ToPage } from '../shared/protocol.ts';
import type { Entry } from '../shared/transcript.ts';
import { toEntry, toEntryEnd, type Surroundings } from './present.ts';
import { toAnswerApp } from './presentApp.ts';
import { toCitable } from './presentSources.ts';

export interface ShownTranscriptDependencies {
  chat: ChatController;
  post(message: ToPage): void;
  /** So much has changed that the page gets the whole state. */
  replaceAll(): void;
  nameOf(modelId: string): string;
  /** What the user is asked about a call, while it waits for the answer. */
  questionOf(callId: string): Question | undefined;
}

type LoadEntries = Extract<ToHost, { type: 'loadEntries' }>;

/** How many entries a fresh page gets, and how many of them stand before one that it is to show. */
const freshEntries = 30;
const freshBefore = 10;

/**
 * The conversation for the page: the entries it asks for, and each change with its place. What the page holds of them
 * only the page knows.
 */
export class ShownTranscript {
  /** By how many places entries have moved since more of the conversation was read than its end. */
  private shifted = 0;

  constructor(private readonly deps: ShownTranscriptDependencies) {}

  /**
   * What a fresh page shows.
   * @param wanted an entry that is to be among it
   */
  begin(wanted?: { chatId: string; id: string }): Stretch {
    const isSame = wanted?.chatId === this.deps.chat.conversation.id;
    const index = isSame ? this.indexOf(wanted.id) : -1;
    const newest = this.items.length - freshEntries;
    const first = Math.max(0, index < 0 ? newest : Math.min(index - freshBefore, newest));
    return this.stretch(first, first + freshEntries);
  }

  /** Places before the first one are of what is not read yet. Rejects when it cannot be read. */
  async load({ requestId, from, to }: LoadEntries): Promise<void> {
    const { shifted } = this;
    try {
      if (from < 0) await this.deps.chat.loadEarlier();
    } finally {
      const first = from + this.shifted - shifted;
      const stretch = this.stretch(first, first + Math.min(to - from, longestStretch));
      // Also when that failed: what waits for it may ask again.
      this.deps.post({ type: 'entriesLoaded', requestId, ...stretch });
    }
  }

  /** Tells the page what became of entries; changes of other things are not for here. */
  onChange(change: ChatChange): void {
    switch (change.type) {
      case 'segmentsFound':
        return this.postCitable(change.id);
      case 'answerNamed':
      case 'fileOutput':
      case 'inputAwaited':
      case 'inputSettled':
      case 'questionsSuggested':
      case 'answerRated':
        return this.postAnswerApp(change.id);
      case 'earlierLoaded':
        return this.goOnAbove(change.shown);
      case 'statusChanged':
        if (change.status.type === 'idle' || change.status.type === 'connecting') this.postEndAtCalls();
        return;
      case 'userMessageAdded':
        this.postAdded(1);
        return this.postEndAtCalls(this.items.slice(0, -1));
      case 'answerStarted':
      case 'editsMade':
        return this.postAdded(1);
      case 'noticed':
        return this.postPlaced(change.id);
      case 'turnsSummarised': {
        this.postPlaced(change.id);
        // What the summary cost is a part of the figures of an answer that has ended.
        const answer = this.items.findLast(({ type }) => type === 'answer');
        return answer && this.postEnd(answer.id);
      }
      case 'knowledgeSearched':
        this.postPlaced(change.id);
        return this.postCitable(this.items.at(-1)?.id);
      case 'hunksKept':
      case 'hunksUndone':
      case 'toolStateChanged':
      case 'toolFinished':
        return this.postChanged(change.id);
      case 'toolsCalled':
        return this.postAdded(change.calls.length);
      case 'answerContinued':
      case 'stepChanged':
      case 'textReplaced':
      case 'textAdded':
      case 'reasoningAdded':
        return this.deps.post(change);
      case 'answerEnded':
        return this.postEnd(change.id);
      case 'itemsRemoved':
      case 'versionStarted':
      case 'branchDeleted':
        return this.postAfter(this.items.length);
      case 'checkpointRestored':
        return this.deps.replaceAll();
      case 'versionChosen':
        return this.postVersion(change.id);
    }
  }

  private get items(): readonly ChatItem[] {
    return this.deps.chat.conversation.all;
  }

  /** What is shown stays as it is, unless two windows wrote in turns. */
  private goOnAbove(shown: readonly ChatItem[]): void {
    const by = this.items.length - shown.length;
    const isSame = shown.every(({ id }, index) => this.items[by + index]?.id === id);
    if (!isSame) return this.deps.replaceAll();
    this.shifted += by;
    this.deps.post({ type: 'entriesShifted', by });
  }

  /** The newest items are new. Each is the last when it comes: the page would take it for one among others, and ask for the rest. */
  private postAdded(count: number): void {
    const { length } = this.items;
    for (let index = length - count; index < length; index++) this.postEntry(index, index + 1);
  }

  /** The conversation goes another way from here on. Where that is long, it is shown like another conversation. */
  private postAfter(from: number): void {
    const { length } = this.items;
    if (length - from > longestStretch) return this.deps.replaceAll();
    this.deps.post({ type: 'entriesReplaced', from, entries: this.entries(from, length) });
  }

  /** What stands above something said, such as a search for it, belongs to its version. */
  private postVersion(id: string): void {
    const all = this.items;
    const at = all.findIndex((item) => item.id === id);
    const before = all.findLastIndex(
      ({ type }, index) => index < at && (type === 'user' || type === 'answer'),
    );
    this.postAfter(before + 1);
  }

  private postChanged(id: string): void {
    const [entry] = this.entriesAt(this.indexOf(id));
    if (entry?.type === 'tool' || entry?.type === 'edits') this.deps.post({ type: 'entryChanged', entry });
  }

  private postEnd(id: string): void {
    const at = this.indexOf(id);
    const item = this.items[at];
    if (item?.type !== 'answer' || !item.end) return;
    const around = this.surroundings(at);
    const end = toEntryEnd(item, item.end, {
      sources: around.sources(),
      requests: around.requests(),
      hasPlan: around.hasPlan(),
      isMostlyQuestion: () => around.isMostlyQuestion(),
    });
    this.deps.post({ type: 'entryEnded', id, end });
  }

  /** The answer was begun before it was known what it may cite. */
  private postCitable(id: string | undefined): void {
    const at = id === undefined ? -1 : this.indexOf(id);
    const item = this.items[at];
    if (item?.type !== 'answer') return;
    const citable = toCitable(this.deps.chat.conversation.sourcesAt(at));
    this.deps.post({ type: 'citableChanged', id: item.id, citable });
  }

  private postAnswerApp(id: string): void {
    const item = this.items[this.indexOf(id)];
    if (item?.type === 'answer' && item.app)
      this.deps.post({ type: 'answerAppChanged', id, app: toAnswerApp(item.app) });
  }

  /** What changes is nearly always one of the last, so the search starts there. */
  private indexOf(id: string): number {
    return this.items.findLastIndex((item) => item.id === id);
  }

  /** While a turn runs, it is not known yet which answer is its last, unless that has ended in no calls. */
  private requestsAt(at: number): RequestUsage[] | undefined {
    const { items } = this;
    const item = items[at];
    if (item?.type !== 'answer') return undefined;
    const isOpen = at === items.findLastIndex(({ type }) => type === 'answer' || type === 'user');
    if (isOpen && item.end?.reason === 'called' && this.deps.chat.status.type !== 'idle') return undefined;
    return usageOfTurn(items, at);
  }

  /** A turn can also end, and go on, at calls: the answer that made them has its figures only in between. */
  private postEndAtCalls(items = this.items): void {
    const last = items.findLast(({ type }) => type === 'answer' || type === 'user');
    if (last?.type === 'answer' && last.end?.reason === 'called') this.postEnd(last.id);
  }

  /** An item that has its place among others. */
  private postPlaced(id: string): void {
    this.postEntry(this.indexOf(id));
  }

  private postEntry(index: number, total = this.items.length): void {
    for (const entry of this.entriesAt(index)) this.deps.post({ type: 'entryAdded', entry, index, total });
  }

  /** None where there is no item. */
  private entriesAt(index: number): Entry[] {
    return index < 0 ? [] : this.entries(index, index + 1);
  }

  /** As much of it as there is. */
  private stretch(from: number, to: number): Stretch {
    const total = this.items.length;
    const first = Math.min(Math.max(0, Math.floor(from)), total);
    const entries = this.entries(first, Math.max(first, Math.floor(to)));
    return { first, entries, total, ...(this.deps.chat.hasEarlier && { isEndOnly: true }) };
  }

  private entries(from: number, to: number): Entry[] {
    return this.items.slice(from, to).map((item, n) => toEntry(item, this.surroundings(from + n)));
  }

  private surroundings(at: number): Surroundings {
    const { conversation } = this.deps.chat;
    return {
      modelName: (id) => this.deps.nameOf(id),
      sources: () => conversation.sourcesAt(at),
      hasPlan: () => planAt(this.items, at) !== undefined,
      isMostlyQuestion: () => isMostlyQuestion(this.items.slice(0, at)),
      requests: () => this.requestsAt(at),
      versionOf: (id) => conversation.versionOf(id),
      questionOf: (id) => this.deps.questionOf(id),
    };
  }
}
