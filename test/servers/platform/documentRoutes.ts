import * as z from 'zod/mini';
import { htmlPage } from '../http/reply.ts';
import { deletedReply } from './deletedReply.ts';
import {
  displayStatus,
  documentDetail,
  documentRecord,
  indexingRecord,
  metadataOf,
} from './documentRecord.ts';
import { fileOf, fileUrl } from './fileAddress.ts';
import { datasetOf, documentOf } from './findTargets.ts';
import { indexingStatus } from './indexingRun.ts';
import { pageOf } from './paging.ts';
import type { PlatformContext } from './platformContext.ts';
import { notFound, refusal } from './platformErrors.ts';
import { ok, type PlatformRoute, route, success } from './platformRoute.ts';
import type { StoredDocument } from './storedDataset.ts';
import { readJsonBody } from './validation.ts';
import { zipArchive } from './zipArchive.ts';

const statusSchema = z.looseObject({ document_ids: z.array(z.string()) });

/** The server's limit is a hundred. */
const zipSchema = z.looseObject({
  document_ids: z.array(z.string()).check(z.minLength(1), z.maxLength(100)),
});

export function documentRoutes(context: PlatformContext): PlatformRoute[] {
  const { store, version } = context;

  /** Reading advances the indexing. */
  function look(document: StoredDocument): void {
    document.indexing.looks += 1;
  }

  return [
    route('indexingStatus', 'GET /v1/datasets/:uuid/documents/:word/indexing-status', (call) => {
      const documents = datasetOf(context, call).documents.filter(({ batch }) => batch === call.ids[1]);
      if (documents.length === 0) throw notFound('Documents not found.');
      for (const document of documents) look(document);
      return ok({ data: documents.map((document) => indexingRecord(document, store.now())) });
    }),
    route('listDocuments', 'GET /v1/datasets/:uuid/documents', (call) => {
      const dataset = datasetOf(context, call);
      const keyword = call.request.query.get('keyword')?.toLowerCase() ?? '';
      const status = version.isAtLeast('1.11') ? call.request.query.get('status') : null;
      const found = dataset.documents
        .filter(({ name }) => name.toLowerCase().includes(keyword))
        .filter((document) => !status || displayStatus(document, store.now()) === status)
        .toSorted((one, other) => other.position - one.position);
      return ok(
        pageOf(found, call, (document) => {
          look(document);
          return documentRecord(context, dataset, document);
        }),
      );
    }),
    route('getDocument', 'GET /v1/datasets/:uuid/documents/:uuid since 1.6', (call) => {
      const dataset = datasetOf(context, call);
      const document = documentOf(dataset, call);
      const metadata = call.request.query.get('metadata') ?? 'all';
      look(document);
      const { id, form } = document;
      const values = { doc_type: null, doc_metadata: metadataOf(dataset, document) };
      if (metadata === 'only') return ok({ id, ...values });
      if (metadata !== 'all' && metadata !== 'without') {
        throw refusal(400, 'invalid_metadata', `Invalid metadata value: ${metadata}`);
      }
      const detail = { ...documentDetail(context, dataset, document), doc_form: form };
      return ok(metadata === 'all' ? detail : { ...detail, doc_type: undefined, doc_metadata: undefined });
    }),
    route('deleteDocument', 'DELETE /v1/datasets/:uuid/documents/:uuid', (call) => {
      const dataset = datasetOf(context, call);
      const document = documentOf(dataset, call, 'Document Not Exists.');
      if (document.isArchived) {
        throw refusal(403, 'archived_document_immutable', 'The archived document is not editable.');
      }
      const status = indexingStatus(document.indexing, store.now());
      if (status !== 'completed' && status !== 'error' && status !== 'paused') {
        throw refusal(400, 'document_indexing', 'Cannot delete document during indexing.');
      }
      store.deleteDocument(dataset, document);
      return deletedReply(version);
    }),
    route('setDocumentStatus', 'PATCH /v1/datasets/:uuid/documents/status/:word since 1.5', (call) => {
      const dataset = datasetOf(context, call);
      const { document_ids: ids } = readJsonBody(
        call.request,
        version,
        'DocumentStatusPayload',
        statusSchema,
      );
      const apply = actions.get(call.ids[1] ?? '');
      if (!apply) throw refusal(400, 'invalid_action', `Invalid action: ${call.ids[1]}`);
      for (const id of ids) {
        const document = dataset.documents.find((one) => one.id === id);
        if (!document) throw refusal(400, 'invalid_action', 'Document not found.');
        if (indexingStatus(document.indexing, store.now()) !== 'completed') {
          throw refusal(400, 'invalid_action', `Document: ${document.name} is not completed.`);
        }
      }
      for (const document of dataset.documents) {
        if (ids.includes(document.id)) apply(document);
      }
      return success;
    }),
    route('downloadDocument', 'GET /v1/datasets/:uuid/documents/:uuid/download since 1.13', (call) =>
      ok({ url: fileUrl(call.request.headers.host ?? '', documentOf(datasetOf(context, call), call)) }),
    ),
    // From the published description and the source; not recorded.
    route('downloadDocuments', 'POST /v1/datasets/:uuid/documents/download-zip since 1.13', (call) => {
      const dataset = datasetOf(context, call);
      const { document_ids: ids } = readJsonBody(
        call.request,
        version,
        'DocumentBatchDownloadZipPayload',
        zipSchema,
      );
      const documents = ids.map((id) => dataset.documents.find((one) => one.id === id));
      if (documents.includes(undefined)) throw notFound('Document not found.');
      const files = documents.flatMap((one) => (one ? [{ name: one.name, text: one.text ?? '' }] : []));
      return { status: 200, headers: { 'Content-Type': 'application/zip' }, body: zipArchive(files) };
    }),
    {
      // The target of a signed address, which needs no key.
      kind: 'readFile',
      method: 'GET',
      path: '/files/:uuid/file-preview',
      key: 'none',
      answer(call) {
        const document = fileOf(store.datasets, call.ids[0] ?? '', call.request.query.get('sign'));
        if (!document) return htmlPage(404);
        return {
          status: 200,
          headers: { 'Content-Type': 'text/plain; charset=utf-8' },
          body: document.text ?? '',
        };
      },
    },
  ];
}

const actions = new Map<string, (document: StoredDocument) => void>([
  ['enable', (document) => void (document.isEnabled = true)],
  ['disable', (document) => void (document.isEnabled = false)],
  ['archive', (document) => void (document.isArchived = true)],
  ['un_archive', (document) => void (document.isArchived = false)],
]);
