import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Conversation } from '../../../../src/chat/conversation/conversation.ts';
import { fitContext, type Fitting } from '../../../../src/chat/context/fitContext.ts';
import { sizeOfMessage, sizeOfTool } from '../../../../src/chat/context/tokenEstimate.ts';
import { toMessages } from '../../../../src/chat/context/toMessages.ts';
import type { Message, ToolDefinition } from '../../../../src/relay/messages.ts';
import { assertExchange } from '../../../support/exchange.ts';
import { conversationOf, someTurns, words } from '../../../support/turns.ts';

interface FitOptions {
  tools?: readonly ToolDefinition[];
  shortened?: ReadonlyMap<string, number>;
}

const fit = (chat: Conversation, budget: number, { tools = [], shortened = new Map() }: FitOptions = {}) =>
  fitContext({ messages: toMessages(chat.all, 'Be brief.'), tools, budget, shortened });

/** Repeats the fitting's own count. */
function tokensOf(messages: readonly Message[], tools: readonly ToolDefinition[] = []): number {
  const ofMessages = messages.map((message) => sizeOfMessage({ ...message }));
  return [...ofMessages, ...tools.map(sizeOfTool)].reduce((sum, size) => sum + size, 0);
}

function fitted(fitting: Fitting): Fitting & { type: 'fits' } {
  assert.ok(fitting.type === 'fits', fitting.type);
  return fitting;
}

const resultsOf = ({ messages }: { messages: readonly Message[] }) =>
  messages.flatMap((message) => (message.role === 'tool' ? [message.content] : []));

