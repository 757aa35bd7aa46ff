import assert from 'node:assert/strict';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { SwitchboardError, type ErrorDetails, type ErrorCode } from '../../../../src/base/errors/errors.ts';
import type { Surroundings } from '../../../../src/chat/suggestions/suggestionPlace.ts';
import { Suggestions } from '../../../../src/chat/suggestions/suggestions.ts';
import { ManualClock } from '../../../support/manualClock.ts';
import { silentLog } from '../../../support/silentLog.ts';
import { placeIn } from './place.ts';

const never = new AbortController().signal;

function setUp({ mayRead = async () => true }: { mayRead?: (path: string) => Promise<boolean> } = {}) {
  const clock = new ManualClock();
  const asked: Surroundings[] = [];
  const aborted: string[] = [];
  const state = { answer: 'done();', takesMs: 0, failure: undefined as SwitchboardError | undefined };
  const suggestions = new Suggestions({
    clock,
    log: silentLog,
    mayRead,
    async ask(code, signal) {
      asked.push(code);
      signal.addEventListener('abort', () => aborted.push(code.before));
      if (state.takesMs > 0) {
        await new Promise<void>((resolve, reject) => {
          clock.after(state.takesMs, resolve);
          signal.addEventListener('abort', () => reject(signal.reason as Error));
        });
      }
      if (state.failure) throw state.failure;
      return { text: state.answer, isCut: false };
    },
  });
  /** Lets `ms` pass in steps, each with what it leads to. */
  const pass = async (ms: number) => {
    for (let left = ms; left > 0; left -= 5) {
      await nextTurn();
      clock.advance(Math.min(5, left));
    }
    await nextTurn();
  };
  const type = async (marked: string, ms = 1_000, isInvoked = false) => {
    const suggested = suggestions.suggest(placeIn(marked), never, isInvoked);
    await pass(ms);
    return suggested;
  };
  const fail = (code: ErrorCode, details: ErrorDetails = {}) =>
    (state.failure = new SwitchboardError(code, 'Failed.', details));
  return { suggestions, clock, asked, aborted, state, pass, type, fail };
}

