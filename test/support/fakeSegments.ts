import { SwitchboardError } from '../../src/base/errors/errors.ts';
import type { SearchSegments, SegmentQuery } from '../../src/tools/knowledge/searchBases.ts';
import type { FoundSegment } from '../../src/tools/knowledge/source.ts';

export function segment(name: string, parts: Partial<FoundSegment> = {}): FoundSegment {
  return {
    ...{ datasetId: 'd1', datasetName: 'Harbour', documentId: name, documentName: name },
    ...{ segmentId: `${name}#1`, content: `All about ${name}.`, score: 0.81 },
    ...parts,
  };
}

/** Matches the document or content with the query's last word; bases that fail are named by id. */
export function fakeSegments(
  all: readonly FoundSegment[],
  failing: readonly string[] = [],
): { search: SearchSegments; asked: SegmentQuery[] } {
  const asked: SegmentQuery[] = [];
  return {
    asked,
    async search(query) {
      asked.push(query);
      const word =
        query.query
          .toLowerCase()
          .match(/[\p{L}\p{N}.]+/gu)
          ?.at(-1) ?? '';
      const searched = query.datasetIds.filter((id) => !failing.includes(id));
      const segments = all.filter(
        ({ datasetId, documentName, content }) =>
          searched.includes(datasetId) && `${documentName} ${content}`.toLowerCase().includes(word),
      );
      return {
        segments: segments.slice(0, query.topK),
        failures: query.datasetIds
          .filter((id) => failing.includes(id))
          .map((datasetId) => ({ datasetId, error: new SwitchboardError('transient', 'It is down.') })),
      };
    },
  };
}