describe('chat/fitContext', () => {
  it('sends what fits as it is, and everything when nobody knows the window', () => {
    const chat = conversationOf([{ text: 'Hello', rounds: [[words(5000)]], answer: 'Yes.' }]);
    const messages = toMessages(chat.all, 'Be brief.').map(({ message }) => message);
    for (const budget of [10_000, Infinity]) {
      const { messages: sent, shortened, tokens } = fitted(fit(chat, budget));
      assert.deepEqual(sent, messages);
      assert.equal(shortened.size, 0);
      assert.equal(tokens, tokensOf(messages));
    }
  });

  it('leaves what the model is about to read whole, also when the user said something meanwhile', () => {
    const rounds = ['a', 'b', 'c', 'd'].map((word) => [words(2000, word.repeat(4))]);
    const turns = [
      { text: 'Look', rounds },
      { text: 'There', rounds: [] },
    ];
    assert.equal(resultsOf(fitted(fit(conversationOf(turns), 5000))).at(-1), rounds[3]![0]);
  });

  it('shortens the oldest results first and leaves those of the newest round whole', () => {
    const rounds = ['a', 'b', 'c', 'd', 'e'].map((word) => [words(2000, word.repeat(4))]);
    const fitting = fitted(fit(conversationOf([{ text: 'Look', rounds }]), 9000));
    const [first = '', ...others] = resultsOf(fitting);
    assert.match(first, /^aaaa .*cut here to fit the context\. Call the tool again.* aaaa$/s);
    for (const other of others.slice(0, 3)) assert.match(other, /cut here/);
    assert.equal(others[3], rounds[4]![0]);
    assert.deepEqual(Object.fromEntries(fitting.shortened), {
      'a0.0.0': 300,
      'a0.1.0': 300,
      'a0.2.0': 300,
      'a0.3.0': 300,
    });
  });

  it('shortens in one step what leaves room for many rounds', () => {
    const rounds = Array.from({ length: 12 }, () => [words(1000)]);
    const { tokens, messages } = fitted(fit(conversationOf([{ text: 'Look', rounds }]), 11_000));
    assert.ok(tokens <= 11_000 * 0.4, String(tokens));
    assert.equal(resultsOf({ messages }).at(-1), words(1000));
  });

  it('leaves only a notice of old results before it touches the newest', () => {
    const rounds = Array.from({ length: 11 }, () => [words(1000)]);
    const fitting = fitted(fit(conversationOf([{ text: 'Look', rounds }]), 2600));
    const results = resultsOf(fitting);
    assert.match(results[0] ?? '', /^\[This result of 4999 characters was left out/);
    assert.equal(results.at(-1), words(1000));
  });

  it('frees half of the budget in one step, and sends what was shortened the same way until all of it would fit twice', () => {
    const turn = { text: 'Look', rounds: Array.from({ length: 4 }, () => [words(1000)]) };
    let { shortened, messages, tokens } = fitted(fit(conversationOf([turn]), 4000));
    assert.ok(tokens <= 2100, `${tokens}`);
    // The budget is an estimate that moves; messages that would just fit again stay as sent.
    for (const budget of [4000, 4500, 7000]) {
      turn.rounds.push([words(20)]);
      const next = fitted(fit(conversationOf([turn]), budget, { shortened }));
      assert.deepEqual(next.messages.slice(0, messages.length), messages);
      assert.deepEqual(next.shortened, shortened);
      ({ shortened, messages } = next);
    }
    assert.equal(fitted(fit(conversationOf([turn]), 9000, { shortened })).shortened.size, 0);
  });

  it('keeps a result that was cut while it was the newest as it was cut', () => {
    const turn = { text: 'Look', rounds: [[words(5000)]] };
    const first = fitted(fit(conversationOf([turn]), 4000));
    const [cut] = resultsOf(first);
    assert.match(cut ?? '', /cut here/);
    const again = fitted(fit(conversationOf([turn]), 4000, { shortened: first.shortened }));
    assert.deepEqual(again.messages, first.messages);
    turn.rounds.push([words(20)]);
    const next = fitted(fit(conversationOf([turn]), 4500, { shortened: first.shortened }));
    assert.deepEqual(next.messages.slice(0, first.messages.length), first.messages);
  });

  it('cuts a newest result that could not be whole in any case, rather than the turns before', () => {
    const turns = [
      { text: 'Hello', rounds: [], answer: words(100) },
      { text: 'Read', rounds: [[words(10), words(9000)]] },
    ];
    const fitting = fitted(fit(conversationOf(turns), 2000));
    const [small, large = ''] = resultsOf(fitting);
    assert.equal(small, words(10));
    assert.match(large, /^word .*cut here.* word$/s);
    assert.ok(fitting.tokens > 1700 && fitting.tokens <= 2000);
  });

  it('is compacted as far as leaves room for a while', () => {
    const turns = Array.from({ length: 10 }, () => ({ text: words(100), rounds: [], answer: words(300) }));
    const chat = conversationOf([...turns, { text: 'And now?', rounds: [] }]);
    const fitting = fit(chat, 4000);
    assert.ok(fitting.type === 'compact');
    // 0.6 of 4000 less the summary is 1600: three turns of 410 and the newest message.
    assert.deepEqual([fitting.beforeId, fitting.room], ['u7', 800]);
  });

  it('says so when not even the newest message fits, before anything is summarised', () => {
    const turns = [
      { text: 'Hello', rounds: [], answer: 'Hi' },
      { text: words(9000), rounds: [] },
    ];
    assert.equal(fit(conversationOf(turns), 2000).type, 'too-long');
  });

  const tools: ToolDefinition[] = [{ name: 'read', description: 'Reads.', parameters: { type: 'object' } }];

  it('always makes a valid exchange, within the budget whenever that is possible', () => {
    fc.assert(
      fc.property(
        someTurns,
        fc.boolean(),
        fc.oneof(fc.integer({ min: 50, max: 2000 }), fc.integer({ min: 2000, max: 30_000 })),
        (turns, isOver, budget) => {
          const newest = turns.at(-1)!;
          const all = [...turns.slice(0, -1), isOver ? newest : { ...newest, answer: undefined }];
          const chat = conversationOf(all);
          const whole = toMessages(chat.all, 'Be brief.').map(({ message }) => message);
          let fitting = fit(chat, budget, { tools });
          let summaries = 0;
          while (fitting.type === 'compact') {
            assert.ok(++summaries < 2, 'a second compaction in a row');
            // A summary that uses all of its room.
            const summary = fitting.room > 60 ? words(fitting.room - 60) : '';
            const { beforeId } = fitting;
            chat.apply({ type: 'turnsSummarised', id: `s${summaries}`, beforeId, text: summary });
            fitting = fit(chat, budget, { tools });
          }
          if (tokensOf(whole, tools) <= budget) {
            assert.deepEqual(fitted(fitting).messages, whole);
            return;
          }
          if (fitting.type === 'too-long') {
            // The newest round and message leave hardly anything to compact.
            const last = all.at(-1)!;
            const alone = conversationOf([{ ...last, rounds: last.rounds.slice(-1) }]);
            assert.notEqual(fit(alone, budget * 0.5 - 80, { tools }).type, 'fits');
            return;
          }
          const { messages, tokens } = fitting;
          assertExchange(messages);
          assert.equal(tokens, tokensOf(messages, tools));
          assert.ok(tokens <= budget, `${tokens} of ${budget}`);
          assert.equal(messages[0]?.role, 'system');
          const said = messages.findLast(({ role }) => role === 'user');
          assert.ok(said?.content.endsWith(newest.text));
          const calls = messages.flatMap((message) =>
            message.role === 'assistant' ? (message.toolCalls ?? []) : [],
          );
          // A turn compacted in the middle keeps at least its newest round.
          const ofNewest = calls.filter(({ id }) => id.startsWith(`c${turns.length - 1}.`));
          const isWithin = messages.some(({ content }) =>
            content.includes('[You are working on this message'),
          );
          const last = isOver ? 0 : (newest.rounds.at(-1)?.length ?? 0);
          const least = isWithin ? last : newest.rounds.flat().length;
          assert.ok(ofNewest.length >= least, `${ofNewest.length} of ${least}`);
        },
      ),
      { numRuns: 150 },
    );
  });
});
