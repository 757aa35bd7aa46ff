import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { cached } from '../host/cache.ts';
import { npm } from '../host/npm.mjs';
import { startProcess } from '../host/processes.ts';
import { newestNode } from '../host/vscodeFiles.ts';
import { installFromPypi, pythonIn } from './python.ts';

interface RealProgram {
  version: string;
  npm?: { name: string; bin: string };
  pypi?: { name: string; module: string };
}

const programs: Record<string, RealProgram> = {
  // Some commands come from an install script; the program itself is in the platform's package.
  'claude-code': { version: '2.1.330', npm: { name: '@anthropic-ai/claude-code', bin: claudeBinary() } },
  codex: { version: '0.169.0', npm: { name: '@openai/codex', bin: '.bin/codex' } },
  openclaw: { version: '2026.9.6', npm: { name: 'openclaw', bin: '.bin/openclaw' } },
  opencode: { version: '1.18.33', npm: { name: 'opencode-ai', bin: opencodeBinary() } },
  'qwen-code': { version: '0.24.4', npm: { name: '@qwen-code/qwen-code', bin: '.bin/qwen' } },
  continue: { version: '1.5.47', npm: { name: '@continuedev/cli', bin: '.bin/cn' } },
  cline: { version: '3.0.65', npm: { name: 'cline', bin: '.bin/cline' } },
  kilo: { version: '7.7.7', npm: { name: '@kilocode/cli', bin: kiloBinary() } },
  pi: { version: '0.73.1', npm: { name: '@mariozechner/pi-coding-agent', bin: '.bin/pi' } },
  aider: { version: '0.86.2', pypi: { name: 'aider-chat', module: 'aider' } },
};

function claudeBinary(): string {
  const ending = process.platform === 'win32' ? '.exe' : '';
  return `@anthropic-ai/claude-code-${process.platform}-${process.arch}/claude${ending}`;
}

function opencodeBinary(): string {
  const [system, ending] = process.platform === 'win32' ? ['windows', '.exe'] : [process.platform, ''];
  return `opencode-${system}-${process.arch}${process.arch === 'x64' ? '-baseline' : ''}/bin/opencode${ending}`;
}

function kiloBinary(): string {
  const [system, ending] = process.platform === 'win32' ? ['windows', '.exe'] : [process.platform, ''];
  return `@kilocode/cli-${system}-${process.arch}/bin/kilo${ending}`;
}

/** Installs some 3 GB once, one after the other. A program that can't be had fails its own tests. */
export async function installPrograms(): Promise<void> {
  for (const id of Object.keys(programs)) await install(id).catch(() => {});
}

/** Runs a program with its own home and no other environment; its vendor's servers are out of reach. */
export async function runReal(
  id: string,
  args: readonly string[],
  { home, folder, variables }: { home: string; folder: string; variables: Record<string, string> },
): Promise<{ code: number | string; output: string }> {
  const { command, first } = await install(id);
  const node = await newestNode();
  const started = startProcess(command, [...first, ...args], {
    cwd: folder,
    env: {
      PATH: [dirname(node), '/usr/bin', '/bin'].join(delimiter),
      ...{ HOME: home, USERPROFILE: home, TERM: 'dumb', NO_COLOR: '1', CI: 'true' },
      // Claude Code uses it for http:// as well.
      ...{ HTTPS_PROXY: 'http://127.0.0.1:9', NO_PROXY: '127.0.0.1' },
      ...{
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
        AIDER_ANALYTICS: 'false',
        AIDER_CHECK_UPDATE: 'false',
      },
      ...variables,
    },
  });
  const code = await started.ended;
  await started.stop();
  await endDaemons(home);
  return { code, output: started.output() };
}

async function install(id: string): Promise<{ command: string; first: string[] }> {
  const program = programs[id];
  if (!program) throw new Error(`"${id}" can't be installed here.`);
  const { version, pypi } = program;
  const name = `${id}-${version}`;
  if (pypi) {
    const folder = await installFromPypi(name, `${pypi.name}==${version}`);
    return { command: pythonIn(folder), first: ['-m', pypi.module] };
  }
  const { name: packageName = '', bin = '' } = program.npm ?? {};
  const node = await newestNode();
  const folder = await cached(name, `${packageName} ${version}`, (partial) =>
    npm(partial, ['install', `${packageName}@${version}`], node),
  );
  return { command: join(folder, 'node_modules', bin), first: [] };
}

/** Ends processes left behind in groups of their own, which are found by their home folder. */
async function endDaemons(home: string): Promise<void> {
  if (!existsSync('/proc')) return;
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name) || name === String(process.pid)) continue;
    const environment = await readFile(`/proc/${name}/environ`, 'utf8').catch(() => '');
    if (!environment.split('\0').includes(`HOME=${home}`)) continue;
    try {
      process.kill(Number(name), 'SIGKILL');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  }
}
