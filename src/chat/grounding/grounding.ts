import type { ToolDefinition } from '../../relay/messages.ts';
import { searchBases, type SearchSegments } from '../../tools/knowledge/searchBases.ts';
import type { KnowledgeBase } from '../../tools/knowledge/source.ts';
import { defaultTopK, searchKnowledgeName, searchKnowledgeTool } from '../../tools/searchKnowledge.ts';
import type { Tool } from '../../tools/tool.ts';
import { citedSources, findingsOf, itemsOfTurn } from './answerSources.ts';
import type { Conversation } from '../conversation.ts';
import type { ChatItem, UserItem } from '../items.ts';
import type { AnswerEnd, ChatEvent, NoticeKind } from '../events.ts';
import { groundingMessage } from './groundingText.ts';
import { type EarlierTurn, isSmallTalk, searchQuery } from './searchQuery.ts';

/**
 * `always`: every question is searched for before it is sent. `model`: a model that calls tools searches by itself, and
 * only for others the question is searched first.
 */
export type SearchMode = 'always' | 'model';

export interface GroundingDependencies {
  conversation: Conversation;
  mode: SearchMode;
  search: SearchSegments;
  /** Whether a platform is connected, so that knowledge bases can be chosen. */
  hasPlatform(): boolean;
  newId(): string;
  /** Milliseconds. */
  now(): number;
}

/** What happens for the sake of grounding beside the answer. */
export type GroundingEvent =
  | Extract<ChatEvent, { type: 'knowledgeSearched' | 'noticed' }>
  | { type: 'searchStarted' };

/** Grounds the turns of a conversation in the knowledge bases that were chosen for it. */
export class Grounding {
  private made: Tool | undefined;
  /** The message of the user that was searched for last. */
  private searchedFor: string | undefined;

  constructor(private readonly deps: GroundingDependencies) {}

  /**
   * For a model that calls tools. The same whatever is chosen, and there before anything is: a definition that comes or
   * changes in the middle would change the beginning of every request.
   */
  tool(): Tool | undefined {
    const { conversation, search, hasPlatform } = this.deps;
    if (conversation.bases.length === 0 && !hasPlatform()) return undefined;
    const { sourceNumbers } = conversation;
    const numberOf = sourceNumbers.numberOf.bind(sourceNumbers);
    return (this.made ??= searchKnowledgeTool({ chosen: () => conversation.bases, search, numberOf }));
  }

  /** Searches for the user's newest message, once, as far as the mode wants that and nothing was found for it before. */
  async *searchFirst(
    tools: readonly ToolDefinition[],
    signal: AbortSignal,
  ): AsyncGenerator<GroundingEvent, void> {
    const { conversation, mode, search, newId, now } = this.deps;
    const { all, bases, sourceNumbers } = conversation;
    const asked = all.findLast(({ type }) => type === 'user')?.id;
    if (this.searchedFor === asked || bases.length === 0) return;
    if (mode === 'model' && tools.some(({ name }) => name === searchKnowledgeName)) return;
    const turn = itemsOfTurn(all);
    if (hasBegun(turn) || isSearchedFor(turn, bases)) return;
    const query = queryFor(conversation);
    if (query === undefined) return;
    this.searchedFor = asked;
    yield { type: 'searchStarted' };
    const started = now();
    const numberOf = sourceNumbers.numberOf.bind(sourceNumbers);
    const { text, findings } = await searchBases(
      search,
      numberOf,
      { query, bases, topK: defaultTopK },
      signal,
    );
    const outcome = { query, content: groundingMessage(text), findings, durationMs: now() - started };
    yield { type: 'knowledgeSearched', id: newId(), outcome };
  }

  /** What the user should know of an answer that is not, or not wholly, grounded. */
  *notices(end: AnswerEnd): Generator<GroundingEvent> {
    const { all, bases } = this.deps.conversation;
    if (bases.length === 0 || (end.reason !== 'answered' && end.reason !== 'length')) return;
    const searches = itemsOfTurn(all).flatMap((item) => findingsOf(item) ?? []);
    const searched = new Set(searches.flatMap((search) => search.searched));
    const failures = new Map(
      searches
        .flatMap((search) => search.failures)
        .filter(({ name }) => !searched.has(name))
        .map(({ name, why }) => [name, why]),
    );
    const reasons = [...failures].map(([name, why]) => `${name}: ${why}`).join('\n');
    if (searches.length === 0) {
      // To "thanks" there is nothing to find.
      if (queryFor(this.deps.conversation) !== undefined) yield this.notice('knowledge-not-searched');
    } else if (searched.size === 0) yield this.notice('knowledge-failed', reasons);
    else {
      const isEmpty = searches.every(({ sources }) => sources.length === 0);
      if (isEmpty) yield this.notice('knowledge-empty', [...searched].join(', '));
      if (failures.size > 0 && !isTold(all, [...failures.keys()], reasons))
        yield this.notice('knowledge-incomplete', reasons);
    }
  }

  private notice(kind: NoticeKind, detail?: string): GroundingEvent {
    return { type: 'noticed', id: this.deps.newId(), kind, ...(detail && { detail }) };
  }
}

/** Whether the user knows: nothing has changed since that was said. The same after each answer would only be noise. */
function isTold(items: readonly ChatItem[], failed: readonly string[], reasons: string): boolean {
  const at = items.findLastIndex((item) => item.type === 'notice' && item.kind === 'knowledge-incomplete');
  const told = items[at];
  if (told?.type !== 'notice' || told.detail !== reasons) return false;
  const searched = items.slice(at).flatMap((item) => findingsOf(item)?.searched ?? []);
  return !failed.some((name) => searched.includes(name));
}

/** What the newest message asks for; undefined when that is nothing a document could answer. */
function queryFor(conversation: Conversation): string | undefined {
  const at = conversation.all.findLastIndex(({ type }) => type === 'user');
  const asked = conversation.all[at];
  if (asked?.type !== 'user') return undefined;
  const question = wordsOf(asked);
  return isSmallTalk(question) ? undefined : searchQuery(question, earlierTurn(conversation, at));
}

/** The newest turn that was about something, of those before a message. */
function earlierTurn(conversation: Conversation, before: number): EarlierTurn | undefined {
  let query: string | undefined;
  for (let at = before - 1; at >= 0; at--) {
    const item = conversation.all[at]!;
    if (item.type === 'search') query ??= item.outcome.query;
    if (item.type !== 'user' || isSmallTalk(wordsOf(item))) continue;
    return { subject: query ?? wordsOf(item), cited: citedSources(conversation, at + 1, before) };
  }
  return undefined;
}

/** The user's words; of a message without any, the names of what goes with it. */
function wordsOf({ text, attachments = [] }: UserItem): string {
  return text.trim() || attachments.map(({ label }) => label).join(', ');
}

/** Whether something was answered: what was sent with the question then stays as it is. */
function hasBegun(turn: readonly ChatItem[]): boolean {
  return turn.some((item) => item.type === 'tool' || (item.type === 'answer' && item.text !== ''));
}

/** Whether the chosen knowledge bases answered; others may have been chosen since, or could not be searched. */
function isSearchedFor(turn: readonly ChatItem[], bases: readonly KnowledgeBase[]): boolean {
  const search = turn.findLast((item) => item.type === 'search');
  const searched = new Set(search?.outcome.findings.searched);
  return bases.every(({ name }) => searched.has(name));
}
