import * as z from 'zod/mini';
import { asObject } from '../../base/json.ts';
import { getOrFind, count, flag, id, pageOf, readList, text, withKnown } from '../platformWire.ts';
import { type Caller, type PlatformContext, route } from '../platformCall.ts';
import type { Page, PageQuery, Segment } from '../records.ts';

export interface DocumentPlace {
  datasetId: string;
  documentId: string;
}

export interface NewSegment {
  content: string;
  answer?: string;
  keywords?: readonly string[];
}

/** `/segments` of a document. Source: platform-api.md 7.6. */
export function createSegmentCalls(caller: Caller, { log }: Pick<PlatformContext, 'log'>) {
  const list = (place: DocumentPlace, query: PageQuery, signal: AbortSignal): Promise<Page<Segment>> =>
    caller.ask(
      { method: 'GET', path: segmentsPath(place), query, isRead: true },
      pageOf(readSegment, log),
      signal,
    );

  return {
    list,
    get(place: DocumentPlace, segmentId: string, signal: AbortSignal): Promise<Segment> {
      const request = {
        method: 'GET',
        path: segmentPath(place, segmentId),
        isRead: true,
        isNewerRoute: true,
      } as const;
      return getOrFind(
        segmentId,
        () => caller.ask(request, readOneSegment, signal),
        (query) => list(place, query, signal),
      );
    },
    create: (place: DocumentPlace, segments: readonly NewSegment[], signal: AbortSignal) =>
      caller.ask(
        { method: 'POST', path: segmentsPath(place), json: { segments: segments.map(toWire) } },
        (json) => {
          const data = asObject(json)?.['data'];
          return Array.isArray(data) ? readList(data, readSegment) : undefined;
        },
        signal,
      ),
    update: (
      place: DocumentPlace,
      segmentId: string,
      change: Partial<NewSegment> & { isEnabled?: boolean; regenerateChildChunks?: boolean },
      signal: AbortSignal,
    ) =>
      caller.ask(
        {
          method: 'POST',
          path: segmentPath(place, segmentId),
          json: {
            segment: {
              ...toWire(change),
              enabled: change.isEnabled,
              regenerate_child_chunks: change.regenerateChildChunks,
            },
          },
        },
        readOneSegment,
        signal,
      ),
    delete: (place: DocumentPlace, segmentId: string, signal: AbortSignal) =>
      caller.send({ method: 'DELETE', path: segmentPath(place, segmentId) }, signal),
  };
}

function segmentsPath({ datasetId, documentId }: DocumentPlace): string {
  return route`/datasets/${datasetId}/documents/${documentId}/segments`;
}

export function segmentPath(place: DocumentPlace, segmentId: string): string {
  return segmentsPath(place) + route`/${segmentId}`;
}

function toWire({ content, answer, keywords }: Partial<NewSegment>): object {
  return { content, answer, keywords };
}

const segmentSchema = z.object({
  id,
  document_id: text,
  position: count,
  content: text,
  answer: text,
  enabled: flag,
  status: text,
  error: text,
  word_count: count,
  tokens: count,
  hit_count: count,
});

export function readSegment(json: unknown): Segment | undefined {
  const { data: wire } = segmentSchema.safeParse(json);
  if (!wire) return undefined;
  return withKnown({
    id: wire.id,
    documentId: wire.document_id ?? '',
    position: wire.position,
    content: wire.content ?? '',
    answer: wire.answer || undefined,
    keywords: readList(asObject(json)?.['keywords'], (word) => (typeof word === 'string' ? word : undefined)),
    isEnabled: wire.enabled ?? true,
    status: wire.status,
    error: wire.error || undefined,
    wordCount: wire.word_count,
    tokens: wire.tokens,
    hitCount: wire.hit_count,
  });
}

/** `{data: segment}`, or a list of one. */
function readOneSegment(json: unknown): Segment | undefined {
  const data = asObject(json)?.['data'];
  return readSegment(Array.isArray(data) ? data[0] : data);
}
