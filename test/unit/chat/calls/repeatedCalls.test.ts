import assert from 'node:assert/strict';
import { RepeatedCalls } from '../../../../src/chat/calls/repeatedCalls.ts';

/** Plays rounds of `call=result`; returns the round in which a loop was noticed, if any. */
function stuckAt(...rounds: string[][]): number | undefined {
  const repeated = new RepeatedCalls();
  const index = rounds.findIndex((calls, round) =>
    calls
      .map((text) => text.split('='))
      .map(([name = '', result = '']) => repeated.add(round, { name, input: {} }, result))
      .includes(true),
  );
  return index < 0 ? undefined : index + 1;
}

describe('chat/repeatedCalls', () => {
  it('notices the third round of the same', () => {
    assert.equal(stuckAt(['a=1'], ['a=1'], ['a=1']), 3);
    assert.equal(stuckAt(['a=1', 'b=1'], ['a=1', 'b=1'], ['a=1', 'b=1']), 3);
  });

  it('notices a circle of several calls', () => {
    assert.equal(stuckAt(['a=1'], ['b=1'], ['a=1'], ['b=1'], ['a=1'], ['b=1']), 6);
  });

  it('counts what is asked twice in one round once', () => {
    assert.equal(stuckAt(['a=1', 'a=1', 'a=1']), undefined);
  });

  it('takes a new result for progress', () => {
    assert.equal(stuckAt(['a=1'], ['a=2'], ['a=3'], ['a=4']), undefined);
    // Edit, check, edit, check: each check has the same result.
    assert.equal(
      stuckAt(
        ['edit=1'],
        ['check=ok'],
        ['edit=2'],
        ['check=ok'],
        ['edit=3'],
        ['check=ok'],
        ['edit=4'],
        ['check=ok'],
      ),
      undefined,
    );
  });
});
