import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { findingsOf } from '../../../../src/chat/grounding/sourceIndex.ts';
import { Conversation } from '../../../../src/chat/conversation/conversation.ts';
import type { ChatEvent, Source } from '../../../../src/chat/store/events.ts';
import { segment } from '../../../support/fakeSegments.ts';

type Step =
  | { type: 'ask' | 'answer' | 'call' }
  | { type: 'search' | 'finish'; numbers: number[] }
  | { type: 'remove' | 'branch' | 'choose' | 'look'; at: number };

const numbers = fc.array(fc.integer({ min: 1, max: 12 }), { maxLength: 4 });
const at = fc.nat(40);
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ type: fc.constantFrom('ask' as const, 'answer' as const, 'call' as const) }),
  fc.record({ type: fc.constantFrom('search' as const, 'finish' as const), numbers }),
  fc.record({
    type: fc.constantFrom('look' as const, 'remove' as const, 'branch' as const, 'choose' as const),
    at,
  }),
);

/** Walks back from an answer to the first item, which is too slow for the product. */
function walked(
  conversation: Conversation,
  answerAt: number,
): { found: Source[]; earlier: Map<number, Source> } {
  const found = new Map<number, Source>();
  const earlier = new Map<number, Source>();
  let into = found;
  for (const item of conversation.all.slice(0, Math.max(0, answerAt)).toReversed()) {
    for (const source of findingsOf(item)?.sources ?? []) if (!into.has(source.n)) into.set(source.n, source);
    if (item.type === 'user') into = earlier;
  }
  return { found: [...found.values()].toSorted((a, b) => a.n - b.n), earlier };
}

function check(conversation: Conversation, answerAt: number): void {
  const { found, earlier } = conversation.sourcesAt(answerAt);
  const expected = walked(conversation, answerAt);
  assert.deepEqual(found, expected.found);
  for (let n = 1; n <= 12; n++) {
    assert.equal(earlier.find(n), expected.earlier.get(n));
    const isInRange = earlier.ranges.some(([first, last]) => first <= n && n <= last);
    assert.equal(isInRange, expected.earlier.has(n));
  }
}

describe('the index of sources', () => {
  it('knows what a walk back to the first item finds, whatever happens to the conversation', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const conversation = new Conversation('c');
        let count = 0;
        const newId = () => `i${++count}`;
        const findings = (list: number[]) => ({
          sources: list.map((n) => ({ n, ...segment(`${n} at ${count}`) })),
          searched: ['Harbour'],
          failures: [],
        });
        const said = () => conversation.all.filter(({ type }) => type === 'user' || type === 'answer');
        for (const each of steps) {
          const apply = (event: ChatEvent) => conversation.apply(event);
          const id = newId();
          const place = 'at' in each ? said()[each.at % Math.max(1, said().length)]?.id : undefined;
          switch (each.type) {
            case 'ask':
              apply({ type: 'userMessageAdded', id, text: 'Ask' });
              break;
            case 'answer':
              apply({ type: 'answerStarted', id, model: 'm' });
              apply({ type: 'textAdded', id, text: 'Words' });
              break;
            case 'call': {
              const answer = conversation.all.findLast(({ type }) => type === 'answer');
              const call = { id, callId: id, name: 'search', input: {} };
              if (answer) apply({ type: 'toolsCalled', id: answer.id, calls: [call] });
              break;
            }
            case 'search': {
              const outcome = { query: 'q', content: '', findings: findings(each.numbers), durationMs: 1 };
              apply({ type: 'knowledgeSearched', id, outcome });
              break;
            }
            case 'finish': {
              // Includes a call abandoned by a later turn.
              const call = conversation.all.find((item) => item.type === 'tool' && !item.outcome);
              const outcome = {
                ...{ state: 'done' as const, content: '', durationMs: 1 },
                findings: findings(each.numbers),
              };
              if (call) apply({ type: 'toolFinished', id: call.id, outcome });
              break;
            }
            case 'remove':
              if (place) apply({ type: 'itemsRemoved', fromId: place });
              break;
            case 'branch':
              if (place) apply({ type: 'versionStarted', ofId: place });
              break;
            case 'choose':
              if (place) apply({ type: 'versionChosen', id: place });
              break;
            case 'look':
              check(conversation, each.at % Math.max(1, conversation.all.length));
          }
        }
        for (const index of conversation.all.keys()) check(conversation, index);
      }),
    );
  });

  it('knows what a call of an earlier turn found after the next one was begun', () => {
    const conversation = new Conversation('c', [
      { type: 'userMessageAdded', id: 'u1', text: 'Ask' },
      { type: 'answerStarted', id: 'a1', model: 'm' },
      { type: 'toolsCalled', id: 'a1', calls: [{ id: 't1', callId: 't1', name: 'search', input: {} }] },
      { type: 'userMessageAdded', id: 'u2', text: 'Ask more' },
      { type: 'answerStarted', id: 'a2', model: 'm' },
    ]);
    assert.deepEqual(conversation.sourcesOf('a2').earlier.ranges, []);
    const findings = { sources: [{ n: 3, ...segment('late') }], searched: ['Harbour'], failures: [] };
    const outcome = { state: 'done' as const, content: '', durationMs: 1, findings };
    conversation.apply({ type: 'toolFinished', id: 't1', outcome });
    assert.deepEqual(conversation.sourcesOf('a2').earlier.ranges, [[3, 3]]);
  });
});
