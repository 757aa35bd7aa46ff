// `npm test`: runs the stages and ends with one line, `N passed, N failed`.
import { parseArgs } from 'node:util';
import { buildExtension } from '../host/build.ts';
import { packageExtension } from '../host/packaged.ts';
import { vscodeFiles } from '../host/vscodeFiles.ts';
import { checks } from './checks.ts';
import { editorStage } from './editorStage.ts';
import { mochaStage } from './mochaStages.ts';
import type { Stage, StageOptions, StageResult } from './stage.ts';

const second = 1000;
const minute = 60 * second;

/**
 * In the order in which they run and are told. Their limits are only there to end what hangs: a busy machine takes
 * many times as long as a quiet one.
 */
const stages: Stage[] = [
  ...checks,
  mochaStage({ name: 'unit', folders: ['unit'], timeoutMs: 20 * second, stageTimeoutMs: 6 * minute }),
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
  let passed = 0;
  let failed = 0;
  for (const stage of chosen) {
    const result = await runStage(stage, values);
    passed += result.passed;
    failed += result.failed;
  }
  console.log(`${passed} passed, ${failed} failed`);
  process.exitCode = failed > 0 || passed === 0 ? 1 : 0;
}

/** Runs one stage and tells what it came to; an exception in the stage itself is a failure like any other. */
async function runStage(stage: Stage, options: StageOptions): Promise<StageResult> {
  const started = performance.now();
  const result = await stage.run(options).catch((error: unknown) => ({
    passed: 0,
    failed: 1,
    output: error instanceof Error ? (error.stack ?? error.message) : String(error),
  }));
  const time = ((performance.now() - started) / 1000).toFixed(1);
  const mark = result.failed === 0 ? '✓' : '✗';
  const counts =
    result.failed === 0
      ? `${result.passed} ok`
      : `${result.failed} of ${result.passed + result.failed} not ok`;
  console.log(`${mark} ${stage.name}: ${counts} (${time} s)`);
  if (result.output !== '') console.log(`${result.output.replace(/^\n+/, '')}\n`);
  return result;
}
