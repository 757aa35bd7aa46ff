export interface Passage {
  readonly document: string;
  readonly position: number;
  readonly content: string;
  readonly words: readonly string[];
}

export const handbook = 'Harbour handbook';

const passages: readonly Passage[] = [
  {
    document: 'docs/harbour-rules.md',
    position: 1,
    content: 'The lock opens two hours before and closes two hours after high water.',
    words: ['lock', 'open', 'close', 'leave', 'high water'],
  },
  {
    document: 'docs/harbour-rules.md',
    position: 2,
    content: 'Visitors berth at pontoon C and report on VHF channel 12.',
    words: ['berth', 'visitor', 'pontoon', 'vhf', 'channel'],
  },
  {
    document: 'docs/harbour-rules.md',
    position: 3,
    content: 'Speed inside the mole is at most 3 knots.',
    words: ['speed', 'fast', 'knot', 'mole'],
  },
  {
    document: 'docs/heights.md',
    position: 1,
    content:
      'Heights are metres above chart datum. The sill at the marina lies 0.4 m above chart datum, so a boat with a draught of 1.8 m needs 2.2 m of predicted height and a margin.',
    words: ['height', 'sill', 'draught', 'datum', 'marina'],
  },
  {
    document: 'docs/heights.md',
    position: 2,
    content: 'The margin is 0.3 m in calm weather. The harbour master asks for 0.5 m above force 6.',
    words: ['margin', 'calm', 'force', 'wind', 'weather'],
  },
];

/** The passages a question is about; the lock and the margin by default. */
export function findPassages(question: string): Passage[] {
  const asked = question.toLowerCase();
  const found = passages.filter(({ words }) => words.some((word) => asked.includes(word)));
  return found.length > 0
    ? found
    : passages.filter(({ words }) => words.includes('lock') || words.includes('margin'));
}

/** The form of `retriever_resources`. */
export function toSources(found: readonly Passage[]): object[] {
  return found.map((passage, index) => ({
    position: index + 1,
    dataset_id: idOf(1),
    dataset_name: handbook,
    document_id: idOf(100 + documentNumber(passage)),
    document_name: passage.document,
    data_source_type: 'upload_file',
    segment_id: idOf(200 + 10 * documentNumber(passage) + passage.position),
    retriever_from: 'api',
    score: Number((0.93 - index * 0.11).toFixed(2)),
    hit_count: index + 1,
    word_count: passage.content.length,
    segment_position: passage.position,
    index_node_hash: null,
    content: passage.content,
    page: null,
    doc_metadata: null,
    title: null,
    files: null,
    summary: null,
  }));
}

function documentNumber({ document }: Passage): number {
  return document.includes('rules') ? 1 : 2;
}

function idOf(number: number): string {
  return `5a9db0c0-0000-4000-8000-${String(number).padStart(12, '0')}`;
}
