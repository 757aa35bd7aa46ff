import { isCancelled, SwitchboardError } from '../base/errors/errors.ts';
import type { PlatformClient } from '../platform/platformClient.ts';
import { isNotFound, isOutOfScope } from '../platform/platformErrors.ts';
import type { AddedBase } from './knowledgeBases.ts';

/** Text of the query whose token tells if the key opens an agent knowledge base. It isn't run. */
const probe = 'test';

/**
 * Finds the knowledge base of an id that the user gave. The calls of other knowledge bases don't know those for agents,
 * which have no documented call for their name: it is empty.
 */
export async function findBase(
  { datasets, agentBases }: Pick<PlatformClient, 'datasets' | 'agentBases'>,
  id: string,
  signal: AbortSignal,
): Promise<AddedBase> {
  try {
    const { name } = await datasets.get(id, signal);
    return { id, name };
  } catch (error) {
    if (!isNotFound(error) && !isOutOfScope(error)) throw error;
    try {
      await agentBases.open(id, probe, signal);
    } catch (refusal) {
      throw isCancelled(refusal) || isOfAgentBase(refusal) ? refusal : error;
    }
    return { id, name: '', isAgent: true };
  }
}

/** An unknown id is refused like an invalid key. */
function isOfAgentBase(error: unknown): boolean {
  const code = error instanceof SwitchboardError ? (error.serverCode ?? '') : '';
  return code.startsWith('knowledge_fs_') && code !== 'knowledge_fs_invalid_credential';
}
