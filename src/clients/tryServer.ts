import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import * as l10n from '@vscode/l10n';
import * as z from 'zod/mini';
import { cancelled, SwitchboardError } from '../base/errors/errors.ts';
import { parseJson } from '../base/json.ts';
import { commandEnvironment } from '../tools/command/commandEnvironment.ts';
import type { KnowledgeServer } from './knowledgeServer.ts';

export interface TriedServer {
  tools: readonly string[];
  hasWindow: boolean;
}

/** In ms, as long as most programs wait for a server. */
const limitMs = 10_000;
const protocolVersion = '2025-11-25';

const replySchema = z.looseObject({ id: z.number(), result: z.optional(z.unknown()) });
const toolsSchema = z.object({ tools: z.array(z.object({ name: z.string() })) });
const callSchema = z.object({ content: z.array(z.looseObject({ text: z.optional(z.string()) })) });

/** Acts like a program: throws a `SwitchboardError` if the server is late. `noWindow`: the result without a window. */
export async function tryServer(
  { command, args, env }: KnowledgeServer,
  { folder, noWindow, signal }: { folder: string; noWindow: string; signal: AbortSignal },
): Promise<TriedServer> {
  const child = spawn(command, args, {
    cwd: folder,
    env: { ...commandEnvironment(process.env, []), ...env },
    stdio: ['pipe', 'pipe', 'ignore'],
    windowsHide: true,
  });
  const ending = AbortSignal.any([signal, AbortSignal.timeout(limitMs)]);
  const stop = () => child.kill();
  ending.addEventListener('abort', stop, { once: true });
  try {
    const ask = conversationWith(child);
    await ask('initialize', {
      ...{ protocolVersion, capabilities: {} },
      clientInfo: { name: 'switchboard', version: '1' },
    });
    write(child, { method: 'notifications/initialized' });
    const { tools } = read(toolsSchema, await ask('tools/list', {}));
    // Doesn't prompt the user: no segment was found over this connection.
    const { content } = read(
      callSchema,
      await ask('tools/call', { name: 'read_source', arguments: { source: 1 } }),
    );
    return {
      tools: tools.map(({ name }) => name),
      hasWindow: !content.some(({ text }) => text?.includes(noWindow)),
    };
  } catch (error) {
    if (signal.aborted) throw cancelled();
    throw error;
  } finally {
    ending.removeEventListener('abort', stop);
    stop();
  }
}

type ServerProcess = ChildProcessByStdio<Writable, Readable, null>;

function conversationWith(child: ServerProcess): (method: string, params: object) => Promise<unknown> {
  let failure: Error | undefined;
  child.once('error', (error) => (failure = error));
  // The end of its output says the same.
  child.stdin.on('error', () => {});
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  let count = 0;
  return async (method, params) => {
    const id = ++count;
    write(child, { id, method, params });
    for (;;) {
      const { value, done } = (await lines.next()) as { value?: string; done?: boolean };
      if (done) throw noAnswer(failure?.message);
      const reply = replySchema.safeParse(parseJson(value ?? ''));
      if (reply.data?.id === id) return reply.data.result;
    }
  };
}

function write(child: ServerProcess, message: object): void {
  child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
}

function read<T>(schema: z.ZodMiniType<T>, value: unknown): T {
  const parsed = schema.safeParse(value);
  if (!parsed.success) throw noAnswer(z.prettifyError(parsed.error));
  return parsed.data;
}

function noAnswer(systemError: string | undefined): SwitchboardError {
  return new SwitchboardError('transient', l10n.t("The knowledge server didn't start or answer in time."), {
    systemError,
  });
}
