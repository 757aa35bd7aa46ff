import assert from 'node:assert/strict';
import { firstState, type Pause, type SyncState } from '../../../../src/knowledge/autoSync/syncState.ts';
import {
  describePause,
  describeSync,
  describeWaiting,
  explainPause,
} from '../../../../src/knowledge/view/describeSync.ts';

const state = (more: Partial<SyncState>): SyncState => ({
  ...firstState(false),
  activity: 'still',
  changed: new Set(),
  ...more,
});

describe('words for a folder in step', () => {
  it('name the commit, or the time where there is none', () => {
    const commit = '3f2a91c0'.padEnd(40, '0');
    assert.equal(describeSync(state({ inStep: { commit, atMs: 0 } })), 'in sync as of 3f2a91c');
    assert.match(describeSync(state({ inStep: { atMs: 0 } })), /^in sync as of .*\d:\d\d/);
  });

  it('count each file once, whether it waits for the user or for its time', () => {
    const waiting = [
      { path: 'a', reason: 'deletion' as const },
      { path: 'b', reason: 'conflict' as const },
    ];
    assert.equal(describeSync(state({ waiting })), '2 files waiting');
    assert.equal(describeSync(state({ changed: new Set(['/a']) })), '1 file waiting');
    assert.equal(describeSync(state({ changed: 'all' })), 'changes waiting');
    assert.equal(describeSync(state({ activity: 'working' })), 'checking…');
  });

  it('say why it is paused and what ends that', () => {
    const pauses: [Pause, string, RegExp][] = [
      [{ reason: 'user' }, 'paused', /until you resume/],
      [{ reason: 'limit', files: 1200, bytes: 2048 }, 'paused: limit', /^1,200 files \(2 KB\)/],
      [{ reason: 'branch', branch: 'x' }, 'paused: another branch', /on the branch "main"/],
      [{ reason: 'platform', message: 'Nobody answers.' }, 'paused: platform is down', /Nobody answers/],
      [{ reason: 'refused', message: 'Rejected key.' }, 'paused: rejected by the platform', /^Rejected key/],
      [{ reason: 'settings' }, 'paused: settings changed', /Keep in Sync/],
      [{ reason: 'merge' }, 'paused: merge in progress', /merge is finished/],
      [{ reason: 'git' }, 'paused: Git is not available', /branch can't be checked/],
    ];
    for (const [pause, short, long] of pauses) {
      assert.equal(describePause(pause), short);
      assert.equal(describeSync(state({ pause, activity: 'retrying' })), short);
      assert.match(explainPause(pause, 'main'), long);
    }
    assert.match(explainPause({ reason: 'branch', branch: 'x' }, undefined), /outside of a repository/);
  });

  it('give the reason of each file, in the words of who gave it', () => {
    assert.equal(
      describeWaiting({ path: 'a', reason: 'failed', message: 'Too large.' }),
      'Rejected: Too large.',
    );
    assert.equal(describeWaiting({ path: 'a', reason: 'secret', message: 'Line 3.' }), 'Line 3.');
    assert.match(describeWaiting({ path: 'a', reason: 'uncommitted' }), /not committed/);
    assert.match(describeWaiting({ path: 'a', reason: 'deletion' }), /^Deleted or skipped locally/);
    assert.match(describeWaiting({ path: 'a', reason: 'renamed' }), /^Renamed; the document of the old name/);
    assert.match(describeWaiting({ path: 'a', reason: 'conflict' }), /by someone else on the platform$/);
    assert.equal(describeWaiting({ path: 'a', reason: 'limit' }), 'Exceeds the limit per upload');
  });
});
