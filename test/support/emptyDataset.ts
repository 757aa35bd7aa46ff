import type { Dataset } from '../../src/platform/records.ts';

export function emptyDataset(id: string): Dataset {
  return {
    ...{ id, name: 'Docs', description: '', isExternal: false },
    ...{ documentCount: 0, wordCount: 0, tags: [] },
  };
}
