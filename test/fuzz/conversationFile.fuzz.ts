import assert from 'node:assert/strict';
import fc from 'fast-check';
import { Conversation } from '../../src/chat/conversation/conversation.ts';
import { chatEventSchema, type ChatEvent } from '../../src/chat/store/events.ts';
import { parseEvents } from '../../src/chat/store/parseEvents.ts';
import { recordInterruptions } from '../../src/chat/conversation/recordInterruptions.ts';
import { toMessages } from '../../src/chat/context/toMessages.ts';
import type { Message } from '../../src/relay/messages.ts';
import { valuesOf } from './fromSchema.ts';
import { hostileText, textsIn } from './inputs.ts';
import type { Target } from './property.ts';

const texts = hostileText(['read', 'Ja.', '🎉', '{"type":"userMessageAdded"}', '\n'], 6);

interface Turn {
  question: string;
  rounds: { text: string; calls: { name: string; isDone: boolean }[] }[];
  /** The editor was closed in the middle of this turn. */
  isCut: boolean;
  isAskedAgain: boolean;
}

const turns: fc.Arbitrary<Turn[]> = fc.array(
  fc.record({
    question: texts,
    rounds: fc.array(
      fc.record({
        text: texts,
        calls: fc.array(
          fc.record({ name: fc.constantFrom('read_file', 'edit_file'), isDone: fc.boolean() }),
          { maxLength: 3 },
        ),
      }),
      { minLength: 1, maxLength: 3 },
    ),
    isCut: fc.boolean(),
    isAskedAgain: fc.boolean(),
  }),
  { minLength: 1, maxLength: 4 },
);

function recorded(list: readonly Turn[]): ChatEvent[] {
  let ids = 0;
  const newId = () => `i${++ids}`;
  return list.flatMap(({ question, rounds, isCut, isAskedAgain }) => {
    const userId = newId();
    const said: ChatEvent = { type: 'userMessageAdded', id: userId, text: `${question} (${userId})` };
    const asked = rounds.flatMap(({ text, calls }): ChatEvent[] => {
      const id = newId();
      const made = calls.map(({ name }) => ({ id: newId(), callId: `call_${ids}`, name, input: {} }));
      return [
        { type: 'answerStarted', id, model: 'm' },
        ...(text ? [{ type: 'textAdded', id, text: `${text} (${id})` } as const] : []),
        { type: 'answerEnded', id, end: { reason: made.length > 0 ? 'called' : 'answered' } },
        ...(made.length > 0 ? [{ type: 'toolsCalled', id, calls: made } as const] : []),
        ...made.flatMap((call, index): ChatEvent[] =>
          calls[index]?.isDone
            ? [
                {
                  type: 'toolFinished',
                  id: call.id,
                  outcome: { state: 'done', content: `result of ${call.id}`, durationMs: 1 },
                },
              ]
            : [{ type: 'toolStateChanged', id: call.id, state: 'running' }],
        ),
      ];
    });
    const again: ChatEvent[] = isAskedAgain
      ? [{ type: 'versionStarted', ofId: userId }, { ...said, id: newId() }, ...asked.slice(0, 0)]
      : [];
    return [said, ...(isCut ? asked.slice(0, -1) : asked), ...again];
  });
}

/** Damage to a line of the file. */
type Damage = { at: number } & (
  | { kind: 'lose' }
  | { kind: 'tear'; length: number }
  | { kind: 'join' }
  | { kind: 'swap' }
  | { kind: 'repeat' }
  | { kind: 'put'; line: string }
);
const damage: fc.Arbitrary<Damage> = fc.oneof(
  fc.record({
    at: fc.nat(),
    kind: fc.constantFrom('lose' as const, 'join' as const, 'swap' as const, 'repeat' as const),
  }),
  fc.record({ at: fc.nat(), kind: fc.constant('tear' as const), length: fc.nat() }),
  fc.record({
    at: fc.nat(),
    kind: fc.constant('put' as const),
    line: fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.jsonValue().map((value) => JSON.stringify(value)),
      fc.constant('\0'.repeat(50)),
    ),
  }),
);

