import { createDialect, type DialectName, type Language } from '../dialects/dialect.ts';
import { faultModels } from '../faults/faultModels.ts';
import { recordedModels } from '../faults/recorded.ts';
import { type HttpServer, startHttpServer } from '../http/httpServer.ts';
import { completionFaults } from '../models/completionModels.ts';
import { goodModels } from '../models/goodModels.ts';
import { goingOn } from '../models/goOn.ts';
import { inlineEditing } from '../models/inlineEditing.ts';
import { summarising } from '../models/summarising.ts';
import type { ScriptedModel } from '../script/script.ts';
import { vendorModels } from '../vendors/vendorModels.ts';
import { relayKeys } from './keys.ts';
import { PromptCache } from './promptCache.ts';
import { relayRoutes } from './relayRoutes.ts';

export interface RelayOptions {
  /** Delay between chunks in ms. 0, the default: as fast as the socket drains, without timers. */
  chunkDelayMs?: number;
  /** Duration of a fault's pause, in ms. */
  pauseMs?: number;
  /** `new-api` by default. */
  dialect?: DialectName;
  /** The language of new-api's messages; `en` by default. */
  language?: Language;
  /** The models of the list: with the faults (default), the good ones, none, or a failure in a 200. */
  list?: 'all' | 'good' | 'empty' | 'refused';
  /** True if new-api's list names each model's endpoints; false by default, like new-api's. */
  knowsEndpoints?: boolean;
  /** The reply outside `/v1` and `/api`: the console's page (default), or a redirect to its own host. */
  console?: 'page' | 'redirect';
  /** 128 MB by default. */
  maxBodyBytes?: number;
  /** Further models, such as a test's own script. They win over the sandbox's of the same id. */
  models?: readonly ScriptedModel[];
}

export interface RelayServer extends HttpServer {
  readonly key: string;
  readonly keys: typeof relayKeys;
  /** Every model, listed or not. */
  readonly models: readonly ScriptedModel[];
}

export async function startRelay(options: RelayOptions = {}): Promise<RelayServer> {
  const { list = 'all', chunkDelayMs = 0, pauseMs = 10 } = options;
  const { dialect = 'new-api', language = 'en', knowsEndpoints = false } = options;
  const listed = [
    ...(options.models ?? []),
    ...[...goodModels, ...vendorModels].map(goingOn).map(summarising).map(inlineEditing),
    ...faultModels,
  ];
  const models = [...listed, ...recordedModels, ...completionFaults];
  const attempts = new Map<string, number>();
  const server = await startHttpServer({
    ...(options.maxBodyBytes !== undefined && { maxBodyBytes: options.maxBodyBytes }),
    routes: relayRoutes({
      dialect: createDialect({ dialect, language, knowsEndpoints }),
      models,
      listed: list === 'all' ? listed : list === 'good' ? goodModels : [],
      listFails: list === 'refused',
      console: options.console ?? 'page',
      lacksBalance: dialect !== 'new-api',
      chunkDelayMs,
      pauseMs,
      cache: new PromptCache(),
      countAttempt(model) {
        const attempt = (attempts.get(model) ?? 0) + 1;
        attempts.set(model, attempt);
        return attempt;
      },
    }),
  });
  return {
    ...server,
    key: relayKeys.good,
    keys: relayKeys,
    models,
    clearRequests() {
      server.clearRequests();
      attempts.clear();
    },
  };
}
