import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { appendFile, mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mock } from 'node:test';
import fc from 'fast-check';
import { Deferred } from '../../../src/base/async/promises.ts';
import type { Disposable } from '../../../src/base/disposable.ts';
import { Emitter } from '../../../src/base/emitter.ts';
import { ChatController } from '../../../src/chat/chatController.ts';
import { discardChat, restoreChat } from '../../../src/chat/store/discardedChats.ts';
import { FileChatStore } from '../../../src/chat/store/fileChatStore.ts';
import { followOtherWindows } from '../../../src/panel/openConversation.ts';
import { PanelNotices } from '../../../src/panel/panelNotices.ts';
import type { ModelEvent, StreamModel } from '../../../src/relay/messages.ts';
import { chatDependencies } from '../../support/chatDependencies.ts';
import { eventually } from '../../support/eventually.ts';
import { toolsUnderTest } from '../../support/toolsUnderTest.ts';
import { silentLog } from '../../support/silentLog.ts';
import { twoWindows, windowAtWork } from '../../support/twoWindows.ts';
import type { Sight } from '../../../src/chat/session/unseenTurns.ts';

/** A model that pauses after its first word until released. */
function slowModel() {
  let goOn = () => {};
  const asked: string[][] = [];
  const streamModel: StreamModel = async function* ({ messages }, signal) {
    asked.push(messages.flatMap(({ role, content }) => (role === 'system' ? [] : content)));
    const going = new Promise<void>((resolve) => (goOn = resolve));
    yield { type: 'textAdded', text: 'Well' } satisfies ModelEvent;
    await going;
    signal.throwIfAborted();
    yield { type: 'textAdded', text: ', yes' } satisfies ModelEvent;
    yield { type: 'modelFinished', reason: 'stop' } satisfies ModelEvent;
  };
  return { streamModel, asked, goOn: () => goOn() };
}

function promptModel() {
  const asked: string[][] = [];
  const streamModel: StreamModel = async function* ({ messages }, signal) {
    asked.push(messages.flatMap(({ role, content }) => (role === 'system' ? [] : content)));
    yield { type: 'textAdded', text: 'Well' } satisfies ModelEvent;
    for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate);
    signal.throwIfAborted();
    yield { type: 'modelFinished', reason: 'stop' } satisfies ModelEvent;
  };
  return { streamModel, asked, goOn() {} };
}

