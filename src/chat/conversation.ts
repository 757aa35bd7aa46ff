import { assertNever } from '../base/assertNever.ts';
import type { AppliedEdit } from '../tools/editJournal.ts';
import type { Findings, KnowledgeBase } from '../tools/knowledge/source.ts';
import { applyToPart, emptyPart } from './apps/appPart.ts';
import type { ChatEvent, ReviewedFile } from './events.ts';
import type { ApprovalLevel } from './modes/mode.ts';
import { attachedInstructions } from './instructions/attachedInstructions.ts';
import type { AttachedInstructions, SentInstructions } from './instructions/sentInstructions.ts';
import { FileHistory } from './fileHistory.ts';
import { ItemTree } from './itemTree.ts';
import { sourcesAt, type AnswerSources } from './grounding/answerSources.ts';
import { SourceIndex } from './grounding/sourceIndex.ts';
import { SourceNumbers } from './grounding/sourceNumbers.ts';
import type {
  UserItem,
  InstructionsRead,
  QueuedMessage,
  AnswerItem,
  ToolItem,
  NoticeItem,
  RestorationItem,
  EditReview,
  SummaryItem,
  ChatItem,
  RequestUsage,
} from './items.ts';
import type { Parameters } from '../relay/parameters.ts';

/** Which of several versions something said is, counted from 1. */
export interface VersionPlace {
  number: number;
  count: number;
}

/** The items of one chat: a fold over its events. */
export class Conversation {
  private readonly tree = new ItemTree<ChatItem>(isSaid);
  private turnEdits: AppliedEdit[] = [];
  /** Of all branches, since any of them can be restored. */
  readonly fileHistory = new FileHistory();
  private turnFolders: string[] = [];
  private readonly begun = new Map<string, BegunEdit>();
  private restoring: BegunRestoration | undefined;
  private queued: readonly QueuedMessage[] = [];
  private chosenModel: string | undefined;
  private chosenMode: string | undefined;
  private chosenApprovals: ApprovalLevel = 'askFirst';
  private chosenParameters: Parameters = {};
  private chosenBases: readonly KnowledgeBase[] = [];
  private readInstructions: InstructionsRead | undefined;
  private readonly shortenedResults = new Map<string, number>();
  private readonly running = new Map<string, BackgroundCommand>();
  private readonly untold = new Map<string, string>();
  private readonly appConversations = new Map<string, string>();
  private readonly appInputs = new Map<string, Readonly<Record<string, unknown>>>();
  /** Of all branches and of what was taken back: a number never means two segments. */
  readonly sourceNumbers = new SourceNumbers();
  private readonly sources = new SourceIndex();
  /** What all of its requests took, of all branches, too: what was spent stays spent. */
  readonly requests: RequestUsage[] = [];
  private wasTitleAsked = false;

  constructor(
    readonly id: string,
    events: Iterable<ChatEvent> = [],
  ) {
    for (const event of events) this.apply(event);
  }

  /** The chosen path: what is shown and what models are told. */
  get all(): readonly ChatItem[] {
    return this.tree.path;
  }

  /** The model was asked for a title. */
  get isTitleAsked(): boolean {
    return this.wasTitleAsked;
  }

  /** Messages that were written while a turn ran, in the order in which they are to be sent. */
  get queue(): readonly QueuedMessage[] {
    return this.queued;
  }

  /** The model picked for this chat, if one was. */
  get model(): string | undefined {
    return this.chosenModel;
  }

  /** The id of the mode chosen for this chat, if one was. */
  get modeId(): string | undefined {
    return this.chosenMode;
  }

  get approvals(): ApprovalLevel {
    return this.chosenApprovals;
  }

  /** What is sent with each request; for what is absent the settings count. */
  get parameters(): Parameters {
    return this.chosenParameters;
  }

  /** The knowledge bases that answers are grounded in. */
  get bases(): readonly KnowledgeBase[] {
    return this.chosenBases;
  }

