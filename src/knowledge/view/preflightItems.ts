import * as l10n from '@vscode/l10n';
import { formatNumber, plural } from '../../base/text/format.ts';
import { formatSize } from '../../base/text/formatSize.ts';
import type { PlannedDocument } from '../upload/plannedDocument.ts';
import type { PlannedRemoval } from '../upload/plannedRemovals.ts';
import type { SkippedFile } from '../upload/skippedFile.ts';
import type { UploadPlan } from '../upload/uploadPlan.ts';

export interface Choice {
  send: ReadonlySet<string>;
  remove: ReadonlySet<string>;
}

export type PreflightItem =
  | { type: 'separator'; label: string }
  | { type: 'action'; action: 'send' | 'sendAndRemove' | 'close'; label: string; detail?: string }
  | {
      type: 'document' | 'removal';
      id: string;
      label: string;
      description: string;
      detail?: string;
      isChosen: boolean;
    }
  | { type: 'skipped'; label: string; detail: string };

export interface Preflight {
  title: string;
  items: PreflightItem[];
}

/** Deletions have their own action, so none is proposed. */
export function proposedChoice({ documents, removals }: UploadPlan): Choice {
  return {
    send: new Set(documents.filter(({ isSelected }) => isSelected).map(({ id }) => id)),
    remove: new Set(removals.map(({ documentId }) => documentId)),
  };
}

/** The effect of accepting comes first, then open decisions. */
export function preflightItems(plan: UploadPlan, choice: Choice): Preflight {
  const { documents, removals, skipped } = plan;
  const of = (change: PlannedDocument['change']) =>
    documents.filter((document) => document.change === change);
  const chosen = documents.filter(({ id }) => choice.send.has(id));
  const bytes = chosen.reduce((sum, document) => sum + document.bytes, 0);
  const removed = removals.filter(({ documentId }) => choice.remove.has(documentId)).length;
  return {
    title: title(plan, chosen, bytes, removed),
    items: [
      ...actions(plan, chosen.length, bytes, removed),
      ...group(l10n.t('Conflicts'), of('conflict'), (item) => documentItem(item, choice)),
      ...group(l10n.t('New'), of('new'), (item) => documentItem(item, choice)),
      ...group(l10n.t('Changed'), of('changed'), (item) => documentItem(item, choice)),
      ...group(l10n.t('Deleted locally'), removals, (item) => removalItem(item, choice)),
      ...group(l10n.t('Skipped'), skipped, skippedItem),
      ...group(l10n.t('Unchanged'), of('unchanged'), (item) => documentItem(item, choice)),
    ],
  };
}

function title(
  { dataset, documents, skipped, isSync }: UploadPlan,
  chosen: readonly PlannedDocument[],
  bytes: number,
  removed: number,
): string {
  const count = (change: PlannedDocument['change']) =>
    chosen.filter((document) => document.change === change).length;
  const planned = (change: PlannedDocument['change']) =>
    documents.filter((document) => document.change === change).length;
  const replaced = count('conflict');
  const again = count('unchanged');
  const unchanged = planned('unchanged') - again;
  const undecided = planned('conflict') - replaced;
  const parts = [
    l10n.t('{0} new', formatNumber(count('new'))),
    l10n.t('{0} changed', formatNumber(count('changed'))),
    unchanged > 0 && l10n.t('{0} unchanged', formatNumber(unchanged)),
    again > 0 && l10n.t('{0} re-uploaded', formatNumber(again)),
    replaced > 0 && l10n.t('{0} replaced', formatNumber(replaced)),
    undecided > 0 &&
      plural(undecided, l10n.t('1 conflict'), l10n.t('{0} conflicts', formatNumber(undecided))),
    removed > 0 && l10n.t('{0} deleted locally', formatNumber(removed)),
    skipped.length > 0 && l10n.t('{0} skipped', formatNumber(skipped.length)),
    formatSize(bytes),
  ].filter((part) => part !== false);
  const list = parts.join(', ');
  return isSync
    ? l10n.t('Sync with {0}: {1}', dataset.name, list)
    : l10n.t('Add to {0}: {1}', dataset.name, list);
}

