import { diagnose } from '../../src/diagnose/diagnose.ts';
import { renderReport } from '../../src/diagnose/report.ts';
import type { TestedModel } from '../../src/diagnose/relaySteps.ts';
import { createHttpClient, type NetworkSettings, type ResolveProxy } from '../../src/net/httpClient.ts';
import type { NetworkSecrets, Transport } from '../../src/net/transport.ts';
import { createPlatformClient } from '../../src/platform/platformClient.ts';
import { createRelayClient } from '../../src/relay/relayClient.ts';
import { silentLog } from './silentLog.ts';

export interface DiagnosedOptions {
  kind?: 'relay' | 'platform';
  baseUrl: string;
  /** No key is saved without it. */
  key?: string;
  model?: TestedModel;
  network?: Partial<NetworkSettings>;
  environment?: Record<string, string>;
  connectMs?: number;
  /** Stands for the editor's own transport. */
  fallback?: Transport;
  resolveProxy?: ResolveProxy;
  secrets?: NetworkSecrets;
  signal?: AbortSignal;
}

/** Lines of a report about one server, without times and host addresses. */
export async function diagnosed(options: DiagnosedOptions): Promise<string[]> {
  return (await reportOf(options))
    .split('\n')
    .map((line) => line.replace(/^(\[\w+\] [^:]*) \([^)]*\):/, '$1:'))
    .filter((line) => line !== '');
}

export async function reportOf({
  kind = 'relay',
  baseUrl,
  key,
  model = { id: 'scripted-tools' },
  environment = {},
  connectMs = 5_000,
  signal = new AbortController().signal,
  ...options
}: DiagnosedOptions): Promise<string> {
  const settings: NetworkSettings = { noProxy: [], strictTls: true, ...options.network };
  const timeouts = { connectMs, firstTokenMs: 10_000, idleMs: 10_000 };
  const { fallback, resolveProxy, secrets: networkSecrets } = options;
  const http = createHttpClient({
    ...{ settings: () => settings, log: silentLog, environment },
    ...(fallback && { fallback }),
    ...(resolveProxy && { resolveProxy }),
    ...(networkSecrets && { secrets: networkSecrets }),
  });
  const context = { http, timeouts, log: silentLog };
  const network = { http, timeouts };
  const dialects = { get: () => ({}), learn: () => undefined };
  try {
    const found = await diagnose(
      kind === 'relay'
        ? {
            kind,
            baseUrl,
            model,
            client:
              key === undefined
                ? undefined
                : createRelayClient({ ...context, connection: { baseUrl, key, headers: {} } }),
          }
        : {
            kind,
            baseUrl,
            client:
              key === undefined
                ? undefined
                : createPlatformClient({ ...context, dialects, connection: { baseUrl, key } }),
          },
      { network, secrets: key === undefined ? [] : [key], signal, onStep: () => undefined },
    );
    return renderReport([found], []);
  } finally {
    http.dispose();
  }
}
