import { SwitchboardError } from '../base/errors.ts';
import { asObject } from '../base/json.ts';
import { type DialectForm, pathIn, techniqueIn } from './dialect.ts';
import { readAccepted, readDocument, readProgress } from './documentWire.ts';
import { downloadFile } from './downloadFile.ts';
import { getOrFind } from './getOrFind.ts';
import { toMultipart } from './multipart.ts';
import type { Caller, DialectRequest, PlatformContext } from './platformCall.ts';
import type { DocumentCalls, IndexingSettings, UploadFile } from './platformClient.ts';
import { route } from './route.ts';
import { pageOf, readList } from './wire.ts';

/** Documents of a knowledge base. Source: platform-api.md 7.3 to 7.5. */
export function createDocumentCalls(
  caller: Caller,
  context: Pick<PlatformContext, 'log' | 'connection' | 'http' | 'timeouts'>,
): DocumentCalls {
  const { log, connection } = context;
  const calls: DocumentCalls = {
    createByText: (datasetId, { name, text, ...settings }, signal) =>
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
    createByFile: (datasetId, file, settings, signal, onProgress) =>
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
    updateByText: (datasetId, documentId, { name, text, ...settings }, signal) =>
      caller.ask(
        {
          forms: ['paths'],
          in: (dialect) => ({
            method: 'POST',
            path: documentPath(datasetId, documentId) + '/' + pathIn(dialect, 'update_by_text'),
            isPacedByCaller: true,
            // The document keeps its technique: there is no field for it here.
            json: { name, text, process_rule: settings.processRule, doc_form: settings.form },
          }),
        },
        readAccepted,
        signal,
      ),
    updateByFile: (datasetId, documentId, file, settings, signal, onProgress) =>
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
    list: (datasetId, query, signal) =>
      caller.ask(
        { method: 'GET', path: route`/datasets/${datasetId}/documents`, query, isRead: true },
        pageOf(readDocument, log),
        signal,
      ),
    get(datasetId, documentId, signal) {
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
        (query) => calls.list(datasetId, query, signal),
      );
    },
    delete: (datasetId, documentId, signal) =>
      caller.send({ method: 'DELETE', path: documentPath(datasetId, documentId) }, signal),
    setStatus: (datasetId, documentIds, action, signal) =>
      caller.send(
        {
          method: 'PATCH',
          path: route`/datasets/${datasetId}/documents/status/${action}`,
          json: { document_ids: documentIds },
          isNewerRoute: true,
        },
        signal,
      ),
    downloadUrl: (datasetId, documentId, signal) =>
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
    download: (address, signal) => downloadFile(context, address, signal),
    async indexingStatus(datasetId, batch, signal) {
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
    },
  };
  return calls;
}

function documentPath(datasetId: string, documentId: string): string {
  return route`/datasets/${datasetId}/documents/${documentId}`;
}

/** Multipart with `data` as a text field of type text/plain, which satisfies every server, and then the file. */
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

/** Not so when the knowledge base itself is unknown, or the whole address wrong. */
function isUnknownBatch(error: unknown): boolean {
  return (
    error instanceof SwitchboardError &&
    error.status === 404 &&
    error.code === 'request' &&
    !/dataset/i.test(error.why ?? '')
  );
}

/** A web address, which some servers give without their own host. */
function readAddress(value: unknown, base: string): string | undefined {
  if (typeof value !== 'string' || !URL.canParse(value, base)) return undefined;
  const url = new URL(value, base);
  return url.protocol === 'https:' || url.protocol === 'http:' ? url.href : undefined;
}
