import type { KnowledgeBase } from '../../tools/knowledge/source.ts';
import type { ChatEvent } from '../store/events.ts';
import type { ApprovalLevel } from '../modes/mode.ts';
import type { AttachedInstructions, SentInstructions } from '../instructions/sentInstructions.ts';
import type { FileHistory } from '../edits/fileHistory.ts';
import { sourcesAt, type AnswerSources } from '../grounding/answerSources.ts';
import { withoutRepeats } from './withoutRepeats.ts';
import { applyEvent } from './applyEvent.ts';
import {
  ConversationState,
  type BackgroundCommand,
  type BegunEdit,
  type BegunRestoration,
  type SourceNumbers,
} from './conversationState.ts';
import type {
  InstructionsRead,
  QueuedMessage,
  AnswerItem,
  ToolItem,
  ChatItem,
  RequestUsage,
} from './items.ts';
import type { Parameters } from '../../relay/parameters.ts';

/** 1-based index of the shown version. */
export interface VersionPlace {
  number: number;
  count: number;
}

export class Conversation {
  private readonly state = new ConversationState();

  constructor(
    readonly id: string,
    events: readonly ChatEvent[] = [],
  ) {
    for (const event of withoutRepeats(events)) this.apply(event);
  }

  get all(): readonly ChatItem[] {
    return this.state.tree.path;
  }

  get newestAnswer(): AnswerItem | undefined {
    return this.state.newestAnswer;
  }

  get isTitleAsked(): boolean {
    return this.state.wasTitleAsked;
  }

  get queue(): readonly QueuedMessage[] {
    return this.state.queued;
  }

  get model(): string | undefined {
    return this.state.chosenModel;
  }

  get modeId(): string | undefined {
    return this.state.chosenMode;
  }

  get approvals(): ApprovalLevel {
    return this.state.chosenApprovals ?? 'askFirst';
  }

  get parameters(): Parameters {
    return this.state.chosenParameters;
  }

  get bases(): readonly KnowledgeBase[] {
    return this.state.chosenBases;
  }

  /** With a platform, a base may still be chosen, and a tool added then would change the start of every request. */
  offersSearch(hasPlatform: boolean): boolean {
    return hasPlatform || this.bases.length > 0;
  }

  get instructions(): readonly SentInstructions[] {
    return this.state.readInstructions?.files ?? [];
  }

  get attachedInstructions(): readonly AttachedInstructions[] {
    return attachedInstructions(this.all, this.state.shortenedResults);
  }

  /** Instruction files read since the newest summary, after which all are read again. */
  get instructionsRead(): InstructionsRead | undefined {
    return this.state.readInstructions;
  }

  /** Token limits of sent results by item id; others are sent whole. */
  get shortened(): ReadonlyMap<string, number> {
    return this.state.shortenedResults;
  }

  get backgroundCommands(): ReadonlyMap<string, BackgroundCommand> {
    return this.state.running;
  }

  get reports(): ReadonlyMap<string, string> {
    return this.state.untold;
  }

  withApp(appId: string): string | undefined {
    return this.state.appConversations.get(appId);
  }

  inputsFor(appId: string): Readonly<Record<string, unknown>> | undefined {
    return this.state.appInputs.get(appId);
  }

  apply(event: ChatEvent): void {
    applyEvent(this.state, event);
  }

  get fileHistory(): FileHistory {
    return this.state.fileHistory;
  }

  /** Citation numbers of all branches: a number never means two segments. */
  get sourceNumbers(): SourceNumbers {
    return this.state.sourceNumbers;
  }

  get requests(): readonly RequestUsage[] {
    return this.state.requests;
  }

  /** Answers and calls without an end, because the editor closed or crashed. */
  get unended(): readonly (AnswerItem | ToolItem)[] {
    return this.all.filter(
      (item): item is AnswerItem | ToolItem =>
        (item.type === 'answer' && !item.end) || (item.type === 'tool' && !item.outcome),
    );
  }

  /** Newest version of a retry that the editor's closing prevented, until something new is said. */
  get abandonedId(): string | undefined {
    // A restored conversation ends there on purpose.
    const isRestored = this.all.some(
      (item) => item.type === 'restoration' && item.id === this.state.tree.last?.id,
    );
    return isRestored ? undefined : this.state.tree.abandoned?.id;
  }

