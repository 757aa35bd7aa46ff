import type { PlatformServer } from './platformServer.ts';

/** Settings that every server of the real kind takes. */
export const settings = {
  indexing_technique: 'economy',
  process_rule: { mode: 'automatic' },
  doc_form: 'text_model',
} as const;

/** Bare calls with the dataset key, for tests of the server itself. Paths begin after `/v1`. */
export class PlatformCalls {
  readonly #platform: PlatformServer;

  constructor(platform: PlatformServer) {
    this.#platform = platform;
  }

  /** @param body sent as JSON when given */
  send(method: string, path: string, body?: object): Promise<Response> {
    return fetch(`${this.#platform.url}/v1${path}`, {
      method,
      headers: {
        Authorization: `Bearer ${this.#platform.datasetKey}`,
        ...(body && { 'Content-Type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
  }

  get(path: string): Promise<Response> {
    return this.send('GET', path);
  }

  post(path: string, body: object): Promise<Response> {
    return this.send('POST', path, body);
  }

  /** @returns its id */
  async createDataset(name: string): Promise<string> {
    const response = await this.post('/datasets', { name });
    const { id } = (await response.json()) as { id: string };
    return id;
  }

  /** `more` adds to or replaces the fields. */
  createByText(dataset: string, name: string, text: string, more: object = {}): Promise<Response> {
    return this.post(`/datasets/${dataset}/document/create_by_text`, { name, text, ...settings, ...more });
  }

  /** As the platform wants it: the field `data` without a filename, and the file. */
  createByFile(
    dataset: string,
    name: string,
    content: string | Blob,
    data: object = settings,
  ): Promise<Response> {
    return this.sendFile(`/datasets/${dataset}/document/create_by_file`, name, content, data);
  }

  sendFile(path: string, name: string, content: string | Blob, data: object = settings): Promise<Response> {
    const form = new FormData();
    form.append('data', JSON.stringify(data));
    form.append('file', content instanceof Blob ? content : new Blob([content]), name);
    return fetch(`${this.#platform.url}/v1${path}`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${this.#platform.datasetKey}` },
      body: form,
    });
  }

  /** Takes a document and looks until its indexing has ended. */
  async indexed(dataset: string, name: string, text: string, more: object = {}): Promise<Accepted> {
    const accepted = await answer<Accepted>(this.createByText(dataset, name, text, more));
    const ended = new Set(['completed', 'error', 'paused']);
    while (!ended.has((await this.status(dataset, accepted.batch)).indexing_status));
    return accepted;
  }

  async status(dataset: string, batch: string): Promise<Progress> {
    const path = `/datasets/${dataset}/documents/${batch}/indexing-status`;
    const { data } = await answer<{ data: Progress[] }>(this.get(path));
    if (!data[0]) throw new Error('The status names no document.');
    return data[0];
  }

  async retrieve(dataset: string, query: string, more: object = {}): Promise<FoundRecord[]> {
    const response = this.post(`/datasets/${dataset}/retrieve`, { query, ...more });
    return (await answer<{ records: FoundRecord[] }>(response)).records;
  }
}

/** What tests look at in the answer to an upload. */
export interface Accepted {
  document: { id: string; name: string; indexing_status: string; display_status: string; position: number };
  batch: string;
}

export interface Progress {
  indexing_status: string;
  error: string | null;
  completed_segments: number;
  total_segments: number;
  completed_at: number | null;
}

export interface FoundRecord {
  score: number | null;
  segment: { id: string; content: string; hit_count: number; document: { id: string; name: string } };
  child_chunks: { id: string; content: string; score: number }[] | null;
}

/** An error in any of the platform's JSON shapes. */
export interface ErrorAnswer {
  code?: string;
  message?: string;
  status?: number;
  params?: string;
  errors?: Record<string, string>;
  error?: string;
}

/** The JSON of a successful answer. */
export async function answer<T>(response: Promise<Response>): Promise<T> {
  const received = await response;
  if (!received.ok) throw new Error(`${received.status}: ${await received.text()}`);
  return received.json() as Promise<T>;
}
