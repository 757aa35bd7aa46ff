import assert from 'node:assert/strict';
import fc from 'fast-check';
import { SwitchboardError } from '../../../src/base/errors/errors.ts';
import { ChatController, type ChatChange } from '../../../src/chat/chatController.ts';
import { Conversation } from '../../../src/chat/conversation/conversation.ts';
import type { ModelEvent, StreamModel } from '../../../src/relay/messages.ts';
import { chatDependencies } from '../../support/chatDependencies.ts';
import type { FakeTool } from '../../support/fakeToolBox.ts';
import { MemoryChatStore } from '../../support/memoryChatStore.ts';
import { scriptedModel } from '../../support/scriptedModel.ts';
import { askModel } from '../../../src/relay/streamModel.ts';
import { sha256 } from '../../../src/base/sha256.ts';

const answer = (text: string): ModelEvent[] => [
  { type: 'requestSent' },
  { type: 'textAdded', text },
  { type: 'modelFinished', reason: 'stop' },
];

function setUp(
  streamModel: StreamModel | SwitchboardError,
  defaultModel: string | undefined = 'default',
  parts: Partial<Parameters<typeof chatDependencies>[0]> = {},
) {
  const store = new MemoryChatStore();
  const changes: ChatChange[] = [];
  const dependencies = {
    ...chatDependencies({
      store,
      options: { instructions: 'Be brief.', temperature: 0 },
      now: () => 1000,
      ...parts,
    }),
    defaultModel: () => defaultModel,
    ask: streamModel instanceof SwitchboardError ? () => Promise.reject(streamModel) : askModel(streamModel),
  };
  const create = () => new ChatController(dependencies);
  const chat = create();
  chat.onDidChange((change) => changes.push(change));
  return { chat, changes, create, store };
}

function textsOf(chat: ChatController): string[] {
  return chat.shown.conversation.all.flatMap((item) =>
    item.type === 'user' || item.type === 'answer' ? [item.text] : [],
  );
}

function textArrived(chat: ChatController): Promise<void> {
  return new Promise((resolve) => {
    chat.onDidChange((change) => change.type === 'textAdded' && resolve());
  });
}

