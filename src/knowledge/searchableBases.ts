import { namedApart } from '../tools/knowledge/searchKnowledgeTool.ts';
import type { KnowledgeBase } from '../tools/knowledge/source.ts';
import type { KnowledgeBases } from './knowledgeBases.ts';

/** Maximum number of knowledge bases searched if none is named or selected. */
const mostUnnamed = 10;

export interface BaseChoice {
  bases: readonly KnowledgeBase[];
  choose?: readonly string[];
}

export async function searchableBases(
  bases: Pick<KnowledgeBases, 'state' | 'load'>,
  signal: AbortSignal,
): Promise<Map<string, KnowledgeBase>> {
  const { state } = bases;
  const datasets = state.type === 'ready' ? state.datasets : await bases.load(signal);
  return namedApart(datasets.filter(({ isUnsearchable }) => !isUnsearchable));
}

export function chooseBases(
  byName: ReadonlyMap<string, KnowledgeBase>,
  names: readonly string[],
  chosen: readonly KnowledgeBase[],
): BaseChoice {
  const unnamed = chosen.length > 0 ? chosen : [...byName.values()];
  const bases = names.length > 0 ? names.flatMap((name) => byName.get(name) ?? []) : unnamed;
  const isUnknown = names.some((name) => !byName.has(name));
  const isTooMany = names.length === 0 && bases.length > mostUnnamed;
  return { bases, ...((isUnknown || isTooMany) && { choose: [...byName.keys()] }) };
}
