import assert from 'node:assert/strict';
import { expectedValue, fieldTypeName } from '../../../../src/knowledge/view/describeField.ts';
import {
  comparisonName,
  describeCondition,
  describeSearch,
} from '../../../../src/knowledge/view/describeSearch.ts';
import { comparisons, readSearchSettings } from '../../../../src/platform/searchSettings.ts';

describe('how a search is described', () => {
  it('names the weights as the platform does', () => {
    const settings = { method: 'hybrid_search', reranking: { type: 'weights', semantic: 0.7 } } as const;
    const uneven = { type: 'weights', semantic: 0.705 } as const;
    assert.equal(describeSearch({ reranking: uneven }), 'semantic weight 0.71, keyword weight 0.29');
    assert.equal(describeSearch(settings), 'hybrid search · semantic weight 0.7, keyword weight 0.3');
  });

  it('names the number of results, which is from 1 to 20', () => {
    const of = (topK: unknown) => describeSearch(readSearchSettings({ topK, scoreThreshold: 0.5 }));
    assert.equal(of(1), 'score at least 0.5 · 1 result');
    assert.equal(of(20), 'score at least 0.5 · 20 results');
    for (const topK of [0, 21, 2.5, '3']) assert.equal(of(topK), 'score at least 0.5');
  });

  it('quotes words, and gives numbers and times as they are typed', () => {
    const of = (comparison: string, value?: string | number) =>
      describeCondition({ name: 'year', comparison, ...(value !== undefined && { value }) });
    assert.equal(of('start with', 'a b'), 'year starts with "a b"');
    assert.equal(of('≥', 2000), 'year ≥ 2000');
    assert.equal(of('before', 1_788_134_400), 'year is before 2026-08-31T00:00:00Z');
    assert.equal(of('not empty'), 'year is not empty');
    assert.equal(of('in', 'x'), 'year in "x"');
  });

  it('says each comparison in words', () => {
    const words = {
      is: 'is',
      'is not': 'is not',
      contains: 'contains',
      'not contains': "doesn't contain",
      'start with': 'starts with',
      'end with': 'ends with',
      before: 'is before',
      after: 'is after',
      empty: 'is empty',
      'not empty': 'is not empty',
    };
    for (const [comparison, shown] of Object.entries(words)) assert.equal(comparisonName(comparison), shown);
  });

  it('has words of its own for each comparison that is one', () => {
    const wire = Object.values(comparisons)
      .flat()
      .filter((each) => /[a-z]/.test(each));
    const shown = wire.map((comparison) => describeCondition({ name: '', comparison }));
    assert.deepEqual(
      shown.filter((words) => /^(not |start |end |empty|before|after)/.test(words)),
      [],
    );
  });

  it('says what a field holds, and what is to be typed', () => {
    assert.deepEqual(['string', 'number', 'time', 'array'].map(fieldTypeName), [
      ...['Text', 'Number', 'Time', 'array'],
    ]);
    assert.deepEqual(['string', 'number', 'time'].map(expectedValue), [
      'Enter a value.',
      'Enter a number.',
      'Enter a date such as 2026-08-31, with or without time.',
    ]);
  });
});
