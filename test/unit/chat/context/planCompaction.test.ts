import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  keptTokens,
  planCompaction,
  toSummarise,
  type Compaction,
} from '../../../../src/chat/context/planCompaction.ts';
import { PromptDraft } from '../../../../src/chat/context/promptDraft.ts';
import { sizeOfMessage } from '../../../../src/chat/context/tokenEstimate.ts';
import { goOnNote, handedInNote, toMessages } from '../../../../src/chat/context/toMessages.ts';
import type { Conversation } from '../../../../src/chat/conversation/conversation.ts';
import type { Message } from '../../../../src/relay/messages.ts';
import { assertExchange } from '../../../support/exchange.ts';
import { conversationOf, someTurns, words } from '../../../support/turns.ts';

const messagesOf = (chat: Conversation) => toMessages(chat.all, 'Be brief.');
const sizeOf = (messages: readonly Message[]) =>
  messages.reduce((sum, message) => sum + sizeOfMessage({ ...message }), 0);

function plan(chat: Conversation, budget = Infinity): Compaction | undefined {
  const messages = messagesOf(chat);
  const { tokens } = new PromptDraft(messages, []);
  return planCompaction({ messages, tools: [], budget, tokens });
}

/** The messages after a compaction whose summary uses all of its room. */
function compacted(chat: Conversation, { beforeId, room }: Compaction): Message[] {
  const text = words(Math.max(1, room - 60));
  chat.apply({ type: 'turnsSummarised', id: 's', beforeId, text });
  return messagesOf(chat).map(({ message }) => message);
}

const turns = (count: number, tokens: number) =>
  Array.from({ length: count }, () => ({ text: 'Go', rounds: [], answer: words(tokens) }));

