import MiniSearch from 'minisearch';
import type { StoredChildChunk, StoredDataset, StoredDocument, StoredSegment } from './storedDataset.ts';

export interface Hit {
  document: StoredDocument;
  segment: StoredSegment;
  /** Between 0 and 1, both excluded. */
  score: number;
  childChunks: { chunk: StoredChildChunk; score: number }[];
}

interface Entry {
  id: string;
  text: string;
  document: StoredDocument;
  segment: StoredSegment;
  chunk: StoredChildChunk | undefined;
}

/** A full-text index of a knowledge base's content; availability is checked at the search. */
export class SearchIndex {
  readonly #entries = new Map<string, Entry>();
  readonly #index = new MiniSearch<{ id: string; text: string }>({
    fields: ['text'],
    tokenize: toTerms,
  });

  constructor(dataset: StoredDataset) {
    for (const entry of entriesOf(dataset)) this.#entries.set(entry.id, entry);
    this.#index.addAll([...this.#entries.values()].map(({ id, text }) => ({ id, text })));
  }

  search(query: string, isOpen: (document: StoredDocument, segment: StoredSegment) => boolean): Hit[] {
    const hits = new Map<string, Hit>();
    for (const { id, score: found } of this.#index.search(query, { prefix: true, fuzzy: 0.1 })) {
      const entry = this.#entries.get(String(id));
      if (!entry || !isOpen(entry.document, entry.segment)) continue;
      const { document, segment, chunk } = entry;
      const score = Number((found / (found + 2)).toFixed(4));
      const hit = hits.get(segment.id) ?? { document, segment, score, childChunks: [] };
      hits.set(segment.id, hit);
      if (chunk) hit.childChunks.push({ chunk, score });
    }
    return [...hits.values()];
  }
}

function entriesOf(dataset: StoredDataset): Entry[] {
  return dataset.documents.flatMap((document) =>
    document.segments.flatMap((segment): Entry[] => {
      const whole = [segment.content, segment.answer, ...segment.keywords].join('\n');
      return segment.childChunks.length === 0
        ? [{ id: segment.id, text: whole, document, segment, chunk: undefined }]
        : segment.childChunks.map((chunk) => ({
            id: chunk.id,
            text: chunk.content,
            document,
            segment,
            chunk,
          }));
    }),
  );
}

/** Words; each Han character is a word, as none are separated. */
function toTerms(text: string): string[] {
  return text.match(/\p{Script=Han}|(?:(?!\p{Script=Han})[\p{L}\p{N}_])+/gu) ?? [];
}
