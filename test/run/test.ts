import { randomInt } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { lazy } from '../../src/base/async/lazy.ts';
import { buildExtension } from '../host/build.ts';
import { chooseEditor } from '../host/editors.ts';
import { packageExtension } from '../host/packaged.ts';
import { picturesFolder } from '../host/screen.ts';
import { vscodeFiles } from '../host/vscodeFiles.ts';
import { changedStages } from './changed.ts';
import { checks } from './checks.ts';
import { editorStage } from './editorStage.ts';
import { fuzzStage } from './fuzzing.ts';
import { mochaStage } from './mochaStages.ts';
import { numberOf } from './numberOf.ts';
import { runStages } from './runStages.ts';
import type { Stage } from './stage.ts';

/** The same inputs in every run. `--seed`, `npm run fuzz` and the nightly CI try others. */
const usualSeed = 20261122;

const second = 1000;
const minute = 60 * second;

/** End-to-end tests whose suites take turns in one editor; the others start their own. */
const sharesEditor = (text: string) => /\bsetUpStage\(usual\)/.test(text);

/** The longest page tests, which run beside the others'. */
const judgesLooks = (text: string) => text.includes("describe('the look of the page'");

/**
 * In the order in which they begin: the longest first. The limits only end hangs.
 * @param prepare puts the extension into dist/
 */
function stagesOf(prepare: () => Promise<void>): Stage[] {
  const endToEnd = (name: string, has: (text: string) => boolean) =>
    mochaStage({
      name: 'e2e',
      folders: ['e2e'],
      part: { name, has },
      timeoutMs: 180 * second,
      stageTimeoutMs: 40 * minute,
      prepare,
    });
  const page = (name: string, has: (text: string) => boolean) =>
    mochaStage({
      name: 'page',
      folders: ['page'],
      part: { name, has },
      timeoutMs: 60 * second,
      stageTimeoutMs: 20 * minute,
      prepare,
    });
  return [
    editorStage(prepare),
    page('acts', (text) => !judgesLooks(text)),
    mochaStage({
      name: 'integration',
      folders: ['integration'],
      timeoutMs: 60 * second,
      stageTimeoutMs: 20 * minute,
    }),
    endToEnd('own', (text) => !sharesEditor(text)),
    mochaStage({ name: 'unit', folders: ['unit'], timeoutMs: 20 * second, stageTimeoutMs: 10 * minute }),
    endToEnd('shared', sharesEditor),
    page('looks', judgesLooks),
    ...checks,
    fuzzStage,
    mochaStage({
      name: 'sandbox',
      folders: ['servers'],
      timeoutMs: 60 * second,
      stageTimeoutMs: 5 * minute,
      isOnlyForChanges: true,
    }),
  ];
}

/**
 * @param args stages (all by default) or `changed`, `--grep`, `--verbose`, `--seed <number, or random>`,
 * `--editor`
 */
export async function run(args: string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      grep: { type: 'string', short: 'g' },
      verbose: { type: 'boolean', default: false },
      seed: { type: 'string', default: String(usualSeed) },
      editor: { type: 'string', default: 'newest' },
    },
  });
  chooseEditor(values.editor);
  const seed = values.seed === 'random' ? randomInt(0x7fffffff) : numberOf('seed', values.seed);
  if (seed !== usualSeed) console.log(`seed ${seed}`);
  if (positionals.length === 1 && positionals[0] === 'changed') {
    await runStages(await changedStages(), { ...values, seed });
    return;
  }
  const isNamed = positionals.length > 0;
  const isChosen = (name: string) => !isNamed || positionals.includes(name);
  // One build for all: a second would remove the first while it is used.
  const stages = stagesOf(lazy(isChosen('e2e') ? packageExtension : buildExtension));
  const names = [...new Set(stages.map(({ name }) => name))];
  const unknown = positionals.filter((name) => !names.includes(name));
  if (unknown.length > 0) {
    console.error(
      `There is no stage ${unknown.join(', ')}; there are ${names.join(', ')}, and changed by itself.`,
    );
    process.exitCode = 2;
    return;
  }
  if (isChosen('editor') || isChosen('e2e')) {
    // Installed beside the first stages; the stage that needs it reports a failure.
    vscodeFiles().catch(() => {});
  }
  const chosen = stages.filter(({ name }) => isChosen(name));
  await rm(picturesFolder, { recursive: true, force: true });
  await runStages(chosen, { ...values, seed, isNamed });
}
