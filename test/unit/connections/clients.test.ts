import assert from 'node:assert/strict';
import { createClients } from '../../../src/connections/clients.ts';
import { createProfiles } from '../../../src/relay/profile/modelFacts.ts';
import type { AskModel } from '../../../src/relay/streamModel.ts';
import { silentLog } from '../../support/silentLog.ts';

const access = {
  ...{ baseUrl: 'https://relay.example', origin: 'https://relay.example', key: 'sk-0123456789' },
  ...{ fromEnvironment: false, name: 'relay.example', headers: {}, headerSecrets: [] },
};

describe('the clients of servers', () => {
  it('send requests to a relay through the meter alone, by one client for each access', async () => {
    const counted: AskModel = async () => undefined;
    let connectMs = 0;
    const clients = createClients({
      log: silentLog,
      dialects: { get: () => ({}), learn: () => undefined },
      profiles: () => createProfiles(),
      network: async () => () => ({ noProxy: [], strictTls: true }),
      networkSecrets: async () => ({ get: async () => undefined, ask: async () => undefined, askAgain() {} }),
      timeouts: () => ({ connectMs: ++connectMs, firstTokenMs: 0, idleMs: 0 }),
      meter: async () => counted,
    });
    const client = await clients.relay(access);
    assert.equal(client.ask, counted);
    assert.equal(await clients.relay(access), client);
    assert.notEqual(await clients.relay({ ...access }), client);
    const context = await clients.contextOf({ baseUrl: access.baseUrl, key: access.key });
    const before = context.timeouts.connectMs;
    assert.equal(context.timeouts.connectMs, before + 1, 'time limits are those of the moment');
    clients.dispose();
  });
});
