import assert from 'node:assert/strict';
import { SwitchboardError } from '../../../../src/base/errors/errors.ts';
import { ChatController } from '../../../../src/chat/chatController.ts';
import {
  type BudgetAnswer,
  type BudgetLimits,
  DailyBudget,
} from '../../../../src/chat/spending/dailyBudget.ts';
import { meteredModel } from '../../../../src/chat/spending/meteredModel.ts';
import type { ModelEvent, ModelRequest, Usage } from '../../../../src/relay/messages.ts';
import type { Price } from '../../../../src/relay/prices/price.ts';
import { chatDependencies } from '../../../support/chatDependencies.ts';
import { MemorySpending } from '../../../support/memorySpending.ts';
import { scriptedModel } from '../../../support/scriptedModel.ts';
import { silentLog } from '../../../support/silentLog.ts';

const price: Price = { currency: 'USD', prompt: 0.001, completion: 0.002, cached: 0.0001 };

const answered = (usage?: Usage): ModelEvent[] => [
  { type: 'requestSent' },
  { type: 'textAdded', text: 'Done.' },
  { type: 'modelFinished', reason: 'stop', ...(usage && { usage }) },
];
const called: ModelEvent[] = [
  { type: 'requestSent' },
  { type: 'toolCallsCompleted', calls: [{ id: 'c', name: 'read', arguments: '{}' }] },
  { type: 'modelFinished', reason: 'tool_calls', usage: { promptTokens: 400, completionTokens: 50 } },
];

interface Parts {
  limits?: BudgetLimits;
  answers?: BudgetAnswer[];
  price?: Price | undefined;
}

function metered(
  { limits = {}, answers = [], ...rest }: Parts,
  ...scripts: Parameters<typeof scriptedModel>
) {
  const { ask: askScript, requests } = scriptedModel(...scripts);
  const spending = new MemorySpending();
  let ids = 0;
  /** Number of requests sent before each question. */
  const asked: number[] = [];
  const budget = new DailyBudget({
    spending,
    limits: () => limits,
    ask: async () => {
      asked.push(requests.length);
      return answers.shift() ?? 'stop';
    },
    newId: () => `r${++ids}`,
    log: silentLog,
  });
  const known = 'price' in rest ? rest.price : price;
  const model = meteredModel({ ask: askScript, price: async () => known }, budget);
  return { model, requests, spending, asked };
}

const request: ModelRequest = { model: 'm', messages: [{ role: 'user', content: 'Hello' }], stream: true };

async function ask(
  model: ReturnType<typeof metered>['model'],
  signal = new AbortController().signal,
  more: Partial<ModelRequest> = {},
) {
  const events: ModelEvent[] = [];
  await model({ ...request, ...more }, signal, (event) => void events.push(event));
  return events;
}

const usageIn = (events: readonly ModelEvent[]) =>
  events.flatMap((event) => (event.type === 'modelFinished' ? [event.usage] : []))[0];

