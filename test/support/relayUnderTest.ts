import type { LookupFunction } from 'node:net';
import { SwitchboardError } from '../../src/base/errors/errors.ts';
import {
  createHttpClient,
  type HttpClient,
  type NetworkSettings,
  type ResolveProxy,
} from '../../src/net/httpClient.ts';
import type { NetworkSecrets, Timeouts, Transport } from '../../src/net/transport.ts';
import type { RetryPolicy } from '../../src/net/retries.ts';
import { listModels } from '../../src/relay/list/listModels.ts';
import type { Model, ModelEvent, ModelRequest } from '../../src/relay/messages.ts';
import type { ModelProfiles } from '../../src/relay/profile/modelFacts.ts';
import { createStreamModel } from '../../src/relay/streamModel.ts';

export interface Outcome {
  events: readonly ModelEvent[];
  /** The types of the events, each run of equal ones once; the code of the failure last. */
  course: string[];
  text: string;
  reasoning: string;
  calls: readonly { name: string; arguments: string }[];
  failure?: SwitchboardError;
}

export interface RelayUnderTest {
  http: HttpClient;
  log: string[];
  ask(request: Partial<ModelRequest>, options?: AskOptions): Promise<Outcome>;
  list(): Promise<Model[]>;
}

export interface AskOptions {
  signal?: AbortSignal;
  onEvent?: (event: ModelEvent) => void;
}

export interface RelayOptions {
  baseUrl: string;
  key?: string;
  headers?: Record<string, string>;
  headerSecrets?: readonly string[];
  timeouts?: Partial<Timeouts>;
  retry?: Partial<RetryPolicy>;
  network?: Partial<NetworkSettings>;
  environment?: Record<string, string>;
  secrets?: NetworkSecrets;
  lookup?: LookupFunction;
  resolveProxy?: ResolveProxy;
  /** Stands for the editor's own transport. */
  fallback?: Transport;
  profiles?: ModelProfiles;
}

const hasty: RetryPolicy = { retries: 2, firstMs: 1, maxMs: 2, maxAskedMs: 100 };

/** Our client with hasty retries, against a server. `http` is to be disposed. */
export function relayUnderTest(options: RelayOptions): RelayUnderTest {
  const log: string[] = [];
  const write = (message: string) => void log.push(message);
  const context = {
    http: createHttpClient({
      settings: () => ({ noProxy: [], strictTls: true, ...options.network }),
      log: { debug: write, info: write, warn: write, error: write },
      environment: options.environment ?? {},
      ...(options.secrets && { secrets: options.secrets }),
      ...(options.lookup && { lookup: options.lookup }),
      ...(options.resolveProxy && { resolveProxy: options.resolveProxy }),
      ...(options.fallback && { fallback: options.fallback }),
    }),
    connection: {
      baseUrl: options.baseUrl,
      key: options.key ?? 'sk-test',
      headers: options.headers ?? {},
      headerSecrets: options.headerSecrets ?? [],
    },
    timeouts: { connectMs: 20_000, firstTokenMs: 20_000, idleMs: 20_000, ...options.timeouts },
    log: { debug: write, info: write, warn: write, error: write },
  };
  const streamModel = createStreamModel({
    ...context,
    ...(options.profiles && { profiles: options.profiles }),
    retry: { ...hasty, ...options.retry },
    rateLimitRetry: { ...hasty, ...options.retry },
  });
  return {
    http: context.http,
    log,
    list: async () => (await listModels(context, new AbortController().signal)).models,
    async ask(request, { signal = new AbortController().signal, onEvent } = {}) {
      const events: ModelEvent[] = [];
      let failure: SwitchboardError | undefined;
      try {
        const question: ModelRequest = {
          model: 'scripted-echo',
          messages: [{ role: 'user', content: 'Hello, 世界' }],
          stream: true,
          ...request,
        };
        for await (const event of streamModel(question, signal)) {
          events.push(event);
          onEvent?.(event);
        }
      } catch (error) {
        if (!(error instanceof SwitchboardError)) throw error;
        failure = error;
      }
      return toOutcome(events, failure);
    },
  };
}

function toOutcome(events: readonly ModelEvent[], failure: SwitchboardError | undefined): Outcome {
  const course: string[] = events
    .map(({ type }) => type)
    .filter((type, index, all) => type === 'retryScheduled' || type !== all[index - 1]);
  if (failure) course.push(failure.code);
  const said = (type: 'textAdded' | 'reasoningAdded') =>
    events.map((event) => (event.type === type ? event.text : '')).join('');
  return {
    events,
    course,
    text: said('textAdded'),
    reasoning: said('reasoningAdded'),
    calls: events.flatMap((event) => (event.type === 'toolCallsCompleted' ? event.calls : [])),
    ...(failure && { failure }),
  };
}
