// Child processes that never outlive this one: each leads a process group, which is ended as a whole.
import { spawn, type ChildProcess } from 'node:child_process';
import { onShutdown } from './shutdown.ts';

const graceMs = 5000;

export interface StartOptions {
  cwd?: string;
  env?: NodeJS.ProcessEnv;
  ipc?: boolean;
}

export interface StartedProcess {
  child: ChildProcess;
  output(): string;
  /** Exit code, or the name of the signal. */
  ended: Promise<number | string>;
  stop(): Promise<void>;
  /** Like `stop`, but without notice. */
  kill(): Promise<void>;
}

const running = new Set<StartedProcess>();

/** Starts a program in its own process group; it is stopped at the latest when this process ends. */
export function startProcess(command: string, args: string[], options: StartOptions = {}): StartedProcess {
  killAllAtExit();
  const child = spawn(command, args, {
    cwd: options.cwd,
    env: options.env,
    detached: process.platform !== 'win32',
    stdio: ['ignore', 'pipe', 'pipe', ...(options.ipc ? ['ipc' as const] : [])],
  });
  let output = '';
  child.stdout?.setEncoding('utf8').on('data', (text: string) => (output += text));
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (output += text));
  const ended = new Promise<number | string>((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('close', (code, signal) => resolve(code ?? signal ?? 'unknown'));
  });
  const started: StartedProcess = {
    child,
    output: () => output,
    ended,
    async stop() {
      signalGroup(child, 'SIGTERM');
      const force = setTimeout(() => signalGroup(child, 'SIGKILL'), graceMs);
      await ended;
      clearTimeout(force);
      await started.kill();
    },
    async kill() {
      signalGroup(child, 'SIGKILL');
      await ended;
      running.delete(started);
      forget();
    },
  };
  const forget = onShutdown(() => started.stop());
  running.add(started);
  return started;
}

export async function runProcess(
  command: string,
  args: string[],
  options?: StartOptions,
): Promise<{ succeeded: boolean; output: string }> {
  const started = startProcess(command, args, options);
  const code = await started.ended;
  await started.stop();
  return { succeeded: code === 0, output: started.output() };
}

let killing = false;

/** For an end that leaves no time: an exception, process.exit. */
function killAllAtExit(): void {
  if (killing) return;
  killing = true;
  process.once('exit', () => {
    for (const { child } of running) signalGroup(child, 'SIGKILL');
  });
}

function signalGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    if (process.platform === 'win32') child.kill(signal);
    else process.kill(-child.pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
