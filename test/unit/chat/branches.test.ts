import assert from 'node:assert/strict';
import fc from 'fast-check';
import { SwitchboardError } from '../../../src/base/errors/errors.ts';
import { ChatController } from '../../../src/chat/chatController.ts';
import { Conversation } from '../../../src/chat/conversation/conversation.ts';
import type { ChatEvent } from '../../../src/chat/store/events.ts';
import { recordInterruptions } from '../../../src/chat/conversation/recordInterruptions.ts';
import type { ModelEvent, ModelRequest, StreamModel } from '../../../src/relay/messages.ts';
import { chatDependencies } from '../../support/chatDependencies.ts';
import { MemoryChatStore } from '../../support/memoryChatStore.ts';
import { processorMs } from '../../support/processorTime.ts';

type Reply = 'words' | 'cut' | 'nothing' | 'failure' | 'tools';

function setUp(bases = false) {
  let replies: Reply[] = [];
  let answers = 0;
  const requests: ModelRequest[] = [];
  const streamModel: StreamModel = async function* (request) {
    requests.push(request);
    const text: ModelEvent = { type: 'textAdded', text: `answer ${++answers}` };
    switch (replies.shift() ?? 'words') {
      case 'failure':
        throw new SwitchboardError('transient', 'Down.');
      case 'cut':
        yield text;
        throw new SwitchboardError('truncated', 'Cut.');
      case 'tools':
        yield text;
        yield { type: 'toolCallsCompleted', calls: [{ id: `c${answers}`, name: 'read', arguments: '{}' }] };
        yield { type: 'modelFinished', reason: 'tool_calls' };
        return;
      case 'words':
        yield text;
    }
    yield { type: 'modelFinished', reason: 'stop' };
  };
  const store = new MemoryChatStore();
  const chat = new ChatController(
    chatDependencies({ store, streamModel, tools: { read: { run: () => 'Read.' } } }),
  );
  if (bases) chat.shown.choices.chooseKnowledge([{ id: 'd', name: 'Harbour' }]);
  const reloaded = async () =>
    new Conversation('again', (await store.load(chat.shown.conversation.id)) ?? []);
  const ask = async (text: string, ...by: Reply[]) => {
    replies = by;
    await chat.shown.submit(text);
  };
  const retry = async (id: string, ...by: Reply[]) => {
    replies = by;
    await chat.shown.retry(id);
  };
  const edit = async (id: string, text: string) => {
    await chat.shown.submit(text, { inPlaceOf: id });
  };
  return { ask, chat, edit, reloaded, requests, retry };
}

function textsOf({ all }: Conversation): string[] {
  return all.flatMap((item) => (item.type === 'user' || item.type === 'answer' ? [item.text] : []));
}

function idOf({ all }: Conversation, text: string): string {
  const item = all.find((each) => (each.type === 'user' || each.type === 'answer') && each.text === text);
  return item?.id ?? assert.fail(`"${text}" is not on the path`);
}

/** All ids reachable from the conversation by its versions. */
function reachable(conversation: Conversation): Set<string> {
  const texts = new Set<string>();
  const seen = new Set<string>();
  const open = [conversation.all.at(-1)?.id];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    conversation.apply({ type: 'versionChosen', id: next });
    for (const item of conversation.all) {
      if (item.type !== 'user' && item.type !== 'answer') continue;
      texts.add(item.text);
      if (seen.has(item.id)) continue;
      seen.add(item.id);
      for (const direction of ['previous', 'next'] as const) {
        for (let at = item.id, more; (more = conversation.versionBeside(at, direction)); at = more) {
          if (!seen.has(more)) open.push(more);
        }
      }
    }
  }
  return texts;
}

