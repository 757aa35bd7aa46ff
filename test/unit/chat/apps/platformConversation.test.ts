import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { AppMessage } from '../../../../src/apps/app.ts';
import { appModelId } from '../../../../src/apps/appModelId.ts';
import {
  chatIdOf,
  eventsToMatch,
  loadMessages,
  mostMessages,
} from '../../../../src/chat/apps/platformConversation.ts';
import { withAttachments } from '../../../../src/chat/attachments/attachmentText.ts';
import { Conversation } from '../../../../src/chat/conversation/conversation.ts';
import { fakeApps } from '../../../support/fakeApps.ts';

const message = (id: string, parts: Partial<AppMessage> = {}): AppMessage => ({
  ...{ id, query: `q ${id}`, answer: `a ${id}`, reasoning: '' },
  ...{ conversationId: 'c', sources: [], thoughts: [], attached: [], files: [] },
  ...parts,
});

function ids() {
  let last = 0;
  return () => `id${++last}`;
}

/** The questions and answers, with the platform's ids. */
function toldIn({ all }: Conversation) {
  return all.flatMap((item) =>
    item.type === 'user'
      ? [item.text]
      : item.type === 'answer' && item.end?.reason !== 'called'
        ? [`${item.text}=${item.app?.messageId ?? ''}${item.app?.rating ?? ''}`]
        : [],
  );
}

