import { spawn } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';

/**
 * The path of a ripgrep to use: VS Code's own copy, in the places where its versions keep it, or one on PATH.
 * Undefined when there is none.
 * @param appRoot the editor's folder (`vscode.env.appRoot`)
 */
export function findRipgrep(
  appRoot: string,
  { platform = process.platform, arch = process.arch, path = process.env['PATH'] ?? '' } = {},
): string | undefined {
  const name = platform === 'win32' ? 'rg.exe' : 'rg';
  const modules = ['node_modules', 'node_modules.asar.unpacked'];
  const places = [
    // Since 1.122 all platforms lie side by side.
    ...modules.map((folder) =>
      join(appRoot, folder, '@vscode', 'ripgrep-universal', 'bin', `${platform}-${arch}`, name),
    ),
    // Of `@vscode/ripgrep` since 1.18, which editors of others are built with.
    ...modules.map((folder) => join(appRoot, folder, '@vscode', `ripgrep-${platform}-${arch}`, 'bin', name)),
    ...modules.map((folder) => join(appRoot, folder, '@vscode', 'ripgrep', 'bin', name)),
    ...modules.map((folder) => join(appRoot, folder, 'vscode-ripgrep', 'bin', name)),
    // A relative entry of PATH would be looked up in whatever folder happens to be current.
    ...path
      .split(delimiter)
      .filter((folder) => isAbsolute(folder))
      .map((folder) => join(folder, name)),
  ];
  return places.find((file) => isExecutable(file));
}

/** Which files of a folder ripgrep should look at, and what for. */
export interface RipgrepJob {
  /** Absolute; what it finds is relative to it. */
  folder: string;
  /** File or folder below `folder` to begin at; `''` for all. */
  start: string;
  /** One of `ripgrepPatterns`. */
  pattern: readonly string[];
  /** Globs that nobody can want: only to save work, the caller judges every file itself. */
  skip: readonly string[];
  /** Files with more patterns to skip, likewise. */
  ignoreFiles: readonly string[];
  /** Whether ignore files above the folder count. */
  useParents: boolean;
}

/**
 * Files that may have a match: at least all that the caller's own rules would let through, in no order. Undefined
 * if this ripgrep cannot do it, and the caller has to look itself.
 * @param found hears of them as they are found, also when it turns out later that they are not all
 */
export function ripgrepFiles(
  program: string,
  job: RipgrepJob,
  signal: AbortSignal,
  found: (files: readonly string[]) => void = () => undefined,
): Promise<string[] | undefined> {
  const args = [
    ...['--no-config', '--files-with-matches', '--null', '--color=never', '--no-ignore-messages', '--hidden'],
    // Several files are read piecemeal, whichever way a version prefers: a mapped file that shrinks kills it.
    ...['--no-mmap'],
    // Of its own ignore rules only `.gitignore` is also ours.
    ...['--no-require-git', '--no-ignore-global', '--no-ignore-dot', '--no-ignore-exclude'],
    ...(job.useParents ? [] : ['--no-ignore-parent']),
    ...job.ignoreFiles.flatMap((file) => ['--ignore-file', file]),
    ...job.skip.flatMap((glob) => ['--glob', `!${glob}`]),
    ...job.pattern,
    ...['--', job.start || './'],
  ];
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      cwd: job.folder,
      stdio: ['ignore', 'pipe', 'pipe'],
      signal,
      windowsHide: true,
    });
    const files: string[] = [];
    let rest = '';
    let complaint = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      const names = (rest + text).split('\0');
      rest = names.pop() ?? '';
      const more = names.map((name) => name.replaceAll('\\', '/').replace(/^\.\//, ''));
      files.push(...more);
      found(more);
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      // Files that could not be read are no reason to distrust the rest; that PCRE2 is missing, or gave up, is.
      complaint = (complaint + text).replace(/^.*\(os error \d+\)\r?\n/gm, '');
    });
    child.on('error', (error) => (signal.aborted ? reject(error) : resolve(undefined)));
    child.on('close', (code) => {
      if (signal.aborted) reject(signal.reason);
      else if (code === 0 || code === 1 || (code === 2 && complaint === '')) resolve(files);
      else resolve(undefined);
    });
  });
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
