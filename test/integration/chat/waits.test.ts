import assert from 'node:assert/strict';
import { ChatController } from '../../../src/chat/chatController.ts';
import { createHttpClient, type HttpClient } from '../../../src/net/httpClient.ts';
import { toEntryEnd } from '../../../src/panel/present/present.ts';
import { createStreamModel } from '../../../src/relay/streamModel.ts';
import { type RelayServer, startRelay } from '../../servers/sandbox.ts';
import { silentLog } from '../../support/silentLog.ts';
import { chatDependencies } from '../../support/chatDependencies.ts';
import { ManualClock } from '../../support/manualClock.ts';

describe('waiting for a relay', () => {
  let server: RelayServer;
  let http: HttpClient;
  let chat: ChatController;
  const clock = new ManualClock();

  beforeEach(async () => {
    server = await startRelay();
    http = createHttpClient({ settings: () => ({ noProxy: [], strictTls: true }), log: silentLog });
    const streamModel = createStreamModel({
      http,
      clock,
      connection: { baseUrl: server.url, key: server.key, headers: {} },
      timeouts: { connectMs: 20_000, firstTokenMs: 20_000, idleMs: 20_000 },
      log: silentLog,
    });
    chat = new ChatController(
      chatDependencies({ streamModel, options: { stream: false }, defaultModel: () => undefined }),
    );
  });
  afterEach(async () => {
    chat.dispose();
    http.dispose();
    await server.stop();
  });

  const ask = (model: string, onRetrying: () => void) => {
    chat.shown.choices.selectModel(model);
    chat.onDidChange((change) => {
      if (change.type === 'statusChanged' && change.status.type === 'retrying') onRetrying();
    });
    return chat.shown.submit('Hi');
  };
  const shownEnd = () => {
    const answer = chat.shown.conversation.all.at(-1);
    assert.ok(answer?.type === 'answer' && answer.end);
    return toEntryEnd(answer, answer.end, {
      sources: { found: [], earlier: { ranges: [], find: () => undefined } },
      requests: undefined,
    });
  };

  it('is told with the seconds and words of the server, and can be stopped with both kept', async () => {
    const status = new Promise((resolve) => {
      void ask('fault/429-retry-after', () => {
        resolve(chat.shown.status);
        void chat.shown.stop();
      });
    });
    assert.deepEqual(await status, {
      type: 'retrying',
      untilMs: 1000,
      why: 'Rate limit reached for requests.',
    });
    await chat.shown.stop();
    const { note, failure } = shownEnd();
    assert.equal(note, 'You stopped this answer.');
    assert.equal(failure?.message, 'Rate limit reached.');
    assert.equal(failure.why, 'Rate limit reached for requests.');
    assert.equal(server.requests.length, 1);
    assert.equal(clock.pending, 0);
  });

  it('goes on by itself once the time is over', async () => {
    const end = await ask('fault/429-retry-after-then-ok', () => setImmediate(() => clock.advance(1000)));
    assert.equal(end?.reason, 'answered');
    assert.equal(server.requests.length, 2);
  });

  it('is not done for an hour, which is said at once', async () => {
    const end = await ask('fault/429-retry-after-long', () => assert.fail('it waits'));
    assert.equal(end?.failure?.message, 'Rate limit reached. Try again in about an hour.');
    assert.equal(server.requests.length, 1);
  });

  it('says that a stopped answer may be charged when it was not streamed', async () => {
    const arriving = server.waitForRequest();
    const ending = ask('fault/stall-before-first-token', () => assert.fail('it waits'));
    await arriving;
    await chat.shown.stop();
    assert.equal((await ending)?.mayBeBilled, true);
    assert.match(shownEnd().note ?? '', /may still bill all of it/);
  });
});
