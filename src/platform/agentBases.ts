import * as l10n from '@vscode/l10n';
import * as z from 'zod/mini';
import { rejudge, SwitchboardError } from '../base/errors/errors.ts';
import { asObject, parseJson } from '../base/json.ts';
import { loosely } from '../base/lenientSchemas.ts';
import { maskExactly } from '../base/secrets/maskAnswer.ts';
import { sanitizeServerMessage } from '../base/text/sanitizeServerMessage.ts';
import { EventStreamDecoder, type ServerEvent } from '../net/eventStream.ts';
import type { HttpResponse } from '../net/httpResponse.ts';
import { type Caller, createCaller, type PlatformContext, route } from './platformCall.ts';
import { cutOffMessage } from './platformMessages.ts';
import type { FoundSegment } from './records.ts';
import { id, number, readList, text, withKnown } from './platformWire.ts';

// Agent knowledge bases are built from Dify's documentation and were never seen running: the guide "Agent Knowledge Base
// API", "Create Query Token" and "Run Query" of its API reference. Shapes of the evidence and error codes: Dify's source.

export interface QueryToken {
  token: string;
  traceId: string;
  url: string;
  /** Sent back unchanged: unknown fields and other values are refused. */
  request: object;
}

/** Printable ASCII: a line break would begin another header. */
const headerValue = z.string().check(z.regex(/^[\x21-\x7e]{1,16384}$/));
const tokenSchema = z.object({
  token: headerValue,
  trace_id: headerValue,
  url: z.string(),
  request: z.record(z.string(), z.unknown()),
});

/** Far above the evidence of a query. */
const maxStreamBytes = 32 * 1024 * 1024;

/** Asks for the token of a query, which runs nothing. Throws `request` if the key opens no such agent knowledge base. */
export async function createQueryToken(
  caller: Caller,
  baseId: string,
  query: string,
  signal: AbortSignal,
): Promise<QueryToken> {
  try {
    return await caller.ask(
      {
        method: 'POST',
        path: route`/knowledge-fs/spaces/${baseId}/queries/admission`,
        json: { query, mode: 'fast' },
        isRead: true,
        isNewerRoute: true,
      },
      readToken,
      signal,
    );
  } catch (error) {
    throw withBaseNamed(error);
  }
}

/** Evidence, best first. A refused token, and a run that the platform asks to repeat, are started again once. */
export async function searchAgentBase(
  context: PlatformContext,
  caller: Caller,
  { baseId, query }: { baseId: string; query: string },
  signal: AbortSignal,
): Promise<FoundSegment[]> {
  for (let isRepeated = false; ; isRepeated = true) {
    const issued = await createQueryToken(caller, baseId, query, signal);
    try {
      return await runQuery(context, issued, baseId, signal);
    } catch (error) {
      if (!isExpired(error) && !isRunLost(error)) throw error;
      if (isRepeated) throw isExpired(error) ? rejudge(error, 'transient', tokenRefusedMessage()) : error;
      context.log.info(`Query of an agent knowledge base: started again after ${error.code}`);
    }
  }
}

function isExpired(error: unknown): error is SwitchboardError {
  return error instanceof SwitchboardError && error.status === 401;
}

function isRunLost(error: unknown): error is SwitchboardError {
  return error instanceof SwitchboardError && error.serverCode === 'RETRIEVAL_EXECUTION_LEASE_LOST';
}

async function runQuery(
  context: PlatformContext,
  { token, traceId, url, request }: QueryToken,
  baseId: string,
  signal: AbortSignal,
): Promise<FoundSegment[]> {
  const { baseUrl, key } = context.connection;
  const path = pathBelow(`${baseUrl}/v1`, url);
  // The token is the only credential of this request.
  const caller = createCaller({ ...context, connection: { baseUrl, key: token } }, 'knowledge');
  const headers = { 'x-trace-id': traceId };
  const call = { method: 'POST', path, json: request, headers, isStreamed: true } as const;
  return readQueryStream(await caller.open(call, signal), { baseId, secrets: [token, key] });
}

/** Throws for an address outside of the platform, which would be sent the token and the question. */
function pathBelow(root: string, url: string): string {
  const base = new URL(root).href;
  const target = URL.canParse(url) ? new URL(url) : undefined;
  if (!target?.href.startsWith(`${base}/`) || target.search || target.hash) {
    throw new SwitchboardError(
      'wrong-address',
      l10n.t("The platform returned an address for the query that isn't its own, so nothing was sent there."),
    );
  }
  return target.href.slice(base.length);
}

export interface StreamOptions {
  baseId: string;
  secrets: readonly string[];
}

