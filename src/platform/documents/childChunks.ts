import * as z from 'zod/mini';
import { asObject } from '../../base/json.ts';
import { type Caller, type PlatformContext, route } from '../platformCall.ts';
import type { ChildChunk, PageQuery } from '../records.ts';
import { type DocumentPlace, segmentPath } from './segments.ts';
import { count, id, pageOf, text, withKnown } from '../platformWire.ts';

export interface SegmentPlace extends DocumentPlace {
  segmentId: string;
}

/** `/child_chunks` of a segment of a hierarchical knowledge base, from 1.2 on. Source: platform-api.md 7.6. */
export function createChildChunkCalls(caller: Caller, { log }: Pick<PlatformContext, 'log'>) {
  return {
    list: (place: SegmentPlace, query: PageQuery, signal: AbortSignal) =>
      caller.ask(
        { method: 'GET', path: chunksPath(place), query, isRead: true, isNewerRoute: true },
        pageOf(readChildChunk, log),
        signal,
      ),
    create: (place: SegmentPlace, content: string, signal: AbortSignal) =>
      caller.ask(
        { method: 'POST', path: chunksPath(place), json: { content }, isNewerRoute: true },
        readOneChunk,
        signal,
      ),
    update: (place: SegmentPlace, chunkId: string, content: string, signal: AbortSignal) =>
      caller.ask(
        { method: 'PATCH', path: chunkPath(place, chunkId), json: { content }, isNewerRoute: true },
        readOneChunk,
        signal,
      ),
    delete: (place: SegmentPlace, chunkId: string, signal: AbortSignal) =>
      caller.send({ method: 'DELETE', path: chunkPath(place, chunkId), isNewerRoute: true }, signal),
  };
}

function chunksPath(place: SegmentPlace): string {
  return `${segmentPath(place, place.segmentId)}/child_chunks`;
}

function chunkPath(place: SegmentPlace, chunkId: string): string {
  return chunksPath(place) + route`/${chunkId}`;
}

const chunkSchema = z.object({ id, segment_id: text, position: count, content: text, word_count: count });

export function readChildChunk(json: unknown): ChildChunk | undefined {
  const { data: wire } = chunkSchema.safeParse(json);
  if (!wire) return undefined;
  return withKnown({
    id: wire.id,
    segmentId: wire.segment_id,
    position: wire.position,
    content: wire.content ?? '',
    wordCount: wire.word_count,
  });
}

function readOneChunk(json: unknown): ChildChunk | undefined {
  return readChildChunk(asObject(json)?.['data']);
}
