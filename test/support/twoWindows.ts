// Two windows working on the same files, each a real process.
import { once } from 'node:events';
import { buildTests } from '../host/build.ts';
import { startProcess, type StartedProcess } from '../host/processes.ts';

const build = () => buildTests(['test/support/windowProcess.ts'], 'out/tests/windows');

/** Runs a task of `windowProcess.ts` in windows `a` and `b`; throws the error of one that fails. */
export async function twoWindows(task: string, folder: string): Promise<void> {
  const [file = ''] = await build();
  const windows = ['a', 'b'].map((window) =>
    startProcess(process.execPath, [file, task, folder, window], { ipc: true }),
  );
  await Promise.all(windows.map(({ child }) => once(child, 'message')));
  for (const { child } of windows) child.send('go');
  await Promise.all(windows.map(done));
}

/** A window in the middle of a turn, until it is killed. */
export async function windowAtWork(folder: string): Promise<{ kill(): Promise<void> }> {
  const [file = ''] = await build();
  const { child, ended } = startProcess(process.execPath, [file, 'turn', folder, 'a'], { ipc: true });
  await once(child, 'message');
  child.send('go');
  await once(child, 'message');
  return {
    async kill() {
      child.kill('SIGKILL');
      await ended.catch(() => undefined);
    },
  };
}

/** Runs a task with files limited to 100 KB: as on a full disk, the last write is cut short. */
export async function inLittleRoom(task: string, folder: string): Promise<void> {
  const [file = ''] = await build();
  const limited = 'ulimit -f "$0" && exec "$@"';
  const window = startProcess('bash', ['-c', limited, '100', process.execPath, file, task, folder, 'a'], {
    ipc: true,
  });
  await once(window.child, 'message');
  window.child.send('go');
  await done(window);
}

async function done({ ended, output }: StartedProcess): Promise<void> {
  const code = await ended;
  if (code !== 0) throw new Error(`A window ended with ${code}:\n${output()}`);
}
