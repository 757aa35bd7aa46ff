import type { RelayServer } from './relay/relayServer.ts';
import { startSandbox, type Sandbox, type SandboxOptions } from './sandbox.ts';

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

/** The parts of an answer that tests read. */
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

export async function readJson<T>(response: Response): Promise<T> {
  return response.json();
}

export async function completion(response: Response): Promise<Completion> {
  return readJson(response);
}

/** The chunks of a well-formed stream, without `[DONE]`. */
export function chunksOf(stream: string): Chunk[] {
  return stream
    .split('\n\n')
    .filter((event) => event.startsWith('data: {'))
    .map((event): Chunk => JSON.parse(event.slice('data: '.length)));
}

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
