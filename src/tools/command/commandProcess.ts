import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { type Clock, systemClock } from '../../base/clock.ts';
import type { Disposable } from '../../base/disposable.ts';

export interface CommandStart {
  line: string;
  /** Absolute. */
  folder: string;
  env: NodeJS.ProcessEnv;
  /** Without it the command reads the end of its input at once. */
  hasInput: boolean;
  onOutput(bytes: Buffer): void;
}

export interface CommandEnd {
  /** Undefined where a signal ended it, or it never started. */
  code: number | undefined;
  signal?: string;
  /** Why it could not be started. */
  error?: Error;
  /** It left processes of its group running; they were ended. */
  leftOthers: boolean;
}

/** From asking its processes to end to ending them. */
const graceMs = 1500;
/** How long what is still in the pipe is waited for after the end: a process in a group of its own may hold it open. */
const drainMs = 500;

/** A command line in a shell and a process group of its own. */
export class CommandProcess {
  private readonly child: ChildProcess;
  private readonly timers: Disposable[] = [];
  /** Then its number may soon be that of others. */
  private isOver = false;
  readonly ended: Promise<CommandEnd>;

  constructor(
    start: CommandStart,
    private readonly clock: Clock = systemClock,
  ) {
    this.child = spawnShell(start);
    this.child.stdout?.on('data', start.onOutput);
    this.child.stderr?.on('data', start.onOutput);
    // Input for a process that is gone.
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

  /** The number of the process, and on POSIX of its group. */
  get pid(): number | undefined {
    return this.child.pid;
  }

  write(text: string): void {
    this.child.stdin?.write(text);
  }

  endInput(): void {
    this.child.stdin?.end();
  }

  /** Asks all its processes to end, and ends those that do not. */
  stop(): void {
    this.kill('SIGTERM');
    this.timers.push(this.clock.after(graceMs, () => this.kill('SIGKILL')));
  }

  /** Ends all its processes at once. */
  kill(signal: NodeJS.Signals = 'SIGKILL'): void {
    const { pid } = this.child;
    if (pid === undefined || this.isOver) return;
    if (process.platform === 'win32') {
      // There are no groups, and no way to ask a console program to end.
      spawn('taskkill', ['/pid', String(pid), '/t', '/f'], { stdio: 'ignore', windowsHide: true });
      return;
    }
    try {
      process.kill(-pid, signal);
    } catch {
      // Nothing of it runs any more.
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

/** What runs a line: its grammar is that of the rules, and no start file of the user's changes what words mean. */
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
  // One pipe for both, or what was written first could come last.
  return spawn(posixShell(), ['-c', `exec 2>&1\n${line}`], {
    ...{ cwd: folder, env, stdio: [stdin, 'pipe', 'ignore'] },
    // A session and a group of its own: it has no terminal to ask at, and can be ended as a whole.
    detached: true,
  });
}