  findCheckpoint(id: string): ChatItem | undefined {
    return this.state.fileHistory.isMarked(id) ? this.state.tree.find(id) : undefined;
  }

  answerOf(id: string): AnswerItem | undefined {
    return this.state.find(id, 'answer');
  }

  versionOf(itemId: string): VersionPlace | undefined {
    const versions = this.versionsOf(itemId);
    const index = versions.findIndex(({ id }) => id === itemId);
    return versions.length > 1 && index >= 0 ? { number: index + 1, count: versions.length } : undefined;
  }

  versionBeside(itemId: string, direction: 'previous' | 'next'): string | undefined {
    const versions = this.versionsOf(itemId);
    const index = versions.findIndex(({ id }) => id === itemId);
    return index < 0 ? undefined : versions[index + (direction === 'next' ? 1 : -1)]?.id;
  }

  /** Items at the first split after an item, one per branch; empty without a split. */
  branchesAfter(id?: string): readonly ChatItem[] {
    const shown = new Set(this.all);
    let said: readonly ChatItem[];
    let at = id;
    do {
      said = this.state.tree.saidAfter(at);
      if (said.length > 1) said = said.filter((item) => shown.has(item) || this.saysSomethingFrom(item.id));
      at = said[0]?.id;
    } while (said.length === 1);
    return said;
  }

  turnOff(id: string): string | undefined {
    return this.state.tree.turnOff(id)?.id;
  }

  isLeft(id: string): boolean {
    return this.turnOff(id) !== undefined && !this.state.tree.isDeleted(id);
  }

  leftFor(id: string): string | undefined {
    const off = this.turnOff(id);
    const shown = new Set(this.all.map((item) => item.id));
    return off === undefined ? undefined : this.versionsOf(off).find((item) => shown.has(item.id))?.id;
  }

  saysSomethingFrom(itemId: string): boolean {
    return this.state.tree.someFrom(itemId, saysSomething);
  }

  get begunEdits(): readonly BegunEdit[] {
    return [...this.state.begun.values()];
  }

  get begunRestoration(): BegunRestoration | undefined {
    return this.state.restoring;
  }

  get hasOpenEdits(): boolean {
    return this.state.turnEdits.length > 0;
  }

  get unrunCalls(): readonly ToolItem[] {
    return this.newestCalls.filter(({ outcome }) => outcome?.unrun !== undefined);
  }

  get openCalls(): readonly ToolItem[] {
    return this.newestCalls.filter(({ outcome }) => !outcome);
  }

  private get newestCalls(): ToolItem[] {
    const start = this.all.findLastIndex(({ type }) => type === 'answer' || type === 'user');
    return this.all.slice(start + 1).filter((item) => item.type === 'tool');
  }

  sourcesAt(at: number): AnswerSources {
    return sourcesAt(this.all, at, this.state.sources);
  }

  sourcesOf(answerId: string): AnswerSources {
    return this.sourcesAt(this.all.findLastIndex(({ id }) => id === answerId));
  }

  /** Empty branches don't count as versions unless shown. */
  private versionsOf(itemId: string): readonly ChatItem[] {
    return this.state.tree
      .versionsOf(itemId)
      .filter((item) => item.id === itemId || this.saysSomethingFrom(item.id));
  }
}

function saysSomething(item: ChatItem): boolean {
  return item.type === 'user' || item.type === 'tool' || (item.type === 'answer' && !isEmptyAnswer(item));
}

function isEmptyAnswer(item: ChatItem): boolean {
  if (item.type !== 'answer' || item.text || item.reasoning || item.pictures || item.app) return false;
  return item.end?.reason !== 'called';
}

function attachedInstructions(
  items: readonly ChatItem[],
  shortened: ReadonlyMap<string, number>,
): AttachedInstructions[] {
  const start = items.findLastIndex(({ type }) => type === 'summary') + 1;
  return items
    .slice(start)
    .flatMap((item) =>
      item.type === 'tool' && !shortened.has(item.id) ? (item.outcome?.instructions ?? []) : [],
    );
}
