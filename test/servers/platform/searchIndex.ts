import MiniSearch from 'minisearch';
import type { StoredChildChunk, StoredDataset, StoredDocument, StoredSegment } from './storedDataset.ts';

/** A segment that a search found, the best first. */
export interface Hit {
  document: StoredDocument;
  segment: StoredSegment;
  /** Above 0, below 1. */
  score: number;
  /** The child chunks that matched, in hierarchical documents. */
  childChunks: { chunk: StoredChildChunk; score: number }[];
}

/** A text that can be found: a segment, or a child chunk of one. */
interface Entry {
  id: string;
  text: string;
  document: StoredDocument;
  segment: StoredSegment;
  chunk: StoredChildChunk | undefined;
}

/** A full-text index of everything a knowledge base holds now; what may be found is decided when it is asked. */
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

/** Words, and each Han character as a word of its own, since nothing stands between them. */
function toTerms(text: string): string[] {
  return text.match(/\p{Script=Han}|(?:(?!\p{Script=Han})[\p{L}\p{N}_])+/gu) ?? [];
}
