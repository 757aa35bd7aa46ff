import assert from 'node:assert/strict';
import fc from 'fast-check';
import { AnswerMask, maskAnswer, maskExactly } from '../../../../src/base/secrets/maskAnswer.ts';
import type { ModelEvent } from '../../../../src/relay/messages.ts';

const key = 'sk-sk-0123456789';

async function answered(pieces: readonly string[], ...last: ModelEvent[]): Promise<ModelEvent[]> {
  async function* batches() {
    for (const text of pieces) yield [{ type: 'textAdded', text } as const];
    yield last;
  }
  const events: ModelEvent[] = [];
  const maskWhole = (event: ModelEvent) =>
    JSON.parse(maskExactly(JSON.stringify(event), [key])) as ModelEvent;
  for await (const batch of maskAnswer<ModelEvent>(batches(), [key], maskWhole)) events.push(...batch);
  return events;
}
const finished: ModelEvent = { type: 'modelFinished', reason: 'stop' };
const textOf = (events: readonly ModelEvent[]): string =>
  events.map((event) => (event.type === 'textAdded' ? event.text : '')).join('');

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
      for await (const batch of maskAnswer<ModelEvent>(batches(), [key])) shown.push(textOf(batch));
    }, /cut/);
    assert.deepEqual(shown, ['It is ', 'sk-sk']);
  });

  it('ends its text before its calls, and masks what comes whole as it is told', async () => {
    const calls = [{ id: 'c', name: 'n', arguments: `{"key":"${key}"}` }];
    const events = await answered(['so: sk-'], { type: 'toolCallsCompleted', calls }, finished);
    assert.deepEqual(events, [
      { type: 'textAdded', text: 'so: ' },
      { type: 'textAdded', text: 'sk-' },
      { type: 'toolCallsCompleted', calls: [{ id: 'c', name: 'n', arguments: '{"key":"***"}' }] },
      finished,
    ]);
  });

  it('has told all of its text before each event that ends it', () => {
    const begun = { type: 'textAdded', text: 'sk-sk-0123' };
    const ends = ['toolCallsCompleted', 'modelFinished', 'textReplaced', 'runFinished', 'ended'];
    for (const type of ends) {
      const mask = new AnswerMask<{ type: string }>([key]);
      assert.deepEqual(mask.add([begun, { type }]), [begun, { type }]);
      assert.deepEqual(mask.end(), []);
    }
    const mask = new AnswerMask<{ type: string }>([key]);
    assert.deepEqual(mask.add([begun, { type: 'requestSent' }]), [{ type: 'requestSent' }]);
    assert.deepEqual(mask.end(), [begun]);
  });

  it('has it masked when something else comes between its parts', async () => {
    const between: ModelEvent = { type: 'requestSent' };
    async function* batches() {
      yield [{ type: 'textAdded', text: 'It is a sk-' } as const, between];
      yield [{ type: 'textAdded', text: key.slice(0, 9) } as const, between];
      yield [{ type: 'textAdded', text: key.slice(9) } as const];
    }
    const events: ModelEvent[] = [];
    for await (const batch of maskAnswer<ModelEvent>(batches(), [key])) events.push(...batch);
    // Text too short to distinguish from a word is kept.
    assert.deepEqual(
      events.slice(0, 3).map(({ type }) => type),
      ['textAdded', 'textAdded', 'requestSent'],
    );
    assert.equal(textOf(events), 'It is a sk-***');
  });
});

describe('the answer of a server that repeats one of several keys', () => {
  it('has it masked where an end of it begins another one', async () => {
    const keys = ['sk-abcd1234', 'abcd99999'];
    async function* batches() {
      for (const text of ['sk-abcd', '1234']) yield [{ type: 'textAdded', text } as const];
    }
    const events: ModelEvent[] = [];
    for await (const batch of maskAnswer<ModelEvent>(batches(), keys)) events.push(...batch);
    assert.equal(textOf(events), '***');
  });

  it('has its reasoning masked, too', async () => {
    async function* batches() {
      for (const text of [key.slice(0, 5), key.slice(5)]) yield [{ type: 'reasoningAdded', text } as const];
    }
    const events: ModelEvent[] = [];
    for await (const batch of maskAnswer<ModelEvent>(batches(), [key])) events.push(...batch);
    assert.deepEqual(events, [{ type: 'reasoningAdded', text: '***' }]);
  });
});

describe('a text or JSON that repeats a key', () => {
  it('has it masked, whichever of its characters are escaped', () => {
    const secret = 'app-0/1"2\\3ñA';
    fc.assert(
      fc.property(fc.array(fc.nat(2), { minLength: secret.length, maxLength: secret.length }), (ways) => {
        const forms = Array.from({ length: secret.length }, (_, at) => {
          const character = secret.charAt(at);
          const code = character.charCodeAt(0).toString(16).padStart(4, '0');
          if (ways[at] === 0) return `\\u${code}`;
          if (ways[at] === 1) return `\\u${code.toUpperCase()}`;
          return JSON.stringify(character).slice(1, -1);
        });
        const body = `{"a":["b${forms.join('')}c"]}`;
        assert.equal((JSON.parse(body) as { a: string[] }).a[0], `b${secret}c`);
        assert.equal(maskExactly(body, [secret]), '{"a":["b***c"]}');
      }),
    );
  });

  it('has a key of eight characters masked, and no shorter one', () => {
    assert.equal(maskExactly('12345678 1234567', ['12345678', '1234567']), '*** 1234567');
  });

  it('keeps what is not the key', () => {
    for (const text of ['sk-0123456789', 'SK-SK-0123456789', 'a \\u0073k-', '']) {
      assert.equal(maskExactly(text, [key, 'short', '']), text);
    }
  });
});
