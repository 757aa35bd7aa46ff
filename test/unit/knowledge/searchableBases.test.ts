import assert from 'node:assert/strict';
import { chooseBases } from '../../../src/knowledge/searchableBases.ts';

const named = (count: number) =>
  new Map(Array.from({ length: count }, (_, n) => [`Base ${n}`, { id: `${n}`, name: `Base ${n}` }]));

describe('the knowledge bases of a search', () => {
  it('are all of them if none is named, up to ten; of more, one has to be chosen', () => {
    assert.equal(chooseBases(named(10), [], []).choose, undefined);
    assert.equal(chooseBases(named(11), [], []).choose?.length, 11);
    const [first, second] = named(2).values();
    assert.deepEqual(chooseBases(named(11), [], [second!]), { bases: [second] });
    assert.deepEqual(chooseBases(named(11), ['Base 0'], [second!]), { bases: [first] });
    assert.deepEqual(chooseBases(named(2), ['Ships'], []), { bases: [], choose: ['Base 0', 'Base 1'] });
  });
});