function spoil(lines: string[], { at, ...what }: Damage): string[] {
  if (lines.length === 0) return lines;
  const place = at % lines.length;
  const [before, line, after] = [lines.slice(0, place), lines[place] ?? '', lines.slice(place + 1)];
  switch (what.kind) {
    case 'lose':
      return [...before, ...after];
    case 'tear':
      return [...before, line.slice(0, what.length % (line.length + 1)), ...after];
    case 'join':
      return [...before, line + (after[0] ?? ''), ...after.slice(1)];
    case 'swap':
      return [...before, ...after.slice(0, 1), line, ...after.slice(1)];
    case 'repeat':
      return [...before, line, line, ...after];
    case 'put':
      return [...before, line, what.line, ...after];
  }
}

/** The reopened conversation, with the events that opening adds. */
function opened(events: readonly ChatEvent[]): Conversation {
  const conversation = new Conversation('c', events);
  recordInterruptions(conversation, (event) => conversation.apply(event));
  return conversation;
}

const sentOf = (conversation: Conversation): Message[] =>
  toMessages(conversation.all, 'Be brief.').map(({ message }) => message);

/** Every service's demand: each call is answered once, directly after it, and only calls are answered. */
function assertSendable(messages: readonly Message[]): void {
  let open: string[] = [];
  for (const message of messages) {
    if (message.role === 'tool') {
      assert.equal(message.toolCallId, open.shift());
      continue;
    }
    assert.deepEqual(open, []);
    if (message.role !== 'assistant') continue;
    open = (message.toolCalls ?? []).map(({ id }) => id);
    assert.ok(message.content !== '' || open.length > 0);
  }
  assert.deepEqual(open, []);
}

function assertWhole(conversation: Conversation): void {
  const { all } = conversation;
  assert.equal(new Set(all.map(({ id }) => id)).size, all.length, 'two entries with one id');
  for (const item of all) {
    if (item.type === 'answer') assert.ok(item.end, 'an answer without an end');
    if (item.type === 'tool') assert.ok(item.outcome, 'a call without an outcome');
  }
  assertSendable(sentOf(conversation));
}

const toLines = (events: readonly ChatEvent[]) => events.map((event) => JSON.stringify(event));

export const target: Target = {
  'is read as it was written': {
    runs: 800,
    property: fc.property(turns, (list) => {
      const events = recorded(list);
      const conversation = opened(parseEvents(`${toLines(events).join('\n')}\n`));
      assertWhole(conversation);
      assert.deepEqual(parseEvents(toLines(events).join('\n')), events);
      const said = sentOf(conversation).map(({ content }) => content);
      for (const { question, isAskedAgain } of list) {
        if (!isAskedAgain) assert.ok(said.some((content) => content.startsWith(question)));
      }
    }),
  },
  'can be sent, whatever became of its lines, and holds nothing that was not written': {
    runs: 2000,
    property: fc.property(turns, fc.array(damage, { minLength: 1, maxLength: 5 }), (list, damages) => {
      const whole = toLines(recorded(list));
      const file = damages.reduce(spoil, whole).join('\n');
      const conversation = opened(parseEvents(file));
      assertWhole(conversation);
      const written = textsIn(recorded(list)).join('\n');
      for (const message of sentOf(conversation)) {
        if (message.role === 'user') assert.ok(written.includes(message.content));
      }
    }),
  },
  'loses no more than the lines that were torn': {
    runs: 800,
    property: fc.property(turns, fc.nat(), fc.nat(), (list, at, length) => {
      const lines = toLines(recorded(list));
      const torn = spoil(lines, { at, kind: 'tear', length });
      const place = at % lines.length;
      const expected = torn[place] === lines[place] ? lines : lines.filter((_, index) => index !== place);
      assert.deepEqual(toLines(parseEvents(torn.join('\n'))), expected);
    }),
  },
  'takes any events in any order': {
    runs: 1500,
    property: fc.property(
      fc.array(
        valuesOf(
          chatEventSchema,
          fc.oneof(
            { weight: 8, arbitrary: fc.constantFrom('a', 'b', 'c', 'd') },
            { weight: 1, arbitrary: texts },
          ),
        ),
        {
          maxLength: 25,
        },
      ),
      (events) => {
        assertSendable(sentOf(opened(parseEvents(events.map((event) => JSON.stringify(event)).join('\n')))));
      },
    ),
  },
};
