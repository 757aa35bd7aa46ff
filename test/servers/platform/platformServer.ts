import { type HttpServer, startHttpServer } from '../http/httpServer.ts';
import { createAppPlatform, type PlatformApps } from './apps/appPlatform.ts';
import { type DatasetView, viewDataset } from './datasetView.ts';
import { DatasetStore } from './datasetStore.ts';
import { type HoldGate, HoldGates, type HoldOptions } from './holdGates.ts';
import { type Misbehaviour, Misbehaviours } from './misbehaviours.ts';
import { createOpenapi, type OpenapiConsole } from './openapi/openapi.ts';
import { OtherPeople } from './otherPeople.ts';
import { platformKeys } from './platformAuth.ts';
import type { PlatformContext } from './platformContext.ts';
import type { PlatformOptions } from './platformOptions.ts';
import type { RequestKind } from './platformRoute.ts';
import { platformRoutes } from './platformRoutes.ts';
import { RequestTally } from './requestTally.ts';
import { serverVersion } from './serverVersion.ts';

export interface PlatformServer extends HttpServer {
  readonly datasetKey: string;
  /** The key of `apps.chat`. */
  readonly appKey: string;
  readonly apps: PlatformApps;
  /** The console of the user-level API. Throws if that is off. */
  readonly console: OpenapiConsole;
  readonly keys: typeof platformKeys;
  readonly datasets: DatasetView[];
  readonly others: OtherPeople;
  /** @returns a function that switches it off */
  misbehave(rule: Misbehaviour): () => void;
  /** Holds requests until released; uploads by default. */
  hold(options?: HoldOptions): HoldGate;
  /** Number of requests of a kind since the start or `clearRequests`. */
  count(kind: RequestKind): number;
  /** The most concurrent uploads since then. */
  readonly mostUploads: number;
}

export async function startPlatform(options: PlatformOptions = {}): Promise<PlatformServer> {
  const { dialect = 'dify', indexing = { polls: 5 }, now = Date.now } = options;
  const version = options.version ?? (options.openapi ? '1.16.1' : '1.14.2');
  const store = new DatasetStore(indexing, now);
  const misbehaviours = new Misbehaviours();
  const gates = new HoldGates();
  const tally = new RequestTally();
  const isDescription = dialect === 'description';
  const context: PlatformContext = {
    version: serverVersion(version),
    store,
    misbehaviours,
    paths: options.paths ?? (isDescription ? 'underscore' : 'both'),
    techniques: ['high_quality', isDescription ? 'economical' : 'economy'],
    wantsTypedData: isDescription,
    embeddingModels: options.embeddingModels ?? [
      { provider: 'sandbox/sandbox/sandbox', model: 'scripted-embedding' },
    ],
    rerankModels: options.rerankModels ?? [],
    keywordScores: options.keywordScores ?? 'zero',
    scope: options.scope ?? [],
    agentBases: options.agentBases ?? [],
    maxFileBytes: options.maxFileBytes ?? 15 * 1024 * 1024,
  };
  const others = new OtherPeople(store, context.techniques[1], context.embeddingModels[0]);
  for (const dataset of options.seed ?? []) others.addDataset(dataset);
  for (const rule of options.misbehaviours ?? []) misbehaviours.add(rule);

  const appPlatform = createAppPlatform({ ...options, version: context.version, dialect, now });
  const openapi =
    options.openapi && createOpenapi(options.openapi, { apps: appPlatform.context, version, now });
  const server = await startHttpServer({
    routes: [...(openapi?.routes ?? []), ...platformRoutes(context, { gates, tally }, appPlatform.routes)],
    maxBodyBytes: options.maxBodyBytes ?? 100 * 1024 * 1024,
    keepBodies: options.keepBodies ?? true,
  });
  return {
    ...server,
    datasetKey: platformKeys.dataset,
    appKey: platformKeys.app,
    apps: appPlatform.apps,
    get console() {
      if (!openapi) throw new Error('The platform was started without the user-level API.');
      return openapi.console;
    },
    keys: platformKeys,
    others,
    get datasets() {
      return store.datasets.map((dataset) => viewDataset(dataset, store.tags, now()));
    },
    misbehave: (rule) => misbehaviours.add(rule),
    hold: (rule = {}) => gates.add(rule),
    count: (kind) => tally.count(kind),
    get mostUploads() {
      return tally.mostUploads;
    },
    clearRequests() {
      server.clearRequests();
      tally.clear();
      appPlatform.clear();
    },
    stop() {
      appPlatform.close();
      return server.stop();
    },
  };
}