describe('ChatController', () => {
  it('sends the whole conversation, and only the model differs after a switch', async () => {
    const { streamModel, requests } = scriptedModel(answer('One.'), answer('Two.'));
    const { chat } = setUp(streamModel);
    await chat.shown.submit('First');
    chat.shown.choices.selectModel('other');
    await chat.shown.submit('Second');
    const system = {
      role: 'system',
      content: '# What the user asks for in every conversation\nBe brief.',
    };
    assert.deepEqual(requests, [
      {
        model: 'default',
        stream: true,
        temperature: 0,
        cacheKey: 'id1',
        messages: [system, { role: 'user', content: 'First' }],
      },
      {
        model: 'other',
        stream: true,
        temperature: 0,
        cacheKey: 'id1',
        messages: [
          system,
          { role: 'user', content: 'First' },
          { role: 'assistant', model: 'default', content: 'One.' },
          { role: 'user', content: 'Second' },
        ],
      },
    ]);
  });

  it('goes through its states in order and always ends idle', async () => {
    const { streamModel } = scriptedModel([
      { type: 'retryScheduled', delayMs: 500, why: 'busy' },
      ...answer('Hi'),
    ]);
    const { chat, changes } = setUp(streamModel);
    await chat.shown.submit('Hello');
    const states = changes.flatMap((change) => (change.type === 'statusChanged' ? [change.status] : []));
    assert.deepEqual(states, [
      { type: 'connecting' },
      { type: 'retrying', untilMs: 1500, why: 'busy' },
      { type: 'waiting', sinceMs: 1000 },
      { type: 'answering' },
      { type: 'idle' },
    ]);
  });

  it('tells of each choice after which other calls are allowed', async () => {
    const { chat } = setUp(scriptedModel(answer('Hi.')).streamModel);
    await chat.shown.submit('Hello');
    let told = 0;
    chat.onDidChangePermissions(() => told++);
    const { choices } = chat.shown;
    const tool = { name: 'run_command' };
    for (const choose of [
      () => choices.selectMode('ask'),
      () => choices.selectApprovals('editsAllowed'),
      () => choices.permissions.allow(tool),
      () => choices.revoke(tool),
      () => choices.repeat(),
    ]) {
      const before = told;
      choose();
      assert.equal(told, before + 1, String(choose));
    }
    const before = told;
    choices.selectModel('other');
    choices.chooseParameters({ temperature: 1 });
    assert.equal(told, before);
  });

  it('runs one turn at a time', async () => {
    const { streamModel, requests } = scriptedModel([{ type: 'textAdded', text: 'Half' }, 'wait']);
    const { chat } = setUp(streamModel);
    const half = textArrived(chat);
    const ended = chat.shown.submit('One');
    assert.equal(chat.shown.submit('Two'), undefined);
    await half;
    await chat.shown.stop();
    assert.equal((await ended)?.reason, 'stopped');
    assert.equal(requests.length, 1);
    assert.equal(chat.shown.conversation.all.length, 2);
  });

  it('asks nothing again while a turn runs', async () => {
    const { streamModel, requests } = scriptedModel(answer('One.'), answer('Two.'), [
      { type: 'textAdded', text: 'Half' },
      'wait',
    ]);
    const { chat, changes } = setUp(streamModel, 'm');
    await chat.shown.submit('First');
    await chat.shown.submit('Second');
    const second = chat.shown.conversation.all.at(-1)!;
    const half = textArrived(chat);
    const ended = chat.shown.submit('Third');
    await half;
    const running = chat.shown.conversation.all.at(-1)!;
    changes.length = 0;

    assert.equal(chat.shown.retry(second.id), undefined);
    assert.equal(chat.shown.retry(running.id), undefined);
    assert.equal(chat.shown.continueAnswer(running.id), undefined);
    assert.equal(chat.shown.resume(), undefined);
    assert.deepEqual([changes, requests.length], [[], 3]);
    await chat.shown.stop();
    await ended;
  });

  it('keeps what had arrived when stopped, and goes on with it', async () => {
    const { streamModel, requests } = scriptedModel(
      [{ type: 'textAdded', text: 'Half' }, 'wait'],
      answer('Rest'),
    );
    const { chat } = setUp(streamModel);
    const half = textArrived(chat);
    void chat.shown.submit('One');
    await half;
    await chat.shown.stop();
    await chat.shown.submit('Go on');
    assert.deepEqual(requests[1]?.messages.slice(1), [
      { role: 'user', content: 'One' },
      { role: 'assistant', model: 'default', content: 'Half' },
      { role: 'user', content: 'Go on' },
    ]);
  });

  it('retries by taking the answer back', async () => {
    const { streamModel, requests } = scriptedModel(
      [new SwitchboardError('transient', 'Down.')],
      answer('Up'),
    );
    const { chat } = setUp(streamModel);
    await chat.shown.submit('Hello');
    const failed = chat.shown.conversation.all.at(-1);
    assert.ok(failed?.type === 'answer' && failed.end?.failure?.code === 'transient');
    await chat.shown.retry(failed.id);
    assert.deepEqual(requests[1]?.messages, requests[0]?.messages);
    assert.deepEqual(textsOf(chat), ['Hello', 'Up']);
  });

  it('keeps what can revert a turn when its answer is asked for again', async () => {
    const call = { id: 'c', name: 'edit', arguments: '{}' };
    const edit = { path: 'a.ts', realPath: '/a.ts', before: undefined };
    const { streamModel } = scriptedModel(
      [
        { type: 'toolCallsCompleted', calls: [call] },
        { type: 'modelFinished', reason: 'tool_calls' },
      ],
      [new SwitchboardError('transient', 'Down.')],
      answer('Up'),
      answer('Up again'),
    );
    const run: FakeTool['run'] = async (_input, _signal, _onState, journal) => {
      await journal.record({ ...edit, after: 'x\n' });
      return 'Edited.';
    };
    const { chat } = setUp(streamModel, 'm', { tools: { edit: { run } } });
    const kinds = () => chat.shown.conversation.all.map(({ type }) => type);
    await chat.shown.submit('Edit it');
    assert.deepEqual(kinds(), ['user', 'answer', 'tool', 'answer', 'edits']);
    for (const expected of [
      ['user', 'answer', 'tool', 'edits', 'answer'],
      ['user', 'edits', 'answer'],
    ]) {
      await chat.shown.retry(chat.shown.conversation.all.findLast(({ type }) => type === 'answer')!.id);
      assert.deepEqual(kinds(), expected);
    }
    const item = chat.shown.conversation.all[1];
    assert.ok(item?.type === 'edits');
    const { path, realPath } = edit;
    assert.deepEqual(item.edits, [{ path, realPath, afterHash: sha256('x\n'), added: 1, removed: 0 }]);
  });

  it('ends a turn that cannot begin as a failure the user sees', async () => {
    const broken = new ChatController({
      ...chatDependencies({}),
      tools: async () => {
        throw new Error('The tools are broken.');
      },
    });
    const end = await broken.shown.submit('Hello');
    assert.equal(end?.failure?.details?.systemError, 'The tools are broken.');
    assert.deepEqual(
      broken.shown.conversation.all.map(({ type }) => type),
      ['user', 'answer'],
    );
    assert.equal(broken.shown.status.type, 'idle');
  });

  it('says when no relay is connected and keeps the message', async () => {
    const { chat } = setUp(new SwitchboardError('key', 'No relay is connected.'));
    const end = await chat.shown.submit('Hello');
    assert.equal(end?.failure?.code, 'key');
    assert.equal(textsOf(chat)[0], 'Hello');
    assert.equal(chat.shown.status.type, 'idle');
  });

  it('starts nothing without a model or without text', () => {
    const { chat, changes } = setUp(scriptedModel().streamModel, '');
    assert.equal(chat.shown.submit('Hello'), undefined);
    const other = setUp(scriptedModel().streamModel);
    assert.equal(other.chat.shown.submit('  \n'), undefined);
    assert.deepEqual([...changes, ...other.changes], []);
  });

  it('finds an answer interrupted when the window went away in the middle', async () => {
    const { streamModel } = scriptedModel([{ type: 'textAdded', text: 'Half' }, 'wait']);
    const { chat, create, changes } = setUp(streamModel);
    const half = textArrived(chat);
    const ended = chat.shown.submit('One');
    await half;
    chat.dispose();
    await ended;
    assert.ok(!changes.some((change) => change.type === 'answerEnded'));

    const reopened = create();
    assert.equal(await reopened.openChat(chat.shown.conversation.id), true);
    const last = reopened.shown.conversation.all.at(-1);
    assert.ok(last?.type === 'answer');
    assert.deepEqual([last.text, last.end?.reason], ['Half', 'interrupted']);
  });

  it('is read from its file as it was, whatever happened', async () => {
    const script = fc.array(
      fc.oneof(
        fc.string().map((text): ModelEvent => ({ type: 'textAdded', text })),
        fc.string().map((text): ModelEvent => ({ type: 'reasoningAdded', text })),
        fc.constant(new SwitchboardError('transient', 'Down.')),
        fc.constant<ModelEvent>({ type: 'modelFinished', reason: 'stop' }),
      ),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(script, { maxLength: 5 }),
        fc.infiniteStream(fc.boolean()),
        async (scripts, coin) => {
          const { chat, store } = setUp(scriptedModel(...scripts).streamModel);
          for (const _ of scripts) {
            const last = chat.shown.conversation.all.at(-1);
            await (last && coin.next().value ? chat.shown.retry(last.id) : chat.shown.submit('Go'));
          }
          const events = (await store.load(chat.shown.conversation.id)) ?? [];
          assert.deepEqual(new Conversation('again', events).all, chat.shown.conversation.all);
        },
      ),
    );
  });
});
