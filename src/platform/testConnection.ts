import * as l10n from '@vscode/l10n';
import * as z from 'zod/mini';
import { isCancelled, SwitchboardError } from '../base/errors/errors.ts';
import { isOutOfScope } from './platformErrors.ts';
import { createCaller, type PlatformContext, type PlatformRequest } from './platformCall.ts';
import type { PlatformService } from './platformRefusal.ts';
import { count } from './platformWire.ts';

// `GET /v1/` is no test: 1.14 answers it with an HTML 404, whatever the key.

const datasets: PlatformRequest = {
  method: 'GET',
  path: '/datasets',
  query: { page: 1, limit: 1 },
  isRead: true,
};
const info: PlatformRequest = { method: 'GET', path: '/info', isRead: true };

/** Resolves with the number of knowledge bases, if the server tells; `scoped` for a key made for some of them. */
export async function testDatasetKey(
  context: PlatformContext,
  signal: AbortSignal,
): Promise<number | 'scoped' | undefined> {
  try {
    return (await createCaller(context, 'knowledge').ask(datasets, readPage, signal)).total;
  } catch (error) {
    if (isOutOfScope(error)) return 'scoped';
    if (!isRefusedKey(error)) throw error;
    const app = await openedBy(context, 'app', info, readAppName, signal);
    throw app ? withMessage(error, appKeyMessage(app)) : error;
  }
}

export async function testAppKey<T>(
  context: PlatformContext,
  read: (json: unknown) => T | undefined,
  signal: AbortSignal,
): Promise<T> {
  try {
    return await createCaller(context, 'app').ask(info, read, signal);
  } catch (error) {
    if (!isRefusedKey(error)) throw error;
    const page = await openedBy(context, 'knowledge', datasets, readPage, signal);
    throw page ? withMessage(error, datasetKeyMessage()) : error;
  }
}

/** The wrong kind of key is refused like an unknown one, so the other service is tried once. */
async function openedBy<T>(
  context: PlatformContext,
  service: PlatformService,
  request: PlatformRequest,
  read: (json: unknown) => T | undefined,
  signal: AbortSignal,
): Promise<T | undefined> {
  const once = { ...context, retry: { retries: 0, firstMs: 0, maxMs: 0, maxAskedMs: 0 } };
  try {
    return await createCaller(once, service).ask(request, read, signal);
  } catch (error) {
    if (isCancelled(error)) throw error;
    // The original failure is reported.
    return undefined;
  }
}

function isRefusedKey(error: unknown): error is SwitchboardError {
  return error instanceof SwitchboardError && error.code === 'key';
}

function withMessage(error: SwitchboardError, message: string): SwitchboardError {
  const { why, address, status, cause } = error;
  return new SwitchboardError('key', message, { ...(why && { why }), address, status, cause });
}

function appKeyMessage({ name }: { name: string }): string {
  return l10n.t(
    'This is the key of the app "{0}". Enter a knowledge base key, or use "Switchboard: Add Platform App…" for the app.',
    name,
  );
}

function datasetKeyMessage(): string {
  return l10n.t("This is a knowledge base key. Enter the app's own key: see its API access on the platform.");
}

function readAppName(json: unknown): { name: string } | undefined {
  return z.object({ name: z.string() }).safeParse(json).data;
}

const pageSchema = z.object({ data: z.nullable(z.array(z.unknown())), total: count });

function readPage(json: unknown): { total?: number | undefined } | undefined {
  return pageSchema.safeParse(json).data;
}
