import { SwitchboardError } from '../../base/errors/errors.ts';
import { asObject } from '../../base/json.ts';
import { type DialectForm, pathIn, techniqueIn } from '../platformDialect.ts';
import { readAccepted, readDocument, readProgress } from './documentWire.ts';
import { downloadArchive, downloadFile } from '../downloadFile.ts';
import { getOrFind, pageOf, readList } from '../platformWire.ts';
import { toMultipart, type UploadFile } from './multipart.ts';
import type { ProcessRule } from './processRule.ts';
import { type Caller, type DialectRequest, type PlatformContext, route } from '../platformCall.ts';
import type {
  DisplayStatus,
  DocumentForm,
  DocumentRecord,
  IndexingProgress,
  IndexingTechnique,
  Page,
  PageQuery,
} from '../records.ts';

/** How a document is indexed; always sent whole. */
export interface IndexingSettings {
  technique: IndexingTechnique;
  processRule: ProcessRule;
  form: DocumentForm;
  /** Only for the first document of a knowledge base without one. */
  embeddingModel?: { provider: string; model: string };
}

type TextDocument = { name: string; text: string } & IndexingSettings;

export type DocumentCalls = ReturnType<typeof createDocumentCalls>;

/** Documents of a knowledge base. Source: platform-api.md 7.3 to 7.5. */
export function createDocumentCalls(
  caller: Caller,
  context: Pick<PlatformContext, 'log' | 'connection' | 'http' | 'timeouts'>,
) {
  const { log, connection } = context;
  const list = (
    datasetId: string,
    query: PageQuery & { status?: DisplayStatus },
    signal: AbortSignal,
  ): Promise<Page<DocumentRecord>> =>
    caller.ask(
      { method: 'GET', path: route`/datasets/${datasetId}/documents`, query, isRead: true },
      pageOf(readDocument, log),
      signal,
    );

  return {
    ...uploadCalls(caller),
    list,
    get(datasetId: string, documentId: string, signal: AbortSignal): Promise<DocumentRecord> {
      const request = {
        method: 'GET',
        path: documentPath(datasetId, documentId),
        query: { metadata: 'all' },
        isRead: true,
        isNewerRoute: true,
      } as const;
      return getOrFind(
        documentId,
        () => caller.ask(request, readDocument, signal),
        (query) => list(datasetId, query, signal),
      );
    },
    delete: (datasetId: string, documentId: string, signal: AbortSignal) =>
      caller.send({ method: 'DELETE', path: documentPath(datasetId, documentId) }, signal),
    setStatus: (
      datasetId: string,
      documentIds: readonly string[],
      action: 'enable' | 'disable' | 'archive' | 'un_archive',
      signal: AbortSignal,
    ) =>
      caller.send(
        {
          method: 'PATCH',
          path: route`/datasets/${datasetId}/documents/status/${action}`,
          json: { document_ids: documentIds },
          isNewerRoute: true,
        },
        signal,
      ),
    downloadUrl: (datasetId: string, documentId: string, signal: AbortSignal) =>
      caller.ask(
        {
          method: 'GET',
          path: `${documentPath(datasetId, documentId)}/download`,
          isRead: true,
          isNewerRoute: true,
        },
        (json) => readAddress(asObject(json)?.['url'], connection.baseUrl),
        signal,
      ),
    /** The file at such an address, up to `maxDownloadBytes`. Sent without the key. */
    download: (address: string, signal: AbortSignal): AsyncIterable<Uint8Array> =>
      downloadFile(context, address, signal),
    downloadArchive: (datasetId: string, documentIds: readonly string[], signal: AbortSignal) =>
      downloadArchive(caller, datasetId, documentIds, signal),
    indexingStatus: (datasetId: string, batch: string, signal: AbortSignal) =>
      indexingStatus(caller, datasetId, batch, signal),
  };
}

