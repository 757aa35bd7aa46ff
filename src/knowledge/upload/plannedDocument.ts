import * as l10n from '@vscode/l10n';
import type { DocumentRecord } from '../../platform/records.ts';
import type { DocumentOrigin } from '../files/documentName.ts';
import type { Candidate, PlannedSource } from './gatherSources.ts';
import type { ManifestState } from '../manifest/manifestState.ts';
import { isReplaced, type PlatformDocuments } from '../platformDocuments.ts';

export interface PlannedDocument {
  id: string;
  origin: DocumentOrigin;
  name: string;
  /** Source code is sent as text, formats that the platform reads as files. */
  how: 'file' | 'text';
  bytes: number;
  change: 'new' | 'changed' | 'unchanged' | 'conflict';
  /** `taken`: the name is someone else's document. The others: ours was replaced or deleted on the platform. */
  conflict?: 'taken' | 'changed-there' | 'deleted-there';
  renamedFrom?: string;
  source: PlannedSource;
  /** Id of the document that this workspace had sent under the name when it was planned. */
  sentAs?: string;
  replaces?: DocumentRecord;
  note?: string;
  isSelected: boolean;
}

export interface PlanConditions {
  isSync: boolean;
  stuck: ReadonlySet<string>;
}

export function plannedDocument(
  { isUnsaved, ...candidate }: Candidate,
  state: ManifestState,
  platform: PlatformDocuments,
  { isSync, stuck }: PlanConditions,
): PlannedDocument {
  const compared = compare(candidate, state, platform);
  const { change, conflict, replaces } = compared;
  const isStuck = change === 'unchanged' && replaces !== undefined && stuck.has(replaces.id);
  const note = noteOf(compared, isUnsaved, isStuck);
  const sentAs = state.documents.get(candidate.name)?.documentId;
  return {
    ...candidate,
    id: candidate.name,
    bytes: candidate.source.size,
    change,
    ...(conflict && { conflict }),
    ...(sentAs !== undefined && { sentAs }),
    ...(replaces && { replaces }),
    ...(note && { note }),
    isSelected:
      change === 'new' ||
      isStuck ||
      // Sending would enable a document that someone disabled.
      (change === 'changed' && !isOff(replaces)) ||
      (conflict === 'deleted-there' && !isSync),
  };
}

type Comparison = Pick<PlannedDocument, 'change' | 'conflict' | 'replaces'>;

function compare(
  { name, source }: Pick<Candidate, 'name' | 'source'>,
  state: ManifestState,
  platform: PlatformDocuments,
): Comparison {
  const sent = state.documents.get(name);
  const sameName = platform.byName.get(name);
  if (!sent) {
    return sameName ? { change: 'conflict', conflict: 'taken', replaces: sameName } : { change: 'new' };
  }
  const ours = platform.byId.get(sent.documentId);
  if (!ours) {
    return sameName
      ? { change: 'conflict', conflict: 'changed-there', replaces: sameName }
      : { change: 'conflict', conflict: 'deleted-there' };
  }
  if (isReplaced(sent.uploadFileId, ours)) {
    return { change: 'conflict', conflict: 'changed-there', replaces: ours };
  }
  return { change: sent.hash === source.hash ? 'unchanged' : 'changed', replaces: ours };
}

function isOff(record: DocumentRecord | undefined): boolean {
  return record !== undefined && (record.isArchived || !record.isEnabled);
}

function noteOf({ change, replaces }: Comparison, isUnsaved: boolean, isStuck: boolean): string | undefined {
  const notes: string[] = [];
  if (isUnsaved) notes.push(l10n.t('Unsaved changes are not uploaded.'));
  if (isOff(replaces)) {
    notes.push(l10n.t('Disabled or archived on the platform. Uploading makes it available again.'));
  } else if (isStuck) {
    notes.push(l10n.t('Indexing is stuck on the platform. Uploading restarts it.'));
  } else if (change === 'unchanged' && replaces?.state === 'error') {
    notes.push(l10n.t('Indexing failed on the platform. Uploading tries again.'));
  }
  return notes.join(' ') || undefined;
}
