import { htmlPage, type Reply } from '../http/reply.ts';
import type { IndexingFate } from './datasetStore.ts';
import { queryStream } from './queryStream.ts';
import { platformError } from './platformErrors.ts';
import { allKinds, type RequestKind, uploadKinds } from './platformRoute.ts';
import type { StoredDataset } from './storedDataset.ts';
import { fits, fitsNames, type Subject, type SubjectFilter } from './subject.ts';

/** Refusals, and the requests they apply to unless a rule says which. */
const refusals = {
  /** 429, the plan's requests are used up. */
  'rate-limit': {
    on: uploadKinds,
    reply: platformError(429, 'rate_limit_error', 'Rate limit exceeded. Please try again later.'),
  },
  /** 403, the hosted plan's knowledge requests in a minute. */
  'knowledge-rate-limit': {
    on: [...uploadKinds, 'retrieve', 'createSegments', 'updateSegment'],
    reply: platformError(
      403,
      'forbidden',
      'Sorry, you have reached the knowledge base request rate limit of your subscription.',
    ),
  },
  /** 404 in HTML, like a route that the server lacks. */
  'html-404': { on: uploadKinds, reply: htmlPage(404) },
  'empty-message': { on: uploadKinds, reply: platformError(400, 'invalid_param', '') },
  /** 500 to everything: the database is down. */
  outage: {
    on: allKinds,
    reply: { status: 500, body: { message: 'Internal Server Error', code: 'unknown', status: 500 } },
  },
  'server-error': {
    on: uploadKinds,
    reply: { status: 500, body: { message: 'Internal Server Error', code: 'unknown', status: 500 } },
  },
  /** 502 in HTML: the front proxy has no server behind it. */
  'bad-gateway': { on: uploadKinds, reply: htmlPage(502) },
  /** 413 in HTML: the front proxy rejects the body's size. */
  'proxy-too-large': { on: uploadKinds, reply: htmlPage(413) },
  /** 404 for every batch, as after a replacement. */
  'status-unknown': {
    on: ['indexingStatus'],
    reply: platformError(404, 'not_found', 'Documents not found.'),
  },
  /** 409: an app uses the knowledge base. */
  'dataset-in-use': {
    on: ['deleteDataset'],
    reply: platformError(
      409,
      'dataset_in_use',
      'The dataset is being used by some apps. Please remove the dataset from the apps before deleting it.',
    ),
  },
  /** 400: nothing to search yet. */
  'not-initialized': {
    on: ['retrieve'],
    reply: platformError(
      400,
      'dataset_not_initialized',
      'The dataset is still being initialized or indexing. Please wait a moment.',
    ),
  },
  /** 400 in the words of the embedding model's provider. Measured on 1.16.1. */
  'embedding-limit': {
    on: ['retrieve'],
    reply: platformError(400, 'invalid_param', '[stub] Rate limit reached for embeddings'),
  },
  /** 400 that names only the provider, as without the plugin daemon. Measured on 1.16.1. */
  'no-plugin-daemon': {
    on: ['retrieve'],
    reply: platformError(400, 'invalid_param', '[Stub AI] Error: '),
  },
  /** 401: the query token ended after 60 s. The status is documented, the code is that of other keys. */
  'query-token-expired': {
    on: ['runQuery'],
    reply: platformError(
      401,
      'knowledge_fs_invalid_credential',
      'Invalid Agent Knowledge Base service credential.',
    ),
  },
  /** 200 whose text is to be discarded: the documentation asks to run the query again. */
  'query-run-lost': { on: ['runQuery'], reply: lostRun('RETRIEVAL_EXECUTION_LEASE_LOST') },
  'query-failed': { on: ['runQuery'], reply: lostRun('KNOWLEDGE_FS_UNAVAILABLE') },
  'query-cut-off': {
    on: ['runQuery'],
    reply: queryStream([['answer.delta', { delta: 'The beginning', traceId: 'trace' }]]),
  },
} as const satisfies Record<string, { on: readonly RequestKind[]; reply: Reply }>;

function lostRun(code: string): Reply {
  const failure = { category: 'dependency', code, retryPolicy: 'manual', stage: 'query_generation' };
  return queryStream([
    ['answer.delta', { delta: 'The beginning', traceId: 'trace' }],
    ['answer.error', { code, error: 'The run was lost.', failure, traceId: 'trace' }],
  ]);
}

const fates = {
  stuck: { outcome: 'stuck' },
  'index-error': { outcome: 'error', error: 'The embedding model refused the text.' },
  paused: { outcome: 'paused' },
  empty: { isEmpty: true },
} as const satisfies Record<string, IndexingFate>;

type Break =
  /** After `afterBytes` of the body, without an answer; nothing is stored. */
  | 'cut-upload'
  /** When everything is stored, before the answer. */
  | 'lose-answer';

export interface Misbehaviour extends SubjectFilter {
  does: keyof typeof refusals | keyof typeof fates | Break;
  /** Number of matching requests; all by default. */
  times?: number;
  /** For `cut-upload`: bytes of the body that arrive first; 1 by default. */
  afterBytes?: number;
  /** For `index-error`: the document's error text. */
  message?: string;
}

/** Active misbehaviours; the first that fits wins. */
export class Misbehaviours {
  readonly #rules: { rule: Misbehaviour; left: number }[] = [];

  /** @returns a function that switches it off */
  add(rule: Misbehaviour): () => void {
    const entry = { rule, left: rule.times ?? Number.POSITIVE_INFINITY };
    this.#rules.push(entry);
    return () => void (entry.left = 0);
  }

  refusalOf(subject: Subject): Reply | undefined {
    for (const entry of this.#rules) {
      const { does } = entry.rule;
      if (!isKey(refusals, does)) continue;
      const { on, reply } = refusals[does];
      if (fits(entry.rule, subject, on) && use(entry)) return reply;
    }
    return undefined;
  }

  fateOf(dataset: StoredDataset, document: string): IndexingFate {
    for (const entry of this.#rules) {
      const { does, message } = entry.rule;
      if (!isKey(fates, does)) continue;
      if (!fitsNames(entry.rule, dataset, document) || !use(entry)) continue;
      return { ...fates[does], ...(message !== undefined && { error: message }) };
    }
    return {};
  }

  cutsUpload(subject: Subject, bytes: number): boolean {
    return this.#breaks('cut-upload', subject, ({ afterBytes = 1 }) => bytes >= afterBytes);
  }

  losesAnswer(subject: Subject): boolean {
    return this.#breaks('lose-answer', subject, () => true);
  }

  #breaks(how: Break, subject: Subject, isTime: (rule: Misbehaviour) => boolean): boolean {
    return this.#rules.some(
      (entry) =>
        entry.rule.does === how && isTime(entry.rule) && fits(entry.rule, subject, uploadKinds) && use(entry),
    );
  }
}

function use(entry: { left: number }): boolean {
  if (entry.left <= 0) return false;
  entry.left -= 1;
  return true;
}

function isKey<T extends object>(object: T, key: PropertyKey): key is keyof T {
  return Object.hasOwn(object, key);
}
