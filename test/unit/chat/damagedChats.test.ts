import assert from 'node:assert/strict';
import fc from 'fast-check';
import { Conversation } from '../../../src/chat/conversation/conversation.ts';
import type { ChatEvent } from '../../../src/chat/store/events.ts';
import { HeldConversation } from '../../../src/chat/session/heldConversation.ts';
import { recordInterruptions } from '../../../src/chat/conversation/recordInterruptions.ts';
import { toMessages } from '../../../src/chat/context/toMessages.ts';
import { MemoryChatStore } from '../../support/memoryChatStore.ts';
import { act, eventsOf as eventsOfActs } from '../../support/conversationActs.ts';

/** Turns of one window: the numbers are calls per answer. */
function eventsOf(window: string, turns: readonly (readonly number[])[]): ChatEvent[] {
  return turns.flatMap((answers, turn): ChatEvent[] => [
    { type: 'userMessageAdded', id: `${window}${turn}`, text: 'Go on' },
    ...(turn > 0 ? [summary(window, turn)] : []),
    ...answers.flatMap((count, number): ChatEvent[] => {
      const id = `${window}${turn}.${number}`;
      const calls = Array.from({ length: count }, (_, call) => ({
        ...{ id: `${id}.${call}`, callId: `call ${id}.${call}`, name: 'read_file', input: {} },
      }));
      return [
        { type: 'answerStarted', id, model: 'm' },
        { type: 'textAdded', id, text: 'Let me see' },
        ...(count > 0 ? [{ type: 'toolsCalled' as const, id, calls }] : []),
        { type: 'answerEnded', id, end: { reason: count > 0 ? 'called' : 'answered' } },
        ...calls.map((call): ChatEvent => ({
          type: 'toolFinished',
          id: call.id,
          outcome: { state: 'done', content: `Result of ${call.callId}`, durationMs: 1 },
        })),
      ];
    }),
    { type: 'editsMade', id: `${window}${turn}.edits`, edits: [] },
  ]);
}

function summary(window: string, turn: number): ChatEvent {
  return { type: 'turnsSummarised', id: `${window}${turn}.s`, beforeId: `${window}${turn}`, text: 'Before' };
}

/** Every result follows the answer that called for it, and every call has exactly one. */
function assertAcceptable(events: readonly ChatEvent[]): void {
  const conversation = new Conversation('c', events);
  recordInterruptions(conversation, (event) => conversation.apply(event));
  let open: string[] = [];
  for (const { message } of toMessages(conversation.all, 'Be kind.')) {
    if (message.role === 'tool') {
      assert.equal(open.shift(), message.toolCallId, 'a result without its call');
      continue;
    }
    assert.deepEqual(open, [], 'calls without a result');
    if (message.role === 'assistant') open = (message.toolCalls ?? []).map(({ id }) => id);
  }
  assert.deepEqual(open, [], 'calls without a result');
}

const turns = fc.array(fc.array(fc.nat(3), { minLength: 1, maxLength: 3 }), { maxLength: 3 });
const picks = fc.infiniteStream(fc.boolean());

