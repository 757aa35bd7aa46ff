import { SwitchboardError } from '../../base/errors/errors.ts';
import { asObject, asText, readObject } from '../../base/json.ts';
import {
  type Caller,
  createCaller,
  type DialectRequest,
  type PlatformContext,
  type PlatformRequest,
  rootOf,
} from '../platformCall.ts';
import { isMissingOnServer, missingOnServer } from '../platformErrors.ts';
import { sha256 } from '../../base/sha256.ts';

/** Operations of a server, since 1.18. Built from the documentation, not recorded. */
export interface Catalog {
  readonly hash: string;
  has(method: string, path: string): boolean;
}

const hashes = new Map<string, string>();
const maxBytes = 4 * 1024 * 1024;

/** Adds the hash once a server refused a request without it (412 `catalog_stale`), and repeats that once. */
export function withCatalog(context: PlatformContext, caller: Caller): Caller {
  const { baseUrl } = context.connection;
  const stamped = (call: PlatformRequest | DialectRequest) => {
    const hash = hashes.get(baseUrl);
    return hash === undefined || 'forms' in call ? call : { ...call, headers: { 'x-dify-catalog': hash } };
  };
  const send = async <T>(
    call: PlatformRequest | DialectRequest,
    signal: AbortSignal,
    act: (call: PlatformRequest | DialectRequest) => Promise<T>,
  ): Promise<T> => {
    try {
      return await act(stamped(call));
    } catch (error) {
      if (!isStale(error) || 'forms' in call) throw error;
      const catalog = await readCatalog(context, signal);
      if (!catalog?.has(call.method, call.path)) throw missingOnServer();
      hashes.set(baseUrl, catalog.hash);
      return act(stamped(call));
    }
  };
  return {
    ask: (call, read, signal) => send(call, signal, (each) => caller.ask(each, read, signal)),
    send: (call, signal) => send(call, signal, (each) => caller.send(each, signal)),
    open: (call, signal) => send(call, signal, (each) => caller.open(each, signal)),
  };
}

/** Undefined before 1.18. */
export async function readCatalog(
  context: PlatformContext,
  signal: AbortSignal,
): Promise<Catalog | undefined> {
  const open = createCaller(withoutKey(context), 'account');
  const call = { method: 'GET', path: '/_catalog', isRead: true, isNewerRoute: true } as const;
  try {
    const response = await open.open(call, signal);
    const bytes: Uint8Array[] = [];
    let size = 0;
    for await (const part of response.body) {
      size += part.byteLength;
      if (size > maxBytes) return undefined;
      bytes.push(part);
    }
    return toCatalog(Buffer.concat(bytes));
  } catch (error) {
    if (isMissingOnServer(error)) return undefined;
    throw error;
  }
}

/** The same context without a token. A getter, because a copied value would freeze the limits. */
export function withoutKey(context: PlatformContext): PlatformContext {
  return {
    ...context,
    connection: { ...context.connection, key: '' },
    get timeouts() {
      return context.timeouts;
    },
  };
}

function toCatalog(bytes: Buffer): Catalog | undefined {
  const operations = asObject(readObject(bytes.toString())?.['ops']);
  if (!operations) return undefined;
  const known = Object.values(operations).flatMap((each) => {
    const [method, path] = [asText(asObject(each)?.['method']), asText(asObject(each)?.['path'])];
    return method && path ? [{ method: method.toUpperCase(), parts: partsOf(path) }] : [];
  });
  return {
    hash: sha256(bytes),
    has(method, path) {
      const given = path.split('/');
      return known.some(
        ({ method: own, parts }) =>
          own === method &&
          parts.length === given.length &&
          parts.every((part, at) => fits(part, given[at] ?? '')),
      );
    },
  };
}

/** Parts of `/apps/{app_id}/dsl`, or of `/apps/<string:app_id>/dsl`, with or without the root. */
function partsOf(path: string): string[] {
  const root = rootOf('account');
  return (path.startsWith(`${root}/`) ? path.slice(root.length) : path).split('/');
}

function fits(part: string, given: string): boolean {
  const placeholder = /^(?:\{[^{}]*\}|<[^<>]*>)(?<verb>:[\w-]+)?$/.exec(part);
  if (!placeholder) return part === given;
  const verb = placeholder.groups?.['verb'] ?? '';
  const id = given.slice(0, given.length - verb.length);
  return given.endsWith(verb) && id !== '' && !id.includes(':');
}

function isStale(error: unknown): boolean {
  return error instanceof SwitchboardError && error.status === 412 && error.serverCode === 'catalog_stale';
}
