import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
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
    mock.restoreAll();
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

  it("is not taken from a process of another user, which can't be signalled", async () => {
    mock.method(process, 'kill', () => {
      throw Object.assign(new Error('not permitted'), { code: 'EPERM' });
    });
    await leave({ pid: gone, host: hostname() });
    assert.ok(!take());
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

  it('of another window that took it over stays when the one that hung lets go', async () => {
    assert.ok(take());
    await leave({ pid: gone, host: `not-${hostname()}` });
    await held.splice(0)[0]?.release();
    assert.ok(isLocked(path));
    await rm(path);
    assert.ok(take());
    await rm(path);
    await held.splice(0)[0]?.release();
  });

  describe('that is abandoned, while another window takes it over, too', () => {
    const other = { pid: process.pid, host: hostname() };
    /** Lets the other window act after this one has found the lock to be abandoned. */
    const meanwhile = (act: () => void) => {
      const { now } = Date;
      const clock = mock.method(Date, 'now', () => {
        clock.mock.restore();
        act();
        return now();
      });
    };

    it('is taken once the other window has removed it', async () => {
      await leave({ pid: gone, host: hostname() }, 60);
      meanwhile(() => rmSync(path));
      assert.ok(take());
    });

    it("stays the other window's once that holds it", async () => {
      await leave({ pid: gone, host: hostname() }, 60);
      meanwhile(() => {
        rmSync(path);
        writeFileSync(path, JSON.stringify(other));
      });
      assert.ok(!take());
      assert.deepEqual(JSON.parse(await readFile(path, 'utf8')), other);
      assert.deepEqual(await readdir(folder), ['chat.turn']);
    });
  });

  it('tells its machine and process', async () => {
    assert.ok(take());
    const { pid, host } = JSON.parse(await readFile(path, 'utf8')) as Record<string, unknown>;
    assert.deepEqual([pid, host], [process.pid, hostname()]);
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
