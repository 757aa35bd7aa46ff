import { randomUUID } from 'node:crypto';
import * as z from 'zod/mini';
import { platformError, refusal } from './platformErrors.ts';
import type { PlatformContext } from './platformContext.ts';
import { ok, type PlatformRoute, route } from './platformRoute.ts';
import { readJsonBody } from './validation.ts';

const querySchema = z.looseObject({
  query: z.string().check(z.regex(/\S/), z.maxLength(16_000)),
  mode: z.enum(['fast', 'deep', 'research']),
});

/** An agent knowledge base: its id, and the digest that answers any query. "fail" in a query makes it fail midway. */
export interface AgentBase {
  readonly id: string;
  readonly digest: string;
}

/** Queries of agent knowledge bases, from the published documentation (1.18): nothing of it was recorded. */
export function agentBaseRoutes({ version, agentBases }: PlatformContext): PlatformRoute[] {
  const admitted = new Map<string, { traceId: string; base: AgentBase; query: string; request: string }>();
  return [
    route('admitQuery', 'POST /v1/knowledge-fs/spaces/:word/queries/admission since 1.18', (call) => {
      const base = agentBases.find(({ id }) => id === call.ids[0]);
      if (!base) throw refusal(401, 'knowledge_fs_invalid_credential', 'Unknown knowledge base.');
      const { query, mode } = readJsonBody(call.request, version, 'KnowledgeFSQueryRequest', querySchema);
      const request = {
        activeDocumentIds: [],
        activeEntityIds: [],
        knowledgeSpaceId: randomUUID(),
        mode,
        query,
      };
      const [token, traceId] = [`query-${randomUUID()}`, randomUUID()];
      admitted.set(token, { traceId, base, query, request: JSON.stringify(request) });
      return ok({
        expires_at: '2026-11-23T12:01:00Z',
        operation_id: 'createQuery',
        request,
        token,
        trace_id: traceId,
        url: `http://${call.request.headers.host ?? 'sandbox'}/v1/knowledge-fs/query-stream`,
      });
    }),
    {
      ...route('runQuery', 'POST /v1/knowledge-fs/query-stream since 1.18', ({ request }) => {
        const token = request.headers.authorization?.replace(/^Bearer /, '') ?? '';
        const query = admitted.get(token);
        if (!query) return platformError(401, 'unauthorized', 'Invalid query token.');
        const isSame = JSON.stringify(request.json) === query.request;
        if (!isSame || request.headers['x-trace-id'] !== query.traceId) {
          return platformError(403, 'forbidden', 'The request does not match the token.');
        }
        const [half, rest] = [query.base.digest.slice(0, 9), query.base.digest.slice(9)];
        const end = /\bfail\b/.test(query.query)
          ? sse('answer.error', { code: 'retrieval_failed', message: 'Retrieval failed.' })
          : sse('answer.delta', { delta: rest }) + sse('answer.done', { finishReason: 'stop' });
        const body = sse('answer.delta', { delta: half }) + end;
        return { status: 200, headers: { 'Content-Type': 'text/event-stream' }, body };
      }),
      key: 'none',
    },
  ];
}

function sse(event: string, data: object): string {
  return `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}
