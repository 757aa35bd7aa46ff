import { readFile } from 'node:fs/promises';
import { createServer as createHttp, type RequestListener } from 'node:http';
import { createServer as createHttps, type ServerOptions } from 'node:https';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { root } from '../host/paths.ts';

export interface TinyServer {
  port: number;
  readonly connections: number;
  readonly open: number;
  stop(): Promise<void>;
}

export const certificateFile = join(root, 'test/fixtures/tls/certificate.pem');

export async function startHttp(listener: RequestListener): Promise<TinyServer> {
  return listen(createHttp(listener));
}

/** Uses the self-signed certificate of the fixtures by default. */
export async function startHttps(listener: RequestListener, options?: ServerOptions): Promise<TinyServer> {
  if (options) return listen(createHttps(options, listener));
  const [cert, key] = await Promise.all([
    readFile(certificateFile),
    readFile(join(root, 'test/fixtures/tls/key.pem')),
  ]);
  return listen(createHttps({ cert, key }, listener));
}

/** Accepts connections and never answers. */
export function startMute(): Promise<TinyServer> {
  return listen(createServer());
}

/** Answers each connection with the next text, byte for byte; repeats the last. */
export async function startRaw(...answers: string[]): Promise<TinyServer & { url: string }> {
  let answered = 0;
  const server = createServer((socket) => {
    socket.once('data', () => socket.write(answers[Math.min(answered++, answers.length - 1)] ?? ''));
  });
  const started = await listen(server);
  return Object.assign(started, { url: `http://127.0.0.1:${started.port}` });
}

/** An HTTP proxy for CONNECT, with optional authorization, that leads every host to one local port. */
export async function startProxy(
  targetPort: number,
  options: { status?: number; authorization?: string; tls?: ServerOptions } = {},
): Promise<TinyServer & { targets: string[]; authorizations: (string | undefined)[] }> {
  const targets: string[] = [];
  const authorizations: (string | undefined)[] = [];
  const refuse: RequestListener = (_, response) => void response.writeHead(400).end();
  const proxy = options.tls ? createHttps(options.tls, refuse) : createHttp(refuse);
  proxy.on('connect', (request, client: Socket) => {
    targets.push(request.url ?? '');
    authorizations.push(request.headers['proxy-authorization']);
    client.on('error', () => client.destroy());
    const isSignedIn = request.headers['proxy-authorization'] === options.authorization;
    const status = options.status ?? (options.authorization === undefined || isSignedIn ? 200 : 407);
    if (status !== 200) {
      client.end(`HTTP/1.1 ${status} No\r\nproxy-authenticate: Basic realm="proxy"\r\n\r\n`);
      return;
    }
    const upstream = connect(targetPort, '127.0.0.1', () => {
      client.write('HTTP/1.1 200 Connection established\r\n\r\n');
      upstream.pipe(client).pipe(upstream);
    });
    upstream.on('error', () => client.destroy());
    client.on('close', () => upstream.destroy());
  });
  return Object.assign(await listen(proxy), { targets, authorizations });
}

/** A SOCKS5 proxy, with an optional user, that leads every host to one local port. */
export async function startSocks(
  targetPort: number,
  { user = '', password = '', reply = 0 }: { user?: string; password?: string; reply?: number } = {},
): Promise<TinyServer & { targets: string[] }> {
  const targets: string[] = [];
  const server = createServer((socket) => {
    const steps = [
      (greeting: Buffer) => {
        const method = user === '' ? 0 : 2;
        const isOffered = greeting.subarray(2, 2 + (greeting[1] ?? 0)).includes(method);
        socket.write(Buffer.of(5, isOffered ? method : 255));
        if (method === 0) steps.shift();
      },
      (signIn: Buffer) => {
        const isKnown =
          signIn.toString('latin1', 2) === `${user}${String.fromCharCode(password.length)}${password}`;
        socket.write(Buffer.of(1, isKnown ? 0 : 1));
      },
      (request: Buffer) => {
        const host = request.toString('utf8', 5, 5 + (request[4] ?? 0));
        targets.push(`${host}:${request.readUInt16BE(request.length - 2)}`);
        // The bound address may be a name, as here; it arrives in two pieces.
        socket.write(Buffer.of(5, reply, 0, 3, 2));
        setImmediate(() => socket.write(Buffer.from([97, 98, 0, 0])));
        if (reply !== 0) return;
        const upstream = connect(targetPort, '127.0.0.1');
        upstream.on('error', () => socket.destroy());
        socket.on('close', () => upstream.destroy());
        setImmediate(() => upstream.pipe(socket).pipe(upstream));
      },
    ];
    const onData = (bytes: Buffer): void => {
      steps.shift()?.(bytes);
      if (steps.length === 0) socket.off('data', onData);
    };
    socket.on('data', onData);
  });
  return Object.assign(await listen(server), { targets });
}

async function listen(server: Server): Promise<TinyServer> {
  const sockets = new Set<Socket>();
  let connections = 0;
  server.on('connection', (socket: Socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => undefined);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    get connections() {
      return connections;
    },
    get open() {
      return sockets.size;
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}
