// Plain JavaScript, because test/main.mjs needs it before anything is built.
import { spawn } from 'node:child_process';
import { delimiter, dirname } from 'node:path';

/**
 * Runs npm without install scripts: nothing here needs one, and npm 11 may skip them anyway.
 * @param {string} folder
 * @param {string[]} args
 * @param {string} [node] the Node that runs npm and everything below it
 * @returns {Promise<void>} rejects with the end of npm's output
 */
export async function npm(folder, args, node = process.execPath) {
  const npmScript = process.env['npm_execpath'];
  const isWindows = process.platform === 'win32';
  const quiet = ['--ignore-scripts', '--no-audit', '--no-fund', '--no-progress', '--loglevel=error'];
  const [command, first] =
    npmScript && /\.[cm]?js$/.test(npmScript) ? [node, [npmScript]] : [isWindows ? 'npm.cmd' : 'npm', []];
  const child = spawn(command, [...first, ...args, ...quiet], {
    cwd: folder,
    env: { ...process.env, PATH: `${dirname(node)}${delimiter}${process.env['PATH']}` },
    shell: command === 'npm.cmd',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  child.stdout.on('data', (chunk) => (output += chunk));
  child.stderr.on('data', (chunk) => (output += chunk));
  const code = await new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  if (code !== 0) throw new Error(`npm ${args.join(' ')} ended with ${code}:\n${output.slice(-4000)}`);
}
