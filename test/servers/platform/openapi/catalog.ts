import { createHash } from 'node:crypto';
import type { RecordedRequest } from '../../http/recordedRequest.ts';
import { PlatformRefusal } from '../platformErrors.ts';

/** The list of operations, as bytes, and their hash, which requests carry. */
export interface SandboxCatalog {
  readonly text: string;
  readonly hash: string;
}

export function catalogOf(routes: readonly { method: string; path: string }[]): SandboxCatalog {
  const ops = Object.fromEntries(
    routes.map(({ method, path }, index) => [
      `operation.${index}`,
      {
        method,
        path: path.replaceAll(':word', '{id}'),
        kind: 'call',
        input: {},
        bind: {},
        deprecated: false,
      },
    ]),
  );
  const text = JSON.stringify({ ops });
  return { text, hash: createHash('sha256').update(text).digest('hex') };
}

export function refuseStale({ hash }: SandboxCatalog, { headers }: RecordedRequest): void {
  if (headers['x-dify-catalog'] === hash) return;
  const message = "The request was built from a catalog that is not this server's current catalog.";
  throw new PlatformRefusal({ status: 412, body: { code: 'catalog_stale', message, status: 412 } });
}
