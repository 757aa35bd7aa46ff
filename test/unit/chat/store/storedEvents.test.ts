import assert from 'node:assert/strict';
import * as z from 'zod/mini';
import { chatEventSchema } from '../../../../src/chat/store/events.ts';
import { parseLine } from '../../../../src/chat/store/parseEvents.ts';
import stored from '../../../fixtures/chatEvents.txt';

const lines = stored.split('\n').filter((line) => line.startsWith('{'));
const typeOf = (line: string) => (JSON.parse(line) as { type: string }).type;

describe('events as they are stored', () => {
  for (const type of new Set(lines.map(typeOf))) {
    it(`are read back whole, with all that they can have and with the least: ${type}`, () => {
      for (const line of lines.filter((each) => typeOf(each) === type))
        assert.deepEqual(parseLine(line), [JSON.parse(line)]);
    });
  }

  it('are all in the list of this test', () => {
    const types = chatEventSchema.def.options.flatMap(({ shape }) => [...shape.type.def.values]);
    assert.deepEqual([...new Set(lines.map(typeOf))], types);
  });

  it('are left out where they are not understood, which loses no other', () => {
    for (const broken of [
      { type: 'resultsShortened', results: { a: -1 } },
      { type: 'pictureAdded', id: 'a', picture: { file: '../key.png', type: 'image/png', bytes: 1 } },
      { type: 'noticed', id: 'n', kind: 'of-a-later-version' },
      { type: 'ofALaterVersion', id: 'n' },
      { type: 'textAdded', id: 'a' },
    ])
      assert.deepEqual(parseLine(JSON.stringify(broken)), []);
    assert.deepEqual(parseLine('{"type":"textAdded","id":"a","te'), []);
    assert.equal(
      z.safeParse(chatEventSchema, { type: 'resultsShortened', results: { a: null } }).success,
      true,
    );
  });
});
