import assert from 'node:assert/strict';
import fc from 'fast-check';
import { SwitchboardError } from '../../../../src/base/errors/errors.ts';
import { ChatController } from '../../../../src/chat/chatController.ts';
import { canContinue } from '../../../../src/chat/conversation/items.ts';
import { continueInstruction, Seam } from '../../../../src/chat/conversation/continuation.ts';
import { Conversation } from '../../../../src/chat/conversation/conversation.ts';
import type { AnswerItem } from '../../../../src/chat/conversation/items.ts';
import type { AnswerEnd } from '../../../../src/chat/store/events.ts';
import { sumOfUsage, usageOfTurn } from '../../../../src/chat/conversation/turnUsage.ts';
import type { ModelEvent } from '../../../../src/relay/messages.ts';
import { chatDependencies } from '../../../support/chatDependencies.ts';
import { MemoryChatStore } from '../../../support/memoryChatStore.ts';
import { scriptedModel } from '../../../support/scriptedModel.ts';

function join(before: string, pieces: readonly string[]): string {
  const seam = new Seam(before);
  return before + pieces.map((piece) => seam.push(piece)).join('') + seam.finish();
}

describe('the seam of an answer that is gone on with', () => {
  for (const [name, before, rest, whole] of [
    ['goes on as it is', 'The harbour mas', 'ter opens at six.', 'The harbour master opens at six.'],
    [
      'leaves out the last words, said again',
      'Ask the harbour master about',
      'the harbour master about berths.',
      'Ask the harbour master about berths.',
    ],
    [
      'leaves out a word that was cut in two and is begun again',
      'The harbour mas',
      'master opens.',
      'The harbour master opens.',
    ],
    [
      'leaves out Chinese words, said again',
      '港口管理员在清晨六点开门并且接待访客',
      '清晨六点开门并且接待访客和船只',
      '港口管理员在清晨六点开门并且接待访客和船只',
    ],
    [
      'keeps rows of the same numbers',
      '[0, 1, 0, 1, 0, 1, ',
      '0, 1, 0, 1, 0, 1]',
      '[0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1]',
    ],
    [
      'keeps rows of the same words',
      '[true, false, true, false, ',
      'true, false, true, false]',
      '[true, false, true, false, true, false, true, false]',
    ],
    ['keeps words that are said twice', 'It is very, very ', 'very deep.', 'It is very, very very deep.'],
    ['keeps a syllable that comes twice', 'The boat is in re', 'reread', 'The boat is in rereread'],
    ['keeps a word that ends as it begins', 'They dance the can', 'can.', 'They dance the cancan.'],
    ['keeps closing braces', 'if (a) {\n  if (b) {\n  }\n', '}\n', 'if (a) {\n  if (b) {\n  }\n}\n'],
    [
      'does not open a code block twice',
      '```ts\nconst a = 1;\n',
      '```ts\nconst b = 2;\n```',
      '```ts\nconst a = 1;\nconst b = 2;\n```',
    ],
    ['closes a code block', '```ts\nconst a = 1;\n', '```\nDone.', '```ts\nconst a = 1;\n```\nDone.'],
    [
      'opens a code block after one that is closed',
      '```ts\na\n```\n',
      '```ts\nb\n```',
      '```ts\na\n```\n```ts\nb\n```',
    ],
  ] as const) {
    it(name, () => {
      assert.equal(join(before, [rest]), whole);
      assert.equal(join(before, rest.split('')), whole);
    });
  }

  it('adds all that came, whatever its pieces are, where nothing is repeated', () => {
    fc.assert(
      fc.property(fc.string(), fc.array(fc.string({ unit: 'grapheme' })), (before, pieces) => {
        const marked = ['\u0001', ...pieces];
        assert.equal(join(before, marked), before + marked.join(''));
      }),
    );
  });

  it('depends on the text alone, not on its pieces', () => {
    const words = fc.constantFrom(
      'the ',
      'harbour ',
      'mas',
      'ter ',
      '```ts\n',
      '```\n',
      'at six',
      '\n',
      '0, ',
    );
    fc.assert(
      fc.property(fc.array(words), fc.array(words), (before, after) => {
        assert.equal(join(before.join(''), after), join(before.join(''), [after.join('')]));
      }),
    );
  });

  it('holds back no more than it must', () => {
    const seam = new Seam('x'.repeat(100_000) + ' the end of it');
    assert.equal(seam.push('Q'), 'Q');
    assert.equal(seam.push(' the end of it'), ' the end of it');
  });
});

