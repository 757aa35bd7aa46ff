import { appIdOf } from '../../apps/appModelId.ts';
import { idsOf } from '../store/eventIds.ts';
import type { ChatEvent } from '../store/events.ts';

/** Entries of a fresh page, plus some on other branches. */
const leastEntries = 60;

/** Gathers events backwards until they start with a user message and include everything that they change. */
export class ConversationEnd {
  private readonly newestFirst: ChatEvent[] = [];
  /** Ids that later events need and earlier ones must introduce. */
  private readonly missing = new Set<string>();
  private entries = 0;
  /** Deleted branches not yet fully read; their items don't count. */
  private readonly deleted = new Set<string>();
  /** Ids possibly lost in unreadable lines. */
  private readonly doubtful = new Set<string>();
  private mostForDoubtful: number | undefined;
  private met = 0;
  private isWithApp = false;
  private isEnough = false;
  hasSettings = false;

  constructor(private readonly least = leastEntries) {}

  get events(): ChatEvent[] {
    return this.newestFirst.toReversed();
  }

  /** Adds the event before the known ones. False if neither this event nor any earlier one is needed. */
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
        // App conversations need the platform's message ids on opening.
        !this.isWithApp);
    return true;
  }

  /** Skips an unreadable event: ids it may have introduced are searched for only a while longer. */
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

/** Events before a message that belong to it, not to the preceding turn. */
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

/** Events after which a message can't be another version of an earlier one. */
function isEndOfTurn(event: ChatEvent): boolean {
  switch (event.type) {
    case 'answerEnded':
      return event.end.reason !== 'called';
    case 'editsMade':
      return !event.edits;
    case 'hunksKept':
    case 'hunksUndone':
    case 'hunksRedone':
    case 'questionsSuggested':
    case 'titleWritten':
      return true;
    default:
      return false;
  }
}
