import type { Exchange, Route } from '../http/httpServer.ts';
import { htmlPage, type Reply, sendReply } from '../http/reply.ts';
import { agentBaseRoutes } from './agentBaseRoutes.ts';
import { childChunkRoutes } from './childChunkRoutes.ts';
import { datasetRoutes } from './datasetRoutes.ts';
import { documentRoutes } from './documentRoutes.ts';
import type { HoldGates } from './holdGates.ts';
import { metadataRoutes } from './metadataRoutes.ts';
import { modelRoutes } from './modelRoutes.ts';
import { invalidKey, isScopedKey, withKey } from './platformAuth.ts';
import { pipelineRoutes } from './pipelineRoutes.ts';
import type { PlatformContext } from './platformContext.ts';
import { noSuchRoute, platformError, PlatformRefusal } from './platformErrors.ts';
import { pathPattern, type PlatformRoute } from './platformRoute.ts';
import type { RequestTally } from './requestTally.ts';
import { retrieveRoutes } from './retrieveRoutes.ts';
import { segmentRoutes } from './segmentRoutes.ts';
import { subjectOf } from './subject.ts';
import { tagRoutes } from './tagRoutes.ts';
import { uploadRoutes } from './uploadRoutes.ts';

export interface PlatformWatch {
  gates: HoldGates;
  tally: RequestTally;
}

export function platformRoutes(
  context: PlatformContext,
  watch: PlatformWatch,
  appRoutes: readonly (Route & { path: RegExp })[],
): Route[] {
  const datasetHalf = [
    ...datasetRoutes(context),
    ...uploadRoutes(context),
    ...documentRoutes(context),
    ...segmentRoutes(context),
    ...childChunkRoutes(context),
    ...metadataRoutes(context),
    ...tagRoutes(context),
    ...modelRoutes(context),
    ...pipelineRoutes(context),
    ...retrieveRoutes(context),
    ...agentBaseRoutes(context),
  ]
    .filter(({ since }) => since === undefined || context.version.isAtLeast(since))
    .map((route) => toRoute(route, context, watch));
  const routes = [...appRoutes, ...datasetHalf];

  /** A known path with a method it doesn't have differs from an unknown path. */
  const otherwise = (exchange: Exchange): void => {
    const isKnown = routes.some(({ path }) => path.test(exchange.request.path));
    const reply = platformError(
      405,
      'method_not_allowed',
      'The method is not allowed for the requested URL.',
    );
    sendReply(exchange, isKnown ? reply : noSuchRoute);
  };
  const all: Route[] = [...routes, { method: '*', path: /^/, handle: otherwise }];
  return all.map((route) => ({ ...route, handle: withVersion(route.handle) }));

  /** On every answer of 1.16.1, measured; the recorded 1.14.2 has none. */
  function withVersion(handle: Route['handle']): Route['handle'] {
    return (exchange) => {
      const { version } = context;
      if (version.isAtLeast('1.16')) exchange.response.setHeader('X-Version', version.text);
      return handle(exchange);
    };
  }
}

function toRoute(
  route: PlatformRoute,
  context: PlatformContext,
  { gates, tally }: PlatformWatch,
): Route & { path: RegExp } {
  const { kind, method, key = 'dataset' } = route;
  const { store, misbehaviours } = context;
  const path = pathPattern(route.path);

  async function handle(exchange: Exchange): Promise<void> {
    const { request, params, signal } = exchange;
    if (exchange.bodyTooLarge) return sendReply(exchange, htmlPage(413));
    const subject = subjectOf(kind, request, params, store);
    await gates.pass('before', subject, signal);
    if (signal.aborted) return;
    const reply = misbehaviours.refusalOf(subject) ?? scopeRefusal(exchange) ?? answer(exchange);
    await gates.pass('after', subject, signal);
    if (misbehaviours.losesAnswer(subject)) return exchange.destroy('rst');
    if (!signal.aborted) sendReply(exchange, withHint(reply, exchange));
  }

  /** Documented since 1.17: keys for some knowledge bases; the message is made up, as none is documented. */
  function scopeRefusal({ request, params }: Exchange): Reply | undefined {
    if (!isScopedKey(request.headers.authorization) || route.kind === 'createQueryToken') return undefined;
    if (!context.version.isAtLeast('1.17')) return invalidKey();
    const dataset = route.path.startsWith('/v1/datasets/:uuid')
      ? store.findDataset(params[0] ?? '')
      : undefined;
    if (dataset && context.scope.includes(dataset.name)) return undefined;
    return platformError(403, 'forbidden', 'The API key does not cover this resource.');
  }

  function answer({ request, params }: Exchange): Reply {
    try {
      return route.answer({ request, ids: params });
    } catch (error) {
      if (error instanceof PlatformRefusal) return error.reply;
      throw error;
    }
  }

  /** From 1.8 on the framework adds similar paths to a 404. */
  function withHint(reply: Reply, { request }: Exchange): Reply {
    if (reply.status !== 404 || typeof reply.body === 'string' || !context.version.isAtLeast('1.8'))
      return reply;
    const { message, ...rest } = reply.body as { message?: string };
    const hint = `You have requested this URI [${request.path}] but did you mean /v1/datasets ?`;
    return { ...reply, body: { ...rest, message: `${message} ${hint}` } };
  }

  return {
    method,
    path,
    handle: key === 'none' ? handle : withKey(key, handle),
    arrives: (request) => tally.arrived(kind, request),
    cutsBody(request, bytes) {
      const ids = path.exec(request.path)?.slice(1) ?? [];
      return misbehaviours.cutsUpload(subjectOf(kind, request, ids, store), bytes);
    },
  };
}