describe('the instruction to go on with an answer', () => {
  for (const [before, isInCode] of [
    ['~~~md\n', true],
    ['~~~md\n```\n', true],
    ['~~~md\n~~~\n', false],
    ['````md\n```\n', true],
    ['````md\n`````\n', false],
  ] as const) {
    it(`tells ${isInCode ? 'of' : 'of no'} open code block after ${JSON.stringify(before)}`, () => {
      assert.equal(continueInstruction(before).includes('inside a code block'), isInCode);
    });
  }
});

describe('an answer that was cut off', () => {
  const half: ModelEvent[] = [{ type: 'textAdded', text: 'Half of ' }];
  const rest: ModelEvent[] = [
    { type: 'textAdded', text: 'the answer.' },
    { type: 'modelFinished', reason: 'stop', usage: { promptTokens: 20, completionTokens: 5 } },
  ];
  const setUp = (...scripts: Parameters<typeof scriptedModel>) => {
    const { streamModel, requests } = scriptedModel(...scripts);
    const store = new MemoryChatStore();
    const tools = { read: { run: () => 'Read.' } };
    const chat = new ChatController(chatDependencies({ store, streamModel, tools }));
    const last = () => {
      const item = chat.shown.conversation.all.findLast(({ type }) => type === 'answer');
      return item?.type === 'answer' ? item : assert.fail();
    };
    return { chat, last, requests, store };
  };

  it('is gone on with in its own entry, and is one message from then on', async () => {
    const cut = new SwitchboardError('truncated', 'Cut.');
    const { chat, last, requests, store } = setUp([...half, cut], rest, rest);
    await chat.shown.submit('Ask');
    const { id } = last();
    assert.equal((await chat.shown.continueAnswer(id))?.reason, 'answered');
    assert.deepEqual([last().id, last().text, last().end?.reason], [id, 'Half of the answer.', 'answered']);
    assert.deepEqual(
      requests[1]?.messages.map(({ role, content }) => [role, content]),
      [
        ['user', 'Ask'],
        ['assistant', 'Half of '],
        ['user', continueInstruction('Half of ')],
      ],
    );
    await chat.shown.submit('More');
    assert.deepEqual(
      requests[2]?.messages.map(({ content }) => content),
      ['Ask', 'Half of the answer.', 'More'],
    );
    const events = (await store.load(chat.shown.conversation.id)) ?? [];
    assert.deepEqual(new Conversation('again', events).all, chat.shown.conversation.all);
  });

  it('is gone on with as often as it is cut, and by its own model', async () => {
    const cut = new SwitchboardError('truncated', 'Cut.');
    const { chat, last, requests } = setUp(
      [...half, cut],
      [{ type: 'textAdded', text: 'the ' }, cut],
      [cut],
      rest,
    );
    await chat.shown.submit('Ask');
    chat.shown.choices.selectModel('other');
    for (const text of ['Half of the ', 'Half of the ', 'Half of the the answer.']) {
      await chat.shown.continueAnswer(last().id);
      assert.equal(last().text, text);
    }
    assert.deepEqual(
      requests.map(({ model }) => model),
      ['m', 'm', 'm', 'm'],
    );
  });

  it('keeps what was held back when it is cut again', async () => {
    const cut = new SwitchboardError('truncated', 'Cut.');
    const { chat, last } = setUp([...half, cut], [{ type: 'textAdded', text: 'of' }, cut]);
    await chat.shown.submit('Ask');
    await chat.shown.continueAnswer(last().id);
    assert.equal(last().text, 'Half of of');
  });

  it('is whole when the model has nothing to add', async () => {
    const cut = new SwitchboardError('truncated', 'Cut.');
    const { chat, last } = setUp([...half, cut], [new SwitchboardError('empty-reply', 'Nothing.')]);
    await chat.shown.submit('Ask');
    assert.equal((await chat.shown.continueAnswer(last().id))?.reason, 'answered');
    assert.equal(last().end?.failure, undefined);
  });

  it('runs no call of which a half had come, and those that come then', async () => {
    const cut = new SwitchboardError('truncated', 'Cut.');
    const call: ModelEvent[] = [
      { type: 'toolCallsCompleted', calls: [{ id: 'c', name: 'read', arguments: '{}' }] },
      { type: 'modelFinished', reason: 'tool_calls' },
    ];
    const { chat, last, requests } = setUp([...half, cut], call, rest);
    await chat.shown.submit('Ask');
    assert.ok(chat.shown.conversation.all.every(({ type }) => type !== 'tool'));
    await chat.shown.continueAnswer(last().id);
    assert.deepEqual(
      chat.shown.conversation.all.map(({ type }) => type),
      ['user', 'answer', 'tool', 'answer'],
    );
    assert.deepEqual(
      requests[2]?.messages.map(({ role }) => role),
      ['user', 'assistant', 'tool'],
    );
  });

  it('is only gone on with while it is the newest, and nothing runs', async () => {
    const cut = new SwitchboardError('truncated', 'Cut.');
    const { chat, last } = setUp([...half, cut], rest, ['wait']);
    await chat.shown.submit('Ask');
    const { id } = last();
    await chat.shown.submit('More');
    assert.equal(chat.shown.continueAnswer(id), undefined);
    const ended = chat.shown.submit('And more');
    assert.equal(chat.shown.continueAnswer(last().id), undefined);
    await chat.shown.stop();
    await ended;
  });

  it('fits into the context with what it is told', async () => {
    const cut = new SwitchboardError('truncated', 'Cut.');
    const long: ModelEvent = { type: 'textAdded', text: 'word '.repeat(600) };
    const { streamModel, requests } = scriptedModel([long, cut], rest, rest);
    const chat = new ChatController(
      chatDependencies({ streamModel, modelLimits: () => ({ contextWindow: 1000, maxTokens: 100 }) }),
    );
    await chat.shown.submit('Ask');
    const item = chat.shown.conversation.all.at(-1)!;
    const end = await chat.shown.continueAnswer(item.id);
    assert.ok(end?.reason === 'answered' || end?.failure?.code === 'context-too-long');
    assert.ok(requests.length <= 2);
  });

  it('can be told from one that is whole', () => {
    const item = (reason: AnswerEnd['reason'], parts: Partial<AnswerItem> = {}): AnswerItem => ({
      ...{ type: 'answer', id: 'a', model: 'm', text: 'Half', reasoning: '', end: { reason } },
      ...parts,
    });
    for (const reason of ['length', 'stopped', 'failed', 'interrupted'] as const) {
      assert.equal(canContinue(item(reason)), true);
      assert.equal(canContinue(item(reason, { text: ' ' })), false);
      assert.equal(canContinue(item(reason, { model: 'app:guide' })), false);
    }
    for (const reason of ['answered', 'called', 'filtered'] as const)
      assert.equal(canContinue(item(reason)), false);
    const { end: _end, ...running } = item('length');
    assert.equal(canContinue(running), false);
  });
});

