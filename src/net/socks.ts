import { once } from 'node:events';
import type { Socket } from 'node:net';
import { proxyRefused } from './httpErrors.ts';

export interface SocksRequest {
  host: string;
  port: number;
  authorization: string | undefined;
  signal: AbortSignal;
}

const version = 5;
const byPassword = 2;
const noneOfThese = 255;
const connectTo = 1;
const aName = 3;
const addressBytes = new Map([
  [1, 4],
  [4, 16],
]);

/** SOCKS5 (RFC 1928, 1929); the proxy resolves the host. A refusal rejects, too: 407 if a sign-in is required. */
export async function connectBySocks(socket: Socket, request: SocksRequest): Promise<void> {
  const closed = new AbortController();
  const onClose = (): void =>
    closed.abort(Object.assign(new Error('The proxy closed the connection'), { code: 'ECONNRESET' }));
  socket.once('close', onClose);
  const signal = AbortSignal.any([request.signal, closed.signal]);
  try {
    await converse(socket, request, (size) => take(socket, size, signal));
  } finally {
    socket.off('close', onClose);
  }
}

async function converse(
  socket: Socket,
  { host, port, authorization }: SocksRequest,
  next: (size: number) => Promise<Buffer>,
): Promise<void> {
  const user = readBasic(authorization);
  socket.write(Buffer.from(user ? [version, 2, 0, byPassword] : [version, 1, 0]));
  const [spoken, method] = await next(2);
  if (spoken !== version) throw proxyRefused('not SOCKS5');
  if (method === noneOfThese || (method === byPassword && !user)) throw proxyRefused(407);
  if (method === byPassword && user) {
    socket.write(Buffer.concat([Buffer.of(1), withSize(user.name), withSize(user.password)]));
    const [, failed] = await next(2);
    if (failed !== 0) throw proxyRefused(407);
  }
  const target = [Buffer.of(version, connectTo, 0, aName), withSize(host), Buffer.of(port >> 8, port & 255)];
  socket.write(Buffer.concat(target));
  const [, failed, , kind = 0] = await next(4);
  if (failed !== 0) throw proxyRefused(`SOCKS ${failed}`);
  const size = addressBytes.get(kind) ?? (await next(1))[0] ?? 0;
  await next(size + 2);
}

/** Longer texts are cut, so that the proxy refuses them. */
function withSize(text: string): Buffer {
  const bytes = Buffer.from(text).subarray(0, 255);
  return Buffer.concat([Buffer.of(bytes.length), bytes]);
}

async function take(socket: Socket, size: number, signal: AbortSignal): Promise<Buffer> {
  for (;;) {
    signal.throwIfAborted();
    const bytes = socket.read(size) as Buffer | null;
    if (bytes) return bytes;
    await once(socket, 'readable', { signal }).catch((error: unknown) => {
      throw signal.aborted ? signal.reason : error;
    });
  }
}

function readBasic(authorization = ''): { name: string; password: string } | undefined {
  const [, encoded] = /^basic\s+(.+)$/i.exec(authorization) ?? [];
  if (encoded === undefined) return undefined;
  const [, name = '', password = ''] =
    /^([^:]*):(.*)$/s.exec(Buffer.from(encoded, 'base64').toString('utf8')) ?? [];
  return { name, password };
}
