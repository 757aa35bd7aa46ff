import { randomUUID } from 'node:crypto';
import { invalidParam } from '../platformErrors.ts';
import type { AppStore } from './appStore.ts';
import type { AppFile } from './appRecords.ts';
import type { FindFile, FormEntry } from './inputForm.ts';
import type { ScriptedApp } from './scriptedApp.ts';

const types = ['image', 'document', 'audio', 'video', 'custom'];

/** Finds files named in a user's requests; other users' files are not found. */
export function fileFinder(store: AppStore, app: ScriptedApp, user: string): FindFile {
  return (mapping, entry) => {
    const { type, transfer_method: method, url, upload_file_id: uploadId } = mapping;
    if (typeof type !== 'string' || !types.includes(type)) throw invalidParam('Missing file type');
    const file =
      method === 'remote_url' ? remoteFile(type, url) : localFile(store, app, user, method, uploadId);
    if (!isAllowed(file, type, entry)) throw invalidParam(`File validation failed for file: ${file.name}`);
    return { ...file, type };
  };
}

function remoteFile(type: string, url: unknown): AppFile {
  if (typeof url !== 'string' || !/^https?:\/\//.test(url)) throw invalidParam('Invalid file url');
  const name = new URL(url).pathname.split('/').at(-1) || 'file';
  const extension = /\.[^.]+$/.exec(name)?.[0] ?? '';
  return { id: randomUUID(), type, method: 'remote_url', name, url, size: -1, mimeType: '', extension };
}

function localFile(store: AppStore, app: ScriptedApp, user: string, method: unknown, id: unknown): AppFile {
  if (method !== 'local_file') throw invalidParam(`No matching enum found for value '${String(method)}'`);
  const file = store.file(app, user, id);
  if (!file) throw invalidParam('Invalid upload file');
  return file;
}

function isAllowed(file: AppFile, type: string, entry: FormEntry | undefined): boolean {
  const allowed = entry?.allowed_file_types ?? [];
  if (allowed.length === 0 || allowed.includes(type)) return true;
  const extensions = entry?.allowed_file_extensions ?? [];
  return allowed.includes('custom') && extensions.includes(file.extension.toLowerCase());
}
