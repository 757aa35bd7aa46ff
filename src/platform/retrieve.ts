import * as z from 'zod/mini';
import { withSlashes } from '../base/files/safeFileName.ts';
import { asObject } from '../base/json.ts';
import { type Caller, type PlatformRequest, route } from './platformCall.ts';
import { isMissingOnServer } from './platformErrors.ts';
import type { Dataset, FoundSegment } from './records.ts';
import { type SearchSettings, toSearchFields } from './searchSettings.ts';
import { readSegment } from './documents/segments.ts';
import { id, number, readList, text, withKnown } from './platformWire.ts';

export const maxQueryCharacters = 250;

/** Matching segments, best first. `wanted` overrides the knowledge base's own settings. Source: platform-api.md 7.2. */
export async function retrieve(
  caller: Caller,
  datasetId: string,
  query: string,
  wanted: { dataset: Dataset; topK: number; settings?: SearchSettings | undefined } | undefined,
  signal: AbortSignal,
): Promise<FoundSegment[]> {
  const request = (path: string): PlatformRequest => ({
    method: 'POST',
    path,
    json: {
      query: firstCharacters(query),
      ...(wanted && toSearchFields(wanted.dataset, wanted.topK, wanted.settings)),
    },
    isRead: true,
    isNewerRoute: true,
  });
  try {
    return await caller.ask(request(route`/datasets/${datasetId}/retrieve`), readFound, signal);
  } catch (error) {
    if (!isMissingOnServer(error)) throw error;
    return caller.ask(request(route`/datasets/${datasetId}/hit-testing`), readFound, signal);
  }
}

export function firstCharacters(query: string): string {
  return Array.from(query.slice(0, maxQueryCharacters * 2))
    .slice(0, maxQueryCharacters)
    .join('');
}

const foundSchema = z.object({ score: number });
const childSchema = z.object({ id, content: text, score: number });

export function readFound(json: unknown): FoundSegment[] | undefined {
  const records = asObject(json)?.['records'];
  return Array.isArray(records) ? readList(records, readFoundSegment) : undefined;
}

function readFoundSegment(json: unknown): FoundSegment | undefined {
  const outer = asObject(json);
  const inner = asObject(outer?.['segment']);
  const document = asObject(inner?.['document']);
  const segment = readSegment({ document_id: document?.['id'], ...inner });
  if (!outer || !segment) return undefined;
  return withKnown({
    segment,
    documentName: withSlashes(text.parse(document?.['name']) ?? ''),
    score: foundSchema.parse(outer).score,
    childChunks: readList(outer['child_chunks'], (item) => {
      const { data: child } = childSchema.safeParse(item);
      return child && withKnown({ id: child.id, content: child.content ?? '', score: child.score });
    }),
  });
}
