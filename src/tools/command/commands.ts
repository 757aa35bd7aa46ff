import { randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Clock, systemClock } from '../../base/clock.ts';
import type { Disposable } from '../../base/disposable.ts';
import { Emitter } from '../../base/emitter.ts';
import { messageOf } from '../../base/errors/errors.ts';
import { oneLine } from '../../base/text/oneLine.ts';
import type { ToolResult } from '../tool.ts';
import { ToolFailure } from '../toolFailure.ts';
import { commandEnvironment, environmentSecrets } from './commandEnvironment.ts';
import { CommandOutput } from './commandOutput.ts';
import { CommandProcess } from './commandProcess.ts';
import { endMessage } from './commandResult.ts';

export interface CommandRequest {
  line: string;
  folder: string;
  /** Afterwards the command continues in the background. */
  timeoutMs: number;
  isBackground: boolean;
  hasInput: boolean;
  conversationId: string | undefined;
  callId?: string | undefined;
  /** Called with the newest lines, empty at first, until it ends or continues in the background. */
  onOutput?: ((lines: string) => void) | undefined;
}

export interface RunningCommand {
  line: string;
  folder: string;
  hasInput: boolean;
  write(text: string): void;
  endInput(): void;
  stop(): void;
}

export interface CommandView {
  show(text: string): void;
  end(code: number | undefined): void;
  /** False if the user closed it. */
  reveal(): boolean;
}

export interface CommandsDependencies {
  view(command: RunningCommand): CommandView;
  env(): Readonly<NodeJS.ProcessEnv>;
  secrets(): Promise<readonly string[]>;
  outputFolder: string;
  clock?: Clock;
}

export interface BackgroundCommand {
  id: string;
  line: string;
  conversationId: string | undefined;
}

export interface EndedCommand extends BackgroundCommand {
  code: number | undefined;
  report: string;
  reveal(): boolean;
}

interface Run {
  id: string;
  request: CommandRequest;
  process: CommandProcess;
  output: CommandOutput;
  view: CommandView;
  isInBackground: boolean;
  isStoppedByUser: boolean;
  pause?: Disposable | undefined;
}

interface FinishedCommand extends ToolResult {
  end: string;
  code: number | undefined;
}

const mostRunning = 8;
const outputPath = /^output:([0-9a-f]{8})$/;
const longestTold = 120;
const pauseMs = 250;
const mostViews = 200;

const mostFiles = 20;

const longestKeptMs = 7 * 24 * 60 * 60 * 1000;

const fileName = /^([0-9a-f]{8})\.txt$/;

export class Commands implements Disposable {
  private readonly running = new Map<string, Run>();
  private readonly views = new Map<string, CommandView>();
  private readonly files: OutputFiles;
  private readonly clock: Clock;
  private readonly starts = new Emitter<BackgroundCommand>();
  readonly onDidGoToBackground = this.starts.event;
  private readonly ends = new Emitter<EndedCommand>();
  readonly onDidEndInBackground = this.ends.event;

  constructor(private readonly deps: CommandsDependencies) {
    this.clock = deps.clock ?? systemClock;
    this.files = new OutputFiles(deps.outputFolder, Date.now);
  }

  /** Runs a command until it ends or continues in the background. Rejects on abort. */
  async run(request: CommandRequest, signal: AbortSignal): Promise<ToolResult> {
    if (this.running.size >= mostRunning) {
      throw new ToolFailure(
        `${mostRunning} commands are running already. Wait for one to end, or ask the user to stop one.`,
      );
    }
    const run = await this.start(request, signal);
    const ended = this.finish(run);
    run.isInBackground = request.isBackground;
    if (request.isBackground) {
      void this.report(run, ended);
      return {
        content: `Started in the background as ${this.idOf(run)}. ${promise}`,
        isError: false,
        isInBackground: true,
      };
    }
    const result = await this.wait(run, ended, signal);
    if (result === 'timeout') {
      run.isInBackground = true;
      void this.report(run, ended);
      const seconds = Math.round(request.timeoutMs / 1000);
      const { text } = run.output.shown(readOn(run.id));
      const content = `Still running after ${seconds} s. It goes on in the background as ${this.idOf(run)}. ${promise} Output so far:\n${text}`;
      return { content, isError: false, isInBackground: true };
    }
    const { content, isError } = result;
    return { content, isError };
  }

  async output(path: string): Promise<string | undefined> {
    const [, id] = outputPath.exec(path.trim()) ?? [];
    if (id === undefined) return undefined;
    const text = this.running.get(id)?.output.kept() ?? (await this.files.read(id));
    if (text === undefined) {
      throw new ToolFailure(`There is no output ${id} any more. Run the command again if it is needed.`);
    }
    return text;
  }

  reveal(callId: string): boolean {
    return this.views.get(callId)?.reveal() ?? false;
  }

  dispose(): void {
    for (const { process, pause } of this.running.values()) {
      pause?.dispose();
      process.kill();
    }
  }

