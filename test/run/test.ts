// `npm test`: runs the stages and ends with one line, `N passed, N failed`.
import { parseArgs } from 'node:util';
import { buildExtension } from '../host/build.ts';
import { packageExtension } from '../host/packaged.ts';
import { vscodeFiles } from '../host/vscodeFiles.ts';
import { checks } from './checks.ts';
import { editorStage } from './editorStage.ts';
import { fuzzStage } from './fuzzing.ts';
import { mochaStage } from './mochaStages.ts';
import { runStages } from './runStages.ts';
import type { Stage } from './stage.ts';

const second = 1000;
const minute = 60 * second;

/**
 * In the order in which they run and are told. Their limits are only there to end what hangs: a busy machine takes
 * many times as long as a quiet one.
 */
const stages: Stage[] = [
  ...checks,
  mochaStage({ name: 'unit', folders: ['unit'], timeoutMs: 20 * second, stageTimeoutMs: 6 * minute }),
  fuzzStage,
  mochaStage({
    name: 'integration',
    folders: ['integration', 'servers'],
    timeoutMs: 60 * second,
    stageTimeoutMs: 10 * minute,
  }),
  mochaStage({
    name: 'page',
    folders: ['page'],
    timeoutMs: 60 * second,
    stageTimeoutMs: 10 * minute,
    prepare: buildExtension,
  }),
  editorStage,
  mochaStage({
    name: 'e2e',
    folders: ['e2e'],
    timeoutMs: 180 * second,
    stageTimeoutMs: 15 * minute,
    prepare: packageExtension,
  }),
];

/** @param args stages to run (all if none is named), `--grep <text>`, `--verbose` */
export async function run(args: string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { grep: { type: 'string', short: 'g' }, verbose: { type: 'boolean', default: false } },
  });
  const unknown = positionals.filter((name) => !stages.some((stage) => stage.name === name));
  if (unknown.length > 0) {
    console.error(
      `There is no stage ${unknown.join(', ')}; there are ${stages.map(({ name }) => name).join(', ')}.`,
    );
    process.exitCode = 2;
    return;
  }
  const chosen = stages.filter(({ name }) => positionals.length === 0 || positionals.includes(name));
  if (chosen.some(({ name }) => name === 'editor' || name === 'e2e')) {
    // Installed beside the first stages; the stage that needs it reports a failure.
    vscodeFiles().catch(() => {});
  }
  await runStages(chosen, values);
}
