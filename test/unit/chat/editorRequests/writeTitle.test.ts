import assert from 'node:assert/strict';
import { SwitchboardError } from '../../../../src/base/errors/errors.ts';
import { ChatController } from '../../../../src/chat/chatController.ts';
import { cleanTitle } from '../../../../src/chat/editorRequests/writeTitle.ts';
import { type DetailsChange, saveTitle } from '../../../../src/history/conversationDetails.ts';
import { giveTitles } from '../../../../src/history/giveTitles.ts';
import type { ModelEvent, Usage } from '../../../../src/relay/messages.ts';
import { chatDependencies } from '../../../support/chatDependencies.ts';
import { eventuallyEqual } from '../../../support/eventually.ts';
import { scriptedModel } from '../../../support/scriptedModel.ts';
import { silentLog } from '../../../support/silentLog.ts';

const usage: Usage = { promptTokens: 90, completionTokens: 5 };
const answered = (text: string): ModelEvent[] => [
  { type: 'requestSent' },
  { type: 'textAdded', text },
  { type: 'modelFinished', reason: 'stop', usage },
];

function setUp(...scripts: Parameters<typeof scriptedModel>) {
  const { streamModel, requests } = scriptedModel(...scripts);
  const chat = new ChatController(chatDependencies({ streamModel, tools: { read: { run: () => '' } } }));
  const known = new Map<string, DetailsChange>();
  const details = {
    read: async () => known as never,
    change: async (id: string, change: DetailsChange) => void known.set(id, { ...known.get(id), ...change }),
  };
  const give = () => saveTitle(details, chat.sessions[0]!);
  const title = () => known.get(chat.shown.conversation.id)?.title;
  return { chat, requests, known, details, give, title };
}

describe('the title of a conversation', () => {
  it('is written by its model in one small request without tools, and counted', async () => {
    const { chat, requests, known, give, title } = setUp(answered('At noon.'), answered('"Tides at noon."'));
    await chat.shown.submit('When is high tide? '.repeat(500));
    assert.equal(await give(), true);
    assert.equal(title(), 'Tides at noon');
    assert.equal(known.get(chat.shown.conversation.id)?.isTitleByModel, true);
    const { messages, ...request } = requests[1]!;
    assert.deepEqual(request, { model: 'm', stream: true, maxTokens: 20, isUnasked: true });
    assert.equal(messages.length, 1);
    assert.ok(messages[0]!.content.length < 3000 && messages[0]!.content.includes('At noon.'));
    assert.deepEqual(chat.shown.conversation.requests, [{ usage }, { usage }]);
    assert.equal(chat.shown.conversation.all.length, 2);
  });

  it('is asked for once, after the first turn', async () => {
    const { chat, requests, give } = setUp(answered('One.'), answered('A title'), answered('Two.'));
    assert.equal(await give(), false);
    await chat.shown.submit('First');
    assert.equal(await give(), true);
    assert.equal(await give(), false);
    await chat.shown.submit('Second');
    assert.equal(await give(), false);
    assert.equal(requests.length, 3);
  });

  it('stays what the user called it, also while the model is asked', async () => {
    const { chat, requests, details, give } = setUp(answered('One.'), answered('By the model'));
    await chat.shown.submit('First');
    await details.change(chat.shown.conversation.id, { title: 'Mine' });
    assert.equal(await give(), false);
    assert.equal(requests.length, 1);

    const other = setUp(answered('One.'), answered('By the model'));
    await other.chat.shown.submit('First');
    const [session] = other.chat.sessions;
    assert.ok(session);
    const writeTitle = async (signal: AbortSignal) => {
      await other.details.change(session.conversation.id, { title: '' });
      return session.writeTitle(signal);
    };
    const { conversation } = session;
    assert.equal(await saveTitle(other.details, { conversation, writeTitle }), false);
    assert.equal(other.requests.length, 2);
    assert.equal(other.title(), '');
  });

  it('is not asked for where the first turn failed, or an app answered', async () => {
    const failing = setUp([new SwitchboardError('offline', 'No network.')]);
    await failing.chat.shown.submit('First');
    assert.equal(await failing.give(), false);
    const { chat, give, requests } = setUp();
    chat.shown.choices.selectModel('app:1');
    await chat.shown.submit('First');
    assert.equal(await give(), false);
    assert.equal(requests.length, 0);
  });

  it('is none where the model fails or says none', async () => {
    const silent = setUp(
      answered('One.'),
      [{ type: 'requestSent' }, { type: 'modelFinished', reason: 'length', usage }],
      answered('Two.'),
    );
    await silent.chat.shown.submit('First');
    assert.equal(await silent.give(), false);
    assert.equal(silent.chat.shown.conversation.requests.length, 2);
    await silent.chat.shown.submit('Second');
    assert.equal(await silent.give(), false);
    assert.equal(silent.requests.length, 3);
    const failing = setUp(answered('One.'), [new SwitchboardError('rate-limit', 'Later.')]);
    await failing.chat.shown.submit('First');
    await assert.rejects(failing.give(), { code: 'rate-limit' });
    assert.equal(failing.title(), undefined);
  });

  it('is asked for when the conversation comes to rest, if the user wants titles', async () => {
    const { chat, requests, details, title } = setUp(
      answered('One.'),
      answered('Two.'),
      answered('Tides'),
      answered('Three.'),
      answered('Four.'),
      answered('Moon'),
    );
    let isOn = true;
    let given = 0;
    const giving = giveTitles({
      ...{ chat, isOn: () => isOn, details: async () => details, onGiven: () => given++, log: silentLog },
    });
    // The second message is queued during the first answer.
    const first = chat.shown.submit('First');
    chat.shown.queue.add({ text: 'Second' });
    await first;
    await eventuallyEqual(() => [title(), given], ['Tides', 1]);
    isOn = false;
    await chat.startNewChat();
    await chat.shown.submit('Third');
    assert.equal(title(), undefined);
    isOn = true;
    await chat.startNewChat();
    await chat.shown.submit('Fourth');
    await eventuallyEqual(() => [title(), given], ['Moon', 2]);
    assert.equal(requests.length, 6, 'for the third message nobody asked for a title');
    giving.dispose();
  });

  it('leaves only the kind of its failure in the log', async () => {
    const { chat, details } = setUp(answered('One.'), [
      new SwitchboardError('rate-limit', 'Tides are limited.'),
    ]);
    const log: string[] = [];
    const write = (text: string) => void log.push(text);
    giveTitles({
      ...{ chat, isOn: () => true, details: async () => details, onGiven: () => assert.fail('none came') },
      log: { debug: write, info: write, warn: write, error: write },
    });
    await chat.shown.submit('First');
    await eventuallyEqual(() => log, ['A conversation was not given a title: rate-limit']);
  });

  it('is one clean line', () => {
    const clean = [
      '**Tide tables**',
      '# Title: "Tide tables".',
      '\n\n「Tide tables」\nmore',
      'Title：Tide tables',
      '  Tide   tables \t',
    ];
    for (const text of clean) assert.equal(cleanTitle(text), 'Tide tables');
    assert.equal(cleanTitle('” \n'), '');
    assert.equal(cleanTitle('long '.repeat(50)).length, 60);
    assert.equal(cleanTitle('a\u202eb'), 'a⟨U+202E⟩b');
  });
});
