import * as z from 'zod/mini';
import { asObject } from '../../base/json.ts';
import { type Caller, route } from '../platformCall.ts';
import type { DocumentMetadata, MetadataField, MetadataType } from '../records.ts';
import type { DocumentCalls } from './documents.ts';
import { count, flag, id, readList, text, withKnown } from '../platformWire.ts';

/** Metadata of a knowledge base and of its documents, from 1.2 on. Source: platform-api.md 7.7. */
export function createMetadataCalls(caller: Caller, documents: Pick<DocumentCalls, 'get'>) {
  return {
    list: (datasetId: string, signal: AbortSignal) =>
      caller.ask(
        { method: 'GET', path: metadataPath(datasetId), isRead: true, isNewerRoute: true },
        (json) => {
          const outer = asObject(json);
          return (
            outer && {
              fields: readList(outer['doc_metadata'], readField),
              isBuiltInOn: flag.parse(outer['built_in_field_enabled']) ?? false,
            }
          );
        },
        signal,
      ),
    create: (datasetId: string, { name, type }: { name: string; type: MetadataType }, signal: AbortSignal) =>
      caller.ask(
        { method: 'POST', path: metadataPath(datasetId), json: { type, name }, isNewerRoute: true },
        readField,
        signal,
      ),
    rename: (datasetId: string, fieldId: string, name: string, signal: AbortSignal) =>
      caller.ask(
        { method: 'PATCH', path: fieldPath(datasetId, fieldId), json: { name }, isNewerRoute: true },
        readField,
        signal,
      ),
    delete: (datasetId: string, fieldId: string, signal: AbortSignal) =>
      caller.send({ method: 'DELETE', path: fieldPath(datasetId, fieldId), isNewerRoute: true }, signal),
    builtIn: (datasetId: string, signal: AbortSignal) =>
      caller.ask(
        { method: 'GET', path: builtInPath(datasetId), isRead: true, isNewerRoute: true },
        (json) => {
          const outer = asObject(json);
          return outer && readList(outer['fields'] ?? outer['data'], readBuiltIn);
        },
        signal,
      ),
    setBuiltIn: (datasetId: string, isOn: boolean, signal: AbortSignal) =>
      caller.send(
        {
          method: 'POST',
          path: `${builtInPath(datasetId)}/${isOn ? 'enable' : 'disable'}`,
          isNewerRoute: true,
        },
        signal,
      ),
    async setValues(
      datasetId: string,
      values: readonly { documentId: string; values: readonly MetadataValue[] }[],
      signal: AbortSignal,
    ): Promise<void> {
      const operations = [];
      for (const { documentId, values: changes } of values) {
        // Servers without `partial_update` replace everything, so everything is sent.
        const { metadata } = await documents.get(datasetId, documentId, signal);
        operations.push({
          document_id: documentId,
          metadata_list: withChanges(metadata, changes),
          partial_update: true,
        });
      }
      await caller.send(
        {
          method: 'POST',
          path: route`/datasets/${datasetId}/documents/metadata`,
          json: { operation_data: operations },
          isNewerRoute: true,
        },
        signal,
      );
    },
  };
}

export type MetadataValue = Pick<DocumentMetadata, 'id' | 'name' | 'value'>;

/** Built-in values are listed, too, but can't be set. */
function withChanges(
  present: readonly DocumentMetadata[],
  changes: readonly MetadataValue[],
): MetadataValue[] {
  const values = new Map<string, MetadataValue>();
  for (const value of present) if (value.id !== 'built-in') values.set(value.id, value);
  for (const value of changes) values.set(value.id, value);
  return [...values.values()].map(({ id: fieldId, name, value }) => ({ id: fieldId, name, value }));
}

function metadataPath(datasetId: string): string {
  return route`/datasets/${datasetId}/metadata`;
}

function fieldPath(datasetId: string, fieldId: string): string {
  return route`/datasets/${datasetId}/metadata/${fieldId}`;
}

function builtInPath(datasetId: string): string {
  return route`/datasets/${datasetId}/metadata/built-in`;
}

const fieldSchema = z.object({ id, name: z.string(), type: text, count });

export function readField(json: unknown): MetadataField | undefined {
  const { data: wire } = fieldSchema.safeParse(json);
  return wire && withKnown({ ...wire, type: wire.type ?? 'string' });
}

const builtInSchema = z.object({ name: z.string(), type: text });

function readBuiltIn(json: unknown): { name: string; type: string } | undefined {
  const { data: wire } = builtInSchema.safeParse(json);
  return wire && { name: wire.name, type: wire.type ?? 'string' };
}
