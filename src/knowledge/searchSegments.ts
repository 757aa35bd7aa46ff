import * as l10n from '@vscode/l10n';
import { SwitchboardError } from '../base/errors.ts';
import type { Knowledge } from './knowledge.ts';
import type { SearchSegments } from '../tools/knowledge/searchBases.ts';

/** Searches the knowledge bases of the platform that is connected at the time. */
export function createSearchSegments(knowledge: () => Promise<Knowledge | undefined>): SearchSegments {
  return async (query, signal) => {
    const connected = await knowledge();
    if (!connected) throw new SwitchboardError('key', l10n.t('No platform is connected.'));
    const { results, failures, cutQuery } = await connected.search(query, signal);
    return { segments: results, failures, cutQuery };
  };
}
