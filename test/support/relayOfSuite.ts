import { createHttpClient } from '../../src/net/httpClient.ts';
import type { StreamModel } from '../../src/relay/messages.ts';
import { createStreamModel } from '../../src/relay/streamModel.ts';
import { type RelayOptions, type RelayServer, startRelay } from '../servers/sandbox.ts';
import { silentLog } from './silentLog.ts';

export function relayOfSuite(options?: RelayOptions) {
  let server: RelayServer;
  const http = createHttpClient({
    settings: () => ({ noProxy: [], strictTls: true }),
    log: silentLog,
    environment: {},
  });
  before(async () => {
    server = await startRelay(options);
  });
  after(async () => {
    http.dispose();
    await server.stop();
  });
  return {
    http,
    server: () => server,
    streamModel: (): StreamModel =>
      createStreamModel({
        http,
        log: silentLog,
        connection: { baseUrl: server.url, key: server.key, headers: {} },
        timeouts: { connectMs: 20_000, firstTokenMs: 20_000, idleMs: 20_000 },
      }),
  };
}
