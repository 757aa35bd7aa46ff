import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { Conversation } from '../../../src/chat/conversation/conversation.ts';
import { findText } from '../../../src/panel/findText.ts';
import type { TextFound } from '../../../src/shared/navigation.ts';
import { longConversation } from '../../support/longConversation.ts';

const find = (conversation: Conversation, query: string, parts = {}) =>
  findText(
    conversation.all,
    { type: 'findText', requestId: 1, query, step: 'nearest', ...parts },
    () => true,
  );

describe('finding a text in a conversation', () => {
  it('leads through each occurrence once, in both directions, whatever the case', async () => {
    const texts = fc.array(fc.string({ unit: fc.constantFrom('a', 'B', 'b', '.', ' ', 'é') }), {
      maxLength: 12,
    });
    await fc.assert(
      fc.asyncProperty(texts, fc.constantFrom('ab', 'b', '.', 'É', 'aa'), async (all, query) => {
        const conversation = new Conversation('c');
        all.forEach((text, n) => conversation.apply({ type: 'userMessageAdded', id: `u${n}`, text }));
        const parts = (text: string) => text.toLowerCase().split(query.toLowerCase()).length - 1;
        const expected = all.flatMap((text, n) =>
          Array.from({ length: parts(text) }, (_, nth) => `u${n} ${nth}`),
        );
        for (const step of ['next', 'previous'] as const) {
          let at = await find(conversation, query);
          assert.equal(at?.total, expected.length);
          const seen: string[] = [];
          for (let n = 0; n < expected.length; n++) {
            const found: TextFound['found'] = at?.found;
            assert.ok(found);
            assert.equal(found.id, conversation.all[found.index]?.id);
            assert.equal(expected[found.number - 1], `${found.id} ${found.nth}`);
            seen.push(`${found.id} ${found.nth}`);
            at = await find(conversation, query, { step, from: found });
          }
          const [first, ...others] = expected;
          const order = step === 'next' ? expected : [first, ...others.toReversed()];
          assert.deepEqual(seen, expected.length > 0 ? order : []);
        }
      }),
    );
  });

  it('lets others have their turn, and ends when another search was begun', async () => {
    const conversation = longConversation(5000, () => 'Words of the tide. '.repeat(40));
    let turns = 0;
    let isDone = false;
    const count = () => {
      turns++;
      if (!isDone) setImmediate(count);
    };
    setImmediate(count);
    const found = await find(conversation, 'tide');
    isDone = true;
    assert.equal(found?.total, 200_000);
    assert.ok(turns > 1, 'something else ran meanwhile');
    const given = await findText(
      conversation.all,
      { type: 'findText', requestId: 2, query: 'tide', step: 'nearest' },
      () => false,
    );
    assert.equal(given, undefined);
  });
});