describe('a metered model', () => {
  it('says what a request cost, and notes it', async () => {
    const { model, spending } = metered(
      {},
      answered({ promptTokens: 100, completionTokens: 10, cachedTokens: 40 }),
    );
    const cost = { amount: 60 * 0.001 + 40 * 0.0001 + 10 * 0.002, currency: 'USD', kind: 'estimate' };
    assert.deepEqual(usageIn(await ask(model))?.cost, cost);
    assert.deepEqual(
      [...spending.entries.values()],
      [{ tokens: 110, money: { amount: cost.amount, currency: 'USD' } }],
    );
  });

  it('notes where the ratio of the group is not in it', async () => {
    const usage = { promptTokens: 100, completionTokens: 0 };
    const { model, spending } = metered({ price: { ...price, lacksGroup: true } }, answered(usage));
    assert.equal(usageIn(await ask(model))?.cost?.kind, 'withoutGroup');
    const money = { amount: 0.1, currency: 'USD', lacksGroup: true as const };
    assert.deepEqual([...spending.entries.values()], [{ tokens: 100, money }]);
  });

  it('prefers what the relay says that it charged', async () => {
    const charged = { amount: 7, currency: 'USD', kind: 'charged' as const };
    const { model, spending } = metered(
      {},
      answered({ promptTokens: 1, completionTokens: 1, cost: charged }),
    );
    assert.deepEqual(usageIn(await ask(model))?.cost, charged);
    assert.equal((await spending.today()).money.get('USD'), 7);
  });

  it('invents no price', async () => {
    const { model, spending } = metered(
      { price: undefined },
      answered({ promptTokens: 1, completionTokens: 2 }),
    );
    assert.deepEqual(usageIn(await ask(model)), { promptTokens: 1, completionTokens: 2 });
    assert.deepEqual([...spending.entries.values()], [{ tokens: 3 }]);
  });

  it('notes an estimate of what nobody counted, but shows none', async () => {
    const { model, spending } = metered({}, answered());
    assert.equal(usageIn(await ask(model)), undefined);
    const { tokens } = await spending.today();
    assert.ok(tokens > 2 && tokens < 20, String(tokens));
  });

  it('notes the tokens that a server counts beside those of the prompt, and no others twice', async () => {
    const { model, spending } = metered(
      {},
      answered({ promptTokens: 10, completionTokens: 1, cachedTokens: 500 }),
    );
    await ask(model);
    assert.equal((await spending.today()).tokens, 511);
  });

  it('notes what nobody counted of thoughts and of tools', async () => {
    const thought: ModelEvent[] = [
      { type: 'requestSent' },
      { type: 'reasoningAdded', text: 'So. '.repeat(300) },
      { type: 'modelFinished', reason: 'stop' },
    ];
    const { model, spending } = metered({}, thought, answered());
    await ask(model);
    const { tokens } = await spending.today();
    assert.ok(tokens >= 400, String(tokens));
    const description = 'Reads a file. '.repeat(300);
    await ask(model, undefined, { tools: [{ name: 'read', description, parameters: {} }] });
    assert.ok((await spending.today()).tokens - tokens > 400);
  });

  it('waits for no price once it is stopped', async () => {
    const { requests, spending } = metered({});
    const budget = new DailyBudget({
      ...{
        spending,
        limits: () => ({ money: 1 }),
        ask: async () => 'stop',
        newId: () => 'r',
        log: silentLog,
      },
    });
    const neverPriced = { ask: async () => undefined, price: () => new Promise<undefined>(() => undefined) };
    const stop = new AbortController();
    const asking = ask(meteredModel(neverPriced, budget), stop.signal);
    stop.abort();
    await assert.rejects(asking, { name: 'AbortError' });
    assert.deepEqual(requests, []);
  });

  it('notes what came of an answer that was stopped', async () => {
    const { model, spending } = metered({ limits: { money: 100 } }, [
      { type: 'requestSent' },
      { type: 'textAdded', text: 'x'.repeat(3000) },
      'wait',
    ]);
    const stop = new AbortController();
    await assert.rejects(
      model(request, stop.signal, (event) => {
        if (event.type === 'textAdded') stop.abort();
      }),
    );
    const spent = (await spending.today()).money.get('USD') ?? 0;
    assert.ok(spent >= 2 && spent < 2.1, String(spent));
  });

  for (const stream of [true, false]) {
    const form = stream ? 'a stream' : 'a whole answer';
    it(`notes nothing of a request for ${form} that failed before it came`, async () => {
      const { model, spending } = metered({ limits: { money: 100 } }, [
        { type: 'requestSent' },
        new SwitchboardError('rate-limit', 'Later.'),
      ]);
      await assert.rejects(ask(model, undefined, { stream }), { code: 'rate-limit' });
      assert.deepEqual(await spending.today(), { tokens: 0, money: new Map(), allowed: new Set() });
    });
  }

  it('notes nothing of a stream that was stopped before anything came', async () => {
    const { model, spending } = metered({ limits: { money: 100 } }, [{ type: 'requestSent' }, 'wait']);
    const stop = new AbortController();
    await assert.rejects(
      model(request, stop.signal, (event) => {
        if (event.type === 'requestSent') stop.abort();
      }),
    );
    assert.equal((await spending.today()).tokens, 0);
  });

  it('notes nothing of a whole answer that was stopped before it was asked for', async () => {
    const { model, spending } = metered({ limits: { money: 100 } }, ['wait']);
    const stop = new AbortController();
    const asking = ask(model, stop.signal, { stream: false });
    setImmediate(() => stop.abort());
    await assert.rejects(asking);
    assert.equal((await spending.today()).tokens, 0);
  });

  it('expects no more than the request allows, and of a long one a usual answer', async () => {
    for (const [maxTokens, most] of [
      [10, 40],
      [100_000, 1030],
    ] as const) {
      const { model, spending } = metered({ limits: { tokens: 200_000 } }, [{ type: 'requestSent' }, 'wait']);
      const stop = new AbortController();
      let noted = 0;
      await assert.rejects(
        model({ ...request, maxTokens }, stop.signal, async (event) => {
          if (event.type !== 'requestSent') return;
          noted = (await spending.today()).tokens;
          stop.abort();
        }),
      );
      assert.ok(noted > most - 30 && noted <= most, String(noted));
    }
  });

  it('notes all of a whole answer that nobody waits for', async () => {
    const { model, spending } = metered({ limits: { money: 100 } }, [{ type: 'requestSent' }, 'wait']);
    const stop = new AbortController();
    await assert.rejects(
      model({ ...request, stream: false }, stop.signal, (event) => {
        if (event.type === 'requestSent') stop.abort();
      }),
    );
    assert.ok(((await spending.today()).money.get('USD') ?? 0) >= 2);
  });

  it('has noted what an answer took when it is over, before the next request is looked at', async () => {
    const { model, spending } = metered(
      { limits: { tokens: 5000 } },
      answered({ promptTokens: 10, completionTokens: 10 }),
    );
    const note = spending.note.bind(spending);
    spending.note = async (...args) => {
      await new Promise(setImmediate);
      return note(...args);
    };
    await ask(model);
    assert.equal((await spending.today()).tokens, 20);
  });

  it('asks before a request is sent, and sends none that is not wanted', async () => {
    const { model, requests, asked } = metered({ limits: { money: 1 } }, answered());
    await assert.rejects(ask(model), { code: 'budget' });
    assert.deepEqual([requests.length, asked], [0, [0]]);
  });

  it('says that the user is asked, and goes on', async () => {
    const { model } = metered({ limits: { money: 1 }, answers: ['once'] }, answered());
    const events = await ask(model);
    assert.deepEqual(
      events.map(({ type }) => type),
      ['budgetAsked', 'requestSent', 'textAdded', 'modelFinished'],
    );
  });

  it('asks nobody for what nobody waits for, and does not send it', async () => {
    const { model, requests, asked, spending } = metered({ limits: { money: 1 } }, answered());
    await assert.rejects(ask(model, undefined, { isUnasked: true }), { code: 'budget' });
    assert.deepEqual([requests.length, asked, (await spending.today()).tokens], [0, [], 0]);
  });

  it('takes the next prompt to be as long as the server counts', async () => {
    const long = { messages: [{ role: 'user' as const, content: 'word '.repeat(1000) }] };
    const usage = { promptTokens: 3000, completionTokens: 1 };
    const { model, asked } = metered({ limits: { tokens: 5200 } }, answered(usage), answered(usage));
    await ask(model, undefined, { ...long, maxTokens: 10 });
    // The estimate alone would leave room.
    await assert.rejects(ask(model, undefined, { ...long, maxTokens: 10 }), { code: 'budget' });
    assert.deepEqual(asked, [1]);
  });
});

