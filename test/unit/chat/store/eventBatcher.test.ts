import assert from 'node:assert/strict';
import fc from 'fast-check';
import { EventBatcher } from '../../../../src/chat/store/eventBatcher.ts';

type Message =
  | { type: 'textAdded' | 'reasoningAdded'; id: string; text: string }
  | { type: 'other'; n: number };

const anyMessage = fc.oneof(
  fc.record({
    type: fc.constantFrom('textAdded', 'reasoningAdded'),
    id: fc.constantFrom('a', 'b'),
    text: fc.string(),
  }),
  fc.record({ type: fc.constant('other' as const), n: fc.nat() }),
) as fc.Arbitrary<Message>;

/** The messages' meaning: joined texts, and all other events in place. */
function meaning(messages: Message[]): unknown[] {
  const out: unknown[] = [];
  for (const message of messages) {
    const last = out.at(-1) as { key?: string; text: string } | undefined;
    if (message.type === 'other') out.push(message);
    else if (last?.key === message.type + message.id) last.text += message.text;
    else out.push({ key: message.type + message.id, text: message.text });
  }
  return out;
}

describe('EventBatcher', () => {
  it('changes neither order nor text', () => {
    fc.assert(
      fc.property(fc.array(anyMessage), (messages) => {
        const received: Message[] = [];
        const batcher = new EventBatcher<Message>(60_000, (message) => received.push(message));
        for (const message of messages) batcher.push(message);
        batcher.dispose();
        assert.deepEqual(meaning(received), meaning(messages));
      }),
    );
  });

  it('joins a run of deltas into one message', () => {
    const received: Message[] = [];
    const batcher = new EventBatcher<Message>(60_000, (message) => received.push(message));
    for (const text of ['a', 'b', 'c']) batcher.push({ type: 'textAdded', id: 'x', text });
    assert.deepEqual(received, []);
    batcher.flush();
    assert.deepEqual(received, [{ type: 'textAdded', id: 'x', text: 'abc' }]);
    batcher.flush();
    assert.equal(received.length, 1);
  });
});
