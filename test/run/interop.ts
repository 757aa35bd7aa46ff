// A real LiteLLM proxy as the relay, and other vendors' programs against the sandbox. Needs Python, npm and
// PyPI.
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
    // A failed installation fails its own tests, which give the reason.
    await installLitellm().catch(() => {});
    await installPrograms();
  },
});

export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: { grep: { type: 'string', short: 'g' }, verbose: { type: 'boolean', default: false } },
  });
  await runStages([stage], values);
}
