import { randomBytes } from 'node:crypto';
import { type Clock, systemClock } from '../../base/clock.ts';
import type { Disposable } from '../../base/disposable.ts';
import { Emitter } from '../../base/emitter.ts';
import { messageOf } from '../../base/messageOf.ts';
import { oneLine } from '../../base/oneLine.ts';
import type { ToolResult } from '../tool.ts';
import { ToolFailure } from '../toolFailure.ts';
import { commandEnvironment } from './commandEnvironment.ts';
import { CommandOutput } from './commandOutput.ts';
import { CommandProcess, type CommandEnd } from './commandProcess.ts';
import { OutputFiles } from './outputFiles.ts';

/** A command that was let run. */
export interface CommandRequest {
  line: string;
  /** Absolute. */
  folder: string;
  /** After that it goes on in the background. */
  timeoutMs: number;
  /** It is not waited for at all. */
  isBackground: boolean;
  /** The user answers it in the terminal. */
  hasInput: boolean;
  /** Who is told when it ends in the background. */
  conversationId: string | undefined;
}

/** What the user can do with a command that runs. */
export interface RunningCommand {
  line: string;
  folder: string;
  hasInput: boolean;
  write(text: string): void;
  endInput(): void;
  /** The user stops it. */
  stop(): void;
}

/** Where the user sees a command run. */
export interface CommandView {
  /** With its escape sequences. */
  show(text: string): void;
  /** @param code undefined where it was stopped, or could not start */
  end(code: number | undefined): void;
  /** Brings it to the front. */
  reveal(): void;
}

export interface CommandsDependencies {
  /** Opens a view of the command. */
  view(command: RunningCommand): CommandView;
  env(): Readonly<NodeJS.ProcessEnv>;
  /** Every key that is kept. */
  secrets(): Promise<readonly string[]>;
  /** Where long outputs are kept. */
  outputFolder: string;
  clock?: Clock;
}

/** A command that is not waited for. */
export interface BackgroundCommand {
  id: string;
  line: string;
  conversationId: string | undefined;
}

/** A command that ended in the background. */
export interface EndedCommand extends BackgroundCommand {
  /** Undefined where it was stopped, or could not start. */
  code: number | undefined;
  /** What its model is told. */
  report: string;
  /** Shows what it printed. */
  reveal(): void;
}

interface Run {
  id: string;
  request: CommandRequest;
  process: CommandProcess;
  output: CommandOutput;
  view: CommandView;
  /** It is not waited for: its output is read later, or not at all. */
  isInBackground: boolean;
  isStoppedByUser: boolean;
}

interface FinishedCommand extends ToolResult {
  /** How it ended, in a sentence for the model. */
  end: string;
  /** Undefined where the user stopped it or a signal ended it. */
  code: number | undefined;
}

const mostRunning = 8;
/** A path that `read_file` takes for an output of a command. */
const outputPath = /^output:([0-9a-f]{8})$/;
const longestTold = 120;

/** The commands that models run in this window. */
export class Commands implements Disposable {
  private readonly running = new Map<string, Run>();
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

  /** Runs a command and waits for its end, or until it goes on in the background. Rejects when aborted. */
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

  /** What a command printed, for `read_file`; undefined if the path names none. */
  async output(path: string): Promise<string | undefined> {
    const [, id] = outputPath.exec(path.trim()) ?? [];
    if (id === undefined) return undefined;
    const text = this.running.get(id)?.output.kept() ?? (await this.files.read(id));
    if (text === undefined) {
      throw new ToolFailure(`There is no output ${id} any more. Run the command again if it is needed.`);
    }
    return text;
  }

  /** The window goes away, and what runs in it. */
  dispose(): void {
    for (const { process } of this.running.values()) process.kill();
  }

  private async start(request: CommandRequest, signal: AbortSignal): Promise<Run> {
    const { line, folder, hasInput } = request;
    const secrets = await this.deps.secrets();
    signal.throwIfAborted();
    const output = new CommandOutput(secrets);
    const env = commandEnvironment(this.deps.env(), secrets);
    const onOutput = (bytes: Buffer) => run.view.show(output.push(bytes));
    const process = new CommandProcess({ line, folder, hasInput, env, onOutput }, this.clock);
    const view = this.deps.view({
      ...{ line, folder, hasInput },
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
    return run;
  }

  /** What there is to say when it has ended. */
  private async finish(run: Run): Promise<FinishedCommand> {
    const end = await run.process.ended;
    const { text, isWhole } = run.output.shown(readOn(run.id));
    // Before it can be read from memory no more.
    if (!isWhole || run.isInBackground) await this.files.write(run.id, run.output.kept()).catch(() => {});
    this.running.delete(run.id);
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
    // Its failure is the result of the race, or of the report once the race is over.
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

function endMessage({ code, signal, leftOthers }: CommandEnd, isStoppedByUser: boolean): string {
  if (isStoppedByUser) return 'The user stopped the command.';
  const end = code === undefined ? `Ended by ${signal ?? 'a signal'}.` : `Exit code ${code}.`;
  return leftOthers
    ? `${end} Processes that it left running were ended; for those that should go on set background.`
    : end;
}
