import type { ToolDefinition } from '../relay/messages.ts';
import { searchBases, type SearchSegments } from '../tools/knowledge/searchBases.ts';
import type { KnowledgeBase } from '../tools/knowledge/source.ts';
import { defaultTopK, searchKnowledgeName, searchKnowledgeTool } from '../tools/searchKnowledge.ts';
import type { Tool } from '../tools/tool.ts';
import { findingsOf, itemsOfTurn } from './answerSources.ts';
import type { Conversation, UserItem } from './conversation.ts';
import type { AnswerEnd, ChatEvent, NoticeKind } from './events.ts';
import { toldSearch } from './groundingText.ts';

export interface GroundingDependencies {
  conversation: Conversation;
  search: SearchSegments;
  newId(): string;
  /** Milliseconds. */
  now(): number;
}

/** What happens for the sake of grounding beside the answer. */
export type GroundingEvent =
  Extract<ChatEvent, { type: 'knowledgeSearched' | 'noticed' }> | { type: 'searchStarted' };

/** Grounds the turns of a conversation in the knowledge bases that were chosen for it. */
export class Grounding {
  private made: { bases: readonly KnowledgeBase[]; tool: Tool } | undefined;

  constructor(private readonly deps: GroundingDependencies) {}

  /** For a model that calls tools; undefined as long as nothing is chosen. */
  tool(): Tool | undefined {
    const { conversation, search } = this.deps;
    const { bases, sourceNumbers } = conversation;
    if (bases.length === 0) return undefined;
    if (this.made?.bases !== bases) {
      const numberOf = sourceNumbers.numberOf.bind(sourceNumbers);
      this.made = { bases, tool: searchKnowledgeTool({ bases, search, numberOf }) };
    }
    return this.made.tool;
  }

  /** Searches for the person's newest message, once, where the model is not offered to do it. */
  async *searchFirst(
    tools: readonly ToolDefinition[],
    signal: AbortSignal,
  ): AsyncGenerator<GroundingEvent, void> {
    const { conversation, search, newId, now } = this.deps;
    const { all, bases, sourceNumbers } = conversation;
    if (bases.length === 0 || tools.some(({ name }) => name === searchKnowledgeName)) return;
    if (itemsOfTurn(all).some(({ type }) => type === 'search')) return;
    const asked = all.findLast((item) => item.type === 'user');
    const query = asked ? queryOf(asked) : '';
    if (!query) return;
    yield { type: 'searchStarted' };
    const started = now();
    const numberOf = sourceNumbers.numberOf.bind(sourceNumbers);
    const { text, findings } = await searchBases(
      search,
      numberOf,
      { query, bases, topK: defaultTopK },
      signal,
    );
    const outcome = { query, content: toldSearch(text), findings, durationMs: now() - started };
    yield { type: 'knowledgeSearched', id: newId(), outcome };
  }

  /** What the person should know of an answer that is not, or not wholly, grounded. */
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
    if (searches.length === 0) yield this.notice('knowledge-not-searched');
    else if (searched.size === 0) yield this.notice('knowledge-failed', reasons);
    else {
      const isEmpty = searches.every(({ sources }) => sources.length === 0);
      if (isEmpty) yield this.notice('knowledge-empty', [...searched].join(', '));
      if (failures.size > 0) yield this.notice('knowledge-incomplete', reasons);
    }
  }

  private notice(kind: NoticeKind, detail?: string): GroundingEvent {
    return { type: 'noticed', id: this.deps.newId(), kind, ...(detail && { detail }) };
  }
}

/** The person's words; of a message without any, the names of what goes with it. */
function queryOf({ text, attachments = [] }: UserItem): string {
  return text.trim() || attachments.map(({ label }) => label).join(', ');
}