describe('a conversation file', () => {
  it('gives models every call with its result, whichever lines are damaged', () => {
    fc.assert(
      fc.property(turns, picks, (each, isWhole) => {
        const events = eventsOf('a', each);
        assertAcceptable(events.filter(() => isWhole.next().value));
      }),
    );
  });

  it('gives models every call with its result, however two windows wrote to it at once', () => {
    fc.assert(
      fc.property(turns, turns, turns, picks, (before, a, b, isOfA) => {
        const left = [eventsOf('a', a), eventsOf('b', b)];
        const mixed = eventsOf('c', before);
        while (left.some(({ length }) => length > 0)) {
          const next = left[isOfA.next().value ? 0 : 1]?.shift();
          if (next) mixed.push(next);
        }
        assertAcceptable(mixed);
      }),
    );
  });

  it('keeps the calls of an answer before a summary that another window wrote meanwhile', () => {
    const [question, ...answer] = eventsOf('a', [[1]]);
    const [asked] = eventsOf('b', [[0]]);
    const [started, text, ...rest] = answer;
    const mixed = [question, started, text, asked, summary('b', 0), ...rest].filter(
      (event) => event !== undefined,
    );
    assertAcceptable(mixed);
  });

  it('keeps the first result of a call that two windows ended: the model may have been told it', () => {
    const outcome = (content: string): ChatEvent => ({
      type: 'toolFinished',
      id: 'a0.0.0',
      outcome: { state: 'done', content, durationMs: 1 },
    });
    const events = eventsOf('a', [[1]]).filter(({ type }) => type !== 'toolFinished');
    const { all } = new Conversation('c', [...events, outcome('first'), outcome('second')]);
    const call = all.find((item) => item.type === 'tool');
    assert.equal(call?.outcome?.content, 'first');
  });

  it('shows an answer and its calls where only the line of its beginning is damaged', () => {
    const events = eventsOf('a', [[1, 0]]).filter(({ type }) => type !== 'answerStarted');
    const { all } = new Conversation('c', [{ type: 'modelSelected', modelId: 'm' }, ...events]);
    assert.deepEqual(
      all.map((item) => [item.type, item.type === 'answer' ? `${item.model}: ${item.text}` : item.id]),
      [
        ['user', 'a0'],
        ['answer', 'm: Let me see'],
        ['tool', 'a0.0.0'],
        ['answer', 'm: Let me see'],
        ['edits', 'a0.edits'],
      ],
    );
  });

  it('ends with restorations that take each other back', () => {
    const restored = (id: string, toId: string): ChatEvent => ({
      type: 'checkpointRestored',
      id,
      toId,
      edits: [],
    });
    const { all } = new Conversation('c', [restored('a', 'b'), restored('b', 'a'), restored('c', 'a')]);
    const states = all.map((item) => item.type === 'restoration' && [item.id, item.isTakenBack]);
    assert.deepEqual(states, [
      ['a', true],
      ['b', false],
      ['c', false],
    ]);
  });

  it('says once what its file says twice, whichever beginning or end of it is repeated', () => {
    let doubled = 0;
    const halves = fc.constantFrom('beginning' as const, 'end' as const, 'beginning at the end' as const);
    fc.assert(
      fc.property(fc.array(act, { minLength: 1, maxLength: 12 }), fc.nat(), halves, (acts, place, half) => {
        const events = eventsOfActs(acts);
        const at = place % (events.length + 1);
        const [head, tail] = [events.slice(0, at), events.slice(at)];
        const repeated = { beginning: head, end: tail, 'beginning at the end': head }[half];
        const file = half === 'beginning' ? [...head, ...events] : [...events, ...repeated];
        if (repeated.some(({ type }) => type === 'userMessageAdded')) doubled++;
        const whole = new Conversation('c', events);
        const read = new Conversation('c', file);
        // Independent events may be repeated: a piece of a text, a choice.
        if (!repeated.some(isOnlyOnce)) return assertUnique(read, whole);
        assert.deepEqual([read.all, read.queue, read.requests], [whole.all, whole.queue, whole.requests]);
        for (const { id } of whole.all) assert.deepEqual(read.versionOf(id), whole.versionOf(id));
        assert.deepEqual([read.approvals, read.modeId], [whole.approvals, whole.modeId]);
      }),
      { numRuns: 1000 },
    );
    assert.ok(doubled > 300, `only ${doubled} said something twice`);
  });

  it('goes on after what it says twice, and keeps texts that only look alike', () => {
    const [said, started, text, , ...rest] = eventsOf('a', [[1]]);
    const turn = [said!, started!, text!, text!, ...rest];
    const next = eventsOf('b', [[0]]);
    const { all } = new Conversation('c', [...turn, ...turn.slice(2), ...next]);
    assert.deepEqual(all, new Conversation('c', [...turn, ...next]).all);
    assert.equal(all[1]?.type === 'answer' && all[1].text, 'Let me seeLet me see');
  });

  it('holds one thing under an id, also where another stands under it', () => {
    const turn = eventsOf('a', [[1]]);
    const other = turn.map((event) => ('text' in event ? { ...event, text: 'Another' } : event));
    const called = turn.find((event) => event.type === 'toolsCalled')!;
    const [said, started] = eventsOf('b', [[0]]);
    const again: ChatEvent = { ...called, id: 'b0.0' };
    const [later] = eventsOf('c', [[0]]);
    const file = [...turn, ...other.toReversed(), ...other, said!, started!, later!, again];
    assertUnique(new Conversation('c', file), new Conversation('c', turn));
  });

  it('says once what it says twice, where its end was loaded first', async () => {
    const events = [eventsOf('a', [[1]]), eventsOf('b', [[2], [0]])].flat();
    const file = [...events, ...events.slice(3)];
    for (let at = 1; at < file.length; at++) {
      const end = { events: file.slice(at), earlier: async () => file.slice(0, at), isEarlierWanted: true };
      const held = new HeldConversation(new Conversation('c', end.events), new MemoryChatStore(), end);
      assert.equal(await held.loadEarlier(), true);
      assert.deepEqual(held.conversation.all, new Conversation('c', events).all);
    }
  });
});

/** Events that are unique in a conversation. */
function isOnlyOnce({ type }: ChatEvent): boolean {
  return ['userMessageAdded', 'answerStarted', 'answerEnded', 'toolsCalled', 'toolFinished'].includes(type);
}

function assertUnique(read: Conversation, whole: Conversation): void {
  const ids = read.all.map(({ id }) => id);
  assert.equal(new Set(ids).size, ids.length, ids.join(' '));
  for (const { id } of whole.all) assert.ok(ids.includes(id), `${id} is lost`);
}
