import type { RelayServer } from './relay/relayServer.ts';
import { startSandbox, type Sandbox, type SandboxOptions } from './sandbox.ts';

/** Runs a test with a sandbox of its own and stops it, whatever happens. */
export async function withSandbox(
  use: (sandbox: Sandbox) => Promise<void>,
  options?: SandboxOptions,
): Promise<void> {
  const sandbox = await startSandbox(options);
  try {
    await use(sandbox);
  } finally {
    await sandbox.stop();
  }
}

/** Sends a chat request with a good key; `body` adds to or replaces its fields. */
export function post(
  relay: RelayServer,
  model: string,
  body: object = {},
  init: RequestInit = {},
): Promise<Response> {
  return fetch(`${relay.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${relay.key}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ model, messages: [{ role: 'user', content: 'Hello' }], ...body }),
    ...init,
  });
}

/** An answer's parts that tests look at; only what a test reads is named. */
export interface Completion {
  choices: {
    message: { content: string; reasoning_content?: string; tool_calls?: Call[] };
    finish_reason: string;
  }[];
  usage?: { prompt_tokens: number; completion_tokens: number; total_tokens: number };
}

export interface Call {
  id: string;
  type: 'function';
  function: { name: string; arguments: string };
}

/** A chunk's parts that tests look at. */
export interface Chunk {
  choices: {
    delta: {
      role?: string;
      content?: string;
      reasoning_content?: string;
      tool_calls?: { index?: number; id?: string; function?: { name?: string; arguments?: string } }[];
    };
    finish_reason: string | null;
  }[];
  usage?: object;
}

/** A JSON answer, taken to be of the type that the test expects. */
export async function readJson<T>(response: Response): Promise<T> {
  return response.json();
}

/** The whole answer of a request that was not streamed. */
export async function completion(response: Response): Promise<Completion> {
  return readJson(response);
}

/** The chunks of a well-formed stream, `[DONE]` left out. */
export function chunksOf(stream: string): Chunk[] {
  return stream
    .split('\n\n')
    .filter((event) => event.startsWith('data: {'))
    .map((event): Chunk => JSON.parse(event.slice('data: '.length)));
}

/** The text of a well-formed stream. */
export function textOfStream(stream: string): string {
  return chunksOf(stream)
    .flatMap(({ choices }) => choices.map(({ delta }) => delta.content ?? ''))
    .join('');
}

/** Tools as the extension offers them. */
export const tools = [tool('read_file', 'path'), tool('search_text', 'query'), tool('list_files', 'path')];

export function tool(name: string, argument: string): object {
  return {
    type: 'function',
    function: {
      name,
      description: name,
      parameters: { type: 'object', properties: { [argument]: { type: 'string' } }, required: [argument] },
    },
  };
}
