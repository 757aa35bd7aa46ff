import { randomBytes, timingSafeEqual } from 'node:crypto';
import { rmSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import * as z from 'zod/mini';
import type { Disposable } from '../base/disposable.ts';
import { SwitchboardError } from '../base/errors/errors.ts';
import { replaceFile } from '../base/files/replaceFile.ts';
import { parseJson } from '../base/json.ts';
import type { Log } from '../base/log.ts';
import { longestHello, type Hello } from './bridge/bridgeMessages.ts';
import { privacyProblem, recordFile, type WindowRecord } from './bridge/windowRecords.ts';
import * as l10n from '@vscode/l10n';

/** In bytes, with the closing zero: macOS takes no longer path for a socket. */
const longestSocketPath = 104;
/** Time in ms within which a connection must identify itself. */
const helloLimitMs = 5_000;
const mostConnections = 50;

const helloSchema = z.object({
  token: z.string(),
  configuration: z.string().check(z.maxLength(200)),
  folder: z.string().check(z.maxLength(5_000)),
});

export interface ListenOptions {
  folder: string;
  folders: readonly string[];
  now: number;
  log: Log;
  /** A connection that has shown the token; what follows is the protocol. */
  onConnection(socket: Socket, hello: Omit<Hello, 'token'>): void;
}

export interface WindowListener extends Disposable {
  setFolders(folders: readonly string[]): Promise<void>;
}

/** Listens for the bridges of this user's programs until disposed, which leaves nothing behind. */
export async function listenForBridges(options: ListenOptions): Promise<WindowListener> {
  const { folder, now, log } = options;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const problem = await privacyProblem(folder);
  if (problem !== undefined) {
    throw new SwitchboardError(
      'storage',
      l10n.t("Other programs can't search knowledge bases: {0} is open to other users.", folder),
      { systemError: problem },
    );
  }
  const token = randomBytes(32).toString('hex');
  const name = randomBytes(8).toString('hex');
  const socket = await socketAddress(folder, name);
  const sockets = new Set<Socket>();
  const server = createServer((connection) => {
    sockets.add(connection);
    connection.on('close', () => sockets.delete(connection));
    connection.on('error', (error) => log.debug(`Knowledge for programs: ${error.message}`));
    void admit(connection, token).then(
      (hello) => options.onConnection(connection, hello),
      (error: unknown) => log.warn(`Knowledge for programs: a connection was refused. ${String(error)}`),
    );
  });
  server.maxConnections = mostConnections;
  await listening(server, socket);
  const file = recordFile(folder, name);
  const close = () => {
    rmSync(file, { force: true });
    server.close();
    for (const each of sockets) each.destroy();
    if (!isPipe(socket) && dirname(socket) !== folder)
      rmSync(dirname(socket), { recursive: true, force: true });
  };
  const setFolders = async (folders: readonly string[]) => {
    const record: WindowRecord = { folders, pid: process.pid, openedAt: now, socket, token };
    await replaceFile(file, JSON.stringify(record), 0o600);
  };
  try {
    if (!isPipe(socket)) await chmod(socket, 0o600);
    await setFolders(options.folders);
  } catch (error) {
    close();
    throw error;
  }
  return { setFolders, dispose: close };
}

/** In the folder of windows if its path is short enough, else in a temporary folder that only the user can open. */
async function socketAddress(folder: string, name: string): Promise<string> {
  if (process.platform === 'win32') return `\\\\.\\pipe\\switchboard-${randomBytes(16).toString('hex')}`;
  const path = join(folder, `${name}.sock`);
  if (Buffer.byteLength(path) < longestSocketPath) return path;
  const short = join(await mkdtemp(join(tmpdir(), 'switchboard-')), 's');
  if (Buffer.byteLength(short) < longestSocketPath) return short;
  await rm(dirname(short), { recursive: true });
  throw new SwitchboardError(
    'storage',
    l10n.t(
      "Other programs can't search knowledge bases: the path of the temporary folder, {0}, is too long.",
      tmpdir(),
    ),
  );
}

function isPipe(address: string): boolean {
  return address.startsWith('\\\\.\\pipe\\');
}

function listening(server: Server, address: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(address, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

/** Reads the first line and leaves the rest in the socket. Rejects, with the socket destroyed, if the token is wrong. */
function admit(socket: Socket, token: string): Promise<Omit<Hello, 'token'>> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const refuse = (why: string) => {
      clearTimeout(limit);
      socket.destroy();
      reject(new Error(why));
    };
    const limit = setTimeout(() => refuse('It said nothing.'), helloLimitMs);
    const onClose = () => refuse('It closed before it said who it is.');
    const onData = (bytes: Buffer) => {
      chunks.push(bytes);
      const all = Buffer.concat(chunks);
      const end = all.indexOf('\n');
      if (end < 0) {
        if (all.length > longestHello) refuse('Its first line is too long.');
        return;
      }
      socket.off('data', onData);
      socket.off('close', onClose);
      socket.pause();
      const hello = readHello(all.subarray(0, end).toString('utf8'));
      if (!hello || !isSame(hello.token, token)) return refuse('It does not have the token of this window.');
      clearTimeout(limit);
      const rest = all.subarray(end + 1);
      if (rest.length > 0) socket.unshift(rest);
      const { configuration, folder } = hello;
      resolve({ configuration, folder });
    };
    socket.on('data', onData);
    socket.on('close', onClose);
  });
}

export function readHello(line: string): Hello | undefined {
  return helloSchema.safeParse(parseJson(line)).data;
}

function isSame(given: string, token: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(token)];
  return one.length === other.length && timingSafeEqual(one, other);
}
