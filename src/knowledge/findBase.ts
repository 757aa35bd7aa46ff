import * as l10n from '@vscode/l10n';
import { isCancelled, SwitchboardError } from '../base/errors/errors.ts';
import { oneLine } from '../base/text/oneLine.ts';
import type { PlatformClient } from '../platform/platformClient.ts';
import { isNotFound, isOutOfScope } from '../platform/platformErrors.ts';
import type { AddedBase } from './knowledgeBases.ts';

/** Text of the query whose token tells if the key opens an agent knowledge base. It isn't run. */
const probe = 'test';

const bareId = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Page of a knowledge base in the console: `/datasets/{id}/documents` and its like; page and endpoint of one for agents. */
const pagePath =
  /\/(?:datasets(?:\/new)?|knowledge-fs\/spaces)\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?:[/?#]|$)/i;

const longest = 20_000;

/** Finds the knowledge base of an id that the user gave. For agents no documented call tells the name: it is empty. */
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

/** Only an address's id counts: the console may be at another host than the API, and the key goes to none. */
export function readBaseIds(text: string): { ids: string[] } | { problem: string } {
  const ids = new Set<string>();
  for (const word of text.slice(0, longest).split(/[\s,;]+/)) {
    if (word === '') continue;
    const id = bareId.exec(word)?.[0] ?? pagePath.exec(word)?.[1];
    if (id === undefined) {
      return {
        problem: l10n.t(
          '"{0}" is neither the ID of a knowledge base nor the address of its page in the console.',
          oneLine(word, 60),
        ),
      };
    }
    ids.add(id.toLowerCase());
  }
  return { ids: [...ids] };
}
