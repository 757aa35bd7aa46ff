import * as z from 'zod/mini';
import type { Reply } from '../http/reply.ts';
import { deletedReply } from './deletedReply.ts';
import { datasetOf, documentOf, segmentOf } from './findTargets.ts';
import { indexingStatus, stepsDone } from './indexingRun.ts';
import { pageOf } from './paging.ts';
import { invalidParam, notFound, PlatformRefusal } from './platformErrors.ts';
import type { PlatformContext } from './platformContext.ts';
import { type Call, ok, type PlatformRoute, route } from './platformRoute.ts';
import { newSegment, toChildChunks } from './segmentDocument.ts';
import { segmentRecord } from './segmentRecord.ts';
import type { StoredDataset, StoredDocument } from './storedDataset.ts';
import { readJsonBody } from './validation.ts';

const words = {
  answer: z.nullish(z.string()),
  keywords: z.nullish(z.array(z.string())),
};
const createSchema = z.looseObject({
  segments: z.nullish(z.array(z.looseObject({ ...words, content: z.nullish(z.string()) }))),
});
const updateSchema = z.looseObject({
  segment: z.looseObject({
    ...words,
    content: z.nullish(z.string()),
    enabled: z.nullish(z.boolean()),
    regenerate_child_chunks: z.nullish(z.boolean()),
  }),
});

const path = '/v1/datasets/:uuid/documents/:uuid/segments';

export function segmentRoutes(context: PlatformContext): PlatformRoute[] {
  const { store, version } = context;

  function target(call: Call): { dataset: StoredDataset; document: StoredDocument } {
    const dataset = datasetOf(context, call);
    return { dataset, document: documentOf(dataset, call) };
  }

  function checkContent(
    document: StoredDocument,
    content: string | null | undefined,
    answer: unknown,
  ): string {
    if (document.form === 'qa_model' && !answer) throw invalidParam('Answer is required');
    if (!content?.trim()) throw invalidParam('Content is empty');
    return content;
  }

  function list(call: Call): Reply {
    const { document } = target(call);
    const keyword = call.request.query.get('keyword')?.toLowerCase() ?? '';
    const wanted = call.request.query.getAll('status');
    // No segments exist before the text is cut.
    const segments = stepsDone(document.indexing, store.now()) < 4 ? [] : document.segments;
    const found = segments
      .filter(({ content }) => content.toLowerCase().includes(keyword))
      .filter(() => wanted.length === 0 || wanted.includes('completed'));
    if (!version.isAtLeast('1.0')) {
      const data = found.map((segment) => segmentRecord(document, segment));
      return ok({ data, doc_form: document.form, total: found.length });
    }
    const page = pageOf(found, call, (segment) => segmentRecord(document, segment));
    return ok({ ...page, doc_form: document.form });
  }

  return [
    { kind: 'listSegments', method: 'GET', path, answer: list },
    route('createSegments', `POST ${path}`, (call) => {
      const { dataset, document } = target(call);
      if (indexingStatus(document.indexing, store.now()) !== 'completed') {
        throw notFound('Document is not completed.');
      }
      if (!document.isEnabled) throw notFound('Document is disabled.');
      const { segments } = readJsonBody(call.request, version, 'SegmentCreatePayload', createSchema);
      if (!segments) {
        throw new PlatformRefusal({ status: 400, body: { error: 'Segments is required' } });
      }
      const contents = segments.map((sent) => checkContent(document, sent.content, sent.answer));
      let position = Math.max(0, ...document.segments.map((segment) => segment.position));
      const added = segments.map((sent, index) => {
        position += 1;
        const segment = newSegment(contents[index] ?? '', position, store.now());
        segment.answer = sent.answer ?? null;
        segment.keywords = sent.keywords ?? segment.keywords;
        if (document.form === 'hierarchical_model') {
          segment.childChunks = toChildChunks(segment.content, document.processRule, store.now());
        }
        return segment;
      });
      document.segments.push(...added);
      store.changed(dataset);
      return ok({
        data: added.map((segment) => segmentRecord(document, segment)),
        doc_form: document.form,
      });
    }),
    route('getSegment', `GET ${path}/:uuid since 1.8`, (call) => {
      const { document } = target(call);
      return ok({ data: segmentRecord(document, segmentOf(document, call)), doc_form: document.form });
    }),
    route('updateSegment', `POST ${path}/:uuid`, (call) => {
      const { dataset, document } = target(call);
      const segment = segmentOf(document, call);
      const { segment: sent } = readJsonBody(call.request, version, 'SegmentUpdatePayload', updateSchema);
      if (sent.content !== undefined && sent.content !== null) {
        if (!segment.isEnabled && !sent.enabled) throw invalidParam("Can't update disabled segment");
        segment.content = checkContent(document, sent.content, sent.answer ?? segment.answer);
        if (document.form === 'hierarchical_model' && sent.regenerate_child_chunks) {
          segment.childChunks = toChildChunks(segment.content, document.processRule, store.now());
        }
      }
      segment.answer = sent.answer ?? segment.answer;
      segment.keywords = sent.keywords ?? segment.keywords;
      segment.isEnabled = sent.enabled ?? segment.isEnabled;
      store.changed(dataset);
      return ok({ data: segmentRecord(document, segment), doc_form: document.form });
    }),
    route('deleteSegment', `DELETE ${path}/:uuid`, (call) => {
      const { dataset, document } = target(call);
      const segment = segmentOf(document, call);
      document.segments = document.segments.filter((other) => other !== segment);
      store.changed(dataset);
      return deletedReply(version);
    }),
  ];
}
