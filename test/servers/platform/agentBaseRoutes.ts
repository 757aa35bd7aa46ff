import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { RecordedRequest } from '../http/recordedRequest.ts';
import type { Reply } from '../http/reply.ts';
import { isScopedKey } from './platformAuth.ts';
import type { PlatformContext } from './platformContext.ts';
import { refusal } from './platformErrors.ts';
import type { SeededAgentBase } from './platformOptions.ts';
import { type Call, ok, type PlatformRoute, route } from './platformRoute.ts';
import { queryStream } from './queryStream.ts';

const tokenLifeMs = 60_000;
const mostRequestBytes = 65_536;
const mostQueryBytes = 16_384;
const modes: readonly unknown[] = ['fast', 'deep', 'research', null, undefined];

interface IssuedToken {
  base: SeededAgentBase;
  traceId: string;
  request: object;
  endsAt: number;
}

/**
 * Agent knowledge bases as Dify documents them since 1.18; never recorded. Error codes and texts are those of its source;
 * the status and code of a refused token are assumed.
 */
export function agentBaseRoutes(context: PlatformContext): PlatformRoute[] {
  const tokens = new Map<string, IssuedToken>();
  return [
    route('createQueryToken', 'POST /v1/knowledge-fs/spaces/:uuid/queries/admission since 1.18', admit),
    { ...route('runQuery', 'POST /v1/knowledge-fs/query-stream since 1.18', run), key: 'none' },
  ];

  function admit({ request, ids }: Call): Reply {
    const base = context.agentBases.find(({ id }) => id === ids[0]?.toLowerCase());
    if (!base) throw invalidCredential();
    if (isScopedKey(request.headers.authorization) && base.isInScope === false) throw accessDenied();
    const { query, mode, ...others } = fieldsOf(request);
    const isQuery = typeof query === 'string' && query.trim() !== '';
    if (!isQuery || Object.keys(others).length > 0 || !modes.includes(mode)) throw invalidRequest();
    if (Buffer.byteLength(query) > mostQueryBytes) throw invalidRequest();
    const token = `query.${randomUUID()}`;
    const traceId = randomUUID();
    // The internal ID is another than the one of the address.
    const knowledgeSpaceId = randomUUID();
    const sent = { activeDocumentIds: [], activeEntityIds: [], knowledgeSpaceId, mode: mode ?? null, query };
    const endsAt = context.store.now() + tokenLifeMs;
    tokens.set(token, { base, traceId, request: sent, endsAt });
    return ok({
      expires_at: new Date(endsAt).toISOString(),
      operation_id: 'createQuery',
      request: sent,
      token,
      trace_id: traceId,
      url: `http://${request.headers.host}/v1/knowledge-fs/query-stream`,
    });
  }

  function run({ request }: Call): Reply {
    const issued = tokens.get(request.headers.authorization?.replace(/^Bearer /, '') ?? '');
    if (!issued || context.store.now() >= issued.endsAt) throw invalidCredential();
    const fields = fieldsOf(request);
    if (Buffer.byteLength(JSON.stringify(fields)) > mostRequestBytes) throw tooLarge();
    if (Object.keys(fields).some((name) => !(name in issued.request))) throw invalidRequest();
    const { traceId, base } = issued;
    if (request.headers['x-trace-id'] !== traceId) throw accessDenied();
    if (!isDeepStrictEqual(fields, issued.request)) throw accessDenied();
    return answer(base, traceId, String(fields['query']));
  }
}

function answer({ sections }: SeededAgentBase, traceId: string, query: string): Reply {
  const words = query.toLowerCase().match(/[a-z]{3,}/g) ?? [];
  const matches = (text: string) => words.filter((word) => text.toLowerCase().includes(word)).length;
  // By section, not by score: the order is documented nowhere.
  const items = sections
    .filter(({ text }) => matches(text) > 0)
    .map(({ path, page, text }) => ({
      citations: [
        {
          documentAssetId: randomUUID(),
          documentVersion: 1,
          sectionPath: path,
          ...(page !== undefined && { pageNumber: page }),
        },
      ],
      conflicts: [],
      freshness: { status: 'unknown' },
      metadata: {},
      nodeId: randomUUID(),
      score: matches(text) / words.length,
      scores: { final: matches(text) / words.length, retrieval: matches(text) / words.length },
      text,
    }));
  const state = items.length > 0 ? 'answerable' : 'not-enough-evidence';
  const bundle = { createdAt: new Date(0).toISOString(), id: randomUUID(), items, query, state, traceId };
  const metadata = { mode: 'fast', evidenceBundle: { ...bundle, missingEvidence: [] } };
  const finishReason = items.length > 0 ? 'retrieval-evidence' : 'no-retrieval-evidence';
  const delta = items.length > 0 ? items.map(({ text }) => text).join('\n\n') : 'No evidence was found.';
  return queryStream([
    ['answer.delta', { delta, traceId }],
    ['answer.done', { finishReason, metadata, traceId }],
  ]);
}

function fieldsOf({ json }: RecordedRequest): Record<string, unknown> {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) throw invalidRequest();
  return { ...json };
}

const invalidCredential = () =>
  refusal(401, 'knowledge_fs_invalid_credential', 'Invalid Agent Knowledge Base service credential.');
const accessDenied = () =>
  refusal(403, 'knowledge_fs_access_denied', 'Agent Knowledge Base operation is not allowed.');
const invalidRequest = () =>
  refusal(400, 'knowledge_fs_invalid_request', 'Agent Knowledge Base request is invalid.');
const tooLarge = () =>
  refusal(413, 'knowledge_fs_request_too_large', 'Agent Knowledge Base request is too large.');
