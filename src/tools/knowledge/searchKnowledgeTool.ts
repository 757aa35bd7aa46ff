import * as z from 'zod/mini';
import { oneLine } from '../../base/text/oneLine.ts';

import { longestName, quoted, searchBases, type NumberOf, type SearchSegments } from './searchBases.ts';
import type { KnowledgeBase } from './source.ts';
import { defineTool, type Tool } from '../tool.ts';
import { ToolFailure } from '../toolFailure.ts';

export const searchKnowledgeName = 'search_knowledge';

export const mostSegments = 20;

export interface KnowledgeToolDependencies {
  chosen(): readonly KnowledgeBase[];
  search: SearchSegments;
  numberOf: NumberOf;
}

/** `search_knowledge`: its definition doesn't depend on the chosen knowledge bases. */
export function searchKnowledgeTool({ chosen, search, numberOf }: KnowledgeToolDependencies): Tool {
  return defineTool({
    name: searchKnowledgeName,
    description:
      'Searches the knowledge bases that the user chose, which are named before the message. Where some are, search ' +
      'them before you answer from memory, and again in other words if needed. Gives numbered segments. Cite each you ' +
      'use by its number, like [1], right after the statement it supports; say so if they hold nothing on the question.',
    input: z.object({
      query: z.string().check(z.minLength(1), z.describe('A question, or words a document would use.')),
      knowledge_bases: z.optional(
        z.array(z.string()).check(z.describe('By name. Default: all that are chosen.')),
      ),
      top_k: z.optional(
        z
          .int()
          .check(z.minimum(1), z.maximum(mostSegments), z.describe(`Segments, at most ${mostSegments}.`)),
      ),
    }),
    risk: 'read',
    async run({ query, knowledge_bases: names = [], top_k: topK }, { signal }) {
      const bases = named(names, chosen());
      const { text, findings } = await searchBases(search, numberOf, { query, bases, topK }, signal);
      return { content: text, isError: findings.searched.length === 0, findings };
    },
  });
}

function named(names: readonly string[], bases: readonly KnowledgeBase[]): readonly KnowledgeBase[] {
  if (bases.length === 0)
    throw new ToolFailure('The user chose no knowledge base for this conversation. Go on without one.');
  const byName = namedApart(bases);
  const unknown = names.filter((name) => !byName.has(name));
  if (unknown.length > 0) {
    const known = [...byName.keys()].map(quoted).join(', ');
    throw new ToolFailure(
      `Not among the chosen knowledge bases: ${unknown.map(quoted).join(', ')}. Chosen are ${known}.`,
    );
  }
  return names.length > 0 ? names.flatMap((name) => byName.get(name) ?? []) : bases;
}

/** By the name for models; equal names get numbers. */
export function namedApart(bases: readonly KnowledgeBase[]): Map<string, KnowledgeBase> {
  const byName = new Map<string, KnowledgeBase>();
  for (const base of bases) {
    const own = oneLine(base.name, longestName) || base.id;
    let name = own;
    for (let count = 2; byName.has(name); count++) name = `${own} (${count})`;
    byName.set(name, base);
  }
  return byName;
}
