import type { RunRecord } from './manifestRecords.ts';
import type { RunWork } from './uploadRun.ts';

/** What is needed to finish a run in another window. */
export function runRecord({ id, dataset, items, removals }: RunWork, at: number): RunRecord {
  return {
    type: 'run',
    at,
    run: id,
    datasetName: dataset.name,
    items: items.map(({ name, origin, how, source, replaces }) => ({
      name,
      path: origin.path,
      ...(origin.lines && { lines: origin.lines }),
      how,
      realPath: source.realPath,
      hash: source.hash,
      size: source.size,
      ...(source.type === 'file' && { mtimeMs: source.mtimeMs }),
      ...(replaces && {
        replaces: {
          id: replaces.id,
          ...(replaces.uploadFileId !== undefined && { uploadFileId: replaces.uploadFileId }),
        },
      }),
    })),
    removals: removals.map(({ documentId, name, path, reason }) => ({ documentId, name, path, reason })),
  };
}
