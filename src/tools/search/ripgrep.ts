import { spawn } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';

export function findRipgrep(
  appRoot: string,
  { platform = process.platform, arch = process.arch, path = process.env['PATH'] ?? '' } = {},
): string | undefined {
  const name = platform === 'win32' ? 'rg.exe' : 'rg';
  const modules = ['node_modules', 'node_modules.asar.unpacked'];
  const places = [
    // Since 1.122, all platforms are included.
    ...modules.map((folder) =>
      join(appRoot, folder, '@vscode', 'ripgrep-universal', 'bin', `${platform}-${arch}`, name),
    ),
    // `@vscode/ripgrep` since 1.18, which other editors use.
    ...modules.map((folder) => join(appRoot, folder, '@vscode', `ripgrep-${platform}-${arch}`, 'bin', name)),
    ...modules.map((folder) => join(appRoot, folder, '@vscode', 'ripgrep', 'bin', name)),
    ...modules.map((folder) => join(appRoot, folder, 'vscode-ripgrep', 'bin', name)),
    // Relative entries would depend on the current folder.
    ...path
      .split(delimiter)
      .filter((folder) => isAbsolute(folder))
      .map((folder) => join(folder, name)),
  ];
  return places.find((file) => isExecutable(file));
}

export interface RipgrepJob {
  /** Absolute; results are relative to it. */
  folder: string;
  start: string;
  pattern: readonly string[];
  /** Globs to skip as an optimization; the caller judges every file. */
  skip: readonly string[];
  ignoreFiles: readonly string[];
  useParents: boolean;
}

/** At least all allowed files with a match, unordered; undefined if this ripgrep can't tell, even after `found`. */
export function ripgrepFiles(
  program: string,
  job: RipgrepJob,
  signal: AbortSignal,
  found: (files: readonly string[]) => void = () => undefined,
): Promise<string[] | undefined> {
  const args = [
    ...['--no-config', '--files-with-matches', '--null', '--color=never', '--no-ignore-messages', '--hidden'],
    // A mapped file that shrinks would kill ripgrep.
    ...['--no-mmap'],
    // Only `.gitignore` is among our ignore files, too.
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
      // Unreadable files don't matter; other errors, such as missing PCRE2, do.
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
