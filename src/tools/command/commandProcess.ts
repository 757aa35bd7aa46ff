import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { type Clock, systemClock } from '../../base/clock.ts';
import type { Disposable } from '../../base/disposable.ts';

export interface CommandStart {
  line: string;
  folder: string;
  env: NodeJS.ProcessEnv;
  hasInput: boolean;
  onOutput(bytes: Buffer): void;
}

export interface CommandEnd {
  /** Undefined if a signal ended it or it never started. */
  code: number | undefined;
  signal?: string;
  error?: Error;
  /** Processes of its group were left running and then ended. */
  leftOthers: boolean;
}

const graceMs = 1500;
/** Time to drain the pipe after the exit: a detached process can hold it open. */
const drainMs = 500;

export class CommandProcess {
  private readonly child: ChildProcess;
  private readonly timers: Disposable[] = [];
  /** True once the process id can belong to another process. */
  private isOver = false;
  readonly ended: Promise<CommandEnd>;

  constructor(
    start: CommandStart,
    private readonly clock: Clock = systemClock,
  ) {
    this.child = spawnShell(start);
    this.child.stdout?.on('data', start.onOutput);
    this.child.stderr?.on('data', start.onOutput);
    // The process is gone.
    this.child.stdin?.on('error', () => {});
    this.ended = new Promise((resolve) => {
      this.child.once('error', (error) => {
        if (this.child.pid === undefined) resolve({ code: undefined, error, leftOthers: false });
      });
      let leftOthers = false;
      this.child.once('exit', () => {
        leftOthers = this.isGroupAlive();
        if (leftOthers) this.stop();
        this.timers.push(
          this.clock.after((leftOthers ? graceMs : 0) + drainMs, () => {
            this.child.stdout?.destroy();
            this.child.stderr?.destroy();
          }),
        );
      });
      this.child.once('close', (code, signal) => {
        this.isOver = !this.isGroupAlive();
        if (this.isOver) this.clearTimers();
        resolve({ code: code ?? undefined, ...(signal && { signal }), leftOthers });
      });
    });
  }

  get pid(): number | undefined {
    return this.child.pid;
  }

  write(text: string): void {
    this.child.stdin?.write(text);
  }

  endInput(): void {
    this.child.stdin?.end();
  }

  stop(): void {
    this.kill('SIGTERM');
    this.timers.push(this.clock.after(graceMs, () => this.kill('SIGKILL')));
  }

  kill(signal: NodeJS.Signals = 'SIGKILL'): void {
    const { pid } = this.child;
    if (pid === undefined || this.isOver) return;
    if (process.platform === 'win32') {
      // Windows has no process groups and no way to ask a console program to end.
      spawn('taskkill', ['/pid', String(pid), '/t', '/f'], { stdio: 'ignore', windowsHide: true });
      return;
    }
    try {
      process.kill(-pid, signal);
    } catch {
      // Already ended.
    }
  }

  private isGroupAlive(): boolean {
    if (process.platform === 'win32' || this.child.pid === undefined) return false;
    try {
      return process.kill(-this.child.pid, 0);
    } catch {
      return false;
    }
  }

  private clearTimers(): void {
    for (const timer of this.timers.splice(0)) timer.dispose();
  }
}

/** Shells whose grammar the rules know; started without the user's start files. */
const posixShells = ['/bin/bash', '/usr/bin/bash', '/usr/local/bin/bash', '/bin/sh'];

export function shellName(): string {
  return process.platform === 'win32' ? 'cmd.exe' : posixShell().replace(/.*\//, '');
}

function posixShell(): string {
  return posixShells.find((path) => existsSync(path)) ?? '/bin/sh';
}

function spawnShell({ line, folder, env, hasInput }: CommandStart): ChildProcess {
  const stdin = hasInput ? 'pipe' : 'ignore';
  if (process.platform === 'win32') {
    return spawn(line, { cwd: folder, env, stdio: [stdin, 'pipe', 'pipe'], shell: true, windowsHide: true });
  }
  // A single pipe keeps the order of stdout and stderr.
  return spawn(posixShell(), ['-c', `exec 2>&1\n${line}`], {
    cwd: folder,
    env,
    stdio: [stdin, 'pipe', 'ignore'],
    // Its own session: without a terminal to prompt, and can be ended as a whole.
    detached: true,
  });
}
