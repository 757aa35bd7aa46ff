import assert from 'node:assert/strict';
import fc from 'fast-check';
import { maskAnswer } from '../../../src/relay/maskAnswer.ts';
import type { ModelEvent } from '../../../src/relay/messages.ts';

const key = 'sk-sk-0123456789';

/** The events of an answer whose text comes in these pieces, masked. */
async function answered(pieces: readonly string[], ...last: ModelEvent[]): Promise<ModelEvent[]> {
  async function* batches() {
    for (const text of pieces) yield [{ type: 'textAdded', text } as const];
    yield last;
  }
  const events: ModelEvent[] = [];
  for await (const batch of maskAnswer(batches(), [key])) events.push(...batch);
  return events;
}
const finished: ModelEvent = { type: 'modelFinished', reason: 'stop' };
const textOf = (events: readonly ModelEvent[]): string =>
  events.map((event) => (event.type === 'textAdded' ? event.text : '')).join('');

/** A text cut at these places. */
function cut(text: string, places: readonly number[]): string[] {
  const ends = [...places.map((place) => place % (text.length + 1)), text.length].toSorted((a, b) => a - b);
  return ends.map((end, index) => text.slice(ends[index - 1] ?? 0, end));
}

describe('the answer of a server that repeats the key', () => {
  const places = fc.array(fc.nat(), { maxLength: 8 });

  it('has it masked, however the text is cut', async () => {
    const word = fc.constantFrom(key, 'sk-', 'sk-sk-', 'sk-01', ' the key is ', '.', key.slice(0, -1));
    await fc.assert(
      fc.asyncProperty(fc.array(word, { maxLength: 6 }), places, async (words, where) => {
        const text = words.join('');
        const shown = textOf(await answered(cut(text, where), finished));
        assert.equal(shown, text.replaceAll(key, '***'));
      }),
    );
  });

  it('holds back nothing but what may be the beginning of the key', async () => {
    async function* batches() {
      yield [{ type: 'textAdded', text: 'It is sk-sk' } as const];
      throw new Error('cut');
    }
    const shown: string[] = [];
    await assert.rejects(async () => {
      for await (const batch of maskAnswer(batches(), [key])) shown.push(textOf(batch));
    }, /cut/);
    assert.deepEqual(shown, ['It is ', 'sk-sk']);
  });

  it('ends its text before its calls, which have the key masked, too', async () => {
    const calls = [{ id: 'c', name: 'n', arguments: `{"key":"${key}"}` }];
    const events = await answered(['so: sk-'], { type: 'toolCallsCompleted', calls }, finished);
    assert.deepEqual(events, [
      { type: 'textAdded', text: 'so: ' },
      { type: 'textAdded', text: 'sk-' },
      { type: 'toolCallsCompleted', calls: [{ id: 'c', name: 'n', arguments: '{"key":"***"}' }] },
      finished,
    ]);
  });
});
