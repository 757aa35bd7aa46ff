// The stages that read the sources without running them.
import { join } from 'node:path';
import { runProcess } from '../host/processes.ts';
import { root } from '../host/paths.ts';
import { forbiddenImports, readSources } from './imports.ts';
import { checkResult, type Stage } from './stage.ts';

const tools = {
  oxfmt: 'oxfmt/bin/oxfmt',
  oxlint: 'oxlint/bin/oxlint',
  knip: 'knip/bin/knip.js',
  tsc: 'typescript/bin/tsc',
};

export const checks: Stage[] = [
  {
    name: 'lint',
    run: () =>
      allOf([
        ['oxfmt', '--check'],
        ['oxlint', '--type-aware', '--deny-warnings', '.'],
        ['knip', '--no-progress', '--no-config-hints'],
      ]),
  },
  {
    name: 'types',
    run: () =>
      allOf([
        ['tsc', '--noEmit', '-p', 'tsconfig.json'],
        ['tsc', '--noEmit', '-p', 'src/webview/tsconfig.json'],
        ['tsc', '--noEmit', '-p', 'test/tsconfig.json'],
      ]),
  },
  {
    name: 'imports',
    run: async () => checkResult(forbiddenImports(await readSources()).join('\n')),
  },
];

/** Every tool runs, also after one that found something; all of what they found is told. */
async function allOf(commands: [keyof typeof tools, ...string[]][]) {
  const objections: string[] = [];
  for (const [tool, ...args] of commands) {
    const script = join(root, 'node_modules', tools[tool]);
    const { succeeded, output } = await runProcess(process.execPath, [script, ...args], { cwd: root });
    if (!succeeded) objections.push(`${tool} ${args.join(' ')}\n${output.trim()}`);
  }
  return checkResult(objections.join('\n\n'));
}