/** Only `answer.done` means success; until then, `answer.error` may discard the received text. */
export async function readQueryStream(
  response: Pick<HttpResponse, 'body' | 'onFirstByte' | 'onProgress'>,
  options: StreamOptions,
): Promise<FoundSegment[]> {
  const decoder = new EventStreamDecoder();
  let byteCount = 0;
  let digest = '';
  const take = (event: ServerEvent): FoundSegment[] | undefined => {
    const data = asObject(parseJson(maskExactly(event.data, options.secrets)));
    if (!data) return undefined;
    if (event.event === 'answer.error') throw toQueryError(data, options);
    if (event.event === 'answer.delta') digest += text.parse(data['delta']) ?? '';
    return event.event === 'answer.done' ? readEvidence(data, digest, options.baseId) : undefined;
  };
  for await (const bytes of response.body) {
    byteCount += bytes.length;
    if (byteCount > maxStreamBytes) break;
    for (const event of decoder.decode(bytes)) {
      response.onFirstByte();
      response.onProgress();
      const found = take(event);
      if (found) return found;
    }
  }
  throw new SwitchboardError('truncated', cutOffMessage());
}

function readToken(json: unknown): QueryToken | undefined {
  const { data } = tokenSchema.safeParse(json);
  return data && { token: data.token, traceId: data.trace_id, url: data.url, request: data.request };
}

const evidenceSchema = z.object({
  nodeId: id,
  text: z.string().check(z.minLength(1)),
  score: number,
  citations: loosely(z.array(z.unknown())),
});
const citationSchema = z.object({
  documentAssetId: id,
  sectionPath: loosely(z.array(z.string())),
  pageNumber: number,
});

function readEvidence(done: object, digest: string, baseId: string): FoundSegment[] {
  const { finishReason, metadata } = done as { finishReason?: unknown; metadata?: unknown };
  const bundle = asObject(asObject(metadata)?.['evidenceBundle']);
  const found = readList(bundle?.['items'], readFoundEvidence);
  if (found.length > 0) return found.toSorted((a, b) => (b.score ?? 0) - (a.score ?? 0));
  if (finishReason === 'no-retrieval-evidence' || !digest.trim()) return [];
  // The digest holds the retrieved text, too.
  return [toFound({ id: baseId, documentId: baseId, content: digest, documentName: l10n.t('Digest') })];
}

function readFoundEvidence(json: unknown): FoundSegment | undefined {
  const { data } = evidenceSchema.safeParse(json);
  if (!data) return undefined;
  const [citation] = readList(data.citations, (item) => citationSchema.safeParse(item).data);
  // The reply names no document; the section path is the closest thing.
  const section = citation?.sectionPath?.join(' › ') ?? '';
  const page = citation?.pageNumber !== undefined && l10n.t('page {0}', citation.pageNumber);
  return toFound({
    id: data.nodeId,
    documentId: citation?.documentAssetId ?? data.nodeId,
    content: data.text,
    documentName: [section, page].filter(Boolean).join(', ') || l10n.t('Without a section'),
    score: data.score,
  });
}

function toFound(fields: {
  id: string;
  documentId: string;
  content: string;
  documentName: string;
  score?: number | undefined;
}): FoundSegment {
  const { documentName, score, ...segment } = fields;
  return withKnown({
    segment: { ...segment, keywords: [], isEnabled: true },
    documentName,
    score,
    childChunks: [],
  });
}

function toQueryError(data: Record<string, unknown>, { secrets }: StreamOptions): SwitchboardError {
  const why = sanitizeServerMessage(text.parse(data['error']) ?? '', secrets);
  const serverCode = sanitizeServerMessage(text.parse(data['code']) ?? '', secrets);
  return new SwitchboardError(
    'transient',
    l10n.t("The agent knowledge base couldn't answer. Try again in a moment."),
    { ...(why && { why }), ...(serverCode && { serverCode }) },
  );
}

/** A 401 here is an unknown ID as well as a refused key. */
function withBaseNamed(error: unknown): unknown {
  if (!(error instanceof SwitchboardError)) return error;
  switch (error.serverCode) {
    case 'knowledge_fs_invalid_credential':
      return rejudge(
        error,
        'request',
        l10n.t(
          'The platform has no such agent knowledge base for this key. It may have been deleted, or its API access may be off.',
        ),
      );
    case 'knowledge_fs_access_denied':
      return rejudge(
        error,
        'not-permitted',
        l10n.t("The key doesn't open this agent knowledge base: it was probably made for others."),
      );
    default:
      return error;
  }
}

function tokenRefusedMessage(): string {
  return l10n.t("The platform didn't accept the token that it gave for the query. Try again in a moment.");
}
