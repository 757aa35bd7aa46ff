import assert from 'node:assert/strict';
import { SuggestionCache } from '../../../../src/chat/suggestions/suggestionCache.ts';
import { placeIn } from './place.ts';

function cacheWith(marked: string, text: string): SuggestionCache {
  const cache = new SuggestionCache();
  cache.add(placeIn(marked), text);
  return cache;
}

describe('known suggestions', () => {
  it('are found at their place', () => {
    const cache = cacheWith('const a = |;\n', 'compute(1)');
    assert.equal(cache.find(placeIn('const a = |;\n')), 'compute(1)');
    assert.equal(cache.find(placeIn('const b = |;\n')), undefined);
    assert.equal(cache.find(placeIn('const a = |\n')), undefined);
    assert.equal(cache.find(placeIn('const a = |;\n', 'other.ts')), undefined);
    assert.equal(cache.find(placeIn('\nconst a = |;\n')), undefined);
  });

  it('go on while they are typed, and are over when something else is', () => {
    const cache = cacheWith('const a = |;\n', 'compute(1)');
    assert.equal(cache.find(placeIn('const a = comp|;\n')), 'ute(1)');
    assert.equal(cache.find(placeIn('const a = count|;\n')), undefined);
    assert.equal(cache.find(placeIn('const a =|;\n')), undefined);
  });

  it('ask for the next one when they were typed or taken whole', () => {
    assert.equal(cacheWith('a = |;\n', 'b').find(placeIn('a = b|;\n')), undefined);
  });

  it('know that there is nothing to suggest', () => {
    assert.equal(cacheWith('a = |;\n', '').find(placeIn('a = |;\n')), '');
  });

  it('are found beside a bracket that the editor has closed', () => {
    const cache = cacheWith('a = |\nend', 'call(one, two);');
    assert.equal(cache.find(placeIn('a = call(|)\nend')), 'one, two);');
    assert.equal(cacheWith('a = |\nend', 'call(one)').find(placeIn('a = call(|)\nend')), 'one');
    assert.equal(cache.find(placeIn('a = call(|x\nend')), undefined);
  });

  it('are told apart at the end of a document', () => {
    const cache = cacheWith('a = |', 'b');
    assert.equal(cache.find(placeIn('a = |\n')), undefined);
    assert.equal(cache.find(placeIn('a = |')), 'b');
  });

  it('are found in long documents, whose texts are cut', () => {
    const [start, end] = ['x'.repeat(9_000), 'y'.repeat(9_000)];
    const cache = cacheWith(`${start}a = |${end}`, 'b(1)');
    assert.equal(cache.find(placeIn(`${start}a = b(|)${end}`)), '1');
    assert.equal(cache.find(placeIn(`${start}a = b|${end}`)), '(1)');
    assert.equal(cache.find(placeIn(`${start}a = b|z${end}`)), undefined);
  });

  it('are forgotten when there are many', () => {
    const cache = cacheWith('first|', 'b');
    for (let at = 0; at < 50; at++) cache.add(placeIn(`${at}|`), 'c');
    assert.equal(cache.find(placeIn('first|')), undefined);
    assert.equal(cache.find(placeIn('0|')), 'c');
  });
});
