import type { Exchange } from '../http/httpServer.ts';
import { type Reply, sendReply } from '../http/reply.ts';
import { platformError } from './platformErrors.ts';

/** A dataset key opens everything under `/v1/datasets`, an app key one app; neither opens the other's. */
export type KeyKind = 'dataset' | 'app';

export const platformKeys = {
  dataset: 'dataset-sandboxgood',
  app: 'app-sandboxgood',
  unknown: 'app-sandboxunknown',
  deletedApp: 'app-sandboxdeleted',
  /** The app's API is off. */
  disabledApp: 'app-sandboxdisabled',
  /** Opens only the knowledge bases of the option `scope`; unknown before 1.17. */
  scoped: 'dataset-sandboxscoped',
  /** The key's workspace is archived. */
  archived: 'dataset-sandboxarchived',
} as const;

const kinds = new Map<string, KeyKind>([
  [platformKeys.dataset, 'dataset'],
  [platformKeys.scoped, 'dataset'],
  [platformKeys.archived, 'dataset'],
  [platformKeys.app, 'app'],
  [platformKeys.deletedApp, 'app'],
  [platformKeys.disabledApp, 'app'],
]);

const forbidden = new Map<string, string>([
  [platformKeys.archived, "The workspace's status is archived."],
  [platformKeys.deletedApp, 'The app no longer exists.'],
  [platformKeys.disabledApp, "The app's API service has been disabled."],
]);

export function withKey(
  kind: KeyKind,
  handle: (exchange: Exchange) => void | Promise<void>,
): (exchange: Exchange) => void | Promise<void> {
  return (exchange) => {
    const refusal = checkKey(exchange.request.headers.authorization, kind);
    return refusal ? sendReply(exchange, refusal) : handle(exchange);
  };
}

/** The refusal of a key for this half of the platform; undefined if it is accepted. */
export function checkKey(header: string | undefined, kind: KeyKind): Reply | undefined {
  if (!header?.includes(' ')) {
    return unauthorized("Authorization header must be provided and start with 'Bearer'");
  }
  const [scheme, key = ''] = header.split(/ (.*)/s);
  if (scheme?.toLowerCase() !== 'bearer') return unauthorized("Authorization scheme must be 'Bearer'");
  if (kinds.get(key) !== kind) return invalidKey();
  const reason = forbidden.get(key);
  return reason === undefined ? undefined : platformError(403, 'forbidden', reason);
}

export function isScopedKey(header: string | undefined): boolean {
  return header?.endsWith(` ${platformKeys.scoped}`) === true;
}

export function invalidKey(): Reply {
  return unauthorized('Access token is invalid');
}

function unauthorized(message: string): Reply {
  return platformError(401, 'unauthorized', message);
}