describe('suggestions', () => {
  it('are asked for with the code around the caret, and once', async () => {
    const { asked, type } = setUp();
    assert.equal(await type('a(|)\n'), 'done();');
    assert.deepEqual(asked, [{ before: 'a(', after: ')\n' }]);
    assert.equal(await type('a(|)\n'), 'done();');
    assert.equal(await type('a(do|)\n'), 'ne();');
    assert.equal(asked.length, 1);
  });

  it('wait for a pause, which is short at first and grows with the time that answers take', async () => {
    const { suggestions, asked, state, pass, type } = setUp();
    void suggestions.suggest(placeIn('a|'), never);
    await pass(20);
    assert.equal(asked.length, 0);
    await pass(5);
    assert.equal(asked.length, 1);
    state.takesMs = 400;
    await type('b|');
    void suggestions.suggest(placeIn('c|'), never);
    await pass(30);
    assert.equal(asked.length, 2);
    await pass(170);
    assert.equal(asked.length, 3);
  });

  it('end the request before when the user types on', async () => {
    const { suggestions, asked, aborted, state, pass } = setUp();
    state.takesMs = 100;
    const first = suggestions.suggest(placeIn('a|'), never);
    await pass(50);
    assert.ok(suggestions.isAsking);
    const second = suggestions.suggest(placeIn('ab|'), never);
    assert.deepEqual(aborted, ['a']);
    assert.equal(await first, undefined);
    await pass(300);
    assert.equal(await second, 'done();');
    assert.equal(asked.length, 2);
    assert.ok(!suggestions.isAsking && !suggestions.failure);
  });

  it('send nothing for keys that follow fast', async () => {
    const { suggestions, asked, pass, clock } = setUp();
    for (const typed of ['a', 'ab', 'abc']) {
      void suggestions.suggest(placeIn(`${typed}|`), never);
      await pass(10);
    }
    await pass(100);
    assert.deepEqual(
      asked.map(({ before }) => before),
      ['abc'],
    );
    assert.equal(clock.pending, 0);
  });

  it('are not asked for when the editor has cancelled', async () => {
    const { suggestions, asked, pass } = setUp();
    const leaving = new AbortController();
    const suggested = suggestions.suggest(placeIn('a|'), leaving.signal);
    leaving.abort();
    await pass(100);
    assert.equal(await suggested, undefined);
    assert.equal(asked.length, 0);
  });

  it('are asked for at once when the user wants one', async () => {
    const { type, asked, fail } = setUp();
    fail('key');
    await type('a|');
    assert.equal(await type('b|', 0, true), undefined);
    assert.equal(asked.length, 2);
  });

  it('are not asked for in files that the policy blocks', async () => {
    const judged: string[] = [];
    const { asked, type } = setUp({
      mayRead: async (path) => {
        judged.push(path);
        return false;
      },
    });
    assert.equal(await type('a|'), undefined);
    assert.deepEqual([judged, asked], [['a.ts'], []]);
  });

  it('mask secrets nearby, and are silent in a line with one', async () => {
    const { asked, type } = setUp();
    const key = `sk-proj-${'a1B2c3D4'.repeat(6)}`;
    await type(`const key = "${key}";\n|\n// "${key}"\n`);
    assert.equal(asked.length, 1);
    assert.ok(!JSON.stringify(asked).includes('a1B2c3D4'));
    assert.match(asked[0]!.before, /^const key = "?\[redacted secret\]"?;\n$/);
    await type(`const key = "${key}";|\n`);
    assert.equal(asked.length, 1);
  });

  it('hold back after failures that pass, longer each time', async () => {
    const { suggestions, asked, type, fail, state, pass } = setUp();
    fail('transient', { status: 500 });
    await type('a|', 100);
    assert.equal(suggestions.failure?.code, 'transient');
    await type('b|', 100);
    assert.equal(asked.length, 1);
    await pass(1_000);
    await type('c|', 100);
    assert.equal(asked.length, 2);
    await pass(1_000);
    await type('d|', 100);
    assert.equal(asked.length, 2);
    await pass(1_000);
    state.failure = undefined;
    assert.equal(await type('e|', 100), 'done();');
    assert.equal(suggestions.failure, undefined);
  });

  it('hold back as long as the server asks', async () => {
    const { asked, type, fail, pass } = setUp();
    fail('rate-limit', { retryAfterMs: 10_000 });
    await type('a|', 100);
    await pass(5_000);
    await type('b|', 100);
    assert.equal(asked.length, 1);
    await pass(5_000);
    await type('c|', 100);
    assert.equal(asked.length, 2);
  });

  it('stop after a failure that lasts, until the user tries again', async () => {
    const { suggestions, asked, type, fail, pass } = setUp();
    fail('not-permitted');
    await type('a|', 100);
    await pass(200_000);
    await type('b|', 100);
    assert.equal(asked.length, 1);
    suggestions.retry();
    assert.equal(suggestions.failure, undefined);
    await type('b|', 100);
    assert.equal(asked.length, 2);
  });

  it('stop at the daily budget, and look again after a while', async () => {
    const { suggestions, asked, type, fail, pass } = setUp();
    fail('budget');
    await type('a|', 100);
    await type('b|', 100);
    assert.equal(suggestions.failure?.code, 'budget');
    assert.equal(asked.length, 1);
    await pass(1_000);
    await type('c|', 100);
    assert.equal(asked.length, 2);
  });

  it('never cut a character in two', async () => {
    const { asked, type } = setUp();
    await type(`😀${'x'.repeat(3_999)}|${'y'.repeat(999)}😀`);
    assert.deepEqual([asked[0]!.before.length, asked[0]!.after.length], [3_999, 999]);
  });
});