describe('the branches of a conversation', () => {
  it('keep what followed an answer that is asked for again, until it is chosen again', async () => {
    const { ask, chat, reloaded, requests, retry } = setUp();
    await ask('One');
    await ask('Two');
    await retry(idOf(chat.shown.conversation, 'answer 1'));
    assert.deepEqual(textsOf(chat.shown.conversation), ['One', 'answer 3']);
    assert.deepEqual(
      requests.at(-1)?.messages.map(({ content }) => content),
      ['One'],
    );
    const third = idOf(chat.shown.conversation, 'answer 3');
    assert.deepEqual(chat.shown.conversation.versionOf(third), { number: 2, count: 2 });
    chat.shown.branches.chooseVersion(third, 'previous');
    assert.deepEqual(textsOf(chat.shown.conversation), ['One', 'answer 1', 'Two', 'answer 2']);
    assert.deepEqual(textsOf(await reloaded()), ['One', 'answer 1', 'Two', 'answer 2']);
    await ask('Three');
    assert.deepEqual(
      requests.at(-1)?.messages.map(({ content }) => content),
      ['One', 'answer 1', 'Two', 'answer 2', 'Three'],
    );
    chat.shown.branches.chooseVersion(idOf(chat.shown.conversation, 'answer 1'), 'next');
    assert.deepEqual(textsOf(chat.shown.conversation), ['One', 'answer 3']);
    chat.shown.branches.chooseVersion(third, 'previous');
    assert.equal(textsOf(chat.shown.conversation).at(-1), 'answer 4');
  });

  it('are at the message where a message was edited', async () => {
    const { ask, chat, edit } = setUp();
    await ask('One');
    await ask('Two');
    await edit(idOf(chat.shown.conversation, 'Two'), 'Zwei');
    assert.deepEqual(chat.shown.conversation.versionOf(idOf(chat.shown.conversation, 'Zwei')), {
      number: 2,
      count: 2,
    });
    assert.equal(chat.shown.conversation.versionOf(idOf(chat.shown.conversation, 'answer 3')), undefined);
    await edit(idOf(chat.shown.conversation, 'One'), 'Eins');
    chat.shown.branches.chooseVersion(idOf(chat.shown.conversation, 'Eins'), 'previous');
    assert.deepEqual(textsOf(chat.shown.conversation), ['One', 'answer 1', 'Zwei', 'answer 3']);
  });

  it('go the way they went last, not the newest', async () => {
    const { ask, chat, edit } = setUp();
    await ask('One');
    await ask('Two');
    await edit(idOf(chat.shown.conversation, 'Two'), 'Zwei');
    chat.shown.branches.chooseVersion(idOf(chat.shown.conversation, 'Zwei'), 'previous');
    await edit(idOf(chat.shown.conversation, 'One'), 'Eins');
    chat.shown.branches.chooseVersion(idOf(chat.shown.conversation, 'Eins'), 'previous');
    assert.deepEqual(textsOf(chat.shown.conversation), ['One', 'answer 1', 'Two', 'answer 2']);
  });

  it('are at the answer, whatever stands above it', async () => {
    const { ask, chat, retry } = setUp(true);
    await ask('One', 'tools', 'cut');
    const kinds = chat.shown.conversation.all.map(({ type }) => type);
    assert.deepEqual(kinds, ['user', 'search', 'answer', 'tool', 'answer']);
    // Tool results stay; only the answer is requested again.
    await retry(chat.shown.conversation.all[4]!.id);
    assert.deepEqual(chat.shown.conversation.versionOf(idOf(chat.shown.conversation, 'answer 3')), {
      number: 2,
      count: 2,
    });
    assert.equal(chat.shown.conversation.versionOf(idOf(chat.shown.conversation, 'answer 1')), undefined);
    await retry(idOf(chat.shown.conversation, 'answer 3'));
    assert.deepEqual(chat.shown.conversation.versionOf(idOf(chat.shown.conversation, 'answer 4')), {
      number: 2,
      count: 2,
    });
    assert.ok(chat.shown.conversation.all.some(({ type }) => type === 'notice'));
  });

  it('are none for answers in which nothing came', async () => {
    const { ask, chat, retry } = setUp();
    await ask('One', 'failure');
    await retry(chat.shown.conversation.all.at(-1)!.id, 'nothing');
    await retry(chat.shown.conversation.all.at(-1)!.id);
    assert.deepEqual(textsOf(chat.shown.conversation), ['One', 'answer 3']);
    assert.equal(chat.shown.conversation.versionOf(chat.shown.conversation.all[1]!.id), undefined);
    await retry(chat.shown.conversation.all[1]!.id, 'failure');
    const failed = chat.shown.conversation.all[1]!.id;
    assert.deepEqual(chat.shown.conversation.versionOf(failed), { number: 2, count: 2 });
    chat.shown.branches.chooseVersion(failed, 'previous');
    assert.equal(chat.shown.conversation.versionOf(chat.shown.conversation.all[1]!.id), undefined);
  });

  it('are deleted from a message on, and are back when that is undone', async () => {
    const { ask, chat, edit, reloaded, requests } = setUp();
    await ask('One');
    await ask('Two');
    await ask('Three');
    const two = idOf(chat.shown.conversation, 'Two');
    assert.ok(chat.shown.branches.deleteFrom(two));
    assert.deepEqual(textsOf(chat.shown.conversation), ['One', 'answer 1']);
    assert.equal(chat.shown.conversation.abandonedId, undefined);
    await ask('Drei');
    assert.equal(chat.shown.conversation.versionOf(idOf(chat.shown.conversation, 'Drei')), undefined);
    assert.deepEqual(
      requests.at(-1)?.messages.map(({ content }) => content),
      ['One', 'answer 1', 'Drei'],
    );
    chat.shown.branches.goTo(two);
    assert.deepEqual(textsOf(chat.shown.conversation).slice(2), ['Two', 'answer 2', 'Three', 'answer 3']);
    assert.deepEqual(chat.shown.conversation.versionOf(two), { number: 1, count: 2 });
    await edit(two, 'Zwei');
    assert.ok(chat.shown.branches.deleteFrom(idOf(chat.shown.conversation, 'Zwei')));
    assert.deepEqual(textsOf(chat.shown.conversation).slice(2), ['Drei', 'answer 4']);
    assert.deepEqual((await reloaded()).all, chat.shown.conversation.all);
  });

  it('stay deleted when another branch is gone to and left again', async () => {
    const { ask, chat, edit } = setUp();
    await ask('One');
    await ask('Two');
    chat.shown.branches.deleteFrom(idOf(chat.shown.conversation, 'Two'));
    await edit(idOf(chat.shown.conversation, 'One'), 'Eins');
    chat.shown.branches.chooseVersion(idOf(chat.shown.conversation, 'Eins'), 'previous');
    assert.deepEqual(textsOf(chat.shown.conversation), ['One', 'answer 1']);
  });

  it('are gone to from anywhere, by one step for each place where the way turns off', async () => {
    const { ask, chat, edit, retry } = setUp();
    await ask('One');
    await ask('Two');
    const deep = idOf(chat.shown.conversation, 'answer 2');
    await retry(deep);
    await edit(idOf(chat.shown.conversation, 'One'), 'Eins');
    const steps: ChatEvent[] = [];
    chat.onDidChange((change) => change.type === 'versionChosen' && steps.push(change));
    chat.shown.branches.goTo(deep);
    assert.deepEqual(textsOf(chat.shown.conversation), ['One', 'answer 1', 'Two', 'answer 2']);
    assert.equal(steps.length, 2);
    chat.shown.branches.goTo(deep);
    chat.shown.branches.goTo('unknown');
    assert.equal(steps.length, 2);
  });

  it('are listed where the conversation splits', async () => {
    const { ask, chat, edit, retry } = setUp();
    const labels = (id?: string) =>
      chat.shown.conversation.branchesAfter(id).map((item) => ('text' in item ? item.text : ''));
    await ask('One');
    await ask('Two');
    assert.deepEqual(labels(), []);
    await edit(idOf(chat.shown.conversation, 'Two'), 'Zwei');
    await retry(idOf(chat.shown.conversation, 'answer 3'));
    assert.deepEqual(labels(), ['Two', 'Zwei']);
    assert.deepEqual(labels(idOf(chat.shown.conversation, 'Zwei')), ['answer 3', 'answer 4']);
    const [two] = chat.shown.conversation.branchesAfter();
    assert.deepEqual(labels(two?.id), []);
    chat.shown.branches.deleteFrom(idOf(chat.shown.conversation, 'Zwei'));
    assert.deepEqual(labels(), []);
  });

  it('are not changed while an answer comes', async () => {
    const { ask, chat, retry } = setUp();
    await ask('One');
    await retry(idOf(chat.shown.conversation, 'answer 1'));
    const ended = chat.shown.submit('Two');
    chat.shown.branches.chooseVersion(idOf(chat.shown.conversation, 'answer 2'), 'previous');
    assert.equal(chat.shown.branches.deleteFrom(idOf(chat.shown.conversation, 'One')), false);
    assert.equal(chat.shown.submit('Eins', { inPlaceOf: idOf(chat.shown.conversation, 'One') }), undefined);
    await ended;
    assert.equal(chat.shown.submit('Eins', { inPlaceOf: 'gone' }), undefined);
    assert.deepEqual(textsOf(chat.shown.conversation), ['One', 'answer 2', 'Two', 'answer 3']);
  });

  it('lead back when the editor went away before anything new was said', () => {
    const edits = [{ path: 'a', realPath: '/a', before: '', afterHash: 'x' }];
    const before: ChatEvent[] = [
      { type: 'userMessageAdded', id: 'u1', text: 'One' },
      { type: 'answerStarted', id: 'a1', model: 'm' },
      { type: 'textAdded', id: 'a1', text: 'answer 1' },
      { type: 'editsMade', id: 'e1', edits },
      { type: 'answerEnded', id: 'a1', end: { reason: 'answered' } },
      { type: 'versionStarted', ofId: 'a1' },
    ];
    const carried: ChatEvent = { type: 'editsMade', id: 'e1', edits };
    for (const events of [before, [...before, carried]]) {
      const conversation = new Conversation('c', events);
      const marks: ChatEvent[] = [];
      recordInterruptions(conversation, (event) => {
        marks.push(event);
        conversation.apply(event);
      });
      assert.deepEqual(marks, [{ type: 'versionChosen', id: 'a1' }]);
      assert.deepEqual(textsOf(conversation), ['One', 'answer 1']);
    }
  });

  it('stay readable in files that know no versions', () => {
    const conversation = new Conversation('c', [
      { type: 'userMessageAdded', id: 'u1', text: 'One' },
      { type: 'answerStarted', id: 'a1', model: 'm' },
      { type: 'itemsRemoved', fromId: 'a1' },
      { type: 'answerStarted', id: 'a2', model: 'm' },
      { type: 'textAdded', id: 'a2', text: 'Hello' },
      { type: 'userMessageAdded', id: 'u2', text: 'Two' },
      { type: 'itemsRemoved', fromId: 'a2' },
      { type: 'itemsRemoved', fromId: 'gone' },
    ]);
    assert.deepEqual(textsOf(conversation), ['One']);
  });

  it('revert the same edits from each version', () => {
    const edits = [{ path: 'a', realPath: '/a', before: '', afterHash: 'x' }];
    const conversation = new Conversation('c', [
      { type: 'userMessageAdded', id: 'u1', text: 'One' },
      { type: 'answerStarted', id: 'a1', model: 'm' },
      { type: 'textAdded', id: 'a1', text: 'Done.' },
      { type: 'editsMade', id: 'e1', edits },
      { type: 'versionStarted', ofId: 'a1' },
      { type: 'editsMade', id: 'e1', edits },
      { type: 'answerStarted', id: 'a2', model: 'm' },
      { type: 'hunksUndone', id: 'e1', files: [{ path: 'a' }] },
    ]);
    const outcome = () => {
      const item = conversation.all.find(({ type }) => type === 'edits');
      return item?.type === 'edits' && item.reviews?.['a']?.isDone;
    };
    assert.equal(outcome(), true);
    conversation.apply({ type: 'versionChosen', id: 'a1' });
    assert.equal(outcome(), true);
  });

  it('lose nothing that was said, and come back as they were, whatever is done', async () => {
    const reply = fc.constantFrom<Reply>('words', 'words', 'cut', 'nothing', 'failure', 'tools');
    const step = fc.record({
      action: fc.constantFrom('ask', 'retry', 'edit', 'previous', 'next', 'delete', 'goTo'),
      at: fc.nat(20),
      replies: fc.array(reply, { maxLength: 3 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 14 }), async (steps) => {
        const { ask, chat, edit, reloaded, requests, retry } = setUp();
        const said = new Set<string>();
        /** By id, of messages and answers on any branch. */
        const known = new Map<string, string>();
        const deleted: string[] = [];
        const gone = new Set<string>();
        let messages = 0;
        for (const { action, at, replies } of steps) {
          const { all } = chat.shown.conversation;
          const pick = (type: string) => {
            const items = all.filter((item) => item.type === type);
            return items[at % items.length]?.id;
          };
          const answer = pick('answer');
          const message = pick('user');
          if (action === 'ask' || answer === undefined || message === undefined) {
            await ask(`message ${++messages}`, ...replies);
          } else if (action === 'retry') await retry(answer, ...replies);
          else if (action === 'edit') await edit(message, `message ${++messages}`);
          else if (action === 'delete') {
            assert.ok(chat.shown.branches.deleteFrom(message));
            assert.ok(!chat.shown.conversation.all.some(({ id }) => id === message));
            deleted.push(message);
            gone.add(message);
          } else if (action === 'goTo') {
            const id = [...known.keys()][at % known.size]!;
            chat.shown.branches.goTo(id);
            assert.ok(chat.shown.conversation.all.some((item) => item.id === id));
          } else chat.shown.branches.chooseVersion(at % 2 ? answer : message, action);
          // Deleted items come back with their branch, and not otherwise.
          const onPath = new Set(chat.shown.conversation.all.map(({ id }) => id));
          if (action === 'goTo') for (const id of gone) if (onPath.has(id)) gone.delete(id);
          assert.deepEqual(
            [...gone].filter((id) => onPath.has(id)),
            [],
          );
          for (const item of chat.shown.conversation.all) {
            if ((item.type !== 'user' && item.type !== 'answer') || !item.text) continue;
            said.add(item.text);
            known.set(item.id, item.text);
          }
          assert.deepEqual((await reloaded()).all, chat.shown.conversation.all);
          if (['ask', 'retry', 'edit'].includes(action)) {
            const sent = requests.at(-1)?.messages.filter(({ role }) => role !== 'tool') ?? [];
            const path = textsOf(chat.shown.conversation).filter(Boolean);
            assert.ok(sent.every(({ content }) => path.includes(content)));
          }
        }
        const again = await reloaded();
        for (const id of deleted)
          for (let at; (at = again.turnOff(id));) again.apply({ type: 'versionChosen', id: at });
        const texts = reachable(again);
        assert.deepEqual(
          [...said].filter((text) => !texts.has(text)),
          [],
        );
      }),
      { numRuns: 150 },
    );
  });

  it('take time in proportion to the items', () => {
    const events: ChatEvent[] = [];
    for (let n = 0; n < 40_000; n++) {
      events.push({ type: 'userMessageAdded', id: `u${n}`, text: 'q' });
      events.push({ type: 'answerStarted', id: `a${n}`, model: 'm' });
      events.push({ type: 'answerEnded', id: `a${n}`, end: { reason: 'answered' } });
    }
    let conversation = new Conversation('c', []);
    const took = processorMs(() => {
      conversation = new Conversation('c', events);
      assert.equal(conversation.all.length, 80_000);
    });
    assert.ok(took < 2000);
    conversation.apply({ type: 'versionStarted', ofId: 'u1' });
    conversation.apply({ type: 'userMessageAdded', id: 'new', text: 'q' });
    conversation.apply({ type: 'versionChosen', id: 'u1' });
    assert.equal(conversation.all.length, 80_000);
  });
});
