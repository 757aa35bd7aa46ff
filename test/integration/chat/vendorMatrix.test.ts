import assert from 'node:assert/strict';
import { type RelayServer, startRelay } from '../../servers/sandbox.ts';
import {
  type Contestant,
  contestants,
  type Stage,
  stagedModels,
} from '../../support/vendorMatrix/contestants.ts';
import { MatrixConversation } from '../../support/vendorMatrix/conversation.ts';

describe('chat: any model goes on with the conversation of any other, against the sandbox', () => {
  const stage: Stage = { asked: [], thoughts: new Set(), failsNext: false, isFresh: false };
  let server: RelayServer;
  before(async () => {
    server = await startRelay({ models: stagedModels(stage), knowsEndpoints: true });
  });
  after(() => server.stop());

  /** Failures when a second model continues the conversation of a first, and hands it back. */
  async function faultsOf(
    talk: MatrixConversation,
    first: Contestant,
    second: Contestant,
  ): Promise<string[]> {
    talk.select(second);
    await talk.briefly();
    talk.select(first);
    await talk.briefly();
    talk.close();
    server.clearRequests();
    return talk.takeFaults().map((fault) => `${first.name} → ${second.name}: ${fault}`);
  }

  for (const [index, first] of contestants.entries()) {
    it(`begun with ${first.name}`, async () => {
      const talk = await MatrixConversation.open(server, stage, first);
      await talk.everything();
      const faults = talk.takeFaults().map((fault) => `${first.name}: ${fault}`);
      const inSameWindow = contestants[(index + 1) % contestants.length]!;
      for (const second of contestants) {
        if (second === inSameWindow) continue;
        faults.push(...(await faultsOf(await talk.reopened(server), first, second)));
      }
      faults.push(...(await faultsOf(talk, first, inSameWindow)));
      assert.ok(faults.length === 0, `\n${faults.join('\n')}`);
    }).timeout(60_000);
  }
});
