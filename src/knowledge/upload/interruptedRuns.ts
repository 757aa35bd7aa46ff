import * as l10n from '@vscode/l10n';
import { SwitchboardError } from '../../base/errors/errors.ts';
import { withSlashes } from '../../base/files/safeFileName.ts';
import type { PlannedSource } from './gatherSources.ts';
import { piecesOf } from './inspectFile.ts';
import type { LocalFiles } from '../files/localFiles.ts';
import { replacedBy, type RunItem, type RunRecord } from '../manifest/manifestRecords.ts';
import type { ManifestState, OpenRun } from '../manifest/manifestState.ts';
import { isReplaced, type PlatformDocuments } from '../platformDocuments.ts';
import { binaryReason, skipError, refusedReason } from './skippedFile.ts';
import type { UploadItem, UploadWork } from './uploadPlan.ts';
import { sha256 } from '../../base/sha256.ts';

export interface InterruptedRun {
  id: string;
  datasetId: string;
  datasetName: string;
  sent: number;
  left: number;
  startedAtMs: number;
}

/** The record for finishing a run in another window. It lacks the text of selections. */
export function runRecord(
  { id, dataset, settings, items, removals, isAutomatic }: UploadWork,
  at: number,
  by: string,
): RunRecord {
  const { technique, processRule } = settings;
  return {
    type: 'run',
    at,
    run: id,
    datasetName: dataset.name,
    by,
    settings: { technique, processRule },
    items: items.map(({ origin, how, source, ...item }) => ({
      name: item.name,
      path: origin.path,
      ...(origin.lines && { lines: origin.lines }),
      how,
      realPath: source.realPath,
      hash: source.hash,
      size: source.size,
      ...(source.type === 'file' && { mtimeMs: source.mtimeMs }),
      ...replacedBy(item),
    })),
    removals: removals.map(({ documentId, name, path, reason }) => ({ documentId, name, path, reason })),
    ...(isAutomatic && { isAutomatic }),
  };
}

export function interruptedRun(datasetId: string, { record, left, leftRemovals }: OpenRun): InterruptedRun {
  const { run: id, at, datasetName, items, removals } = record;
  const unfinished = left.size + leftRemovals.size;
  return {
    id,
    datasetId,
    datasetName,
    sent: items.length + removals.length - unfinished,
    left: unfinished,
    startedAtMs: at,
  };
}

export async function itemsLeft(
  files: LocalFiles,
  { record, left }: OpenRun,
  platform: PlatformDocuments,
  known: ManifestState['documents'],
  maxBytes: number,
): Promise<{ items: UploadItem[]; problems: { item: UploadItem; error: SwitchboardError }[] }> {
  const items: UploadItem[] = [];
  const problems: { item: UploadItem; error: SwitchboardError }[] = [];
  for (const runItem of record.items) {
    if (!left.has(runItem.name)) continue;
    const { name, path, lines, how, replaces: replaced, realPath, size, hash, mtimeMs } = runItem;
    const sameName = platform.byName.get(name);
    const replaces = (replaced && platform.byId.get(replaced.id)) ?? sameName;
    const origin = { path, ...(lines && { lines }) };
    const sentAs = known.get(name)?.documentId;
    const base = {
      name,
      how,
      origin,
      ...(sentAs !== undefined && { sentAs }),
      ...(replaces && { replaces }),
    };
    const fileSource: PlannedSource = { type: 'file', realPath, size, hash, mtimeMs: mtimeMs ?? 0 };
    try {
      if (sameName && !replaced) throw takenMeanwhile(name);
      if (replaces && replaced && isReplaced(replaced.uploadFileId, replaces)) throw changedMeanwhile(name);
      const source = lines ? await selectedAgain(files, runItem, lines, maxBytes) : fileSource;
      items.push({ ...base, source });
    } catch (error) {
      if (!(error instanceof SwitchboardError)) throw error;
      problems.push({ item: { ...base, source: fileSource }, error });
    }
  }
  return { items, problems };
}

export function takenMeanwhile(name: string): SwitchboardError {
  return new SwitchboardError(
    'conflict',
    l10n.t(
      'A document named "{0}" was added to the knowledge base in the meantime. Add the file again to replace it.',
      withSlashes(name),
    ),
  );
}

/** The user agreed to replace another version. */
function changedMeanwhile(name: string): SwitchboardError {
  return new SwitchboardError(
    'conflict',
    l10n.t(
      '"{0}" was replaced on the platform in the meantime. Add the file again to overwrite it.',
      withSlashes(name),
    ),
  );
}

/** A selection's text isn't stored; it is read from the file if unchanged. */
async function selectedAgain(
  files: LocalFiles,
  { realPath, hash }: RunItem,
  { start, end }: { start: number; end: number },
  maxBytes: number,
): Promise<PlannedSource> {
  const file = await files.open(realPath);
  if ('refusal' in file) throw skipError(refusedReason(file));
  try {
    if (file.size > maxBytes) throw changedSelection();
    const pieces: Uint8Array[] = [];
    for await (const piece of piecesOf(file.stream())) pieces.push(piece);
    const whole = files.decode(Buffer.concat(pieces), realPath);
    if (whole === undefined) throw skipError(binaryReason());
    const lines = whole.split(/(?<=\r\n|\n|\r(?!\n))/).slice(start - 1, end);
    for (const text of [lines.join(''), lines.join('').replace(/\r?\n$|\r$/, '')]) {
      if (sha256(text) === hash) {
        return { type: 'selection', realPath, size: Buffer.byteLength(text), text, hash };
      }
    }
    throw changedSelection();
  } finally {
    await file.close();
  }
}

function changedSelection(): SwitchboardError {
  return new SwitchboardError(
    'conflict',
    l10n.t('The selected lines have changed. Select and add them again.'),
  );
}