describe('a conversation in two windows', () => {
  let folder: string;
  const open: Disposable[] = [];
  const stores: FileChatStore[] = [];

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'switchboard-'));
  });
  afterEach(async () => {
    mock.timers.reset();
    for (const each of open.splice(0)) each.dispose();
    await Promise.all(stores.splice(0).map((each) => each.flush()));
    await rm(folder, { recursive: true });
  });

  function window(name: string, model: ReturnType<typeof slowModel> = slowModel()) {
    const store = new FileChatStore(folder, (error) => assert.fail(String(error)), silentLog);
    stores.push(store);
    let ids = 0;
    const newId = () => `${name}${++ids}`;
    const chat = new ChatController(chatDependencies({ store, streamModel: model.streamModel, newId }));
    open.push(chat);
    const shown = () =>
      chat.shown.conversation.all.flatMap((item) =>
        item.type === 'user'
          ? item.text
          : item.type === 'answer'
            ? [`${item.text} (${item.end?.reason})`]
            : [],
      );
    const notices = new PanelNotices();
    const seeing = new Emitter<void>();
    let sight: Sight = 'hidden';
    const look = (as: Sight) => {
      sight = as;
      seeing.fire();
    };
    open.push(followOtherWindows(chat, { of: () => sight, onDidChange: seeing.event }, notices));
    return { chat, model, shown, store, notices, look };
  }

  /** A chat answered in `a`, and open in `b`, which doesn't follow it. */
  async function openUnseen() {
    const [a, b] = [window('a'), window('b')];
    const first = a.chat.shown.submit('One');
    await eventually(() => assert.equal(a.model.asked.length, 1));
    a.model.goOn();
    await first;
    await b.chat.openChat(a.chat.shown.conversation.id);
    return { a, b };
  }

  async function openInBoth() {
    const both = await openUnseen();
    both.b.look('background');
    return both;
  }

  it('shows in the one that only looks on what the other begins to say, and that it does', async () => {
    const { a, b } = await openInBoth();
    const second = a.chat.shown.submit('Two');
    await eventually(() => {
      assert.deepEqual(b.shown(), ['One', 'Well, yes (answered)', 'Two', 'Well (undefined)']);
      assert.equal(b.chat.shown.windows.isRunning, true);
    });
    assert.deepEqual(b.chat.shown.status, { type: 'runningElsewhere' });
    a.model.goOn();
    await second;
    await eventually(() => {
      assert.deepEqual(b.chat.shown.status, { type: 'idle' });
    });
    assert.deepEqual(b.model.asked, []);
    assert.ok(b.shown().includes('Well, yes (answered)'));
  });

  it('is not watched where it is hidden, and is up to date when it is shown', async () => {
    const { a, b } = await openInBoth();
    b.look('hidden');
    let watchers = 0;
    b.store.watch = () => {
      watchers++;
      return { dispose: () => void watchers-- };
    };
    const second = a.chat.shown.submit('Two');
    await eventually(() => assert.equal(a.model.asked.length, 2));
    a.model.goOn();
    await second;
    assert.deepEqual([watchers, b.shown().length], [0, 2]);
    b.look('seen');
    await eventually(() => assert.deepEqual(b.shown(), a.shown()));
    assert.equal(watchers, 1);
    await b.chat.startNewChat();
    assert.equal(watchers, 0, 'no other window knows of it');
  });

  it('takes each thing once, however often it is looked for at the same time', async () => {
    const { a, b } = await openInBoth();
    b.look('hidden');
    const second = a.chat.shown.submit('Two');
    await eventually(() => assert.equal(a.model.asked.length, 2));
    a.model.goOn();
    await second;
    const first = b.chat.shown.windows.update();
    const third = b.chat.shown.submit('Three');
    await eventually(() => assert.equal(b.model.asked.length, 1));
    b.model.goOn();
    await Promise.all([first, third]);
    assert.deepEqual(b.model.asked[0], ['One', 'Well, yes', 'Two', 'Well, yes', 'Three']);
  });

  it('is followed in the other one while it is answered, and not taken for interrupted', async () => {
    const [a, b] = [window('a'), window('b')];
    const { id } = a.chat.shown.conversation;
    const ended = a.chat.shown.submit('Hello?');
    await eventually(() => assert.deepEqual(a.shown(), ['Hello?', 'Well (undefined)']));
    await a.store.flush();
    b.look('background');
    await b.chat.openChat(id);
    assert.equal(b.chat.shown.windows.isRunning, true);
    assert.deepEqual(b.shown(), ['Hello?', 'Well (undefined)']);
    a.model.goOn();
    assert.equal((await ended)?.reason, 'answered');
    await eventually(() => {
      assert.deepEqual(b.shown(), ['Hello?', 'Well, yes (answered)']);
      assert.equal(b.chat.shown.windows.isRunning, false);
    });
    assert.deepEqual((await readdir(folder)).length, 1, 'nothing is left of the turn');
  });

  it('sends a message that was written meanwhile when the other one has answered, and once', async () => {
    const { a, b } = await openInBoth();
    const second = a.chat.shown.submit('Two');
    // This window hasn't polled since.
    assert.equal(b.chat.shown.submit('Three'), undefined);
    assert.equal(b.chat.shown.queue.add({ text: 'Three' }), true);
    assert.equal(b.chat.shown.queue.add({ text: 'Four' }), true);
    await eventually(() => assert.equal(a.model.asked.length, 2));
    a.model.goOn();
    await second;
    const asked = () => [...a.model.asked, ...b.model.asked].map((messages) => messages.at(-1));
    for (const text of ['Three', 'Four']) {
      await eventually(() => assert.equal(asked().at(-1), text));
      for (const { model } of [a, b]) model.goOn();
    }
    await eventually(() =>
      assert.deepEqual([a.chat.shown.status, b.chat.shown.status], [{ type: 'idle' }, { type: 'idle' }]),
    );
    await Promise.all([a.chat.shown.windows.update(), b.chat.shown.windows.update()]);
    assert.deepEqual(asked(), ['One', 'Two', 'Three', 'Four']);
    assert.deepEqual(b.shown(), a.shown());
    const { chat, shown } = window('c');
    await chat.openChat(a.chat.shown.conversation.id);
    assert.deepEqual(shown(), a.shown());
    assert.deepEqual(
      [a, b, { chat }].map((each) => each.chat.shown.conversation.queue),
      [[], [], []],
    );
  });

  it('shows where it is answered what is queued in the other one, as it comes', async () => {
    const { a, b } = await openInBoth();
    a.look('seen');
    const second = a.chat.shown.submit('Two');
    await eventually(() => assert.equal(b.chat.shown.windows.isRunning, true));
    assert.equal(b.chat.shown.queue.add({ text: 'Three' }), true);
    const [three] = b.chat.shown.conversation.queue;
    await eventually(() => assert.deepEqual(a.chat.shown.conversation.queue, [three]));
    assert.deepEqual(a.shown().at(-1), 'Well (undefined)');
    a.chat.shown.queue.remove(three?.id ?? '');
    await eventually(() => assert.deepEqual(b.chat.shown.conversation.queue, []));
    a.model.goOn();
    await second;
    await eventually(() => assert.deepEqual(b.chat.shown.status, { type: 'idle' }));
    assert.deepEqual([a.model.asked.length, b.model.asked.length], [2, 0]);
    assert.deepEqual(b.shown(), a.shown());
  });

  it('revokes in the one that works, hidden as it is, what the user takes back in the other', async () => {
    const under = toolsUnderTest({ '/work/a.ts': 'a' });
    const call = (path: string): ModelEvent[] => [
      {
        type: 'toolCallsCompleted',
        calls: [{ id: path, name: 'create_file', arguments: JSON.stringify({ path, content: 'x' }) }],
      },
      { type: 'modelFinished', reason: 'tool_calls' },
    ];
    let goOn = () => {};
    const going = new Promise<void>((resolve) => (goOn = resolve));
    const rounds = [call('a.md'), call('b.md'), call('c.md')];
    const streamModel: StreamModel = async function* () {
      const round = rounds.shift();
      if (round && rounds.length === 0) await going;
      yield* round ?? [{ type: 'modelFinished', reason: 'stop' }];
    };
    const b = window('b');
    const store = new FileChatStore(folder, (error) => assert.fail(String(error)), silentLog);
    let ids = 0;
    const deps = chatDependencies({ store, streamModel, newId: () => `a${++ids}` });
    const chat = new ChatController({ ...deps, tools: under.tools });
    open.push(chat);
    const ended = chat.shown.submit('Write');
    await eventually(() => assert.equal(under.approvals.pending.length, 1));
    under.approvals.answer(under.approvals.pending[0]!.question.id, 'always');
    await eventually(() => assert.equal(under.workspace.applied.length, 2));
    await store.flush();
    await b.chat.openChat(chat.shown.conversation.id);
    assert.equal(b.chat.shown.choices.permissions.approvals, 'editsAllowed');
    b.chat.shown.choices.selectApprovals('askFirst');
    await b.store.flush();
    goOn();
    await eventually(() => assert.equal(under.approvals.pending.length, 1));
    assert.equal(chat.shown.choices.permissions.approvals, 'askFirst');
    under.approvals.answer(under.approvals.pending[0]!.question.id, 'deny');
    await ended;
    assert.equal(under.workspace.applied.length, 2);

    // This window has written since, too, and reloads everything.
    chat.shown.choices.permissions.allow({ name: 'deploy', title: 'Deploy' });
    await store.flush();
    await b.chat.shown.windows.update();
    b.chat.shown.choices.selectApprovals('askFirst');
    await b.store.flush();
    chat.shown.choices.selectModel('other');
    await store.flush();
    assert.equal(chat.shown.choices.permissions.granted.size, 1);
    await chat.shown.windows.update();
    assert.equal(chat.shown.choices.permissions.granted.size, 0);
  });

  it('keeps a message that was written meanwhile in the queue when the other answer was stopped', async () => {
    const { a, b } = await openInBoth();
    const second = a.chat.shown.submit('Two');
    await eventually(() => assert.equal(b.chat.shown.windows.isRunning, true));
    assert.equal(b.chat.shown.queue.add({ text: 'Three' }), true);
    await b.store.flush();
    const stopped = a.chat.shown.stop();
    a.model.goOn();
    await stopped;
    assert.equal((await second)?.reason, 'stopped');
    await eventually(() => assert.deepEqual(b.chat.shown.status, { type: 'idle' }));
    for (const { chat } of [a, b])
      assert.deepEqual(
        chat.shown.conversation.queue.map(({ text }) => text),
        ['Three'],
      );
    const sent = a.chat.shown.queue.send(a.chat.shown.conversation.queue[0]?.id ?? '');
    await eventually(() => assert.equal(a.model.asked.at(-1)?.at(-1), 'Three'));
    a.model.goOn();
    await sent;
    await eventually(() => assert.deepEqual(b.chat.shown.conversation.queue, []));
  });

  it('keeps what was written before it was known that the other answer was stopped', async () => {
    const { a, b } = await openInBoth();
    const second = a.chat.shown.submit('Two');
    await eventually(() => assert.equal(b.chat.shown.windows.isRunning, true));
    b.look('hidden');
    const stopped = a.chat.shown.stop();
    a.model.goOn();
    await stopped;
    await second;
    assert.equal(b.chat.shown.queue.add({ text: 'Three' }), true);
    await b.chat.shown.windows.update();
    assert.deepEqual(b.chat.shown.status, { type: 'idle' });
    assert.deepEqual(
      b.chat.shown.conversation.queue.map(({ text }) => text),
      ['Three'],
    );
    assert.deepEqual(b.model.asked, []);
  });

  it('sends what was written before it was known that the other one was closed', async () => {
    const { a, b } = await openUnseen();
    const { id } = a.chat.shown.conversation;
    const lock = a.store.beginTurn(id);
    a.store.append(id, { type: 'userMessageAdded', id: 'two', text: 'Two' });
    a.store.append(id, { type: 'answerStarted', id: 'answer', model: 'main' });
    await a.store.flush();
    await b.chat.shown.windows.update();
    await lock?.release();
    assert.equal(b.chat.shown.queue.add({ text: 'Three' }), true);
    await eventually(() => assert.equal(b.model.asked.at(-1)?.at(-1), 'Three'));
    assert.ok(b.shown().includes(' (interrupted)'));
    b.model.goOn();
  });

  it('sends what was written in one that shows another conversation by then', async () => {
    const { a, b } = await openInBoth();
    b.look('hidden');
    const second = a.chat.shown.submit('Two');
    await eventually(() => assert.equal(a.model.asked.length, 2));
    assert.equal(b.chat.shown.submit('Three'), undefined);
    assert.equal(b.chat.shown.queue.add({ text: 'Three' }), true);
    await b.chat.startNewChat();
    await b.store.flush();
    a.model.goOn();
    await second;
    await eventually(() => assert.equal(a.model.asked.at(-1)?.at(-1), 'Three'));
    a.model.goOn();
    await eventually(() => assert.deepEqual(a.chat.shown.status, { type: 'idle' }));
    assert.equal(b.model.asked.length, 0);
  });

  it('sends by itself what the other one has not seen, and at once what nobody answers before', async () => {
    const { a, b } = await openInBoth();
    const { id } = a.chat.shown.conversation;
    // A turn that ends without reading what was added meanwhile.
    const lock = b.store.beginTurn(id);
    await eventually(() => assert.equal(a.chat.shown.submit('Two'), undefined));
    a.look('background');
    assert.equal(a.chat.shown.queue.add({ text: 'Two' }), true);
    await a.store.flush();
    await a.chat.shown.windows.update();
    assert.deepEqual(a.chat.shown.status, { type: 'runningElsewhere' });
    await lock?.release();
    await eventually(() => assert.equal(a.model.asked.at(-1)?.at(-1), 'Two'));
    a.model.goOn();
    await eventually(() => assert.deepEqual(a.chat.shown.status, { type: 'idle' }));
    // A turn of which this window knows nothing: the next message is not for its answer, however that ended.
    const stopped = a.chat.shown.submit('Stop');
    await eventually(() => assert.equal(a.model.asked.at(-1)?.at(-1), 'Stop'));
    void a.chat.shown.stop();
    a.model.goOn();
    await stopped;
    a.look('hidden');
    const killed = b.store.beginTurn(id);
    assert.equal(a.chat.shown.submit('Three'), undefined);
    await killed?.release();
    assert.equal(a.chat.shown.queue.add({ text: 'Three' }), true);
    await eventually(() => assert.equal(a.model.asked.at(-1)?.at(-1), 'Three'));
    a.model.goOn();
  });

  it('goes on in the one that looks on once the other is gone without a sign', async () => {
    const { a, b } = await openUnseen();
    mock.timers.enable({ apis: ['setInterval'] });
    const lock = a.store.beginTurn(a.chat.shown.conversation.id);
    assert.equal(b.chat.shown.submit('Two'), undefined);
    assert.equal(b.chat.shown.windows.isRunning, true);
    await lock?.release();
    mock.timers.tick(5000);
    await eventually(() => assert.equal(b.chat.shown.windows.isRunning, false));
  });

  it('sends no queued message that the other one has sent or removed meanwhile', async () => {
    const { a, b } = await openUnseen();
    const second = a.chat.shown.submit('Two');
    await eventually(() => assert.equal(a.model.asked.length, 2));
    for (const text of ['Three', 'Four']) a.chat.shown.queue.add({ text });
    const stopped = a.chat.shown.stop();
    a.model.goOn();
    await Promise.all([second, stopped]);
    await b.chat.shown.windows.update();
    const [three, four] = b.chat.shown.conversation.queue.map(({ id }) => id);
    a.chat.shown.queue.remove(four ?? '');
    const sent = a.chat.shown.queue.send(three ?? '');
    await eventually(() => assert.equal(a.model.asked.length, 3));
    a.model.goOn();
    await sent;
    await a.store.flush();
    assert.equal(b.chat.shown.conversation.queue.length, 2);
    for (const id of [three, four]) assert.equal(await b.chat.shown.queue.send(id ?? ''), undefined);
    assert.deepEqual([b.model.asked, b.shown()], [[], a.shown()]);
  });

  it('sends nothing more from a window that closes as its turn ends', async () => {
    const { chat, model, store } = window('a');
    const { beginTurn } = store;
    store.beginTurn = (id) => {
      const lock = beginTurn.call(store, id);
      const release = async () => {
        await lock?.release();
        chat.dispose();
      };
      return lock && { release };
    };
    const ended = chat.shown.submit('One');
    await eventually(() => assert.equal(model.asked.length, 1));
    chat.shown.queue.add({ text: 'Two' });
    model.goOn();
    await ended;
    for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate);
    assert.equal(model.asked.length, 1);
  });

  it('is free for the other one only once the end of a turn is written', async () => {
    const { store, chat } = window('a');
    const { beginTurn } = store;
    const written: boolean[] = [];
    store.beginTurn = (id) => {
      const lock = beginTurn.call(store, id);
      const release = async () => {
        written.push(readFileSync(join(folder, `${id}.jsonl`), 'utf8').includes('answerEnded'));
        await lock?.release();
      };
      return lock && { release };
    };
    store.newsOf = () => Promise.reject(new Error('unreadable'));
    assert.equal((await chat.shown.submit('One'))?.reason, 'failed');
    assert.deepEqual(written, [true]);
  });

  it('is read again after it could not be read once', async () => {
    const { a, b } = await openUnseen();
    const { newsOf } = b.store;
    b.store.newsOf = () => {
      b.store.newsOf = newsOf;
      return Promise.reject(new Error('unreadable'));
    };
    await assert.rejects(b.chat.shown.windows.update(), /unreadable/);
    a.chat.shown.queue.addAll([{ id: 'two', text: 'Two' }]);
    await a.store.flush();
    await b.chat.shown.windows.update();
    assert.deepEqual(b.shown().at(-1), 'Two');
  });

  it('is answered in the one that began while it still read what the other had said', async () => {
    const { a, b } = await openUnseen();
    const lock = a.store.beginTurn(a.chat.shown.conversation.id);
    const { newsOf } = b.store;
    const held = new Deferred();
    b.store.newsOf = async (chatId) => {
      b.store.newsOf = newsOf;
      await held.promise;
      return newsOf.call(b.store, chatId);
    };
    const read = b.chat.shown.windows.update();
    await new Promise(setImmediate);
    await lock?.release();
    const ended = b.chat.shown.submit('Two');
    held.resolve();
    await read;
    assert.equal(b.chat.shown.windows.isRunning, false);
    await eventually(() => assert.equal(b.model.asked.length, 1));
    b.model.goOn();
    assert.equal((await ended)?.reason, 'answered');
    assert.deepEqual(b.chat.shown.status, { type: 'idle' });
  });

  it('interrupts nothing that the other one begins while it is opened', async () => {
    const { a } = await openInBoth();
    const { chat, shown, store } = window('c');
    const { loadEnd } = store;
    let second: Promise<unknown> | undefined;
    store.loadEnd = async (id) => {
      second = a.chat.shown.submit('Two');
      await eventually(() => assert.equal(a.model.asked.length, 2));
      await a.store.flush();
      return loadEnd.call(store, id);
    };
    await chat.openChat(a.chat.shown.conversation.id);
    assert.deepEqual(chat.shown.status, { type: 'runningElsewhere' });
    a.model.goOn();
    await second;
    await chat.shown.windows.update();
    assert.deepEqual(shown(), a.shown());
    assert.deepEqual(shown().at(-1), 'Well, yes (answered)');
  });

  it('loses and repeats nothing, whatever several windows do at the same time', async () => {
    const step = fc.record({
      window: fc.nat(2),
      act: fc.constantFrom('send', 'send', 'send', 'stop', 'update', 'reopen'),
      pause: fc.nat(30),
    });
    let run = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 16 }), async (steps) => {
        const begun = ++run;
        const first = window(`${begun}.first.`, promptModel());
        await first.chat.shown.submit('Begin');
        const { id } = first.chat.shown.conversation;
        const windows = ['a', 'b', 'c'].map((name) => window(`${begun}.${name}.`, promptModel()));
        for (const { chat, look } of windows) {
          await chat.openChat(id);
          look('background');
        }
        const sent = ['Begin'];
        for (const [number, { window: at, act, pause }] of steps.entries()) {
          const { chat } = windows[at] ?? first;
          const text = `Message ${number}`;
          if (act === 'stop') void chat.shown.stop();
          if (act === 'update') void chat.shown.windows.update();
          if (act === 'reopen') await chat.openChat(id);
          if (act === 'send') {
            assert.ok(
              (!chat.shown.isRunning && chat.shown.submit(text) !== undefined) ||
                chat.shown.queue.add({ text }),
              text,
            );
            sent.push(text);
          }
          for (let turn = 0; turn < pause; turn++) await new Promise(setImmediate);
        }
        const [{ chat } = first] = windows;
        await eventually(async () => {
          for (const each of windows) await each.chat.shown.windows.update();
          const [next] = chat.shown.conversation.queue;
          if (next && chat.shown.status.type === 'idle')
            await chat.shown.queue.send(next.id).catch(() => undefined);
          for (const each of windows) {
            assert.deepEqual(each.chat.shown.status, { type: 'idle' });
            assert.deepEqual(each.chat.shown.conversation.queue, []);
          }
        });
        const fresh = window('fresh', promptModel());
        await fresh.chat.openChat(id);
        const said = fresh.chat.shown.conversation.all.flatMap((item) =>
          item.type === 'user' ? item.text : [],
        );
        assert.deepEqual(said.toSorted(), sent.toSorted());
        const types = fresh.chat.shown.conversation.all.map(({ type }) => type);
        assert.deepEqual(
          types,
          said.flatMap(() => ['user', 'answer']),
        );
        for (const each of windows) {
          await each.chat.shown.windows.update();
          assert.deepEqual(each.shown(), fresh.shown());
        }
      }),
      { numRuns: 12 },
    );
  });

  it('reads what the other one is writing when it is whole', async () => {
    const { a, b } = await openInBoth();
    b.look('hidden');
    const path = join(folder, `${a.chat.shown.conversation.id}.jsonl`);
    const line = JSON.stringify({ type: 'userMessageAdded', id: 'x', text: 'Wind – 风' });
    const bytes = Buffer.from(`\n${line}\n`);
    for (const [from, to, shown] of [
      [0, bytes.length - 12, 2],
      [bytes.length - 12, bytes.length - 1, 3],
      [bytes.length - 1, bytes.length, 3],
    ] as const) {
      await appendFile(path, bytes.subarray(from, to));
      await b.chat.shown.windows.update();
      assert.equal(b.shown().length, shown);
    }
    assert.equal(b.shown().at(-1), 'Wind – 风');
  });

  it('begins nothing else while the other one is answering, and leaves no trace of it', async () => {
    const [a, ...others] = ['a', 'b', 'c', 'd', 'e'].map((name) => window(name));
    assert.ok(a);
    const first = a.chat.shown.submit('One');
    await eventually(() => assert.equal(a.model.asked.length, 1));
    a.model.goOn();
    await first;
    const { id, all } = a.chat.shown.conversation;
    const answerId = all.findLast(({ type }) => type === 'answer')?.id ?? '';
    for (const { chat } of others) await chat.openChat(id);
    const second = a.chat.shown.submit('Two');
    await eventually(() => assert.equal(a.model.asked.length, 2));
    await a.store.flush();
    const file = () => readFile(join(folder, `${id}.jsonl`), 'utf8');
    const before = await file();
    const refused = { message: 'This conversation is running in another window.' };
    const acts: ((chat: ChatController) => unknown)[] = [
      (chat) => assert.throws(() => chat.shown.compact(), refused),
      (chat) => assert.throws(() => chat.shown.resume(), refused),
      (chat) => assert.throws(() => chat.shown.retry(answerId), refused),
      (chat) => assert.equal(chat.shown.branches.deleteFrom(answerId), false),
    ];
    for (const [at, { chat, store }] of others.entries()) {
      assert.equal(chat.shown.windows.isRunning, false);
      acts[at]?.(chat);
      assert.deepEqual(chat.shown.status, { type: 'runningElsewhere' });
      await store.flush();
    }
    assert.equal(await file(), before);
    a.model.goOn();
    await second;
  });

  it('goes no other way while the other one is answering', async () => {
    const [a, b] = [window('a'), window('b')];
    const first = a.chat.shown.submit('One');
    await eventually(() => assert.equal(a.model.asked.length, 1));
    a.model.goOn();
    await first;
    const second = a.chat.shown.submit('Two');
    await eventually(() => assert.equal(a.model.asked.length, 2));
    await a.store.flush();
    await b.chat.openChat(a.chat.shown.conversation.id);
    const [one, answer] = b.chat.shown.conversation.all.map(({ id }) => id);
    assert.equal(b.chat.shown.submit('Eins', { inPlaceOf: one }), undefined);
    assert.throws(() => b.chat.shown.retry(answer ?? ''), /running in another window/);
    assert.equal(b.chat.shown.branches.deleteFrom(one ?? ''), false);
    a.model.goOn();
    await second;
    await eventually(() => assert.deepEqual(b.shown(), a.shown()));
    assert.equal(b.shown().length, 4);
  });

  it('keeps both where a message was edited in both, without either having seen the other', async () => {
    const { a, b } = await openUnseen();
    const one = a.chat.shown.conversation.all[0]?.id;
    for (const [{ chat, model }, text] of [
      [b, 'Eins'],
      [a, 'Uno'],
    ] as const) {
      const asked = model.asked.length;
      const ended = chat.shown.submit(text, { inPlaceOf: one });
      await eventually(() => assert.equal(model.asked.length, asked + 1));
      assert.deepEqual(model.asked.at(-1), [text]);
      model.goOn();
      await ended;
    }
    await b.chat.shown.windows.update();
    assert.deepEqual(a.shown(), ['Uno', 'Well, yes (answered)']);
    assert.deepEqual(b.shown(), a.shown());
    assert.deepEqual(
      b.chat.shown.conversation.branchesAfter().map((item) => item.type === 'user' && item.text),
      ['One', 'Eins', 'Uno'],
    );
  });

  it('goes on in one with what was said in the other, though that was never opened again', async () => {
    const [a, b] = [window('a'), window('b')];
    const first = a.chat.shown.submit('One');
    a.model.goOn();
    await eventually(() => assert.equal(a.model.asked.length, 1));
    a.model.goOn();
    await first;
    await b.chat.openChat(a.chat.shown.conversation.id);
    const second = b.chat.shown.submit('Two');
    await eventually(() => assert.equal(b.model.asked.length, 1));
    b.model.goOn();
    await second;
    const third = a.chat.shown.submit('Three');
    await eventually(() => assert.equal(a.model.asked.length, 2));
    a.model.goOn();
    await third;
    assert.deepEqual(a.model.asked[1], ['One', 'Well, yes', 'Two', 'Well, yes', 'Three']);
    await b.chat.shown.windows.update();
    assert.deepEqual(b.shown(), a.shown());
    const { shown, chat } = window('c');
    await chat.openChat(a.chat.shown.conversation.id);
    assert.deepEqual(shown(), a.shown());
  });

  it('says that the other one has deleted it, and does not begin it anew', async () => {
    const [a, b] = [window('a'), window('b')];
    const { id } = a.chat.shown.conversation;
    const first = a.chat.shown.submit('One');
    await eventually(() => assert.equal(a.model.asked.length, 1));
    a.model.goOn();
    await first;
    await b.chat.openChat(id);
    const said = (await b.store.load(id)) ?? [];
    await discardChat(b.store, folder, id);
    await assert.rejects(a.chat.shown.windows.update(), /deleted in another window/);
    assert.throws(() => a.chat.shown.submit('Two'), /deleted in another window/);
    await a.store.flush();
    assert.equal(await restoreChat(folder, id), true);
    assert.equal((await b.store.load(id))?.length, said.length);
    assert.equal(a.model.asked.length, 1);
  });

  it('is answered by one, where several find the lock of one that was killed', async () => {
    const hourAgo = Date.now() / 1000 - 3600;
    const names = Array.from({ length: 500 }, (_, number) => `${number}.turn`);
    for (const name of names) {
      await writeFile(join(folder, name), '{}');
      await utimes(join(folder, name), hourAgo, hourAgo);
    }
    await twoWindows('locks', folder);
    const takers = await Promise.all(names.map((name) => readFile(join(folder, `${name}.takers`), 'utf8')));
    assert.deepEqual(
      takers.filter((each) => each.length !== 1),
      [],
    );
  });

  it('is interrupted when the other one was killed, however it left its sign', async () => {
    const other = await windowAtWork(folder);
    const b = window('b');
    await b.chat.openChat('chat');
    assert.deepEqual(b.shown(), ['Hello', ' (undefined)']);
    await other.kill();
    await b.chat.shown.windows.update();
    assert.deepEqual(b.shown(), ['Hello', ' (interrupted)']);
    const ended = b.chat.shown.submit('Still there?');
    await eventually(() => assert.equal(b.model.asked.length, 1));
    b.model.goOn();
    assert.equal((await ended)?.reason, 'answered');
    // The lock's owner is another machine that is gone, or a reused process id.
    assert.ok(b.store.beginTurn('chat'));
    const hourAgo = Date.now() / 1000 - 3600;
    await utimes(join(folder, 'chat.turn'), hourAgo, hourAgo);
    assert.equal(window('c').store.isRunningElsewhere('chat'), false);
  });
});
