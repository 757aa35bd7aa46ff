import { appIdOf } from '../apps/appModelId.ts';
import type { ChatEvent } from './events.ts';

/** As many as a fresh page shows, and some that are on other branches. */
const leastEntries = 60;

/**
 * The newest events of a conversation, gathered from the newest to the oldest until they can be shown by themselves: they
 * begin with a message of the user, and all that they change is among them. So what is folded from them is the end of what is
 * folded from all, as far as it is shown.
 */
export class ConversationEnd {
  private readonly newestFirst: ChatEvent[] = [];
  /** Ids that events are about which come after the event that they begin with. */
  private readonly missing = new Set<string>();
  private entries = 0;
  /** What the user deleted, as long as not all of it was met: it is not shown and does not count. */
  private readonly deleted = new Set<string>();
  /** Ids that may have been in what could not be read. */
  private readonly doubtful = new Set<string>();
  /** So many entries are looked at for them. */
  private mostForDoubtful: number | undefined;
  private met = 0;
  private isWithApp = false;
  private isEnough = false;
  /** What was chosen in the conversation is known, too: model, mode, approvals and knowledge bases. */
  hasSettings = false;

  /** @param least so many entries are to be among them */
  constructor(private readonly least = leastEntries) {}

  /** Oldest first. */
  get events(): ChatEvent[] {
    return this.newestFirst.toReversed();
  }

  /** The event before those that are known. False when it is not needed, and none before it. */
  add(event: ChatEvent): boolean {
    if (this.isEnough && isEndOfTurn(event)) return false;
    this.newestFirst.push(event);
    const { introduced, needed } = idsOf(event);
    for (const id of needed) this.missing.add(id);
    for (const id of introduced) this.missing.delete(id);
    if (event.type === 'branchDeleted') this.deleted.add(event.fromId);
    if (this.deleted.size === 0) this.entries += introduced.length;
    for (const id of introduced) this.deleted.delete(id);
    this.met += introduced.length;
    this.giveUp();
    this.hasSettings ||= event.type === 'settingsRepeated';
    this.isWithApp ||= event.type === 'answerStarted' && appIdOf(event.model) !== undefined;
    this.isEnough =
      (this.isEnough && isSetting(event)) ||
      (event.type === 'userMessageAdded' &&
        this.entries >= this.least &&
        this.missing.size === 0 &&
        // The platform's ids of its messages are wanted as soon as it is open.
        !this.isWithApp);
    return true;
  }

  /**
   * What is before those that are known cannot be read. What they are about may be lost with it: it is looked for a while
   * longer, and not up to the beginning of the conversation.
   */
  skip(): void {
    for (const id of this.missing) this.doubtful.add(id);
    if (this.doubtful.size > 0) this.mostForDoubtful ??= this.met + this.least;
  }

  private giveUp(): void {
    if (this.met < (this.mostForDoubtful ?? Infinity)) return;
    for (const id of this.doubtful) {
      this.missing.delete(id);
      this.deleted.delete(id);
    }
    this.doubtful.clear();
  }
}

/** What stands before a message without being of the turn before it, and is shown with what comes after. */
function isSetting({ type }: ChatEvent): boolean {
  return settingTypes.has(type);
}

const settingTypes = new Set<ChatEvent['type']>([
  'modelSelected',
  'modeSelected',
  'approvalsSelected',
  'knowledgeChosen',
  'parametersChosen',
  'settingsRepeated',
  'backgroundCommandStarted',
  'backgroundCommandEnded',
]);

/** What a message may follow without being another version of an earlier one. */
function isEndOfTurn(event: ChatEvent): boolean {
  switch (event.type) {
    case 'answerEnded':
      return event.end.reason !== 'called';
    case 'editsMade':
      return !event.edits;
    case 'hunksKept':
    case 'hunksUndone':
    case 'questionsSuggested':
    case 'titleWritten':
      return true;
    default:
      return false;
  }
}

/** What an event brings into the conversation, and what has to be there for it. */
function idsOf(event: ChatEvent): { introduced: readonly string[]; needed: readonly string[] } {
  switch (event.type) {
    case 'userMessageAdded':
    case 'answerStarted':
    case 'noticed':
    case 'knowledgeSearched':
      return { introduced: [event.id], needed: [] };
    case 'editsMade':
      // With its edits it comes once more: on another way, where they can still be undone.
      return event.edits ? { introduced: [], needed: [event.id] } : { introduced: [event.id], needed: [] };
    case 'toolsCalled':
      return { introduced: event.calls.map(({ id }) => id), needed: [event.id] };
    case 'turnsSummarised':
      return { introduced: [event.id], needed: [event.beforeId] };
    case 'checkpointRestored':
      return { introduced: [event.id], needed: [event.toId] };
    case 'restorationBegun':
      return { introduced: [], needed: [event.toId] };
    case 'callsReopened':
      return { introduced: [], needed: event.ids };
    case 'itemsRemoved':
    case 'branchDeleted':
      return { introduced: [], needed: [event.fromId] };
    case 'versionStarted':
      return { introduced: [], needed: [event.ofId] };
    // They are beside the conversation.
    case 'messageQueued':
    case 'queuedMessageRemoved':
    case 'backgroundCommandStarted':
    case 'backgroundCommandEnded':
      return { introduced: [], needed: [] };
    default:
      return { introduced: [], needed: 'id' in event ? [event.id] : [] };
  }
}
