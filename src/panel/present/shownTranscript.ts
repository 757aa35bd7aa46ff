import type { ChatChange, ChatController } from '../../chat/chatController.ts';
import type { Question } from '../../chat/calls/toolBox.ts';
import type { ChatItem, RequestUsage } from '../../chat/conversation/items.ts';
import { planAt } from '../../chat/modes/plan.ts';
import { usageOfTurn } from '../../chat/conversation/turnUsage.ts';
import { longestStretch, type Stretch, type ToHost, type ToPage } from '../../shared/protocol.ts';
import type { Entry } from '../../shared/transcript.ts';
import { toEntry, toEntryEnd, type Surroundings, toAnswerApp } from './present.ts';
import { toShownPictures } from '../pictureController.ts';
import { toCitable } from './presentSources.ts';

export interface ShownTranscriptDependencies {
  chat: ChatController;
  post(message: ToPage): void;
  /** Sends the whole state, after a change too large for single events. */
  replaceAll(): void;
  nameOf(modelId: string): string;
  questionOf(callId: string): Question | undefined;
}

type LoadEntries = Extract<ToHost, { type: 'loadEntries' }>;

const freshEntries = 30;
const freshBefore = 10;

/** Sends requested entries, and each change with its place: only the page knows which entries it holds. */
export class ShownTranscript {
  private shifted = 0;

  constructor(private readonly deps: ShownTranscriptDependencies) {}

  begin(wanted?: { chatId: string; id: string }): Stretch {
    const isSame = wanted?.chatId === this.deps.chat.shown.conversation.id;
    const index = isSame ? this.indexOf(wanted.id) : -1;
    const newest = this.items.length - freshEntries;
    const first = Math.max(0, index < 0 ? newest : Math.min(index - freshBefore, newest));
    return this.stretch(first, first + freshEntries);
  }

  /** Loads entries; negative places are not read yet. Rejects if they cannot be read. */
  async load({ requestId, from, to }: LoadEntries): Promise<void> {
    const { shifted } = this;
    try {
      if (from < 0) await this.deps.chat.shown.loadEarlier();
    } finally {
      const first = from + this.shifted - shifted;
      const stretch = this.stretch(first, first + Math.min(to - from, longestStretch));
      // Posted after a failure, too, so the page may ask again.
      this.deps.post({ type: 'entriesLoaded', requestId, ...stretch });
    }
  }

  onChange(change: ChatChange): void {
    switch (change.type) {
      case 'pictureAdded':
        return this.postPictures(change.id);
      case 'segmentsFound':
        return this.postCitable(change.id);
      case 'answerNamed':
      case 'fileOutput':
      case 'inputAwaited':
      case 'inputSettled':
      case 'questionsSuggested':
      case 'answerAnnotated':
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
        // The summary's cost belongs to an answer that has already ended.
        const answer = this.deps.chat.shown.conversation.newestAnswer;
        return answer && this.postEnd(answer.id);
      }
      case 'knowledgeSearched':
        this.postPlaced(change.id);
        return this.postCitable(this.items.at(-1)?.id);
      case 'hunksKept':
      case 'hunksUndone':
      case 'hunksRedone':
      case 'toolStateChanged':
      case 'itemChanged':
      case 'toolFinished':
        return this.postChanged(change.id);
      case 'toolsCalled':
        return this.postAdded(change.calls.length);
      case 'answerContinued':
      case 'stepChanged':
      case 'textReplaced':
      case 'textAdded':
      case 'reasoningAdded':
      case 'reasoningEnded':
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
    return this.deps.chat.shown.conversation.all;
  }

  /** Shown entries only change if two windows wrote in turns. */
  private goOnAbove(shown: readonly ChatItem[]): void {
    const by = this.items.length - shown.length;
    const isSame = shown.every(({ id }, index) => this.items[by + index]?.id === id);
    if (!isSame) return this.deps.replaceAll();
    this.shifted += by;
    this.deps.post({ type: 'entriesShifted', by });
  }

  /** Posts new items in order. Each is last when it arrives; otherwise the page would request the rest. */
  private postAdded(count: number): void {
    const { length } = this.items;
    for (let index = length - count; index < length; index++) this.postEntry(index, index + 1);
  }

