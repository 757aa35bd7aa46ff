import { uploadMethod } from '../upload/inspectFile.ts';
import type { PlannedDocument } from '../upload/plannedDocument.ts';
import type { UploadPlan } from '../upload/uploadPlan.ts';
import type { SyncTerms } from './syncTerms.ts';

/** A file that the user decides on. `limit`: it waits with others, which are too many for one time. */
export interface Waiting {
  path: string;
  reason:
    | 'conflict'
    | 'deletion'
    | 'renamed'
    | 'secret'
    | 'disabled'
    | 'failed'
    | 'unreadable'
    | 'uncommitted'
    | 'limit';
  message?: string;
}

export interface SortedPlan {
  /** Ids of documents. */
  send: readonly string[];
  waiting: readonly Waiting[];
  /** Set if more than the limit would go at once; then nothing does. */
  over?: { files: number; bytes: number };
}

export interface SortConditions {
  terms: Pick<SyncTerms, 'maxFiles' | 'maxBytes'>;
  /** True for real paths whose content isn't the last commit's. */
  isUncommitted(realPath: string): boolean;
  /** Shown paths of files that the last commit has, and the folder not: they may come back. */
  deleted: readonly string[];
  refusedBefore(name: string, hash: string): string | undefined;
}

/** Splits a plan into what the terms let go and what waits for the user. Nothing of the plan is in neither. */
export function sortPlan(
  { documents, removals, skipped }: Pick<UploadPlan, 'documents' | 'removals' | 'skipped'>,
  conditions: SortConditions,
): SortedPlan {
  const waits: Waiting[] = [];
  const goes: PlannedDocument[] = [];
  for (const document of documents) {
    const reason = reasonToWait(document, conditions);
    if (reason === 'goes') goes.push(document);
    else if (reason) waits.push({ path: document.origin.path, ...reason });
  }
  for (const { path, reason, message } of skipped) {
    if (reason === 'secret' || reason === 'unreadable') waits.push({ path, reason, message });
  }
  for (const { path, reason } of removals) {
    waits.push({ path, reason: reason === 'renamed' ? 'renamed' : 'deletion' });
  }
  for (const path of conditions.deleted) {
    if (uploadMethod(path).how !== 'none') waits.push({ path, reason: 'uncommitted' });
  }
  const waiting = firstOfEach(waits);
  const bytes = goes.reduce((sum, document) => sum + document.bytes, 0);
  const { maxFiles, maxBytes } = conditions.terms;
  if (goes.length <= maxFiles && bytes <= maxBytes) return { send: goes.map(({ id }) => id), waiting };
  return {
    send: [],
    waiting: firstOfEach([
      ...goes.map(({ origin: { path } }) => ({ path, reason: 'limit' as const })),
      ...waiting,
    ]),
    over: { files: goes.length, bytes },
  };
}

function reasonToWait(
  { name, change, isSelected, conflict, source, note }: PlannedDocument,
  { isUncommitted, refusedBefore }: SortConditions,
): 'goes' | Omit<Waiting, 'path'> | undefined {
  // A stuck document is unchanged, too: *Re-upload* is the user's.
  if (change === 'unchanged') return undefined;
  if (change === 'conflict') return { reason: 'conflict', ...(conflict && { message: conflict }) };
  if (isUncommitted(source.realPath)) return { reason: 'uncommitted' };
  if (!isSelected) return { reason: 'disabled', ...(note !== undefined && { message: note }) };
  const refusal = refusedBefore(name, source.hash);
  return refusal === undefined ? 'goes' : { reason: 'failed', message: refusal };
}

/** A file with a secret whose document would be deleted counts once. */
function firstOfEach(waiting: readonly Waiting[]): Waiting[] {
  const byPath = new Map<string, Waiting>();
  for (const each of waiting) if (!byPath.has(each.path)) byPath.set(each.path, each);
  return [...byPath.values()];
}