function actions(
  { documents, removals, skipped }: UploadPlan,
  count: number,
  bytes: number,
  removed: number,
): PreflightItem[] {
  const items: PreflightItem[] = [];
  const size = formatSize(bytes);
  if (count > 0) {
    const label = plural(
      count,
      l10n.t('Upload 1 document ({0})', size),
      l10n.t('Upload {0} documents ({1})', formatNumber(count), size),
    );
    items.push({ type: 'action', action: 'send', label: `$(cloud-upload) ${label}` });
  }
  if (removed > 0) {
    items.push({
      type: 'action',
      action: 'sendAndRemove',
      label: `$(trash) ${removalLabel(count, removed)}`,
      detail: l10n.t("Documents deleted on the platform can't be restored."),
    });
  }
  if (items.length > 0) return items;
  const isAllUnchanged = documents.length > 0 && documents.every(({ change }) => change === 'unchanged');
  const label = isAllUnchanged
    ? l10n.t('All unchanged: nothing to upload')
    : documents.length + removals.length > 0
      ? l10n.t('Nothing selected')
      : skipped.length > 0
        ? l10n.t('All files skipped, for the reasons below')
        : l10n.t('No files');
  return [{ type: 'action', action: 'close', label: `$(pass) ${label}` }];
}

function removalLabel(count: number, removed: number): string {
  const deleted = formatNumber(removed);
  if (count === 0)
    return plural(removed, l10n.t('Delete 1 document'), l10n.t('Delete {0} documents', deleted));
  return plural(
    count,
    l10n.t('Upload 1 document and delete {0}', deleted),
    l10n.t('Upload {0} documents and delete {1}', formatNumber(count), deleted),
  );
}

function group<T>(
  label: string,
  members: readonly T[],
  toItem: (member: T) => PreflightItem,
): PreflightItem[] {
  return members.length === 0
    ? []
    : [{ type: 'separator', label: `${label} (${formatNumber(members.length)})` }, ...members.map(toItem)];
}

function documentItem(document: PlannedDocument, { send }: Choice): PreflightItem {
  const { id, origin, how, bytes } = document;
  const isChosen = send.has(id);
  const lines = origin.lines ? `:${origin.lines.start}-${origin.lines.end}` : '';
  const way = how === 'file' ? l10n.t('as file') : l10n.t('as text');
  const detail = explain(document);
  return {
    type: 'document',
    id,
    label: `${mark(isChosen)} ${origin.path}${lines}`,
    description: `${way} · ${formatSize(bytes)}`,
    ...(detail && { detail }),
    isChosen,
  };
}

function explain({ conflict, renamedFrom, note }: PlannedDocument): string {
  return [
    conflict && conflictMessage(conflict),
    renamedFrom !== undefined && l10n.t('Uploaded earlier as {0}.', renamedFrom),
    note,
  ]
    .filter(Boolean)
    .join(' ');
}

function conflictMessage(conflict: NonNullable<PlannedDocument['conflict']>): string {
  switch (conflict) {
    case 'taken':
      return l10n.t('The knowledge base has another document with this name. Uploading replaces it.');
    case 'changed-there':
      return l10n.t('This document was replaced on the platform. Uploading overwrites that version.');
    case 'deleted-there':
      return l10n.t('This document was deleted on the platform. Uploading adds it again.');
  }
}

function removalItem({ documentId, path, reason }: PlannedRemoval, { remove }: Choice): PreflightItem {
  const isChosen = remove.has(documentId);
  return {
    type: 'removal',
    id: documentId,
    label: `${mark(isChosen)} ${path}`,
    description: l10n.t('to be deleted'),
    detail: removalMessage(reason),
    isChosen,
  };
}

function removalMessage(reason: PlannedRemoval['reason']): string {
  switch (reason) {
    case 'removed':
      return l10n.t('The file no longer exists.');
    case 'renamed':
      return l10n.t('Its content is uploaded under another name.');
    case 'skipped':
      return l10n.t('The file exists, but is skipped now.');
  }
}

function skippedItem({ path, message }: SkippedFile): PreflightItem {
  return { type: 'skipped', label: `$(circle-slash) ${path}`, detail: message };
}

function mark(isChosen: boolean): string {
  return isChosen ? '$(check)' : '$(dash)';
}
