// `npm run interop`: the relay's client and chat turns against a real LiteLLM proxy, and programs of others, configured
// by us, against the sandbox. Needs Python, and npm and PyPI once.
import { parseArgs } from 'node:util';
import { installLitellm } from '../interop/litellmProxy.ts';
import { installPrograms } from '../interop/realPrograms.ts';
import { mochaStage } from './mochaStages.ts';
import { runStages } from './runStages.ts';

const stage = mochaStage({
  name: 'interop',
  folders: ['interop'],
  timeoutMs: 120_000,
  stageTimeoutMs: 20 * 60_000,
  prepare: async () => {
    // What can't be had fails the tests of it alone, which tell why.
    await installLitellm().catch(() => {});
    await installPrograms();
  },
});

/** @param args `--grep <text>`, `--verbose` */
export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: { grep: { type: 'string', short: 'g' }, verbose: { type: 'boolean', default: false } },
  });
  await runStages([[stage]], values);
}
