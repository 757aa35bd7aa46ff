import { extname } from 'node:path/posix';
import { type Clock, systemClock } from '../base/clock.ts';
import type { Disposable } from '../base/disposable.ts';
import { oneLine } from '../base/oneLine.ts';
import { untilAborted } from '../base/untilAborted.ts';
import type { Diagnostic, LanguageFeatures } from './workspace.ts';

/** Language support has so long to look at an edit. */
const waitMs = 2000;
/** So many edits of files of a kind that nobody has said anything of are waited for. */
const mostSilent = 2;
const mostLines = 10;
const longestMessage = 300;

/** A file that is edited. */
export interface EditedFile {
  shown: string;
  realPath: string;
}

interface KnownErrors {
  file: EditedFile;
  errors: string[];
}

/** Waits for what language support says of an edit. To be disposed of, also when the edit is not made. */
export interface ErrorWatch extends Disposable {
  /** The new errors in the files of the turn, once they were looked at or time is up. */
  tell(signal: AbortSignal): Promise<string[]>;
}

/** Finds the errors that edits have brought: those that were there before, or were told, are not told again. */
export class NewErrors {
  /** By turn and file, the errors that the model need not hear of. */
  private readonly known = new WeakMap<object, Map<string, KnownErrors>>();
  /** By the ending of files, how many edits in a row nothing was heard of. */
  private readonly silent = new Map<string, number>();

  constructor(
    private readonly languages: LanguageFeatures,
    private readonly clock: Clock = systemClock,
  ) {}

  /**
   * Notes what is there, before the edit is made.
   * @param turn what the edits of a turn have in common
   */
  begin(turn: object, files: readonly EditedFile[]): ErrorWatch {
    const known = this.known.get(turn) ?? new Map<string, KnownErrors>();
    this.known.set(turn, known);
    for (const file of files) {
      if (known.has(file.realPath)) continue;
      known.set(file.realPath, { file, errors: this.errorsOf(file).map(nameOf) });
    }
    // From now on, since what is said while the edit is made is about the edit.
    const waits = files.filter((file) => this.isWorthWaiting(file)).map((file) => this.wait(file));
    return {
      tell: async (signal) => {
        await untilAborted(Promise.all(waits.map(({ heard }) => heard)), signal);
        return this.tell([...known.values()]);
      },
      dispose: () => {
        for (const wait of waits) wait.dispose();
      },
    };
  }

  private errorsOf({ realPath }: EditedFile): Diagnostic[] {
    return this.languages.diagnostics(realPath).filter(({ severity }) => severity === 'error');
  }

  /** A file of a kind that is looked at by nobody would be waited for each time. */
  private isWorthWaiting({ realPath }: EditedFile): boolean {
    const kind = extname(realPath);
    if ((this.silent.get(kind) ?? 0) < mostSilent) return true;
    return this.languages.diagnostics().some(({ path }) => extname(path) === kind);
  }

  private wait({ realPath }: EditedFile): Disposable & { heard: Promise<void> } {
    const kind = extname(realPath);
    let stop = () => {};
    const heard = new Promise<void>((resolve) => {
      const timer = this.clock.after(waitMs, () => {
        this.silent.set(kind, (this.silent.get(kind) ?? 0) + 1);
        resolve();
      });
      const listening = this.languages.onDidChangeDiagnostics(realPath, () => {
        this.silent.delete(kind);
        resolve();
      });
      stop = () => {
        timer.dispose();
        listening.dispose();
      };
    });
    return { heard, dispose: () => stop() };
  }

  private tell(files: readonly KnownErrors[]): string[] {
    const lines: string[] = [];
    for (const { file, errors } of files) {
      const left = [...errors];
      for (const error of this.errorsOf(file)) {
        const at = left.indexOf(nameOf(error));
        if (at >= 0) left.splice(at, 1);
        else {
          lines.push(lineOf(file, error));
          errors.push(nameOf(error));
        }
      }
    }
    if (lines.length === 0) return [];
    const more = lines.length - mostLines;
    return [
      `New ${lines.length === 1 ? 'error' : 'errors'} since then:`,
      ...lines.slice(0, mostLines),
      ...(more > 0 ? [`[${more} more; get_diagnostics gives all.]`] : []),
    ];
  }
}

/** An error is the same wherever its line has moved to. */
function nameOf({ message, source, code }: Diagnostic): string {
  return JSON.stringify([message, source, code]);
}

function lineOf({ shown }: EditedFile, { range, message, source, code }: Diagnostic): string {
  const origin = oneLine([source, code].filter(Boolean).join(' '));
  return `${shown}:${range.start.line} ${oneLine(message, longestMessage)}${origin && ` [${origin}]`}`;
}
