import assert from 'node:assert/strict';
import { toMessages } from '../../../../src/chat/context/toMessages.ts';
import { Conversation } from '../../../../src/chat/conversation/conversation.ts';
import type { ChatEvent } from '../../../../src/chat/store/events.ts';

const asked = (id: string): ChatEvent => ({ type: 'userMessageAdded', id, text: `Question ${id}` });
const answered = (id: string, text: string): ChatEvent[] => [
  { type: 'answerStarted', id, model: 'm' },
  { type: 'textAdded', id, text },
  { type: 'answerEnded', id, end: { reason: 'answered' } },
];
const failed = (
  id: string,
  code: 'content-filter' | 'transient',
  status: number | null = 400,
): ChatEvent[] => [
  { type: 'answerStarted', id, model: 'm' },
  {
    ...{ type: 'answerEnded', id },
    end: {
      reason: 'failed',
      failure: { code, message: 'No.', ...(status !== null && { details: { status } }) },
    },
  },
];
const sent = (...events: ChatEvent[]) =>
  toMessages(new Conversation('c', events).all, '').map(({ message }) => message.content);

describe('the messages of a conversation', () => {
  it('leave out an earlier message that a filter refused, with what followed from it', () => {
    const before = [asked('1'), ...answered('a', 'One.'), asked('2'), ...failed('b', 'content-filter')];
    assert.deepEqual(sent(...before), ['Question 1', 'One.', 'Question 2'], 'the newest may be tried again');
    assert.deepEqual(sent(...before, asked('3')), ['Question 1', 'One.', 'Question 3']);
    const again = [
      ...before,
      asked('3'),
      ...failed('c', 'content-filter'),
      asked('4'),
      ...answered('d', 'Four.'),
      asked('5'),
    ];
    assert.deepEqual(sent(...again), ['Question 1', 'One.', 'Question 4', 'Four.', 'Question 5']);
  });

  it('keep a message whose answer failed otherwise, or came after all', () => {
    assert.deepEqual(sent(asked('1'), ...failed('a', 'transient'), asked('2')), ['Question 1', 'Question 2']);
    const guessed = [asked('1'), ...failed('a', 'content-filter', null), asked('2')];
    assert.deepEqual(sent(...guessed), ['Question 1', 'Question 2'], 'no server said that it was filtered');
    const retried = [asked('1'), ...failed('a', 'content-filter'), ...answered('b', 'One.'), asked('2')];
    assert.deepEqual(sent(...retried), ['Question 1', 'One.', 'Question 2']);
  });

  it('show a model in the result what it wrote in place of arguments, which go back as none', () => {
    const call = {
      id: 't',
      callId: 'x',
      name: 'read_file',
      input: {},
      inputText: '{"path": [',
      problem: 'No JSON.',
    };
    const outcome = { state: 'failed', content: 'No JSON.', durationMs: 0 } as const;
    const events: ChatEvent[] = [
      asked('1'),
      { type: 'answerStarted', id: 'a', model: 'm' },
      { type: 'toolsCalled', id: 'a', calls: [{ ...call, extra: { extra_content: 1 } }] },
      { type: 'answerEnded', id: 'a', end: { reason: 'called' } },
      { type: 'toolFinished', id: 't', outcome },
    ];
    const messages = toMessages(new Conversation('c', events).all, '').map(({ message }) => message);
    const [, answer, result] = messages;
    assert.ok(answer?.role === 'assistant');
    assert.deepEqual(answer.toolCalls, [
      { id: 'x', name: 'read_file', arguments: '{}', extra: { extra_content: 1 } },
    ]);
    assert.match(result?.content ?? '', /^No JSON\.\n\n<arguments-[0-9a-f]+>\n\{"path": \[\n/);
  });
});
