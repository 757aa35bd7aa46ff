import { extname } from 'node:path/posix';
import { type Clock, systemClock } from '../../base/clock.ts';
import type { Disposable } from '../../base/disposable.ts';
import { oneLine } from '../../base/text/oneLine.ts';
import { untilAborted } from '../../base/async/promises.ts';
import type { GrantedFile } from '../policy/verdict.ts';
import type { Diagnostic, LanguageFeatures } from '../files/workspace.ts';

const waitMs = 2000;
/** Edits without a reaction, after which files of that type aren't waited for. */
const mostSilent = 2;
const mostLines = 10;
const longestMessage = 300;

type NamedFile = Pick<GrantedFile, 'shown' | 'realPath'>;

interface KnownErrors {
  file: NamedFile;
  errors: string[];
}

/** Waits for diagnostics of an edit; disposed even if the edit isn't made. */
export interface ErrorWatch extends Disposable {
  tell(signal: AbortSignal): Promise<string[]>;
}

export class NewErrors {
  private readonly known = new WeakMap<object, Map<string, KnownErrors>>();
  private readonly silent = new Map<string, number>();

  constructor(
    private readonly languages: LanguageFeatures,
    private readonly clock: Clock = systemClock,
  ) {}

  /** Notes the existing errors before an edit; `turn` is an object shared by all edits of a turn. */
  begin(turn: object, files: readonly NamedFile[]): ErrorWatch {
    const known = this.known.get(turn) ?? new Map<string, KnownErrors>();
    this.known.set(turn, known);
    for (const file of files) {
      if (known.has(file.realPath)) continue;
      known.set(file.realPath, { file, errors: this.errorsOf(file).map(nameOf) });
    }
    // Diagnostics reported during the edit are about it.
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

  private errorsOf({ realPath }: NamedFile): Diagnostic[] {
    return this.languages.diagnostics(realPath).filter(({ severity }) => severity === 'error');
  }

  private isWorthWaiting({ realPath }: NamedFile): boolean {
    const kind = extname(realPath);
    if ((this.silent.get(kind) ?? 0) < mostSilent) return true;
    return this.languages.diagnostics().some(({ path }) => extname(path) === kind);
  }

  private wait({ realPath }: NamedFile): Disposable & { heard: Promise<void> } {
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

function nameOf({ message, source, code }: Diagnostic): string {
  return JSON.stringify([message, source, code]);
}

function lineOf({ shown }: NamedFile, { range, message, source, code }: Diagnostic): string {
  const origin = oneLine([source, code].filter(Boolean).join(' '));
  return `${shown}:${range.start.line} ${oneLine(message, longestMessage)}${origin && ` [${origin}]`}`;
}
