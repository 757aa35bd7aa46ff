import assert from 'node:assert/strict';
import { signal } from '@preact/signals';
import { ChatController } from '../../../src/chat/chatController.ts';
import type { Source } from '../../../src/chat/store/events.ts';
import { toCitable } from '../../../src/panel/present/presentSources.ts';
import type { SourceStates } from '../../../src/shared/knowledge.ts';
import type { AssistantItem } from '../../../src/webview/state/items.ts';
import { createState } from '../../../src/webview/state/pageState.ts';
import { receive } from '../../../src/webview/state/receive.ts';
import { chatDependencies } from '../../support/chatDependencies.ts';
import { fakeSegments, segment } from '../../support/fakeSegments.ts';
import { knowledgeParts } from '../../support/knowledgeParts.ts';
import { panelParts } from '../../support/panelParts.ts';
import { scriptedModel } from '../../support/scriptedModel.ts';
import type { ModelEvent } from '../../../src/relay/messages.ts';

const harbour = { id: 'd1', name: 'Harbour' };
const answer = (text: string): ModelEvent[] => [
  { type: 'requestSent' },
  { type: 'textAdded', text },
  { type: 'modelFinished', reason: 'stop' },
];

function setUp(...answers: string[]) {
  const { streamModel } = scriptedModel(...answers.map(answer));
  const heights = segment('heights.md', { origin: { path: 'docs/heights.md', lines: { start: 3, end: 5 } } });
  const { search } = fakeSegments([heights, segment('berths.md')]);
  const chat = new ChatController(chatDependencies({ streamModel, searchSegments: search }));
  const parts = knowledgeParts(chat);
  const { attach, page, panel, refused } = panelParts(chat, { knowledge: parts.controller });
  const state = createState();
  page.listen((message) => receive(state, message));
  const attached = attach();
  page.post({ type: 'ready' });
  const lastAnswer = () =>
    state.items.peek().findLast((item): item is AssistantItem => item.type === 'assistant')!;
  return { ...parts, attached, chat, lastAnswer, page, panel, refused, state };
}

describe('knowledge bases in the panel', () => {
  it('are chosen with the host, shown, and removed one by one', async () => {
    const { host, page, state, chat } = setUp();
    assert.deepEqual(state.knowledge.value, { isConnected: true, chosen: [] });
    host.choice = [harbour, { id: 'd2', name: 'Ships' }];
    const chosen = new Promise((resolve) => chat.onDidChange(resolve));
    page.post({ type: 'chooseKnowledge' });
    await chosen;
    assert.deepEqual(state.knowledge.value.chosen, host.choice);
    page.post({ type: 'removeKnowledge', id: 'd2' });
    assert.deepEqual(state.knowledge.value.chosen, [harbour]);
    await chat.startNewChat();
    assert.deepEqual(state.knowledge.value.chosen, []);
  });

  it('are not chosen for another chat than the one they were asked for', async () => {
    const { host, page, chat } = setUp();
    host.choice = [harbour];
    page.post({ type: 'chooseKnowledge' });
    await chat.startNewChat();
    await new Promise(setImmediate);
    assert.deepEqual(chat.shown.conversation.bases, []);
  });

  it('tell when a platform is connected or gone', () => {
    const { controller, host, state } = setUp();
    host.isConnected = false;
    controller.show();
    assert.equal(state.knowledge.value.isConnected, false);
  });
});

