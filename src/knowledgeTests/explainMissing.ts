import * as l10n from '@vscode/l10n';
import { messageOf } from '../base/errors/errors.ts';
import { inline } from '../base/text/oneLine.ts';
import type { Dataset, DocumentRecord, Segment } from '../platform/records.ts';
import type { PlaceMatcher } from './placeMatch.ts';
import { type ExpectedPlace, mostResults } from './testFile.ts';
import type { TestedKnowledge } from './testedKnowledge.ts';

const pageSize = 100;
const mostPages = 10;

/** Says which segment a place expects though no search gave it, or why there is none. Throws only when aborted. */
export async function explainMissing(
  { client, knowledge, log }: TestedKnowledge,
  datasets: readonly Dataset[],
  place: ExpectedPlace,
  matcher: PlaceMatcher,
  signal: AbortSignal,
): Promise<string> {
  const file = inline(place.file);
  const keyword = place.file.slice(place.file.lastIndexOf('/') + 1);
  let without: string | undefined;
  try {
    for (const { id: datasetId } of datasets) {
      const documents = await eachOf<DocumentRecord>((page) =>
        client.documents.list(datasetId, { page, limit: pageSize, keyword }, signal),
      );
      for (const { id: documentId, name, display, isEnabled } of documents) {
        const origin = await knowledge.originOf(datasetId, documentId);
        const document = { documentName: name, ...(origin && { origin }) };
        if (!matcher.isDocumentOf(place, document)) continue;
        if (!isEnabled) return l10n.t('{0} is disabled in the knowledge base.', file);
        if (display !== 'available') return l10n.t("{0} isn't indexed yet, or its indexing failed.", file);
        const segments = await eachOf<Segment>((page) =>
          client.segments.list({ datasetId, documentId }, { page, limit: pageSize }, signal),
        );
        for (const { content, position = 0, isEnabled: isSearched } of segments) {
          if (!(await matcher.isMatch(place, { ...document, content }))) continue;
          return isSearched
            ? l10n.t(
                "Segment {0} of {1} should match. It isn't among the first {2} results.",
                position,
                file,
                mostResults,
              )
            : l10n.t('Segment {0} of {1} should match, but it is disabled.', position, file);
        }
        without ??= l10n.t('No segment of {0} has the expected lines or words. Was it changed since?', file);
      }
    }
  } catch (error) {
    signal.throwIfAborted();
    log.warn(`The expected segment of a knowledge test wasn't found: ${messageOf(error)}`);
    return l10n.t("The segment that should match couldn't be looked up.");
  }
  return without ?? l10n.t("{0} isn't in the knowledge base.", file);
}

async function eachOf<T>(list: (page: number) => Promise<{ items: T[]; hasMore: boolean }>): Promise<T[]> {
  const all: T[] = [];
  for (let page = 1; page <= mostPages; page++) {
    const { items, hasMore } = await list(page);
    all.push(...items);
    if (!hasMore || items.length === 0) break;
  }
  return all;
}
