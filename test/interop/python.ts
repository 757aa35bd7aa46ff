import { join } from 'node:path';
import { cached } from '../host/cache.ts';
import { runProcess } from '../host/processes.ts';

/** The scripts in it are unusable: they name the installation's temporary folder. */
export function installFromPypi(name: string, requirement: string): Promise<string> {
  return cached(name, requirement, async (folder) => {
    await run(process.env['PYTHON'] ?? 'python3', ['-m', 'venv', folder]);
    await run(pythonIn(folder), ['-m', 'pip', 'install', '--quiet', requirement]);
  });
}

export function pythonIn(folder: string): string {
  return process.platform === 'win32' ? join(folder, 'Scripts', 'python.exe') : join(folder, 'bin', 'python');
}

async function run(command: string, args: string[]): Promise<void> {
  const { succeeded, output } = await runProcess(command, args, { env: process.env });
  if (!succeeded) throw new Error(`${command} ${args.join(' ')} failed:\n${output.slice(-4000)}`);
}
