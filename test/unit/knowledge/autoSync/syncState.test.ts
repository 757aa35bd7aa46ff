import assert from 'node:assert/strict';
import {
  firstState,
  type LookResult,
  nextState,
  type SyncEvent,
  type SyncState,
  timerOf,
} from '../../../../src/knowledge/autoSync/syncState.ts';

const minute = 60_000;
const done: LookResult = { type: 'done', waiting: [], commit: 'c' };
const down: LookResult = { type: 'paused', pause: { reason: 'platform', message: 'Down.' } };

/** The state after events, each a second after the one before. */
function after(events: readonly SyncEvent[], when: 'commit' | 'quiet' = 'quiet', from = firstState(false)) {
  let state = from;
  let now = 0;
  for (const event of events) state = nextState(state, event, when, (now += 1000));
  return { state, now, timer: timerOf(state, now) };
}

const changed = (...paths: string[]): SyncEvent => ({ type: 'changed', paths });
const began: SyncEvent = { type: 'began' };
const ended = (result: LookResult): SyncEvent => ({ type: 'ended', result });
const still: SyncState = after([began, ended(done)]).state;

describe('the state of a folder in step', () => {
  it('begins with a look at the whole folder, unless it is paused', () => {
    assert.deepEqual([firstState(false).activity, firstState(false).changed], ['due', 'all']);
    assert.deepEqual([firstState(true).activity, firstState(true).pause?.reason], ['still', 'user']);
  });

  it('has no timer while nothing is to be done', () => {
    assert.equal(still.activity, 'still');
    assert.equal(timerOf(still, 0), undefined);
    assert.deepEqual(still.inStep, { commit: 'c', atMs: 2000 });
  });

  it('looks a minute after the last change, and at the latest after ten', () => {
    const { state, timer } = after([changed('/a'), changed('/b')], 'quiet', still);
    assert.deepEqual([state.activity, timer], ['settling', minute]);
    assert.deepEqual(state.changed, new Set(['/a', '/b']));
    assert.equal(after([changed('/a'), { type: 'timeIsUp' }], 'quiet', still).state.activity, 'due');
    const late = nextState(state, changed('/a'), 'quiet', 1000 + 10 * minute - 5);
    assert.equal(timerOf(late, 1000 + 10 * minute - 5), 5);
  });

  it('looks at what changes during a look after it', () => {
    const { state } = after(
      [changed('/a'), { type: 'timeIsUp' }, began, changed('/b'), ended(done)],
      'quiet',
      still,
    );
    assert.deepEqual([state.activity, state.changed], ['settling', new Set(['/b'])]);
  });

  it('begins no second look when it is resumed during one, but looks at all after it', () => {
    const { state } = after([
      changed('/a'),
      { type: 'timeIsUp' },
      began,
      { type: 'pause' },
      { type: 'resume' },
    ]);
    assert.deepEqual([state.activity, state.pause], ['working', undefined]);
    const later = nextState(state, ended({ type: 'again' }), 'quiet', 0);
    assert.deepEqual([later.activity, later.changed], ['retrying', 'all']);
  });

  it('keeps what it looked at in vain', () => {
    const acts = [changed('/a'), { type: 'timeIsUp' } as const, began, changed('/b')];
    for (const result of [down, { type: 'again' } as const]) {
      const { state } = after([...acts, ended(result)], 'quiet', still);
      assert.deepEqual([state.activity, state.changed], ['retrying', new Set(['/a', '/b'])]);
    }
  });

  it('tries again after a failure of the platform: later each time, at most after a quarter of an hour', () => {
    const waits: (number | undefined)[] = [];
    let state = still;
    for (let count = 0; count < 6; count++) {
      state = nextState(nextState(state, began, 'quiet', 0), ended(down), 'quiet', 0);
      waits.push((timerOf(state, 0) ?? 0) / minute);
    }
    assert.deepEqual(waits, [1, 2, 4, 8, 15, 15]);
    const again = after([began, ended(done), began, ended(down)], 'quiet', state);
    assert.equal(again.timer, minute);
  });

  it('is out of step while it tries again, and a change does not put that off', () => {
    const failed = after([began, ended(down)], 'quiet', still).state;
    assert.deepEqual([failed.activity, failed.inStep], ['retrying', undefined]);
    const { activity, untilMs } = nextState(failed, changed('/a'), 'quiet', failed.untilMs - 1);
    assert.deepEqual([activity, untilMs], ['retrying', failed.untilMs]);
  });

  it('looks at the whole folder when it is resumed, since nothing watched it', () => {
    assert.equal(after([{ type: 'pause' }, { type: 'resume' }], 'quiet', still).state.changed, 'all');
  });

  it('sets no timer for what only the user or HEAD can end', () => {
    for (const reason of ['settings', 'merge', 'git'] as const) {
      const { state, timer } = after([began, ended({ type: 'paused', pause: { reason } })], 'quiet', still);
      assert.deepEqual([state.activity, state.pause?.reason, timer], ['still', reason, undefined]);
    }
  });

  it('looks at once after a commit, and after a checkout when the files are quiet', () => {
    assert.equal(after([{ type: 'moved' }], 'commit', still).state.activity, 'due');
    assert.equal(after([{ type: 'moved' }], 'quiet', still).timer, minute);
  });

  it('looks again if HEAD moved during the look, also into a pause', () => {
    const branch = { type: 'paused', pause: { reason: 'branch', branch: 'x' } } as const;
    for (const result of [done, branch]) {
      const { state } = after([began, { type: 'moved' }, ended(result)], 'commit', still);
      assert.equal(state.activity, 'due');
      assert.equal(nextState(state, began, 'commit', 0).hasMoved, false);
    }
  });

  it('does nothing while the user pauses it, and looks at all when resumed', () => {
    const paused = after(
      [{ type: 'pause' }, changed('/a'), { type: 'moved' }, { type: 'recheck' }],
      'quiet',
      still,
    );
    assert.deepEqual([paused.state.activity, paused.timer], ['still', undefined]);
    const { state } = after([{ type: 'resume' }], 'quiet', paused.state);
    assert.deepEqual([state.activity, state.changed, state.pause], ['due', 'all', undefined]);
  });

  it('stays paused if the pause comes during a look', () => {
    const { state } = after([began, { type: 'pause' }, ended({ type: 'again' })], 'quiet', still);
    assert.deepEqual([state.activity, state.pause?.reason], ['still', 'user']);
  });

  it('is in step only while nothing waits', () => {
    const waiting = [{ path: 'a', reason: 'deletion' as const }];
    const { state } = after([began, ended({ type: 'done', waiting })], 'quiet', still);
    assert.deepEqual([state.inStep, state.waiting], [undefined, waiting]);
  });

  it('looks at the whole folder rather than at very many paths', () => {
    const paths = Array.from({ length: 1001 }, (_, index) => `/${index}`);
    assert.equal(after([changed(...paths)], 'quiet', still).state.changed, 'all');
  });
});
