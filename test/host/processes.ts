// Child processes that never outlive this one: each leads a process group, and a group is ended as a whole.
import { spawn, type ChildProcess } from 'node:child_process';
import { onShutdown } from './shutdown.ts';

/** How long a process may take to end on request before it is ended by force. */
const graceMs = 5000;

export interface StartOptions {
  cwd?: string;
  env?: NodeJS.ProcessEnv;
  /** Also gives the process a channel for `process.send`. */
  ipc?: boolean;
}

export interface StartedProcess {
  child: ChildProcess;
  /** Everything it wrote so far, both streams. */
  output(): string;
  /** Its exit code, or the name of the signal that ended it. */
  ended: Promise<number | string>;
  /** Ends it and all it started. */
  stop(): Promise<void>;
  /** As `stop`, without leaving any of them a moment to notice. */
  kill(): Promise<void>;
}

const running = new Set<StartedProcess>();

/** Starts a program in a process group of its own; it is stopped at the latest when this process ends. */
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
      // The leader is gone; whatever it left in its group goes too.
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

/** Runs a program to its end. */
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
    // The whole group has ended already.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