  /** The project's instruction files that stand in the system text. */
  get instructions(): readonly SentInstructions[] {
    return this.readInstructions?.files ?? [];
  }

  /** Those that went with results and can still be read there. */
  get attachedInstructions(): readonly AttachedInstructions[] {
    return attachedInstructions(this.all, this.shortenedResults);
  }

  /** What was said of instruction files since the newest summary; they are read again after it. */
  get instructionsRead(): InstructionsRead | undefined {
    return this.readInstructions;
  }

  /** By item id, to how many tokens models are sent a result; absent for what is sent whole. */
  get shortened(): ReadonlyMap<string, number> {
    return this.shortenedResults;
  }

  /** By id, commands that went to the background and of whose end nothing is known. */
  get backgroundCommands(): ReadonlyMap<string, BackgroundCommand> {
    return this.running;
  }

  /** By id, what the model is still to be told of commands that ended in the background. */
  get reports(): ReadonlyMap<string, string> {
    return this.untold;
  }

  /** The platform's id of what was said with this app here; undefined before its first answer. */
  withApp(appId: string): string | undefined {
    return this.appConversations.get(appId);
  }

  /** What its form was filled in with, as the platform accepts it; undefined while that is not known. */
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
      case 'modeSelected':
        this.chosenMode = event.modeId;
        return;
      case 'approvalsSelected':
        this.chosenApprovals = event.level;
        return;
      case 'parametersChosen':
        this.chosenParameters = event.parameters;
        return;
      case 'settingsRepeated':
        this.chosenParameters = event.parameters ?? {};
        this.chosenModel = event.modelId;
        this.chosenMode = event.modeId;
        this.chosenApprovals = event.approvals;
        this.chosenBases = event.bases;
        return;
      case 'modeTold': {
        const { mode, text, isRepeated } = event;
        this.change(event.id, 'user', (message) => {
          message.mode = { ...mode, text, ...(isRepeated && { isRepeated }) };
        });
        return;
      }
      case 'userMessageAdded': {
        const { id, text, attachments, sources, tools } = event;
        this.unqueue(id);
        this.fileHistory.mark(id);
        this.tree.push({
          type: 'user',
          id,
          text,
          ...(attachments && { attachments }),
          ...(sources && { sources }),
          ...(tools && { tools }),
        });
        return;
      }
      case 'instructionsRead':
        this.readInstructions = { files: event.files, off: event.off ?? [], isStale: false };
        return;
      case 'contextAdded': {
        const { type: _type, id, reported, ...context } = event;
        this.change(id, 'user', (item) => (item.context = context));
        this.told(reported);
        return;
      }
      case 'answerStarted': {
        const { id, model } = event;
        if (!this.fileHistory.isMarked(id)) this.fileHistory.mark(id);
        const known = this.find(id, 'answer');
        if (known) known.model = model;
        else this.tree.push({ type: 'answer', id, model, text: '', reasoning: '' });
        return;
      }
      case 'messageQueued': {
        const { type: _type, ...message } = event;
        const at = message.steers ? this.queued.findIndex(({ steers }) => !steers) : -1;
        this.queued = this.queued.toSpliced(at < 0 ? this.queued.length : at, 0, message);
        return;
      }
      case 'queuedMessageRemoved':
        this.unqueue(event.id);
        return;
      case 'answerContinued':
        this.change(event.id, 'answer', (answer) => delete answer.end);
        return;
      case 'reasoningAdded':
        this.answer(event.id).reasoning += event.text;
        return;
      case 'reasoningSigned':
        this.change(event.id, 'answer', (answer) => (answer.signedReasoning = event.blocks));
        return;
      case 'textAdded':
        this.answer(event.id).text += event.text;
        return;
      case 'textReplaced':
        this.answer(event.id).text = event.text;
        return;
      case 'toolsCalled':
        this.answer(event.id);
        for (const call of event.calls) {
          this.tree.insertAfter(event.id, { type: 'tool', ...call }, ({ type }) => type !== 'summary');
        }
        return;
      case 'toolStateChanged':
        this.change(event.id, 'tool', (tool) => (tool.state = event.state));
        return;
      case 'toolFinished':
        this.change(event.id, 'tool', (tool) => (tool.outcome ??= event.outcome));
        // The edits of calls are made one at a time.
        for (const [path, { inline }] of this.begun) if (!inline) this.begun.delete(path);
        this.know(event.outcome.findings);
        this.told(event.outcome.reported);
        if (event.outcome.findings) this.sources.changed(event.id);
        return;
      case 'knowledgeSearched':
        this.placeAboveAnswer({ type: 'search', id: event.id, outcome: event.outcome });
        this.know(event.outcome.findings);
        return;
      case 'callsReopened':
        for (const id of event.ids) {
          this.change(id, 'tool', (tool) => {
            delete tool.outcome;
            delete tool.state;
          });
        }
        return;
      case 'editBegun':
        this.begun.set(event.edit.realPath, event);
        return;
      case 'editNotMade':
        this.begun.delete(event.realPath);
        return;
      case 'editMade':
        this.begun.delete(event.edit.realPath);
        this.turnEdits.push(event.edit);
        this.fileHistory.addEdits([event.edit], event.folders);
        this.turnFolders.push(...(event.folders ?? []));
        return;
      case 'editsMade': {
        const { id, edits, folders = edits ? [] : this.turnFolders } = event;
        const made = edits ?? this.turnEdits;
        // Edits that can still be reverted are in each version that came after them.
        const known = this.find(id, 'edits');
        if (!known && edits) this.fileHistory.addEdits(edits, folders);
        this.tree.push(known ?? { type: 'edits', id, edits: made, ...(folders.length > 0 && { folders }) });
        this.turnEdits = [];
        this.turnFolders = [];
        return;
      }
      case 'hunksKept':
      case 'hunksUndone':
        this.change(event.id, 'edits', (item) => {
          const reviewed = event.files.map((file) => [
            file.path,
            toReview(item.reviews?.[file.path], file, event.type),
          ]);
          item.reviews = { ...item.reviews, ...Object.fromEntries(reviewed) };
        });
        return;
      case 'backgroundCommandStarted':
        this.running.set(event.id, event);
        return;
      case 'backgroundCommandEnded':
        this.running.delete(event.id);
        this.untold.set(event.id, event.report);
        return;
      case 'commandChangedFiles':
        this.fileHistory.addCommandChanges({ paths: event.paths, more: event.more });
        return;
      case 'restorationBegun':
        this.restoring = event.edits.length > 0 ? event : undefined;
        return;
      case 'checkpointRestored':
        this.restoring = undefined;
        return this.restore(event);
      case 'answerEnded':
        this.change(event.id, 'answer', (answer) => {
          answer.end = event.end;
          if (event.end.usage) (answer.requests ??= []).push(this.spent({ usage: event.end.usage }));
        });
        return;
      case 'noticed': {
        const { id, kind, detail } = event;
        this.placeNotice({ type: 'notice', id, kind, ...(detail && { detail }) });
        return;
      }
      case 'turnsSummarised': {
        const { id, beforeId, text, problem } = event;
        const item: SummaryItem = { type: 'summary', id, ...(text && { text }), ...(problem && { problem }) };
        const answer = this.all.findLast(({ type }) => type === 'answer');
        const request = event.usage && this.spent({ usage: event.usage, isSummary: true });
        if (request && answer?.type === 'answer') (answer.requests ??= []).push(request);
        this.tree.insertBefore(beforeId, item);
        // What follows begins afresh for the vendor, so there is no reason to keep it as short, or as old, as it was.
        this.shortenedResults.clear();
        if (this.readInstructions) this.readInstructions.isStale = true;
        return;
      }
      case 'titleWritten':
        this.wasTitleAsked = true;
        if (event.usage) this.spent({ usage: event.usage });
        return;
      case 'resultsShortened':
        for (const [id, tokens] of Object.entries(event.results)) {
          if (tokens === null) this.shortenedResults.delete(id);
          else this.shortenedResults.set(id, tokens);
        }
        return;
      case 'itemsRemoved':
        this.tree.remove(event.fromId);
        return;
      case 'versionStarted':
        this.tree.startVersion(event.ofId);
        return;
      case 'branchDeleted':
        this.tree.delete(event.fromId);
        return;
      case 'versionChosen':
        this.tree.choose(event.id);
        return;
      case 'appConversationStarted':
        this.appConversations.set(event.appId, event.conversationId);
        return;
      case 'appInputsKnown':
        this.appInputs.set(event.appId, event.inputs);
        return;
      case 'answerNamed':
      case 'stepChanged':
      case 'segmentsFound':
      case 'fileOutput':
      case 'inputAwaited':
      case 'inputSettled':
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
    return this.all.filter(
      (item): item is AnswerItem | ToolItem =>
        (item.type === 'answer' && !item.end) || (item.type === 'tool' && !item.outcome),
    );
  }

  /** The newest version of what was to be asked again when the editor went away, before anything new was said. */
  get abandonedId(): string | undefined {
    // A conversation that was restored is meant to end where it does.
    const isRestored = this.all.some((item) => item.type === 'restoration' && item.id === this.tree.last?.id);
    return isRestored ? undefined : this.tree.abandoned?.id;
  }

  /** A message, an answer or a restoration on any branch. */
  findCheckpoint(id: string): ChatItem | undefined {
    return this.fileHistory.isMarked(id) ? this.tree.find(id) : undefined;
  }

  /** The answer with this id, on any branch. */
  answerOf(id: string): AnswerItem | undefined {
    return this.find(id, 'answer');
  }

  /** Undefined for what has no other versions. */
  versionOf(itemId: string): VersionPlace | undefined {
    const versions = this.versionsOf(itemId);
    const index = versions.findIndex(({ id }) => id === itemId);
    return versions.length > 1 && index >= 0 ? { number: index + 1, count: versions.length } : undefined;
  }

  /** The version before or after one; undefined if there is none. */
  versionBeside(itemId: string, direction: 'previous' | 'next'): string | undefined {
    const versions = this.versionsOf(itemId);
    const index = versions.findIndex(({ id }) => id === itemId);
    return index < 0 ? undefined : versions[index + (direction === 'next' ? 1 : -1)]?.id;
  }

  /** Where the conversation first splits after something said, or at all: one item for each branch; none where it does not. */
  branchesAfter(id?: string): readonly ChatItem[] {
    const shown = new Set(this.all);
    let said: readonly ChatItem[];
    let at = id;
    do {
      said = this.tree.saidAfter(at);
      if (said.length > 1) said = said.filter((item) => shown.has(item) || this.saysSomethingFrom(item.id));
      at = said[0]?.id;
    } while (said.length === 1);
    return said;
  }

  /** The first message or answer on the way to this one that is not on the chosen path. */
  turnOff(id: string): string | undefined {
    return this.tree.turnOff(id)?.id;
  }

  /** Whether this item stands on a branch that was left, and was not deleted with it. */
  isLeft(id: string): boolean {
    return this.turnOff(id) !== undefined && !this.tree.isDeleted(id);
  }

  /** What on the path stands in the place of what leads to this item; undefined where nothing does. */
  leftFor(id: string): string | undefined {
    const off = this.turnOff(id);
    const shown = new Set(this.all.map((item) => item.id));
    return off === undefined ? undefined : this.versionsOf(off).find((item) => shown.has(item.id))?.id;
  }

  /** Whether anything was said or done in this item and all that follows it. */
  saysSomethingFrom(itemId: string): boolean {
    return this.tree.someFrom(itemId, saysSomething);
  }

  /** Edits that are being made, or were interrupted: it is not known whether they were made. */
  get begunEdits(): readonly BegunEdit[] {
    return [...this.begun.values()];
  }

  /** Files that are being put back, or were when their window was closed. */
  get begunRestoration(): BegunRestoration | undefined {
    return this.restoring;
  }

  /** Whether the turn that runs, or was interrupted, changed files. */
  get hasOpenEdits(): boolean {
    return this.turnEdits.length > 0;
  }

  /** The calls of the newest answer that did not run, because the window was closed or the turn was stopped. */
  get unrunCalls(): readonly ToolItem[] {
    return this.newestCalls.filter(({ outcome }) => outcome?.unrun !== undefined);
  }

  /** The calls of the newest answer that have no outcome. */
  get openCalls(): readonly ToolItem[] {
    return this.newestCalls.filter(({ outcome }) => !outcome);
  }

  private get newestCalls(): ToolItem[] {
    const start = this.all.findLastIndex(({ type }) => type === 'answer' || type === 'user');
    return this.all.slice(start + 1).filter((item) => item.type === 'tool');
  }

  /** What the answer at this place of `all` can cite. */
  sourcesAt(at: number): AnswerSources {
    return sourcesAt(this.all, at, this.sources);
  }

  /** What this answer can cite. */
  sourcesOf(answerId: string): AnswerSources {
    return this.sourcesAt(this.all.findLastIndex(({ id }) => id === answerId));
  }

  /** The message that an answer, a call or a notice is about. */
  turnOf(itemId: string): UserItem | undefined {
    const index = this.all.findIndex((item) => item.id === itemId);
    return this.all.slice(0, index + 1).findLast((item): item is UserItem => item.type === 'user');
  }

  /** A branch in which nothing came is none to go back to, unless it is the one that is shown. */
  private versionsOf(itemId: string): readonly ChatItem[] {
    return this.tree
      .versionsOf(itemId)
      .filter((item) => item.id === itemId || this.saysSomethingFrom(item.id));
  }

  /** A notice that is known already is replaced where it stands. */
  private placeNotice(notice: NoticeItem): void {
    if (this.tree.find(notice.id)) this.tree.replace(notice);
    else this.placeAboveAnswer(notice);
  }

  /** Above an answer that did not begin yet, else at the end. */
  private placeAboveAnswer(item: ChatItem): void {
    const { last } = this.tree;
    const isAbove = last?.type === 'answer' && !last.end && !last.text && !last.reasoning;
    if (isAbove) this.tree.insertBefore(last.id, item);
    else this.tree.push(item);
  }

  private restore({ id, toId, isConversation, edits, folders, problems = [] }: RestoredEvent): void {
    const restoration: RestorationItem = {
      ...{ type: 'restoration', id, toId, problems, isTakenBack: false },
      isConversation: isConversation === true,
      ...(edits && { edits }),
      ...(folders && { folders }),
    };
    this.setTakenBack(toId, true);
    if (edits) this.filesRestored(restoration);
    this.fileHistory.mark(id);
    this.fileHistory.addEdits(edits ?? [], folders);
    if (isConversation) {
      const to = this.tree.find(toId);
      if (to?.type === 'restoration') this.tree.choose(to.toId);
      else this.tree.startVersion(toId);
    }
    this.tree.push(restoration);
  }

  /** What a restoration had taken back holds again when it is taken back itself. */
  private setTakenBack(id: string, isTakenBack: boolean): void {
    this.change(id, 'restoration', (item) => {
      item.isTakenBack = isTakenBack;
      this.setTakenBack(item.toId, !isTakenBack);
    });
  }

  /** Of a file that was also changed before what it was restored to, or that others changed since, something is left. */
  private filesRestored(restoration: RestorationItem): void {
    const { toId, problems } = restoration;
    const at = this.all.findIndex(({ id }) => id === toId);
    const since = new Set(this.fileHistory.editsSince(toId));
    for (const item of at < 0 ? [] : this.all.slice(at)) {
      if (item.type !== 'edits') continue;
      const left = new Set([
        ...problems.map(({ path }) => path),
        ...item.edits.flatMap((edit) => (since.has(edit) ? [] : [edit.path])),
      ]);
      const paths = item.edits.map(({ path }) => path).filter((path) => !left.has(path));
      const restored = Object.fromEntries(paths.map((path) => [path, restoration]));
      item.restoredBy = { ...item.restoredBy, ...restored };
    }
  }

  private told(reported: readonly string[] = []): void {
    for (const id of reported) this.untold.delete(id);
  }

  private spent(request: RequestUsage): RequestUsage {
    this.requests.push(request);
    return request;
  }

  private unqueue(id: string): void {
    if (this.queued.some((message) => message.id === id)) {
      this.queued = this.queued.filter((message) => message.id !== id);
    }
  }

  private know(findings: Findings | undefined): void {
    for (const source of findings?.sources ?? []) this.sourceNumbers.know(source);
  }

  /** An answer, of which a damaged file may have lost the beginning: what came of it is still shown, and its calls are its own. */
  private answer(id: string): AnswerItem {
    const known = this.find(id, 'answer');
    if (known) return known;
    const before = this.all.findLast((item) => item.type === 'answer');
    const model = this.chosenModel ?? before?.model ?? '';
    const answer: AnswerItem = { type: 'answer', id, model, text: '', reasoning: '' };
    this.tree.push(answer);
    return answer;
  }

  private find<T extends ChatItem['type']>(id: string, type: T): Extract<ChatItem, { type: T }> | undefined {
    const item = this.tree.find(id);
    return item?.type === type ? (item as Extract<ChatItem, { type: T }>) : undefined;
  }

  private change<T extends ChatItem['type']>(
    id: string,
    type: T,
    apply: (item: Extract<ChatItem, { type: T }>) => void,
  ): void {
    const item = this.find(id, type);
    if (item) apply(item);
  }
}

