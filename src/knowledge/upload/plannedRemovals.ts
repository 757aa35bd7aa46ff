import type { SkippedFile } from './skippedFile.ts';
import type { SentDocument } from '../manifest/manifestRecords.ts';
import type { ManifestState } from '../manifest/manifestState.ts';
import type { PlannedDocument } from './plannedDocument.ts';
import { isReplaced, type PlatformDocuments } from '../platformDocuments.ts';

export interface PlannedRemoval {
  documentId: string;
  name: string;
  path: string;
  reason: 'removed' | 'renamed' | 'skipped';
}

export interface Removals {
  removals: PlannedRemoval[];
  documents: PlannedDocument[];
  keeps: number;
}

/**
 * Documents sent from a folder whose files are gone or excluded; those replaced by others, or unreadable now, stay.
 * @param folder `path` is absolute; `shown` is empty for the only workspace folder
 */
export function plannedRemovals(
  folder: { path: string; shown: string },
  documents: readonly PlannedDocument[],
  skipped: readonly SkippedFile[],
  state: Pick<ManifestState, 'documents'>,
  platform: PlatformDocuments,
): Removals {
  const isBelow = below(folder.shown);
  const names = new Set(documents.map(({ name }) => name));
  const paths = new Set(documents.map(({ origin }) => origin.path));
  const reasonOf = skippedReason(folder, skipped);
  const removals: { sent: SentDocument; reason: PlannedRemoval['reason'] }[] = [];
  let keeps = 0;
  for (const sent of state.documents.values()) {
    if (!isBelow(sent.path)) continue;
    const record = platform.byId.get(sent.documentId);
    const isThere = names.has(sent.name) || (sent.lines !== undefined && paths.has(sent.path));
    const reason = isThere ? undefined : reasonOf(sent.path);
    if (isThere || (reason !== undefined && !isForGood(reason, sent))) keeps++;
    else if (record && !isReplaced(sent.uploadFileId, record)) {
      removals.push({ sent, reason: reason === undefined ? 'removed' : 'skipped' });
    }
  }
  return { ...paired(removals, documents), keeps };
}

/** A missing file and a new one with the same content are a rename. */
function paired(
  removals: readonly { sent: SentDocument; reason: PlannedRemoval['reason'] }[],
  documents: readonly PlannedDocument[],
): Pick<Removals, 'removals' | 'documents'> {
  const newByHash = new Map<string, PlannedDocument[]>();
  for (const document of documents) {
    if (document.change !== 'new') continue;
    const same = newByHash.get(document.source.hash);
    if (same) same.push(document);
    else newByHash.set(document.source.hash, [document]);
  }
  const renamedFrom = new Map<string, string>();
  const planned = removals.map(({ sent, reason }): PlannedRemoval => {
    const { documentId, name, path, hash } = sent;
    const renamed = reason === 'removed' && !sent.lines ? newByHash.get(hash)?.shift() : undefined;
    if (renamed) renamedFrom.set(renamed.name, path);
    return { documentId, name, path, reason: renamed ? 'renamed' : reason };
  });
  return {
    removals: planned,
    documents: documents.map((document) => {
      const from = renamedFrom.get(document.name);
      return from === undefined ? document : { ...document, renamedFrom: from };
    }),
  };
}

function isForGood(reason: SkippedFile['reason'] | 'folder', { lines }: SentDocument): boolean {
  if (reason === 'unreadable' || reason === 'missing' || reason === 'folder') return false;
  // Lines of a file can be sent even if the whole can't.
  return !lines || reason === 'policy' || reason === 'excluded';
}

function below(folder: string): (path: string) => boolean {
  return folder === '' ? () => true : (path) => path === folder || path.startsWith(`${folder}/`);
}

function skippedReason(
  folder: { path: string; shown: string },
  skipped: readonly SkippedFile[],
): (path: string) => SkippedFile['reason'] | 'folder' | undefined {
  const reasons = new Map(skipped.map(({ path, reason }) => [path, reason]));
  const isAllOut = [folder.path, folder.shown, '.'].some((path) => reasons.has(path));
  return (path) => {
    if (isAllOut) return 'folder';
    for (let end = path.length; end > 0; end = path.lastIndexOf('/', end - 1)) {
      const reason = reasons.get(path.slice(0, end));
      if (reason) return reason;
    }
    return undefined;
  };
}