describe('what a turn cost', () => {
  it('is the sum of its requests, at its last answer', () => {
    const conversation = new Conversation('c', [
      { type: 'userMessageAdded', id: 'u1', text: 'One' },
      { type: 'answerStarted', id: 'a1', model: 'm' },
      { type: 'answerEnded', id: 'a1', end: { reason: 'answered', usage: { promptTokens: 1 } } },
      { type: 'userMessageAdded', id: 'u2', text: 'Two' },
      { type: 'answerStarted', id: 'a2', model: 'm' },
      { type: 'turnsSummarised', id: 's', beforeId: 'u2', text: 'Short', usage: { promptTokens: 100 } },
      {
        type: 'answerEnded',
        id: 'a2',
        end: { reason: 'called', usage: { promptTokens: 10, completionTokens: 2, cachedTokens: 8 } },
      },
      { type: 'answerStarted', id: 'a3', model: 'm' },
      {
        type: 'answerEnded',
        id: 'a3',
        end: { reason: 'length', usage: { promptTokens: 20, completionTokens: 3 } },
      },
      { type: 'answerContinued', id: 'a3' },
      { type: 'answerEnded', id: 'a3', end: { reason: 'answered', usage: { promptTokens: 30 } } },
      { type: 'userMessageAdded', id: 'u3', text: 'Three' },
      { type: 'answerStarted', id: 'a4', model: 'm' },
      { type: 'answerEnded', id: 'a4', end: { reason: 'failed' } },
    ]);
    const of = (id: string) =>
      usageOfTurn(
        conversation.all,
        conversation.all.findIndex((item) => item.id === id),
      );
    assert.deepEqual(of('a3'), [
      { usage: { promptTokens: 100 }, isSummary: true },
      { usage: { promptTokens: 10, completionTokens: 2, cachedTokens: 8 } },
      { usage: { promptTokens: 20, completionTokens: 3 } },
      { usage: { promptTokens: 30 } },
    ]);
    assert.deepEqual(sumOfUsage(of('a3') ?? []).tokens, {
      promptTokens: 160,
      completionTokens: 5,
      cachedTokens: 8,
    });
    assert.equal(of('a2'), undefined);
    assert.equal(of('a4'), undefined);
    assert.deepEqual(of('a1'), [{ usage: { promptTokens: 1 } }]);
  });
});
