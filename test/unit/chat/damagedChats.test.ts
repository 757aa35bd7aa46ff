import assert from 'node:assert/strict';
import fc from 'fast-check';
import { Conversation } from '../../../src/chat/conversation.ts';
import type { ChatEvent } from '../../../src/chat/events.ts';
import { interruptions } from '../../../src/chat/interrupted.ts';
import { toMessages } from '../../../src/chat/context/toMessages.ts';

/** Turns of one window, each with as many answers as there are numbers, each with so many calls. */
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
  for (const event of interruptions(conversation)) conversation.apply(event);
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
});
