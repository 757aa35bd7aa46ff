import { execFile } from 'node:child_process';

/** Disables settings that make Git run programs or use the network. */
const settings = [
  ...['core.hooksPath=/dev/null', 'core.fsmonitor=false', 'core.pager=cat', 'core.sshCommand=false'],
  ...['credential.helper=', 'diff.external=', 'gpg.program=false', 'log.showSignature=false'],
  ...['protocol.allow=never', 'submodule.recurse=false', 'gc.auto=0', 'maintenance.auto=false'],
];

const mostBytes = 64_000_000;

/**
 * Runs Git; all our calls use this. Filters, text conversions and diff drivers can't be disabled, so only commands
 * without them may run outside of `GitRepository`. Rejects on failure and beyond 64 MB of output.
 */
export function runGit(
  program: string,
  args: readonly string[],
  { cwd, env = {}, input = '', signal }: GitOptions,
): Promise<Buffer> {
  const inherited = Object.entries(process.env).filter(([name]) => !/^GIT_/i.test(name));
  const own = { GIT_OPTIONAL_LOCKS: '0', GIT_TERMINAL_PROMPT: '0', GIT_NO_LAZY_FETCH: '1', LC_ALL: 'C' };
  return new Promise((resolve, reject) => {
    const child = execFile(
      program,
      ['--no-pager', ...settings.flatMap((setting) => ['-c', setting]), ...args],
      {
        cwd,
        env: { ...Object.fromEntries(inherited), ...own, ...env },
        encoding: 'buffer',
        maxBuffer: mostBytes,
        windowsHide: true,
        signal,
      },
      (error, output) => (error ? reject(error) : resolve(output)),
    );
    // Git may end without reading.
    child.stdin?.on('error', () => undefined).end(input);
  });
}

interface GitOptions {
  cwd: string;
  env?: Record<string, string>;
  input?: string;
  signal?: AbortSignal;
}
