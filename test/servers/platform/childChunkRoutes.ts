import * as z from 'zod/mini';
import { deletedReply } from './deletedReply.ts';
import { datasetOf, documentOf, segmentOf } from './findTargets.ts';
import { pageOf } from './paging.ts';
import { notFound } from './platformErrors.ts';
import type { PlatformContext } from './platformContext.ts';
import { type Call, ok, type PlatformRoute, route } from './platformRoute.ts';
import { newChildChunk } from './segmentDocument.ts';
import { childChunkRecord } from './segmentRecord.ts';
import type { StoredChildChunk, StoredDataset, StoredSegment } from './storedDataset.ts';
import { readJsonBody } from './validation.ts';

const schema = z.looseObject({ content: z.string().check(z.minLength(1)) });

const path = '/v1/datasets/:uuid/documents/:uuid/segments/:uuid/child_chunks';
const since = '1.2';

export function childChunkRoutes(context: PlatformContext): PlatformRoute[] {
  const { store, version } = context;

  function target(call: Call): { dataset: StoredDataset; segment: StoredSegment } {
    const dataset = datasetOf(context, call);
    return { dataset, segment: segmentOf(documentOf(dataset, call), call) };
  }

  function chunkOf(segment: StoredSegment, { ids }: Call): StoredChildChunk {
    const chunk = segment.childChunks.find(({ id }) => id === ids[3]?.toLowerCase());
    if (!chunk) throw notFound('Child chunk not found.');
    return chunk;
  }

  return [
    route('listChildChunks', `GET ${path} since ${since}`, (call) => {
      const { segment } = target(call);
      const keyword = call.request.query.get('keyword')?.toLowerCase() ?? '';
      const found = segment.childChunks.filter(({ content }) => content.toLowerCase().includes(keyword));
      const { data, total, page, limit } = pageOf(found, call, (chunk) => childChunkRecord(segment, chunk));
      return ok({ data, total, total_pages: Math.ceil(total / Math.min(limit, 100)), page, limit });
    }),
    route('createChildChunk', `POST ${path} since ${since}`, (call) => {
      const { dataset, segment } = target(call);
      const { content } = readJsonBody(call.request, version, 'ChildChunkCreatePayload', schema);
      const position = Math.max(0, ...segment.childChunks.map((chunk) => chunk.position)) + 1;
      const chunk = newChildChunk(content, position, store.now());
      segment.childChunks.push(chunk);
      store.changed(dataset);
      return ok({ data: childChunkRecord(segment, chunk) });
    }),
    route('updateChildChunk', `PATCH ${path}/:uuid since ${since}`, (call) => {
      const { dataset, segment } = target(call);
      const chunk = chunkOf(segment, call);
      chunk.content = readJsonBody(call.request, version, 'ChildChunkUpdatePayload', schema).content;
      store.changed(dataset);
      return ok({ data: childChunkRecord(segment, chunk) });
    }),
    route('deleteChildChunk', `DELETE ${path}/:uuid since ${since}`, (call) => {
      const { dataset, segment } = target(call);
      const chunk = chunkOf(segment, call);
      segment.childChunks = segment.childChunks.filter((other) => other !== chunk);
      store.changed(dataset);
      return deletedReply(version);
    }),
  ];
}