export type BegunRestoration = Extract<ChatEvent, { type: 'restorationBegun' }>;
export type BegunEdit = Extract<ChatEvent, { type: 'editBegun' }>;
type BackgroundCommand = Extract<ChatEvent, { type: 'backgroundCommandStarted' }>;
type RestoredEvent = Extract<ChatEvent, { type: 'checkpointRestored' }>;

/** What makes up versions. */
function isSaid({ type }: ChatItem): boolean {
  return type === 'user' || type === 'answer';
}

function saysSomething(item: ChatItem): boolean {
  return item.type === 'user' || item.type === 'tool' || (item.type === 'answer' && !isEmptyAnswer(item));
}

/** Nothing came in it. */
function isEmptyAnswer(item: ChatItem): boolean {
  return (
    item.type === 'answer' && !item.text && !item.reasoning && !item.app && item.end?.reason !== 'called'
  );
}

function addCounts(
  one: EditReview['undone'] = { added: 0, removed: 0 },
  other: EditReview['undone'] = { added: 0, removed: 0 },
): EditReview['undone'] & {} {
  return { added: one.added + other.added, removed: one.removed + other.removed };
}

/** Files are decided on hunk by hunk, and what could not be undone can be tried again. */
function toReview(
  before: EditReview | undefined,
  { open, problem, undone }: ReviewedFile,
  type: 'hunksKept' | 'hunksUndone',
): EditReview {
  const isUntouched = problem !== undefined && !open;
  const left = isUntouched ? before?.open : open;
  return {
    isDone: !open && !problem,
    ...(left && { open: left }),
    ...(problem && { problem }),
    ...((before?.undone || undone) && { undone: addCounts(before?.undone, undone) }),
    wasKept: before?.wasKept === true || (!isUntouched && type === 'hunksKept'),
    wasUndone: before?.wasUndone === true || (!isUntouched && type === 'hunksUndone'),
  };
}
