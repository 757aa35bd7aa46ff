// `npm run interop`: the relay's client and chat turns against a real LiteLLM proxy. Needs Python, and PyPI once.
import { parseArgs } from 'node:util';
import { installLitellm } from '../interop/litellmProxy.ts';
import { mochaStage } from './mochaStages.ts';
import { runStages } from './runStages.ts';

const stage = mochaStage({
  name: 'interop',
  folders: ['interop'],
  timeoutMs: 120_000,
  stageTimeoutMs: 10 * 60_000,
  prepare: async () => void (await installLitellm()),
});

/** @param args `--grep <text>`, `--verbose` */
export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: { grep: { type: 'string', short: 'g' }, verbose: { type: 'boolean', default: false } },
  });
  await runStages([[stage]], values);
}