describe('chat/planCompaction', () => {
  it('keeps the newest 20,000 tokens word for word, whatever the window is', () => {
    for (const budget of [Infinity, 100_000]) {
      const chat = conversationOf(turns(60, 1000));
      const before = messagesOf(chat).map(({ message }) => message);
      const compaction = plan(chat, budget);
      assert.deepEqual(compaction, { beforeId: 'u41', room: 2000 });
      const [, summarised, ...kept] = compacted(chat, compaction);
      assert.deepEqual(kept, before.slice(-kept.length), 'word for word');
      assert.ok(summarised?.content.endsWith('\n\nGo'));
      assert.ok(sizeOf(kept) > keptTokens * 0.9 && sizeOf(kept) <= keptTokens);
    }
  });

  it('keeps less in a small window, so that there is room to go on', () => {
    const chat = conversationOf(turns(20, 500));
    const sent = compacted(chat, plan(chat, 6000)!);
    assert.ok(sizeOf(sent) <= 6000 * 0.6, String(sizeOf(sent)));
  });

  it('cuts within a turn between rounds, and repeats the message that is worked on', () => {
    const chat = conversationOf([
      { text: 'Read them all', rounds: turns(40, 0).map(() => [words(1000), 'ok']) },
    ]);
    const { beforeId } = plan(chat)!;
    assert.match(beforeId, /^a0\.2\d$/);
    const [, first, second] = compacted(chat, plan(chat)!);
    assert.match(
      first!.content,
      /\[You are working on this message of the user; go on with it:\]\n\nRead them all$/,
    );
    assert.equal(second?.role, 'assistant');
  });

  it('repeats all that the user asked for in the turn, also before a message that was handed in', () => {
    const rounds = (count: number) => turns(count, 0).map(() => [words(1000), 'ok']);
    const asked = (...later: number[]) =>
      conversationOf([
        { text: 'An earlier turn', rounds: [], answer: 'Done.' },
        { text: 'Read them all', rounds: rounds(30) },
        ...later.map((count, n) => ({ text: `And ${n}`, rounds: rounds(count) })),
      ]);
    const repeated = (chat: Conversation) => {
      const [, first] = compacted(chat, plan(chat)!);
      return first!.content.slice(first!.content.indexOf('[You are working'));
    };
    const both = `${goOnNote}\n\nRead them all\n\n${handedInNote}\n\nAnd 0`;
    // Within the rounds after it, and right before it.
    assert.equal(repeated(asked(25)), both);
    const before = asked(0);
    before.apply({ type: 'turnsSummarised', id: 's', beforeId: 'u2', text: 'So far.' });
    assert.ok(messagesOf(before)[1]?.message.content.endsWith(both));
    assert.equal(repeated(asked(3, 25)), `${goOnNote}\n\nRead them all\n\nAnd 0\n\n${handedInNote}\n\nAnd 1`);
    // A later message begins another turn.
    const another = conversationOf([...turns(2, 1000), { text: 'Go on', rounds: [] }]);
    another.apply({ type: 'turnsSummarised', id: 's', beforeId: 'u2', text: 'So far.' });
    assert.ok(!messagesOf(another)[1]?.message.content.includes(goOnNote));
  });

  it('is none where it would free less than a fifth', () => {
    assert.equal(plan(conversationOf(turns(15, 1000))), undefined, 'all of it is kept anyway');
    assert.equal(plan(conversationOf(turns(25, 1000))), undefined, 'five thousand for a summary of two');
    assert.ok(plan(conversationOf(turns(29, 1000))));
    // An old turn, and a newest message that takes nearly all of the window.
    const large = [...turns(1, 1000), { text: words(8000), rounds: [] }];
    assert.equal(plan(conversationOf(large), 9000), undefined);
  });

  it('is none for a single message, or a single round', () => {
    assert.equal(plan(conversationOf([{ text: words(50_000), rounds: [] }])), undefined);
    assert.equal(plan(conversationOf([{ text: 'Go', rounds: [[words(50_000)]] }])), undefined);
  });

  it('never parts a call from its result, never gets longer, and keeps what it keeps word for word', () => {
    let compactions = 0;
    fc.assert(
      fc.property(
        someTurns,
        fc.boolean(),
        fc.oneof(fc.constant(Infinity), fc.integer({ min: 500, max: 40_000 })),
        (some, isOver, budget) => {
          const newest = some.at(-1)!;
          const chat = conversationOf([
            ...some.slice(0, -1),
            isOver ? newest : { ...newest, answer: undefined },
          ]);
          const before = messagesOf(chat).map(({ message }) => message);
          const compaction = plan(chat, budget);
          if (!compaction) return;
          compactions++;
          const cut = messagesOf(chat).findIndex(({ itemId }) => itemId === compaction.beforeId);
          const kept = before.slice(cut);
          const sent = compacted(chat, compaction);
          assertExchange(sent);
          const isWithin = kept[0]?.role === 'assistant';
          // The summary stands in a user message: its own or, within a turn, the current one.
          const same = isWithin ? kept : kept.slice(1);
          assert.deepEqual(sent.slice(sent.length - same.length), same);
          // No later cut was possible: a user message and the first answer to it stay together.
          const isNewest = kept.every(
            ({ role }, at) =>
              at === 0 || role === 'tool' || (role === 'assistant' && kept[at - 1]?.role === 'user'),
          );
          assert.ok(sizeOf(kept) <= keptTokens || isNewest, String(sizeOf(kept)));
          // Results not yet read by the model are shortened afterwards, if too long.
          const after = Math.min(sizeOf(sent), budget);
          assert.ok(after <= sizeOf(before) * 0.8 + 1, `${after} of ${sizeOf(before)}`);
        },
      ),
      { numRuns: 100 },
    );
    assert.ok(compactions > 20, String(compactions));
  });

  it('is asked for with what was sent before, as much of it as there is room for', () => {
    let asked = 0;
    fc.assert(
      fc.property(someTurns, fc.integer({ min: 500, max: 40_000 }), (some, room) => {
        const chat = conversationOf(some);
        const compaction = plan(chat);
        if (!compaction) return;
        const messages = messagesOf(chat);
        const sent = messages.map(({ message }) => message);
        const cut = messages.findIndex(({ itemId }) => itemId === compaction.beforeId);
        const given = toSummarise(messages, sent, compaction.beforeId, room);
        if (!given) return assert.ok(sizeOf(sent.slice(0, cut)) > room || sent[cut - 1]?.role === 'user');
        asked++;
        assert.deepEqual(given, sent.slice(0, given.length), 'the beginning of what was sent');
        assert.ok(given.length >= cut, 'all that is to be replaced');
        assert.ok(sizeOf(given) <= room);
        assert.notEqual(given.at(-1)?.role, 'user');
        assertExchange(given);
        return undefined;
      }),
      { numRuns: 100 },
    );
    assert.ok(asked > 0);
  });
});
