import type { PlatformServer } from '../platformServer.ts';
import type { AppSummary } from './appPlatform.ts';

/** An event of a stream; only what tests look at is named. */
export interface AppEvent {
  event: string;
  id?: string;
  task_id?: string;
  message_id?: string;
  conversation_id?: string;
  workflow_run_id?: string;
  answer?: string;
  thought?: string;
  observation?: string;
  tool_input?: string;
  position?: number;
  url?: string;
  code?: string;
  status?: number;
  message?: string;
  metadata?: { usage: { total_tokens: number }; retriever_resources: { document_name: string }[] };
  files?: { url: string }[];
  data?: EventData;
}

export interface EventData {
  id: string;
  title?: string;
  index?: number;
  status?: string;
  error?: string | null;
  text?: string;
  outputs?: Record<string, unknown>;
  elapsed_time?: number;
  total_tokens?: number;
  reasons?: { node_title: string }[];
  iteration_id?: string;
  loop_id?: string;
}

/** A stream that was read to its end. */
export interface ReadStream {
  events: AppEvent[];
  /** How many keep-alives there were. */
  pings: number;
  text: string;
}

/** Bare calls with the key of one app, for tests of the server itself. Paths begin after `/v1`. */
export class AppCalls {
  readonly #platform: PlatformServer;
  readonly #app: AppSummary;
  readonly user: string;

  constructor(platform: PlatformServer, app: AppSummary, user = 'ann') {
    this.#platform = platform;
    this.#app = app;
    this.user = user;
  }

  /** @param body sent as JSON when given */
  send(method: string, path: string, body?: object, init: RequestInit = {}): Promise<Response> {
    return fetch(`${this.#platform.url}/v1${path}`, {
      method,
      headers: {
        Authorization: `Bearer ${this.#app.key}`,
        ...(body && { 'Content-Type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
      ...init,
    });
  }

  /** With the user in the query. */
  get(path: string): Promise<Response> {
    return this.send('GET', `${path}${path.includes('?') ? '&' : '?'}user=${this.user}`);
  }

  /** With the user in the body. */
  post(path: string, body: object = {}, init?: RequestInit): Promise<Response> {
    return this.send('POST', path, { user: this.user, ...body }, init);
  }

  /** The call that makes this kind of app work, streamed unless `more` says otherwise. */
  start(query: string, more: object = {}, init?: RequestInit): Promise<Response> {
    const { mode } = this.#app;
    const common = { inputs: {}, response_mode: 'streaming', ...more };
    if (mode === 'workflow') return this.post('/workflows/run', { ...common }, init);
    const path = mode === 'completion' ? '/completion-messages' : '/chat-messages';
    return this.post(path, { query, ...common }, init);
  }

  async ask(query: string, more: object = {}): Promise<ReadStream> {
    const response = await this.start(query, more);
    if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`);
    return readStream(await response.text());
  }

  upload(name: string, content: string | Uint8Array<ArrayBuffer>, type = 'text/markdown'): Promise<Response> {
    const form = new FormData();
    form.append('user', this.user);
    form.append('file', new Blob([content], { type }), name);
    return this.send('POST', '/files/upload', undefined, { body: form });
  }

  /** @returns its id */
  async uploaded(name: string, content: string): Promise<string> {
    const { id } = (await (await this.upload(name, content)).json()) as { id: string };
    return id;
  }
}

/** Takes a whole stream apart. */
export function readStream(body: string): ReadStream {
  const frames = body.split('\n\n').filter(Boolean);
  const events = frames
    .filter((frame) => frame.startsWith('data: '))
    .map((frame): AppEvent => JSON.parse(frame.slice('data: '.length)));
  const text = events.map(({ answer, data, event }) => (event === 'text_chunk' ? data?.text : answer) ?? '');
  return { events, pings: frames.filter((frame) => frame === 'event: ping').length, text: text.join('') };
}

/** The kinds of events in order, repetitions told once. */
export function outline(events: readonly AppEvent[]): string[] {
  return events.map(({ event }) => event).filter((event, index, all) => event !== all[index - 1]);
}
