import type { ToolDefinition } from '../../relay/messages.ts';
import { groundingMessage, searchBases, type SearchSegments } from '../../tools/knowledge/searchBases.ts';
import type { KnowledgeBase } from '../../tools/knowledge/source.ts';
import { searchKnowledgeName, searchKnowledgeTool } from '../../tools/knowledge/searchKnowledgeTool.ts';
import type { Tool } from '../../tools/tool.ts';
import { citedSources, itemsOfTurn } from './answerSources.ts';
import { findingsOf } from './sourceIndex.ts';
import type { Conversation } from '../conversation/conversation.ts';
import type { ChatItem, UserItem } from '../conversation/items.ts';
import type { AnswerEnd, ChatEvent, NoticeKind } from '../store/events.ts';
import type { TurnLog } from '../turn/turnLog.ts';
import { type EarlierTurn, isSmallTalk, searchQuery } from './searchQuery.ts';

/** `always` searches before each question; `model` lets models with tools search and searches first only for others. */
export type SearchMode = 'always' | 'model';

export interface GroundingDependencies {
  conversation: Conversation;
  mode: SearchMode;
  search: SearchSegments;
  hasPlatform(): boolean;
  newId(): string;
  now(): number;
}

export class Grounding {
  private made: Tool | undefined;
  private searchedFor: string | undefined;

  constructor(private readonly deps: GroundingDependencies) {}

  /** Independent of the chosen knowledge bases: a changed definition would change the start of every request. */
  tool(): Tool | undefined {
    const { conversation, search, hasPlatform } = this.deps;
    if (!conversation.offersSearch(hasPlatform())) return undefined;
    const { sourceNumbers } = conversation;
    const numberOf = sourceNumbers.numberOf.bind(sourceNumbers);
    return (this.made ??= searchKnowledgeTool({ chosen: () => conversation.bases, search, numberOf }));
  }

  async searchFirst(tools: readonly ToolDefinition[], signal: AbortSignal, log: TurnLog): Promise<void> {
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
    log.show({ type: 'searchStarted' });
    const started = now();
    const numberOf = sourceNumbers.numberOf.bind(sourceNumbers);
    const { text, findings } = await searchBases(search, numberOf, { query, bases }, signal);
    const outcome = { query, content: groundingMessage(text), findings, durationMs: now() - started };
    await log.record({ type: 'knowledgeSearched', id: newId(), outcome });
  }

  notices(end: AnswerEnd): NoticeEvent[] {
    const { all, bases } = this.deps.conversation;
    if (bases.length === 0 || (end.reason !== 'answered' && end.reason !== 'length')) return [];
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
      return queryFor(this.deps.conversation) === undefined ? [] : [this.notice('knowledge-not-searched')];
    }
    if (searched.size === 0) return [this.notice('knowledge-failed', reasons)];
    const isEmpty = failures.size === 0 && searches.every(({ sources }) => sources.length === 0);
    const isIncomplete = failures.size > 0 && !isTold(all, [...failures.keys()], reasons);
    return [
      ...(isEmpty ? [this.notice('knowledge-empty', [...searched].join(', '))] : []),
      ...(isIncomplete ? [this.notice('knowledge-incomplete', reasons)] : []),
    ];
  }

  private notice(kind: NoticeKind, detail?: string): NoticeEvent {
    return { type: 'noticed', id: this.deps.newId(), kind, ...(detail && { detail }) };
  }
}

type NoticeEvent = Extract<ChatEvent, { type: 'noticed' }>;

function isTold(items: readonly ChatItem[], failed: readonly string[], reasons: string): boolean {
  const at = items.findLastIndex((item) => item.type === 'notice' && item.kind === 'knowledge-incomplete');
  const told = items[at];
  if (told?.type !== 'notice' || told.detail !== reasons) return false;
  const searched = items.slice(at).flatMap((item) => findingsOf(item)?.searched ?? []);
  return !failed.some((name) => searched.includes(name));
}

function queryFor(conversation: Conversation): string | undefined {
  const at = conversation.all.findLastIndex(({ type }) => type === 'user');
  const asked = conversation.all[at];
  if (asked?.type !== 'user') return undefined;
  const question = wordsOf(asked);
  return isSmallTalk(question) ? undefined : searchQuery(question, earlierTurn(conversation, at));
}

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

function wordsOf({ text, attachments = [] }: UserItem): string {
  return text.trim() || attachments.map(({ label }) => label).join(', ');
}

function hasBegun(turn: readonly ChatItem[]): boolean {
  return turn.some((item) => item.type === 'tool' || (item.type === 'answer' && item.text !== ''));
}

function isSearchedFor(turn: readonly ChatItem[], bases: readonly KnowledgeBase[]): boolean {
  const search = turn.findLast((item) => item.type === 'search');
  const searched = new Set(search?.outcome.findings.searched);
  return bases.every(({ name }) => searched.has(name));
}
