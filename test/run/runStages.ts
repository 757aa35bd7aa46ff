import type { Stage, StageOptions, StageResult } from './stage.ts';

/** More than cores, since tests also wait; with four, the browsers starve the rest. */
const mostAtOnce = 3;

/** Begins stages in their order, some at once; ends with one line, `N passed, N failed`, and the exit code to match. */
export async function runStages(stages: readonly Stage[], options: StageOptions): Promise<void> {
  let passed = 0;
  let failed = 0;
  const waiting = [...stages];
  const runNext = async () => {
    for (let stage = waiting.shift(); stage; stage = waiting.shift()) {
      const result = await runStage(stage, options);
      passed += result.passed;
      failed += result.failed;
    }
  };
  await Promise.all(Array.from({ length: mostAtOnce }, runNext));
  console.log(`${passed} passed, ${failed} failed`);
  process.exitCode = failed > 0 || passed === 0 ? 1 : 0;
}

/** An exception in the stage itself is a failure, too. */
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
