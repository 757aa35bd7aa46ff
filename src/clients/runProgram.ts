import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { existsSync } from 'node:fs';
import type { ClientProgram } from './clientProgram.ts';
import { commandEnvironment } from '../tools/command/commandEnvironment.ts';
import { CommandProcess } from '../tools/command/commandProcess.ts';

/** Time limit in ms: some programs retry silently forever. */
const limitMs = 60_000;
const longestOutput = 64_000;

export function isInstalled({ command }: Pick<ClientProgram, 'command'>): boolean {
  if (command === undefined) return false;
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter(Boolean);
  const endings = process.platform === 'win32' ? ['.exe', '.cmd', '.bat'] : [''];
  return folders.some((folder) => endings.some((ending) => existsSync(join(folder, command + ending))));
}

/** A check that asks a model must print text: some programs exit with 0 and nothing. */
export async function runCheck(
  { command, check }: ClientProgram,
  variables: Readonly<Record<string, string | null>>,
  signal: AbortSignal,
): Promise<boolean> {
  if (!check || command === undefined) throw new Error('The program has no check.');
  const folder = await mkdtemp(join(tmpdir(), 'switchboard-'));
  const output: Buffer[] = [];
  let size = 0;
  const quiet = process.platform === 'win32' ? '2>nul' : '2>/dev/null';
  const running = new CommandProcess({
    line: `${[command, ...check.arguments].join(' ')} ${quiet}`,
    folder,
    env: withVariables(commandEnvironment(process.env, []), variables),
    hasInput: false,
    onOutput(bytes) {
      size += bytes.length;
      if (size <= longestOutput) output.push(bytes);
    },
  });
  const ending = AbortSignal.any([signal, AbortSignal.timeout(limitMs)]);
  ending.addEventListener('abort', () => running.stop(), { once: true });
  try {
    const { code } = await running.ended;
    signal.throwIfAborted();
    return code === 0 && (!check.asksModel || Buffer.concat(output).toString('utf8').trim() !== '');
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function withVariables(
  environment: NodeJS.ProcessEnv,
  variables: Readonly<Record<string, string | null>>,
): NodeJS.ProcessEnv {
  const result = { ...environment };
  for (const [name, value] of Object.entries(variables)) {
    if (value === null) delete result[name];
    else result[name] = value;
  }
  return result;
}
