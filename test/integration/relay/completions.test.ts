import assert from 'node:assert/strict';
import type { ErrorCode } from '../../../src/base/errors/errors.ts';
import { suggestionAsker } from '../../../src/chat/suggestions/askSuggestion.ts';
import { Suggestions } from '../../../src/chat/suggestions/suggestions.ts';
import { testSuggestions } from '../../../src/chat/suggestions/testModel.ts';
import { DailyBudget, type BudgetLimits } from '../../../src/chat/spending/dailyBudget.ts';
import { meteredModel } from '../../../src/chat/spending/meteredModel.ts';
import type { RecordedRequest } from '../../servers/http/recordedRequest.ts';
import { type RelayServer, startRelay } from '../../servers/sandbox.ts';
import { eventually } from '../../support/eventually.ts';
import { MemorySpending } from '../../support/memorySpending.ts';
import { openRelayWindow } from '../../support/relayWindow.ts';
import { silentLog } from '../../support/silentLog.ts';

const never = new AbortController().signal;
const code = { before: 'function areaOf(width, ', after: ') {\n  return width * breadth;\n}\n' };

describe('completing code', () => {
  let relay: RelayServer;
  before(async () => {
    relay = await startRelay();
  });
  after(() => relay.stop());
  beforeEach(() => relay.clearRequests());

  const sent = () => relay.requests.filter(({ path }) => path === '/v1/completions');
  const bodyOf = ({ json }: RecordedRequest) => json as Record<string, unknown>;

  async function open(limits: BudgetLimits = {}, headers: Record<string, string> = {}) {
    const spending = new MemorySpending();
    let ids = 0;
    let questions = 0;
    const budget = new DailyBudget({
      ...{ spending, limits: () => limits, ask: async () => (questions++, 'stop' as const), log: silentLog },
      newId: () => `${++ids}`,
    });
    const window = openRelayWindow(
      {
        ...{ 'relay.baseUrl': '', 'relay.connections': [], 'relay.headers': headers },
        ...{ 'relay.models': [], 'relay.protocol': 'auto', 'chat.model': '' },
      },
      async (client) => meteredModel(client, budget),
    );
    const origin = new URL(relay.url).origin;
    const place = window.relayEditor.place();
    await place.save(await place.accessFor({ baseUrl: relay.url, origin, key: relay.key }));
    const asker = (model = 'scripted-completer') => suggestionAsker(window.relays, window.clients, model);
    return { ...window, spending, asker, questions: () => questions };
  }

  it('sends the code before and after the caret, the key and the headers of the relay, to no chat', async () => {
    const { asker, close } = await open({}, { 'X-Team': 'blue' });
    assert.deepEqual(await asker()(code, never), { text: 'breadth', isCut: false });
    const [request, ...more] = relay.requests.filter(({ method }) => method === 'POST');
    assert.ok(request && more.length === 0);
    assert.equal(request.path, '/v1/completions');
    assert.deepEqual(bodyOf(request), {
      ...{ model: 'scripted-completer', prompt: code.before, suffix: code.after },
      ...{ max_tokens: 128, temperature: 0 },
    });
    assert.equal(request.headers.authorization, `Bearer ${relay.key}`);
    assert.equal(request.headers['x-team'], 'blue');
    close();
  });

  it('reads both forms of an answer, an empty one and one that was cut', async () => {
    const { asker, close } = await open();
    assert.equal((await asker('completion/message')(code, never)).text, 'breadth');
    assert.deepEqual(await asker('completion/empty')(code, never), { text: '', isCut: false });
    assert.equal((await asker('completion/cut')(code, never)).isCut, true);
    assert.equal((await asker('completion/slow')(code, never)).text, 'breadth');
    close();
  });

  it('tells each refusal, and asks once', async () => {
    const { asker, close } = await open();
    const codes: Record<string, ErrorCode> = {
      'completion/no-suffix-vllm': 'request',
      'completion/429': 'rate-limit',
      'completion/500': 'transient',
      'completion/cut-json': 'truncated',
      'completion/reset': 'transient',
      'scripted-echo': 'model',
      'nobody-knows': 'model',
    };
    for (const [model, expected] of Object.entries(codes)) {
      relay.clearRequests();
      await assert.rejects(asker(model)(code, never), { code: expected }, model);
      assert.equal(sent().length, 1, model);
    }
    close();
  });

  it('says after the test of a model why it is not fit', async () => {
    const { asker, close } = await open();
    const verdict = async (model: string) => {
      const found = await testSuggestions(asker(model), model, never);
      return found.isFit ? 'fit' : found.reason;
    };
    assert.equal(await verdict('scripted-completer'), 'fit');
    assert.equal(await verdict('completion/message'), 'fit');
    assert.match(await verdict('completion/prose'), /doesn't fit between/);
    assert.match(await verdict('completion/empty'), /returned no text/);
    assert.match(await verdict('completion/no-suffix-vllm'), /doesn't accept the code after the cursor/);
    assert.match(await verdict('completion/no-suffix-extra'), /doesn't accept the code after the cursor/);
    assert.match(await verdict('completion/no-suffix-litellm'), /doesn't accept the code after the cursor/);
    assert.match(await verdict('scripted-echo'), /for chat only/);
    close();
  });

  it('says that a relay has no such route', async () => {
    const { asker, relays, relayEditor, close } = await open();
    await relayEditor.place(relays.known[0]).save({
      ...{ baseUrl: `${relay.url}/v1/old`, origin: new URL(relay.url).origin, key: relay.key },
    });
    const found = await testSuggestions(asker(), 'm', never);
    assert.match(found.isFit ? '' : found.reason, /doesn't offer code completion/);
    close();
  });

  it('closes the connection at once when the user types on', async () => {
    const { asker, close } = await open();
    const suggestions = new Suggestions({
      ...{ ask: asker('completion/stall'), mayRead: async () => true, log: silentLog },
    });
    const typing = new AbortController();
    const place = { path: 'a', text: code.before, caret: code.before.length, offset: 0 };
    const arrived = relay.waitForRequest(({ path }) => path === '/v1/completions');
    const suggested = suggestions.suggest(place, typing.signal);
    const request = await arrived;
    typing.abort();
    assert.equal(await suggested, undefined);
    await request.ended;
    assert.ok(request.closedEarly);
    assert.equal(suggestions.failure, undefined);
    close();
  });

  it('counts toward the daily budget, and sends nothing where that is reached', async () => {
    const { asker, spending, questions, close } = await open({ tokens: 1_100 });
    await asker()(code, never);
    await eventually(() => {
      const [{ tokens = 0 } = {}] = spending.entries.values();
      assert.ok(tokens > 5 && tokens < 100, String(tokens));
    });
    spending.entries.set('chat', { tokens: 1_090 });
    relay.clearRequests();
    await assert.rejects(asker()(code, never), { code: 'budget' });
    assert.deepEqual([sent().length, questions()], [0, 0]);
    close();
  });

  it('counts what a cancelled request may have cost, as the server finishes it', async () => {
    const { asker, spending, close } = await open({ tokens: 10_000 });
    const typing = new AbortController();
    const arrived = relay.waitForRequest(({ path }) => path === '/v1/completions');
    const asked = asker('completion/stall')(code, typing.signal);
    await arrived;
    typing.abort();
    await assert.rejects(asked);
    const [entry] = spending.entries.values();
    assert.ok(entry!.tokens > 100);
    close();
  });

  it('needs a relay that is connected', async () => {
    const { asker, close } = await open();
    await assert.rejects(asker('relay:https://elsewhere.invalid/m')(code, never), { code: 'key' });
    assert.equal(sent().length, 0);
    close();
  });
});