describe('a turn within a daily budget', () => {
  const chatWith = (parts: Parts, ...scripts: Parameters<typeof scriptedModel>) => {
    const { model, ...rest } = metered(parts, ...scripts);
    const chat = new ChatController(
      chatDependencies({ ask: model, tools: { read: { run: async () => 'The file.' } } }),
    );
    const statuses: string[] = [];
    chat.onDidChange((change) => change.type === 'statusChanged' && statuses.push(change.status.type));
    return { chat, statuses, ...rest };
  };

  it('asks between two rounds, and loses nothing when it is stopped there', async () => {
    const { chat, asked, requests, statuses } = chatWith({ limits: { money: 2.5 } }, called, answered());
    const end = await chat.shown.submit('Read it');
    assert.deepEqual([end?.reason, end?.failure?.code, asked, requests.length], ['failed', 'budget', [1], 1]);
    assert.ok(statuses.includes('asking'));
    assert.deepEqual(
      chat.shown.conversation.all.map((item) => (item.type === 'tool' ? item.outcome?.content : item.type)),
      ['user', 'answer', 'The file.', 'answer'],
    );
  });

  it('goes on from there when it is retried', async () => {
    const { chat, requests } = chatWith(
      { limits: { money: 2.5 }, answers: ['stop', 'once'] },
      called,
      answered(),
    );
    await chat.shown.submit('Read it');
    const failed = chat.shown.conversation.all.findLast(({ type }) => type === 'answer');
    const end = await chat.shown.retry(failed?.id ?? '');
    assert.deepEqual([end?.reason, requests.length], ['answered', 2]);
    assert.ok(requests[1]?.messages.some((message) => message.role === 'tool'));
  });

  it('counts a summary, and asks before it', async () => {
    const { chat, asked, requests } = chatWith(
      { limits: { tokens: 60_000 }, price: undefined },
      answered({ promptTokens: 59_000, completionTokens: 5 }),
    );
    await chat.shown.submit('word '.repeat(30_000));
    await chat.shown.submit('Again');
    const before = asked.length;
    await chat.shown.compact();
    assert.deepEqual([before, asked.length, requests.length], [1, 2, 1]);
  });
});