function uploadCalls(caller: Caller) {
  return {
    /** Replaces a document of the same name: same id, new batch. */
    createByText: (datasetId: string, { name, text, ...settings }: TextDocument, signal: AbortSignal) =>
      caller.ask(
        {
          forms: formsOf(settings),
          in: (dialect) => ({
            method: 'POST',
            path: route`/datasets/${datasetId}/document/` + pathIn(dialect, 'create_by_text'),
            isPacedByCaller: true,
            json: {
              name,
              text,
              indexing_technique: techniqueIn(dialect, settings.technique),
              ...howToIndex(settings),
            },
          }),
        },
        readAccepted,
        signal,
      ),
    /** Streams the file; `onProgress` gets the bytes of it that were sent. */
    createByFile: (
      datasetId: string,
      file: UploadFile,
      settings: IndexingSettings,
      signal: AbortSignal,
      onProgress?: (sentBytes: number) => void,
    ) =>
      caller.ask(
        fileRequest(
          { folder: route`/datasets/${datasetId}/document/`, name: 'create_by_file' },
          file,
          settings,
          onProgress,
        ),
        readAccepted,
        signal,
      ),
    updateByText: (
      datasetId: string,
      documentId: string,
      { name, text, ...settings }: TextDocument,
      signal: AbortSignal,
    ) =>
      caller.ask(
        {
          forms: ['paths'],
          in: (dialect) => ({
            method: 'POST',
            path: documentPath(datasetId, documentId) + '/' + pathIn(dialect, 'update_by_text'),
            isPacedByCaller: true,
            // There is no field for the technique: the document keeps its own.
            json: { name, text, process_rule: settings.processRule, doc_form: settings.form },
          }),
        },
        readAccepted,
        signal,
      ),
    updateByFile: (
      datasetId: string,
      documentId: string,
      file: UploadFile,
      settings: IndexingSettings,
      signal: AbortSignal,
      onProgress?: (sentBytes: number) => void,
    ) =>
      caller.ask(
        fileRequest(
          { folder: `${documentPath(datasetId, documentId)}/`, name: 'update_by_file' },
          file,
          settings,
          onProgress,
        ),
        readAccepted,
        signal,
      ),
  };
}

/** Undefined if the batch is unknown, or a newer upload of the same name replaced it. */
async function indexingStatus(
  caller: Caller,
  datasetId: string,
  batch: string,
  signal: AbortSignal,
): Promise<IndexingProgress[] | undefined> {
  if (batch === '') return undefined;
  try {
    return await caller.ask(
      {
        method: 'GET',
        path: route`/datasets/${datasetId}/documents/${batch}/indexing-status`,
        isRead: true,
      },
      (json) => {
        const data = asObject(json)?.['data'];
        return Array.isArray(data) ? readList(data, readProgress) : undefined;
      },
      signal,
    );
  } catch (error) {
    if (isUnknownBatch(error)) return undefined;
    throw error;
  }
}

function documentPath(datasetId: string, documentId: string): string {
  return route`/datasets/${datasetId}/documents/${documentId}`;
}

/** Multipart with `data` as a text field of type text/plain, which every server accepts, then the file. */
function fileRequest(
  { folder, name }: { folder: string; name: string },
  file: UploadFile,
  settings: IndexingSettings,
  onProgress: ((sentBytes: number) => void) | undefined,
): DialectRequest {
  return {
    forms: formsOf(settings),
    in(dialect) {
      const value = JSON.stringify({
        indexing_technique: techniqueIn(dialect, settings.technique),
        ...howToIndex(settings),
      });
      const data = { name: 'data', value, contentType: 'text/plain' };
      return {
        method: 'POST',
        path: folder + pathIn(dialect, name),
        isPacedByCaller: true,
        form: toMultipart([data], file, onProgress),
      };
    },
  };
}

function formsOf({ technique }: IndexingSettings): DialectForm[] {
  return technique === 'economical' ? ['economy', 'paths'] : ['paths'];
}

function howToIndex({ processRule, form, embeddingModel }: IndexingSettings): object {
  return {
    process_rule: processRule,
    doc_form: form,
    embedding_model: embeddingModel?.model,
    embedding_model_provider: embeddingModel?.provider,
  };
}

/** A 404 that isn't about the knowledge base or the address. */
function isUnknownBatch(error: unknown): boolean {
  return (
    error instanceof SwitchboardError &&
    error.status === 404 &&
    error.code === 'request' &&
    !/dataset/i.test(error.why ?? '')
  );
}

function readAddress(value: unknown, base: string): string | undefined {
  if (typeof value !== 'string' || !URL.canParse(value, base)) return undefined;
  const url = new URL(value, base);
  return url.protocol === 'https:' || url.protocol === 'http:' ? url.href : undefined;
}