  private postAfter(from: number): void {
    const { length } = this.items;
    if (length - from > longestStretch) return this.deps.replaceAll();
    this.deps.post({ type: 'entriesReplaced', from, entries: this.entries(from, length) });
  }

  /** Items above a message, such as its search, belong to its version. */
  private postVersion(id: string): void {
    const all = this.items;
    const at = all.findIndex((item) => item.id === id);
    const before = all.findLastIndex(
      ({ type }, index) => index < at && (type === 'user' || type === 'answer'),
    );
    this.postAfter(before + 1);
  }

  postChanged(id: string): void {
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

  /** The answer began before its sources were known. */
  private postCitable(id: string | undefined): void {
    const at = id === undefined ? -1 : this.indexOf(id);
    const item = this.items[at];
    if (item?.type !== 'answer') return;
    const citable = toCitable(this.deps.chat.shown.conversation.sourcesAt(at));
    this.deps.post({ type: 'citableChanged', id: item.id, citable });
  }

  private postPictures(id: string): void {
    const item = this.items[this.indexOf(id)];
    if (item?.type === 'answer' && item.pictures) {
      this.deps.post({ type: 'answerPicturesChanged', id, pictures: toShownPictures(item.pictures) });
    }
  }

  private postAnswerApp(id: string): void {
    const item = this.items[this.indexOf(id)];
    if (item?.type === 'answer' && item.app)
      this.deps.post({ type: 'answerAppChanged', id, app: toAnswerApp(item.app) });
  }

  /** Searches from the end: most changes are there. */
  private indexOf(id: string): number {
    return this.items.findLastIndex((item) => item.id === id);
  }

  /** While a turn runs, its last answer is only known once one ended without calls. */
  private requestsAt(at: number): RequestUsage[] | undefined {
    const { items } = this;
    const item = items[at];
    if (item?.type !== 'answer') return undefined;
    const isOpen = at === items.findLastIndex(({ type }) => type === 'answer' || type === 'user');
    if (isOpen && item.end?.reason === 'called' && this.deps.chat.shown.status.type !== 'idle')
      return undefined;
    return usageOfTurn(items, at);
  }

  /** A turn can end at calls and continue later; until then the answer with the calls shows its figures. */
  private postEndAtCalls(items = this.items): void {
    const last = items.findLast(({ type }) => type === 'answer' || type === 'user');
    if (last?.type === 'answer' && last.end?.reason === 'called') this.postEnd(last.id);
  }

  private postPlaced(id: string): void {
    this.postEntry(this.indexOf(id));
  }

  private postEntry(index: number, total = this.items.length): void {
    for (const entry of this.entriesAt(index)) this.deps.post({ type: 'entryAdded', entry, index, total });
  }

  private entriesAt(index: number): Entry[] {
    return index < 0 ? [] : this.entries(index, index + 1);
  }

  private stretch(from: number, to: number): Stretch {
    const total = this.items.length;
    const first = Math.min(Math.max(0, Math.floor(from)), total);
    const entries = this.entries(first, Math.max(first, Math.floor(to)));
    return { first, entries, total, ...(this.deps.chat.shown.hasEarlier && { isEndOnly: true }) };
  }

  private entries(from: number, to: number): Entry[] {
    return this.items.slice(from, to).map((item, n) => toEntry(item, this.surroundings(from + n)));
  }

  private surroundings(at: number): Surroundings {
    const { conversation } = this.deps.chat.shown;
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

export function isMostlyQuestion(items: readonly ChatItem[]): boolean {
  const at = items.findLastIndex(({ type }) => type === 'user');
  const question = items[at];
  if (!question) return false;
  const others = items.reduce((sum, item) => sum + sizeOf(item), 0) - sizeOf(question);
  return sizeOf(question) > others;
}

function sizeOf(item: ChatItem): number {
  switch (item.type) {
    case 'user': {
      const attached = item.attachments?.map(
        ({ text = '', image }) => text.length + (image?.data.length ?? 0),
      );
      return item.text.length + (attached?.reduce((sum, size) => sum + size, 0) ?? 0);
    }
    case 'answer':
      return item.text.length + item.reasoning.length;
    case 'tool':
      return item.outcome?.content.length ?? 0;
    default:
      return 0;
  }
}
