import type { AppFile } from './appRecords.ts';
import { isObject } from './inputForm.ts';

export function fileToWire(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(fileToWire);
  if (!isObject(value) || !('mimeType' in value) || !('method' in value)) return value;
  const file = value as unknown as AppFile;
  return {
    dify_model_identity: '__dify__file__',
    id: null,
    type: file.type,
    transfer_method: file.method,
    remote_url: file.url ?? null,
    related_id: file.method === 'local_file' ? file.id : null,
    filename: file.name,
    extension: file.extension,
    mime_type: file.mimeType,
    size: file.size,
    url: file.url ?? null,
  };
}
