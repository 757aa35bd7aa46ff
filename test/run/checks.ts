import { join } from 'node:path';
import { runProcess } from '../host/processes.ts';
import { cacheFolder, root } from '../host/paths.ts';
import { forbiddenImports, readSources } from './imports.ts';
import { checkResult, type Stage, type StageResult } from './stage.ts';

const tools = {
  oxfmt: 'oxfmt/bin/oxfmt',
  oxlint: 'oxlint/bin/oxlint',
  knip: 'knip/bin/knip.js',
  tsc: 'typescript/bin/tsc',
};

export type Command = readonly [tool: string, ...args: string[]];

/** Incremental: a run reuses the results of the previous one. */
export const typeChecks: readonly Command[] = [
  'tsconfig.json',
  'src/webview/tsconfig.json',
  'test/tsconfig.json',
].map((project) => [
  'tsc',
  ...['--noEmit', '-p', project],
  ...['--incremental', '--tsBuildInfoFile', join(cacheFolder, 'types', project.replaceAll('/', '-'))],
]);

export const checks: Stage[] = [
  {
    name: 'lint',
    run: () =>
      runTools([
        ['oxfmt', '--check'],
        ['oxlint', '--type-aware', '--deny-warnings', '.'],
        ['knip', '--no-progress', '--no-config-hints'],
      ]),
  },
  {
    name: 'types',
    run: () => runTools(typeChecks),
  },
  {
    name: 'imports',
    run: async () => checkResult(forbiddenImports(await readSources()).join('\n')),
  },
];

/** Runs every tool, even after one that failed, and reports all findings. */
export async function runTools(commands: readonly Command[]): Promise<StageResult> {
  const objections: string[] = [];
  for (const [tool, ...args] of commands) {
    const script = join(root, 'node_modules', tools[tool as keyof typeof tools]);
    const { succeeded, output } = await runProcess(process.execPath, [script, ...args], { cwd: root });
    if (!succeeded) objections.push(`${tool} ${args.join(' ')}\n${output.trim()}`);
  }
  return checkResult(objections.join('\n\n'));
}
