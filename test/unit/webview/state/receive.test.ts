import assert from 'node:assert/strict';
import { effect } from '@preact/signals';
import { narrow, reachesEnd } from '../../../../src/webview/state/entries.ts';
import type { AssistantItem } from '../../../../src/webview/state/items.ts';
import { createState, type PageState } from '../../../../src/webview/state/pageState.ts';
import { receive } from '../../../../src/webview/state/receive.ts';
import { answer, panelState, user } from '../../../page/support/states.ts';

describe('the state of the page', () => {
  function shown(parts: Parameters<typeof panelState>[0] = {}): PageState {
    const state = createState();
    receive(state, { type: 'stateReplaced', state: panelState(parts) });
    return state;
  }
  const ids = (state: PageState) => state.items.value.map(({ id }) => id);

  it('ignores what comes before the first full state', () => {
    const state = createState();
    receive(state, { type: 'entryAdded', entry: user('1', 'Hello'), index: 0, total: 1 });
    receive(state, { type: 'draftReplaced', text: 'typed' });
    assert.equal(state.loaded.value, false);
    assert.deepEqual(ids(state), []);
    assert.equal(state.draft.value, '');
  });

  it('ends the search in a conversation where another one is shown, and only there', () => {
    const state = shown({ chatId: 'one' });
    state.finding.value = 1;
    receive(state, { type: 'stateReplaced', state: panelState({ chatId: 'one' }) });
    assert.equal(state.finding.value, 1);
    receive(state, { type: 'stateReplaced', state: panelState({ chatId: 'other' }) });
    assert.equal(state.finding.value, 0);
  });

  it('puts a step in its place, and draws its answer alone', () => {
    const state = shown({ entries: [answer('1', 'one'), answer('2', 'two', { end: null })] });
    const [first, second] = state.items.value as [AssistantItem, AssistantItem];
    let otherDrawn = 0;
    effect(() => void (first.steps.value, otherDrawn++));
    const step = { id: 's1', title: 'Start', kind: 'start', status: 'running' as const };
    receive(state, { type: 'stepChanged', id: '2', step });
    receive(state, { type: 'stepChanged', id: '2', step: { ...step, id: 's2' } });
    receive(state, { type: 'stepChanged', id: '2', step: { ...step, status: 'succeeded' } });
    receive(state, { type: 'stepChanged', id: 'none', step });
    assert.deepEqual(
      second.steps.value.map(({ id, status }) => [id, status]),
      [
        ['s1', 'succeeded'],
        ['s2', 'running'],
      ],
    );
    assert.equal(otherDrawn, 1);
  });

  it('adds a delta to the one entry it is for, and to nothing else', () => {
    const state = shown({ entries: [answer('1', 'one'), answer('2', 'two', { end: null })] });
    let listDrawn = 0;
    let otherDrawn = 0;
    const [first, second] = state.items.value as [AssistantItem, AssistantItem];
    effect(() => void (state.items.value, listDrawn++));
    effect(() => void (first.text.value, otherDrawn++));
    receive(state, { type: 'textAdded', id: '2', text: ' three' });
    receive(state, { type: 'reasoningAdded', id: '2', text: 'hm' });
    assert.equal(second.text.value, 'two three');
    assert.equal(second.reasoning.value, 'hm');
    assert.deepEqual([listDrawn, otherDrawn], [1, 1]);
  });

  it('ignores deltas for entries it does not have and for messages of the user', () => {
    const state = shown({ entries: [user('1', 'Hello')] });
    receive(state, { type: 'textAdded', id: '1', text: '!' });
    receive(state, { type: 'textAdded', id: 'gone', text: '!' });
    receive(state, { type: 'entryEnded', id: 'gone', end: {} });
    assert.deepEqual(state.items.value, [user('1', 'Hello')]);
    assert.equal(state.finished.value, undefined);
  });

  it('adds an entry at its place, and replaces one it has', () => {
    const state = shown({ entries: [user('1', 'a'), answer('2', 'b')] });
    const notice = (text: string) => ({ type: 'notice', id: 'n', text }) as const;
    receive(state, { type: 'entryAdded', entry: notice('One result shortened'), index: 1, total: 3 });
    assert.deepEqual(ids(state), ['1', 'n', '2']);
    receive(state, { type: 'entryAdded', entry: notice('Two results shortened'), index: 1, total: 3 });
    assert.deepEqual(ids(state), ['1', 'n', '2']);
    assert.deepEqual(state.items.value[1], notice('Two results shortened'));
    receive(state, { type: 'entryAdded', entry: user('3', 'c'), index: 3, total: 4 });
    assert.deepEqual(ids(state), ['1', 'n', '2', '3']);
  });

  it('ends an answer and remembers it as the one that ended last', () => {
    const state = shown({ entries: [answer('1', 'one', { end: null })] });
    receive(state, { type: 'entryEnded', id: '1', end: { note: 'Stopped.' } });
    assert.equal(state.finished.value?.end.value?.note, 'Stopped.');
  });

  it('puts another way in the place of all after an entry', () => {
    const state = shown({ entries: [user('1', 'a'), answer('2', 'b'), user('3', 'c')] });
    receive(state, { type: 'entriesReplaced', from: 1, entries: [answer('4', 'd')] });
    assert.deepEqual(ids(state), ['1', '4']);
    receive(state, { type: 'entriesReplaced', from: 9, entries: [] });
    assert.deepEqual(ids(state), ['1', '4']);
    receive(state, { type: 'entriesReplaced', from: 0, entries: [user('5', 'e')] });
    assert.deepEqual(ids(state), ['5']);
  });

  it('reads out an answer whose place the window has left', () => {
    const state = shown({ entries: [user('1', 'a'), answer('2', 'b', { end: null })] });
    narrow(state, 0, 1);
    assert.equal(reachesEnd(state), false);
    receive(state, { type: 'textAdded', id: '2', text: ' and c' });
    receive(state, { type: 'entryEnded', id: '2', end: {} });
    assert.equal(state.finished.value?.text.value, 'b and c');
    receive(state, { type: 'entryAdded', entry: answer('3', 'd', { end: null }), index: 2, total: 3 });
    assert.deepEqual(ids(state), ['1']);
    receive(state, { type: 'entryEnded', id: '3', end: {} });
    assert.equal(state.finished.value?.id, '3');
  });

  it('knows what the user asked, wherever the window is', () => {
    const state = shown({ entries: [user('1', 'a')], first: 4, total: 9 });
    receive(state, { type: 'entryAdded', entry: user('n', 'b'), index: 9, total: 10 });
    assert.equal(state.asked.value, 1);
    receive(state, { type: 'entryAdded', entry: user('n', 'b'), index: 9, total: 10 });
    assert.equal(state.asked.value, 1, 'what is known is not asked again');
    receive(state, { type: 'entriesReplaced', from: 5, entries: [] });
    receive(state, { type: 'entryAdded', entry: answer('o', '', { end: null }), index: 5, total: 6 });
    assert.equal(state.asked.value, 2, 'an answer was asked for anew');
  });

  it('does not let a full state undo what was typed a moment ago', () => {
    const state = shown({ draft: 'Hel' });
    state.draft.value = 'Hello';
    state.typedAtMs = Date.now();
    receive(state, { type: 'stateReplaced', state: panelState({ draft: 'Hel' }) });
    assert.equal(state.draft.value, 'Hello');
    state.typedAtMs = 0;
    receive(state, { type: 'stateReplaced', state: panelState({ draft: 'Other' }) });
    assert.equal(state.draft.value, 'Other');
  });
});
