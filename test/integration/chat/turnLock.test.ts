import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { mock } from 'node:test';
import { isLocked, type Lock, takeLock } from '../../../src/chat/session/turnLock.ts';
import { eventually } from '../../support/eventually.ts';

describe('the lock of a turn', () => {
  let folder: string;
  let path: string;
  const held: Lock[] = [];
  const gone = spawnSync(process.execPath, ['--version']).pid;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'switchboard-'));
    path = join(folder, 'chat.turn');
  });
  afterEach(async () => {
    mock.timers.reset();
    for (const lock of held.splice(0)) await lock.release();
    await rm(folder, { recursive: true });
  });

  function take(): boolean {
    const lock = takeLock(path);
    if (lock) held.push(lock);
    return lock !== undefined;
  }

  /** Leaves a lock whose owner was last alive that long ago. */
  async function leave(owner: object, secondsAgo = 0): Promise<void> {
    await writeFile(path, JSON.stringify(owner));
    const then = new Date(Date.now() - secondsAgo * 1000);
    await utimes(path, then, then);
  }

  it('is held by one window at a time, until that lets go', async () => {
    assert.ok(take());
    assert.ok(isLocked(path));
    assert.ok(!take());
    await held.splice(0)[0]?.release();
    assert.ok(!isLocked(path));
    assert.ok(take());
  });

  it('is taken over from a process that is gone', async () => {
    await leave({ pid: gone, host: hostname() });
    assert.ok(take());
  });

  it("is not taken from another machine, whose processes can't be seen, while that gives signs", async () => {
    await leave({ pid: gone, host: `not-${hostname()}` });
    assert.ok(!take());
    await leave({ pid: gone, host: `not-${hostname()}` }, 60);
    assert.ok(take());
  });

  it("is not taken while its owner isn't known", async () => {
    await leave({ host: hostname() });
    assert.ok(!take());
    await writeFile(path, '{"pi');
    assert.ok(!take());
  });

  it('is taken over from a process that hangs', async () => {
    await leave({ pid: process.pid, host: hostname() }, 60);
    assert.ok(take());
  });

  it('shows that its owner lives, and no longer when it let go', async () => {
    mock.timers.enable({ apis: ['setInterval'] });
    assert.ok(take());
    const old = new Date(Date.now() - 60_000);
    await utimes(path, old, old);
    mock.timers.tick(5000);
    await eventually(() => assert.ok(isLocked(path)));
    await held.splice(0)[0]?.release();
    await leave({ pid: gone, host: `not-${hostname()}` }, 60);
    mock.timers.tick(5000);
    await new Promise(setImmediate);
    const { mtimeMs } = await stat(path);
    assert.ok(Date.now() - mtimeMs > 50_000);
    assert.ok(!isLocked(path));
  });
});