describe('sources in the panel', () => {
  it('are listed under the answer, with those cited of earlier questions, and open', async () => {
    const { added, chat, lastAnswer, opened, page, refused, state } = setUp(
      'Twice a day [1].',
      'As [1] says, and list[7].',
    );
    chat.shown.choices.chooseKnowledge([harbour]);
    await chat.shown.submit('heights.md');
    const [, search] = state.items.value;
    assert.ok(search?.type === 'search');
    assert.deepEqual([search.found, search.state, search.query], [1, 'done', 'heights.md']);
    assert.match(search.sent, /cite="\[1\]" document="heights\.md"/);
    assert.deepEqual(lastAnswer().citable.value, [[1, 1]]);
    assert.deepEqual(lastAnswer().end.value?.sources, [
      {
        ...{ n: 1, document: 'heights.md', base: 'Harbour', content: 'All about heights.md.', score: 0.81 },
        location: { path: 'docs/heights.md', line: 3, endLine: 5 },
      },
    ]);
    await chat.shown.submit('berths.md');
    assert.deepEqual(lastAnswer().citable.value, [[1, 2]]);
    assert.deepEqual(
      lastAnswer().end.value?.sources?.map(({ n, isEarlier }) => [n, isEarlier]),
      [
        [2, undefined],
        [1, true],
      ],
    );
    const answerId = lastAnswer().id;
    for (const n of [1, 2, 3]) page.post({ type: 'openSource', id: answerId, n });
    assert.deepEqual(
      opened.map(({ documentName }) => documentName),
      ['heights.md', 'berths.md'],
    );
    for (const n of [1, 2]) page.post({ type: 'addSource', id: answerId, n });
    page.post({ type: 'addSource', id: 'other', n: 1 });
    assert.deepEqual(added, ['docs/heights.md']);
    assert.deepEqual(refused, []);
  });

  it('are checked while they are drawn, and again when a file of theirs changes', async () => {
    const { attached, chat, lastAnswer, page, state, watch } = setUp('Twice a day [1].', 'Go on.');
    chat.shown.choices.chooseKnowledge([harbour]);
    await chat.shown.submit('heights.md');
    const { id } = lastAnswer();
    state.sourceStates.set(id, signal<SourceStates>([]));
    const states = () => state.sourceStates.get(id)?.value;
    assert.deepEqual([watch.checked.length, watch.listeners.size], [0, 0], 'nothing before');
    const lines = { startLine: 3, endLine: 5 };
    watch.states.set('heights.md', { type: 'current', lines });
    page.post({ type: 'showSources', ids: [id, 'other'] });
    await new Promise(setImmediate);
    assert.deepEqual(watch.checked, [['heights.md']]);
    assert.deepEqual(states(), [{ n: 1, state: { type: 'current', lines } }]);
    assert.equal(watch.listeners.size, 1);

    watch.states.set('heights.md', { type: 'gone' });
    const change = (path: string) => watch.listeners.forEach((listener) => listener(path));
    change('/work/docs/other.md');
    change('/work/docs/heights.md');
    change('/work/docs/heights.md');
    change('/work/docs');
    watch.clock.advance(249);
    assert.equal(watch.checked.length, 1, 'several changes are looked at together');
    watch.clock.advance(1);
    await new Promise(setImmediate);
    assert.equal(watch.checked.length, 2);
    assert.deepEqual(states(), [{ n: 1, state: { type: 'gone' } }]);
    change('/work/docs/other.md');
    watch.clock.advance(1000);
    assert.equal(watch.checked.length, 2, 'another file');

    page.post({ type: 'showSources', ids: [] });
    await new Promise(setImmediate);
    assert.equal(watch.listeners.size, 0, 'nothing is watched that nobody sees');
    page.post({ type: 'showSources', ids: [id] });
    await new Promise(setImmediate);
    assert.equal(watch.checked.length, 3, 'checked again when it comes into view again');
    change('/work/docs/heights.md');
    attached.dispose();
    await new Promise(setImmediate);
    assert.equal(watch.listeners.size, 0, 'nor when the page is gone');
    watch.clock.advance(1000);
    assert.equal(watch.checked.length, 3);
  });

  it('that changed are compared with their files and uploaded again', async () => {
    const { added, chat, compared, lastAnswer, page } = setUp('Twice a day [1].');
    chat.shown.choices.chooseKnowledge([harbour]);
    await chat.shown.submit('heights.md');
    const { id } = lastAnswer();
    page.post({ type: 'compareSource', id, n: 1 });
    page.post({ type: 'compareSource', id, n: 2 });
    page.post({ type: 'updateSource', id, n: 1 });
    assert.deepEqual(
      compared.map(({ documentName }) => documentName),
      ['heights.md'],
    );
    assert.deepEqual(added, ['docs/heights.md to d1']);
  });

  it('are citable as ranges', () => {
    const source = (n: number): Source => ({ n, ...segment(`${n}`) });
    const find = () => undefined;
    assert.deepEqual(toCitable({ found: [source(7), source(3)], earlier: { ranges: [[1, 2]], find } }), [
      [1, 3],
      [7, 7],
    ]);
    assert.deepEqual(toCitable({ found: [], earlier: { ranges: [], find } }), []);
  });
});
