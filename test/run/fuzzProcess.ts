// Runs fuzz targets. Gets its job as the first message and reports each property.
import { pathToFileURL } from 'node:url';
import fc from 'fast-check';
import type { Property, Target } from '../fuzz/property.ts';

export interface FuzzJob {
  targets: readonly { name: string; file: string }[];
  seed: number;
  /** fast-check's path of an input to replay. */
  path?: string | undefined;
  grep?: string | undefined;
  budgetMs: number;
  /** Continues with further seeds until the budget is used up; otherwise each property is tried once. */
  isEndless: boolean;
}

/** `trying` comes before a property, so that one that never ends is known; `tried` after it. */
export type FuzzReport =
  | { type: 'trying'; title: string; seed: number }
  | { type: 'tried'; title: string; seed: number; runs: number; durationMs: number; failure?: FuzzFailure };

export interface FuzzFailure {
  path: string;
  shrinks: number;
  input: string;
  error: string;
}

/** Long enough to amortise the start of a round, short enough that all properties get their turn. */
const sliceMs = 3000;
const shrinkMs = 10_000;
const longestInput = 6000;

// An unhandled rejection is a fault of the tested code.
process.on('unhandledRejection', (reason) => {
  throw reason;
});

process.once('message', (job: FuzzJob) => {
  void run(job).then(() => process.disconnect());
});

async function run({ targets, grep = '', ...job }: FuzzJob): Promise<void> {
  const properties = new Map<string, Property>();
  for (const { name, file } of targets) {
    const { target } = (await import(pathToFileURL(file).href)) as { target: Target };
    for (const [words, property] of Object.entries(target)) {
      const title = `${name}: ${words}`;
      if (title.includes(grep)) properties.set(title, property);
    }
  }
  const endMs = performance.now() + job.budgetMs;
  const timeLeft = () => endMs - performance.now();
  for (let round = 0; properties.size > 0 && (round === 0 || timeLeft() > 0); round++) {
    if (round > 0 && !job.isEndless) return;
    let waiting = properties.size;
    for (const [title, property] of properties) {
      // Unused time goes to the other properties; each is tried, however slow the machine is.
      const limitMs = job.isEndless ? sliceMs : Math.max(200, timeLeft() / waiting);
      waiting--;
      if (round > 0 && timeLeft() <= 0) return;
      const hasHeld = await check(title, property, job, job.seed + round, limitMs);
      if (!hasHeld) properties.delete(title);
    }
  }
}

async function check(
  title: string,
  { runs, property }: Property,
  { path, isEndless }: Pick<FuzzJob, 'path' | 'isEndless'>,
  seed: number,
  limitMs: number,
): Promise<boolean> {
  await report({ type: 'trying', title, seed });
  const started = performance.now();
  const from = { seed, ...(path !== undefined && { path }) };
  const numRuns = isEndless ? 1e9 : runs;
  let details = await fc.check(property, { ...from, numRuns, interruptAfterTimeLimit: limitMs });
  // Time may be up before the first input has been tried, on a busy machine.
  if (details.interrupted && details.numRuns === 0)
    details = await fc.check(property, { ...from, numRuns: 1 });
  const tried = details.numRuns;
  if (details.counterexamplePath !== null && details.interrupted) {
    const further = { seed, path: details.counterexamplePath, numRuns: 1, interruptAfterTimeLimit: shrinkMs };
    const shrunk = await fc.check(property, further);
    if (shrunk.counterexamplePath !== null) details = shrunk;
  }
  const durationMs = Math.round(performance.now() - started);
  const done = { type: 'tried', title, seed, runs: tried, durationMs } as const;
  await report(details.failed ? { ...done, failure: await failureOf(details) } : done);
  return !details.failed;
}

async function failureOf(details: fc.RunDetails<unknown>): Promise<FuzzFailure> {
  const { counterexample, counterexamplePath, errorInstance, numShrinks } = details;
  const error = errorInstance instanceof Error ? withOwnFrames(errorInstance) : '';
  if (counterexamplePath === null) {
    return {
      path: '',
      shrinks: 0,
      input: '',
      error: error || 'No input was tried: all were unfit, or time was short.',
    };
  }
  const input = visible(await fc.asyncStringify(counterexample));
  const cut =
    input.length > longestInput ? `${input.slice(0, longestInput)}… (${input.length} characters)` : input;
  return {
    path: counterexamplePath,
    shrinks: numShrinks,
    input: cut,
    error: visible(error || String(errorInstance)),
  };
}

/** The stack in the tested code, without the frames of fast-check and Node. */
function withOwnFrames({ stack = '', message }: Error): string {
  const lines = (stack || message).split('\n');
  return lines.filter((line) => !/^ +at .*(node_modules|node:internal)/.test(line)).join('\n');
}

/** Inputs are hostile to a terminal, too. */
function visible(text: string): string {
  return text.replace(
    /[^\n\x20-\x7e]/gu,
    (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
  );
}

function report(message: FuzzReport): Promise<void> {
  return new Promise((resolve) => {
    if (process.send) process.send(message, () => resolve());
    else resolve();
  });
}
