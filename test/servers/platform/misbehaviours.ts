import { htmlPage, type Reply } from '../http/reply.ts';
import type { IndexingFate } from './datasetStore.ts';
import { platformError } from './platformErrors.ts';
import { allKinds, type RequestKind, uploadKinds } from './platformRoute.ts';
import type { StoredDataset } from './storedDataset.ts';
import { fits, fitsNames, type Subject, type SubjectFilter } from './subject.ts';

/** Answers that a request gets instead of being carried out, and the requests that get them unless a rule says which. */
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
  /** 404 in HTML, as for a route that the server lacks. */
  'html-404': { on: uploadKinds, reply: htmlPage(404) },
  /** 400 without a word. */
  'empty-message': { on: uploadKinds, reply: platformError(400, 'invalid_param', '') },
  /** 500 to everything, as without its database. */
  outage: {
    on: allKinds,
    reply: { status: 500, body: { message: 'Internal Server Error', code: 'unknown', status: 500 } },
  },
  /** 500, unhandled. */
  'server-error': {
    on: uploadKinds,
    reply: { status: 500, body: { message: 'Internal Server Error', code: 'unknown', status: 500 } },
  },
  /** 502 in HTML: the front proxy has no server behind it. */
  'bad-gateway': { on: uploadKinds, reply: htmlPage(502) },
  /** 413 in HTML: the front proxy takes no such body. */
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
  /** 400 that names the provider alone, as without the plugin daemon. Measured on 1.16.1. */
  'no-plugin-daemon': {
    on: ['retrieve'],
    reply: platformError(400, 'invalid_param', '[Stub AI] Error: '),
  },
} as const satisfies Record<string, { on: readonly RequestKind[]; reply: Reply }>;

/** What becomes of a document that was taken. */
const fates = {
  /** Waits in the queue for ever. */
  stuck: { outcome: 'stuck' },
  'index-error': { outcome: 'error', error: 'The embedding model refused the text.' },
  paused: { outcome: 'paused' },
  /** Available, but without a segment. */
  empty: { isEmpty: true },
} as const satisfies Record<string, IndexingFate>;

/** Ways to lose the connection. */
type Break =
  /** After so many bytes of the body, without an answer; nothing is stored. */
  | 'cut-upload'
  /** When everything is stored, before the answer. */
  | 'lose-answer';

/** A way in which the platform does not do what was asked, and for which requests. */
export interface Misbehaviour extends SubjectFilter {
  does: keyof typeof refusals | keyof typeof fates | Break;
  /** For how many requests that it fits; for all by default. */
  times?: number;
  /** Of `cut-upload`: how many bytes of the body arrive first; 1 by default. */
  afterBytes?: number;
  /** Of `index-error`: the text that the document then has. */
  message?: string;
}

/** The misbehaviours that are on, the first that fits wins. */
export class Misbehaviours {
  readonly #rules: { rule: Misbehaviour; left: number }[] = [];

  /** Switches one on; what it returns switches it off. */
  add(rule: Misbehaviour): () => void {
    const entry = { rule, left: rule.times ?? Number.POSITIVE_INFINITY };
    this.#rules.push(entry);
    return () => void (entry.left = 0);
  }

  /** The answer that a request gets instead. */
  refusalOf(subject: Subject): Reply | undefined {
    for (const entry of this.#rules) {
      const { does } = entry.rule;
      if (!isKey(refusals, does)) continue;
      const { on, reply } = refusals[does];
      if (fits(entry.rule, subject, on) && use(entry)) return reply;
    }
    return undefined;
  }

  /** What is to become of new content. */
  fateOf(dataset: StoredDataset, document: string): IndexingFate {
    for (const entry of this.#rules) {
      const { does, message } = entry.rule;
      if (!isKey(fates, does)) continue;
      if (!fitsNames(entry.rule, dataset, document) || !use(entry)) continue;
      return { ...fates[does], ...(message !== undefined && { error: message }) };
    }
    return {};
  }

  /** Whether the connection breaks now that so many bytes of the body have arrived. */
  cutsUpload(subject: Subject, bytes: number): boolean {
    return this.#breaks('cut-upload', subject, ({ afterBytes = 1 }) => bytes >= afterBytes);
  }

  /** Whether the answer never comes. */
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
