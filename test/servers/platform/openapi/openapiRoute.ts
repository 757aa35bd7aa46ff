import * as z from 'zod/mini';
import type { Exchange, Route } from '../../http/httpServer.ts';
import { htmlPage, type Reply, sendReply } from '../../http/reply.ts';
import type { RecordedRequest } from '../../http/recordedRequest.ts';
import { noSuchRoute, platformError, PlatformRefusal, refusal } from '../platformErrors.ts';
import { pathPattern, readEndpoint } from '../platformRoute.ts';
import { refuseStale, type SandboxCatalog } from './catalog.ts';
import type { FlowApps } from './flowApps.ts';
import type { Session, SignIns } from './signIns.ts';

export interface OpenapiContext {
  readonly signIns: SignIns;
  readonly flows: FlowApps;
  readonly hasBearer: boolean;
  /** Those that are installed; undefined if nothing is ever missing. */
  readonly plugins: readonly string[] | undefined;
  /** Since 1.18. */
  catalog?: SandboxCatalog;
}

export interface OpenapiCall {
  readonly exchange: Exchange;
  readonly request: RecordedRequest;
  readonly session: Session;
  readonly ids: readonly string[];
}

export interface OpenapiRoute {
  readonly method: string;
  readonly path: string;
  readonly isOpen?: boolean;
  answer(call: OpenapiCall): Reply | void | Promise<Reply | void>;
}

export const root = '/openapi/v1';

/** @param endpoint below `/openapi/v1`: `GET /apps/:word` */
export function openapiRoute(endpoint: string, answer: OpenapiRoute['answer']): OpenapiRoute {
  return { ...readEndpoint(endpoint), answer };
}

export function openRoute(endpoint: string, answer: OpenapiRoute['answer']): OpenapiRoute {
  return { ...openapiRoute(endpoint, answer), isOpen: true };
}

export function toOpenapiRoute(context: OpenapiContext, route: OpenapiRoute): Route & { path: RegExp } {
  return {
    method: route.method,
    path: pathPattern(root + route.path),
    async handle(exchange) {
      const { request, params: ids } = exchange;
      if (exchange.bodyTooLarge) return sendReply(exchange, htmlPage(413));
      try {
        refuseOldTool(request);
        if (context.catalog && !route.isOpen) refuseStale(context.catalog, request);
        const session = route.isOpen ? noSession : sessionOf(context, request);
        const reply = await route.answer({ exchange, request, session, ids });
        if (reply) sendReply(exchange, reply);
      } catch (error) {
        if (!(error instanceof PlatformRefusal)) throw error;
        sendReply(exchange, error.reply);
      }
    },
  };
}

/** Unknown paths are JSON; only the root itself is the framework's page. */
export function unknownOpenapiPath(known: readonly (Route & { path: RegExp })[]): Route & { path: RegExp } {
  return {
    method: '*',
    path: /^\/openapi\/v1\/.*$/,
    handle(exchange) {
      const { path } = exchange.request;
      if (path === `${root}/`) return sendReply(exchange, noSuchRoute);
      const isKnown = known.some((route) => route.path.test(path));
      const text =
        'The requested URL was not found on the server. If you entered the URL manually please check your spelling and try again.';
      sendReply(
        exchange,
        isKnown
          ? platformError(405, 'method_not_allowed', 'The method is not allowed for the requested URL.')
          : platformError(404, 'not_found', text),
      );
    },
  };
}

/** The reply to every unexpected case, without a reason. */
export function serverError(): PlatformRefusal {
  return refusal(500, 'internal_server_error', 'Internal Server Error');
}

export function unprocessable(message: string, details?: readonly object[]): PlatformRefusal {
  const body = { code: 'invalid_param', message, status: 422, ...(details && { details }) };
  return new PlatformRefusal({ status: 422, body });
}

export function invalidField(type: string, loc: readonly string[], msg: string): PlatformRefusal {
  return unprocessable('Request validation failed', [{ type, loc, msg }]);
}

export function readBody<T>({ request }: OpenapiCall, schema: z.ZodMiniType<T>): T {
  const result = z.safeParse(schema, request.json ?? {});
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  if (issue?.code === 'unrecognized_keys') {
    throw invalidField('extra_forbidden', [issue.keys[0] ?? ''], 'Extra inputs are not permitted');
  }
  const loc = issue?.path.map(String) ?? [];
  if (issue?.code === 'custom') throw invalidField('value_error', loc, `Value error, ${issue.message}`);
  throw invalidField('missing', loc, 'Field required');
}

const noSession: Session = { id: '', token: '', client: '', label: '', createdAt: 0, expiresAt: 0 };

/** A token that is unknown, expired, revoked or replaced is a 500, as is an app's key (recorded). */
function sessionOf({ signIns, hasBearer }: OpenapiContext, { headers }: RecordedRequest): Session {
  const [, token] = /^bearer (.+)$/i.exec(headers.authorization ?? '') ?? [];
  if (!hasBearer) throw serverError();
  if (token === undefined) throw refusal(401, 'unauthorized', 'bearer required');
  const session = signIns.sessionOf(token);
  if (!session) throw serverError();
  const wait = signIns.count(session);
  if (wait === undefined) return session;
  const { reply } = refusal(
    429,
    'too_many_requests',
    'This user has exceeded an allotted request count. Try again later.',
  );
  throw new PlatformRefusal({ ...reply, headers: { 'Retry-After': String(wait) } });
}

function refuseOldTool({ headers }: RecordedRequest): void {
  const [, version] = /^difyctl\/(0\.[01]\.\d+)/.exec(headers['user-agent'] ?? '') ?? [];
  if (version === undefined) return;
  throw new PlatformRefusal({
    status: 426,
    body: {
      code: 'upgrade_required',
      message: `difyctl ${version} is no longer supported; upgrade to >= 0.2.0.`,
      status: 426,
      hint: 'Upgrade difyctl: https://docs.dify.ai/en/cli/install',
    },
  });
}