  private async start(request: CommandRequest, signal: AbortSignal): Promise<Run> {
    const { line, folder, hasInput } = request;
    const secrets = await this.deps.secrets();
    signal.throwIfAborted();
    const env = commandEnvironment(this.deps.env(), secrets);
    const output = new CommandOutput(secrets, environmentSecrets(env));
    const onOutput = (bytes: Buffer) => {
      run.view.show(output.push(bytes));
      this.tellSoon(run);
    };
    const process = new CommandProcess({ line, folder, hasInput, env, onOutput }, this.clock);
    const view = this.deps.view({
      line,
      folder,
      hasInput,
      write: (text) => process.write(text),
      endInput: () => process.endInput(),
      stop: () => {
        run.isStoppedByUser = true;
        process.stop();
      },
    });
    const id = randomBytes(4).toString('hex');
    const run: Run = { id, request, process, output, view, isInBackground: false, isStoppedByUser: false };
    this.running.set(id, run);
    this.keepView(request.callId, view);
    request.onOutput?.('');
    return run;
  }

  private keepView(callId: string | undefined, view: CommandView): void {
    if (callId === undefined) return;
    this.views.set(callId, view);
    const [oldest = callId] = this.views.keys();
    if (this.views.size > mostViews) this.views.delete(oldest);
  }

  private tellSoon(run: Run): void {
    const { request, output } = run;
    if (!request.onOutput || run.isInBackground) return;
    run.pause ??= this.clock.after(pauseMs, () => {
      run.pause = undefined;
      if (!run.isInBackground) request.onOutput?.(output.newest());
    });
  }

  private async finish(run: Run): Promise<FinishedCommand> {
    const end = await run.process.ended;
    const { text, isWhole } = run.output.shown(readOn(run.id));
    // Before the output leaves memory; without the file it can't be read later.
    if (!isWhole || run.isInBackground) await this.files.write(run.id, run.output.kept()).catch(() => {});
    this.running.delete(run.id);
    run.pause?.dispose();
    const code = run.isStoppedByUser ? undefined : end.code;
    run.view.end(code);
    if (end.error) throw new ToolFailure(`The command could not be started: ${end.error.message}`);
    const message = endMessage(end, run.isStoppedByUser);
    return { content: `${message}\n${text}`, isError: code !== 0, end: message, code };
  }

  private async wait(
    run: Run,
    ended: Promise<FinishedCommand>,
    signal: AbortSignal,
  ): Promise<FinishedCommand | 'timeout'> {
    let onAbort: (() => void) | undefined;
    const aborted = new Promise<never>((_, reject) => {
      onAbort = () => {
        run.process.stop();
        reject(signal.reason as Error);
      };
      signal.addEventListener('abort', onAbort, { once: true });
    });
    let timer: Disposable | undefined;
    const timeout = new Promise<'timeout'>((resolve) => {
      timer = this.clock.after(run.request.timeoutMs, () => resolve('timeout'));
    });
    // Its failure is the result of the race, or of the report.
    ended.catch(() => undefined);
    try {
      return await Promise.race([ended, timeout, aborted]);
    } finally {
      timer?.dispose();
      if (onAbort) signal.removeEventListener('abort', onAbort);
    }
  }

  private async report(run: Run, ended: Promise<FinishedCommand>): Promise<void> {
    const { id, request, view } = run;
    const { line, conversationId } = request;
    this.starts.fire({ id, line, conversationId });
    const { end, code } = await ended.catch((error: unknown) => ({ end: messageOf(error), code: undefined }));
    const report = `The command ${id} in the background (${oneLine(line, longestTold)}) has ended. ${end} Its output: read_file, path "output:${id}".`;
    this.ends.fire({ id, line, conversationId, code, report, reveal: () => view.reveal() });
  }

  private idOf({ id, process }: Run): string {
    return `${id} (process group ${process.pid})`;
  }
}

const promise = 'You are told when it ends; do not wait for it.';

function readOn(id: string): string {
  return `read_file, path "output:${id}"`;
}

/** Stores the newest long outputs for a week. */
export class OutputFiles {
  constructor(
    private readonly folder: string,
    private readonly now: () => number,
  ) {}

  async write(id: string, text: string): Promise<void> {
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    await writeFile(join(this.folder, `${id}.txt`), text, { mode: 0o600 });
    await this.removeOld();
  }

  async read(id: string): Promise<string | undefined> {
    if (!fileName.test(`${id}.txt`)) return undefined;
    return readFile(join(this.folder, `${id}.txt`), 'utf8').catch(() => undefined);
  }

  private async removeOld(): Promise<void> {
    const names = (await readdir(this.folder)).filter((name) => fileName.test(name));
    const files = await Promise.all(
      names.map(async (name) => {
        const path = join(this.folder, name);
        // Another window may have removed it.
        return { path, time: (await stat(path).catch(() => undefined))?.mtimeMs ?? 0 };
      }),
    );
    const newest = files.toSorted((a, b) => b.time - a.time);
    const old = newest.filter(({ time }, index) => index >= mostFiles || this.now() - time > longestKeptMs);
    await Promise.all(old.map(({ path }) => rm(path, { force: true })));
  }
}