describe('a conversation of the platform', () => {
  it('has a chat whose name the server has no say in', () => {
    const id = chatIdOf('app', '../../etc/passwd');
    assert.match(id, /^app-[0-9a-f]{32}$/);
    assert.equal(id, chatIdOf('app', '../../etc/passwd'));
    assert.notEqual(id, chatIdOf('app', 'other'));
  });

  it('is loaded page by page, up to a bound', async () => {
    const { app } = fakeApps();
    const { signal } = new AbortController();
    app.kept = Array.from({ length: 45 }, (_, n) => message(`${n}`));
    const all = await loadMessages(app, 'c', signal);
    assert.deepEqual([all.messages.length, all.messages[0]?.id, all.isCut], [45, '0', false]);
    app.kept = Array.from({ length: mostMessages + 50 }, (_, n) => message(`${n}`));
    const cut = await loadMessages(app, 'c', signal);
    assert.deepEqual([cut.messages.length, cut.messages[0]?.id, cut.isCut], [mostMessages, '50', true]);
  });

  it('ends when a server answers every page with the first', async () => {
    const { app } = fakeApps();
    app.messages = async () => ({ messages: [message('1')], hasMore: true });
    const { messages, isCut } = await loadMessages(app, 'c', new AbortController().signal);
    assert.deepEqual([messages.length, isCut], [1, false]);
  });

  it('has what was put beside the words beside them again', () => {
    const conversation = new Conversation('c');
    const note = { kind: 'selection', label: 'a.ts', path: 'src/a.ts', text: 'let a;' } as const;
    const kept = message('m1', { query: withAttachments('Why?', [note]), attached: [{ name: 'chart.png' }] });
    for (const event of eventsToMatch(conversation, 'guide', { messages: [kept], isCut: false }, ids())) {
      conversation.apply(event);
    }
    const [said] = conversation.all;
    assert.ok(said?.type === 'user');
    assert.equal(said.text, 'Why?');
    assert.deepEqual(said.attachments, [note, { kind: 'file', label: 'chart.png', upload: {} }]);
  });

  it('becomes turns with tools, sources, files and ratings', () => {
    const conversation = new Conversation('c');
    const kept = message('m1', {
      rating: 'like',
      reasoning: 'Hm.',
      thoughts: [
        { id: 't1', position: 1, thought: 'Let me look.' },
        { id: 't2', position: 2, thought: '', tool: 'tides', toolInput: '{}', observation: 'High.' },
      ],
      attached: [{ name: 'chart.png' }],
      files: [{ name: 'tides.png', address: 'https://p.example/t.png' }],
      error: 'The model fell asleep.',
    });
    const events = eventsToMatch(
      conversation,
      'guide',
      { messages: [kept], isCut: true, inputs: { boat: 'Dione', none: '', list: [1] } },
      ids(),
    );
    for (const event of events) conversation.apply(event);
    assert.deepEqual(
      conversation.all.map((item) =>
        item.type === 'notice' ? `${item.kind} ${item.detail ?? ''}` : item.type,
      ),
      ['app-inputs boat: Dione\nlist: [1]', 'app-cut 1', 'user', 'answer', 'tool', 'answer'],
    );
    const [asked, answered] = [conversation.all[2], conversation.all[5]];
    assert.ok(asked?.type === 'user' && answered?.type === 'answer');
    assert.deepEqual(asked.attachments, [{ kind: 'file', label: 'chart.png', upload: {} }]);
    assert.deepEqual(
      [answered.model, answered.reasoning, answered.end?.failure?.why, answered.app?.rating],
      [appModelId('guide'), 'Hm.', 'The model fell asleep.', 'like'],
    );
  });

  it('keeps a message that never came to the platform', () => {
    const newId = ids();
    const conversation = new Conversation('c');
    const sync = (messages: AppMessage[]) => {
      const events = eventsToMatch(conversation, 'guide', { messages, isCut: false }, newId);
      for (const event of events) conversation.apply(event);
      return events.length;
    };
    sync([message('1')]);
    conversation.apply({ type: 'userMessageAdded', id: 'u', text: 'Lost' });
    conversation.apply({ type: 'answerStarted', id: 'a', model: appModelId('guide') });
    conversation.apply({ type: 'answerEnded', id: 'a', end: { reason: 'failed' } });
    assert.equal(sync([message('1')]), 0);
    assert.deepEqual(toldIn(conversation), ['q 1', 'a 1=1', 'Lost', '=']);
    sync([message('1'), message('2')]);
    assert.deepEqual(toldIn(conversation), ['q 1', 'a 1=1', 'q 2', 'a 2=2']);
  });

  it('keeps what is older than the oldest message that was loaded', () => {
    const newId = ids();
    const conversation = new Conversation('c');
    const sync = (numbers: readonly string[], isCut: boolean, rating?: 'like') => {
      const messages = numbers.map((id) => message(id, id === '3' && rating ? { rating } : {}));
      const events = eventsToMatch(conversation, 'guide', { messages, isCut }, newId);
      for (const event of events) conversation.apply(event);
      return events.length;
    };
    sync(['1', '2', '3', '4'], false);
    sync(['3', '4', '5'], true, 'like');
    const whole = ['1=1', '2=2', '3=3like', '4=4', '5=5'].flatMap((told) => [`q ${told[0]}`, `a ${told}`]);
    assert.deepEqual(toldIn(conversation), whole);
    assert.equal(sync(['3', '4', '5'], true, 'like'), 0);
    sync(['8', '9'], true);
    assert.deepEqual(toldIn(conversation), ['q 8', 'a 8=8', 'q 9', 'a 9=9'], 'none is known');
  });

  it('is what the platform says, whatever was kept, and is written once', () => {
    const messages = fc.uniqueArray(
      fc.record({
        id: fc.constantFrom('1', '2', '3', '4', '5', '6'),
        rating: fc.option(fc.constantFrom('like' as const, 'dislike' as const), { nil: undefined }),
      }),
      { selector: ({ id }) => id },
    );
    fc.assert(
      fc.property(fc.array(messages, { minLength: 1, maxLength: 5 }), (versions) => {
        const newId = ids();
        const conversation = new Conversation('c');
        for (const version of versions) {
          const kept = version.map(({ id, rating }) => message(id, { ...(rating && { rating }) }));
          const match = () => eventsToMatch(conversation, 'guide', { messages: kept, isCut: false }, newId);
          for (const event of match()) conversation.apply(event);
          if (kept.length === 0) continue;
          const told = kept.flatMap(({ id, rating }) => [`q ${id}`, `a ${id}=${id}${rating ?? ''}`]);
          assert.deepEqual(toldIn(conversation), told);
          assert.deepEqual(match(), []);
        }
      }),
    );
  });
});
