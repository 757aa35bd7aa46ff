// Seeds the faults of test/mutation/ one at a time, in copies, and reports those that no test notices.
import { execFileSync } from 'node:child_process';
import { copyFile, mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { availableParallelism, constants, setPriority } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import * as z from 'zod/mini';
import { outFolder, root } from '../host/paths.ts';
import { runProcess } from '../host/processes.ts';
import { runJob } from './mochaStages.ts';
import { readLoads, testsLoading } from './testLoads.ts';

const text = z.string().check(z.minLength(1));

const mutantSchema = z.strictObject({
  /** Description, to be read after "survived:". */
  fault: text,
  file: text,
  /** Occurs exactly once in the file. */
  before: text,
  after: z.string(),
  /** Page or editor tests to run if the tests that load the file pass. */
  wider: z.optional(z.strictObject({ stage: text, grep: text })),
});
type Mutant = z.infer<typeof mutantSchema> & { area: string };

/** A copy for each processor, with one fault at a time. */
const copies = Array.from({ length: availableParallelism() }, (_, index) =>
  join(outFolder, `mutants-${process.pid}-${index}`),
);

/** Stages whose tests load the tested files, the quickest first. */
const stages = ['unit', 'fuzz', 'integration'] as const;
type TestFiles = Record<(typeof stages)[number], string[]>;

/** Number of tests tried first: those that load the least beside the file. */
const nearest = { unit: 5, integration: 2 };
const testTimeoutMs = 60_000;
const limitMs = 5 * 60_000;

/** @param args areas (all if none is named), `--grep <expression for faults>` */
export async function run(args: string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { grep: { type: 'string', short: 'g', default: '' } },
  });
  setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
  const mutants = (await readMutants(positionals)).filter(({ fault }) => new RegExp(values.grep).test(fault));
  const sources = listSources();
  await Promise.all(copies.map((copy) => copySources(sources, copy)));
  const testsOf = await readTests();
  const soundness = new Map<string, boolean>();
  let caught = 0;
  const left = mutants.values();
  const judgeIn = async (copy: string) => {
    for (const mutant of left) {
      const verdict = await judge(copy, mutant, testsOf(mutant.file), soundness).catch(String);
      const isCaught = verdict.startsWith('caught');
      if (isCaught) caught++;
      console.log(`${isCaught ? '✓' : '✗'} ${mutant.area}: ${mutant.fault}: ${verdict}`);
    }
    await rm(copy, { recursive: true, force: true });
  };
  await Promise.all(copies.map(judgeIn));
  console.log(`${caught} of ${mutants.length} mutants caught`);
  const hasUnsound = [...soundness.values()].includes(false);
  process.exitCode = caught < mutants.length || mutants.length === 0 || hasUnsound ? 1 : 0;
}

async function readMutants(areas: readonly string[]): Promise<Mutant[]> {
  const folder = join(root, 'test', 'mutation');
  const names = (await readdir(folder)).map((name) => basename(name, '.json')).toSorted();
  const unknown = areas.filter((area) => !names.includes(area));
  if (unknown.length > 0)
    throw new Error(`There is no area ${unknown.join(', ')}; there are ${names.join(', ')}.`);
  const chosen = names.filter((name) => areas.length === 0 || areas.includes(name));
  const lists = chosen.map(async (area) => {
    const list = JSON.parse(await readFile(join(folder, `${area}.json`), 'utf8')) as unknown;
    return z
      .array(mutantSchema)
      .parse(list)
      .map((mutant) => ({ ...mutant, area }));
  });
  return (await Promise.all(lists)).flat();
}

/** Tracked and untracked files. */
function listSources(): string[] {
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
  });
  return listed.toString().split('\0').filter(Boolean);
}

/** Installed packages are linked. */
async function copySources(sources: readonly string[], copy: string): Promise<void> {
  await rm(copy, { recursive: true, force: true });
  for (const file of sources) {
    await mkdir(dirname(join(copy, file)), { recursive: true });
    // A deleted file that isn't committed yet.
    await copyFile(join(root, file), join(copy, file)).catch(() => {});
  }
  for (const folder of ['node_modules', '.cache'])
    await symlink(join(root, folder), join(copy, folder), 'junction');
}

async function readTests(): Promise<(file: string) => TestFiles> {
  const tests: TestFiles = { unit: [], fuzz: [], integration: [] };
  for (const stage of stages) {
    const names = await readdir(join(root, 'test', stage), { recursive: true });
    const own = names.filter((name) => /\.(test|fuzz)\.tsx?$/.test(name));
    tests[stage] = own.map((name) => `test/${stage}/${name.replaceAll('\\', '/')}`);
  }
  const loads = await readLoads(Object.values(tests).flat());
  const loading = (stage: (typeof stages)[number], file: string) => testsLoading(file, tests[stage], loads);
  return (file) => ({
    unit: loading('unit', file),
    fuzz: loading('fuzz', file),
    integration: loading('integration', file),
  });
}

/** Tests of one kind; returns the one that fails, or undefined. */
interface Step {
  tests: readonly string[];
  objector(tests: readonly string[]): Promise<string | undefined>;
}

/** @param soundness of tests without a fault: tests that fail then prove nothing and are left out */
async function judge(
  copy: string,
  mutant: Mutant,
  tests: TestFiles,
  soundness: Map<string, boolean>,
): Promise<string> {
  const file = join(copy, mutant.file);
  const whole = await readFile(file, 'utf8');
  const places = whole.split(mutant.before).length - 1;
  if (places !== 1) return `its text stands ${places} times in ${mutant.file}`;
  for (const { tests: all, objector } of stepsFor(copy, mutant, tests)) {
    const sound = await soundOf({ tests: all, objector }, soundness);
    if (sound.length === 0) continue;
    await writeFile(
      file,
      whole.replace(mutant.before, () => mutant.after),
    );
    try {
      const found = await objector(sound);
      if (found !== undefined) return `caught by ${found}`;
    } finally {
      await writeFile(file, whole);
    }
  }
  return 'survived';
}

function stepsFor(copy: string, { wider }: Mutant, { unit, fuzz, integration }: TestFiles): Step[] {
  const objector = (tests: readonly string[]) => findObjector(copy, tests);
  return [
    { tests: unit.slice(0, nearest.unit), objector },
    { tests: integration.slice(0, nearest.integration), objector },
    ...fuzz.map((test) => ({
      tests: [test],
      objector: async () =>
        (await stageFails(copy, 'fuzz', `${basename(test, '.fuzz.ts')}:`)) ? test : undefined,
    })),
    { tests: unit.slice(nearest.unit), objector },
    { tests: integration.slice(nearest.integration), objector },
    ...(wider ? [widerStep(copy, wider)] : []),
  ];
}

function widerStep(copy: string, { stage, grep }: NonNullable<Mutant['wider']>): Step {
  const name = `${stage} "${grep}"`;
  return { tests: [name], objector: async () => ((await stageFails(copy, stage, grep)) ? name : undefined) };
}

async function soundOf({ tests, objector }: Step, soundness: Map<string, boolean>): Promise<string[]> {
  for (;;) {
    const unknown = tests.filter((test) => !soundness.has(test));
    const failing = unknown.length > 0 ? await objector(unknown) : undefined;
    if (failing === undefined) {
      for (const test of unknown) soundness.set(test, true);
      return tests.filter((test) => soundness.get(test));
    }
    if (!unknown.includes(failing)) throw new Error(`without it there is a failure: ${failing}`);
    console.log(`✗ left out, since it fails without a fault: ${failing}`);
    soundness.set(failing, false);
  }
}

/** The failing test file, or undefined. A fault that breaks the build or the start proves nothing. */
async function findObjector(copy: string, tests: readonly string[]): Promise<string | undefined> {
  const { buildTests } = (await import(
    pathToFileURL(join(copy, 'esbuild.mjs')).href
  )) as typeof import('../../esbuild.mjs');
  const outdir = 'out/tests/mutant';
  await rm(join(copy, outdir), { recursive: true, force: true });
  const [host = '', ...files] = await buildTests(['test/run/mochaProcess.ts', ...tests], outdir);
  const job = { files, timeoutMs: testTimeoutMs, verbose: false, bail: true };
  const { outcome, output, problem } = await runJob(host, job, { limitMs, cwd: copy });
  if (outcome && outcome.failed === 0 && problem === undefined) return undefined;
  const [, name] = /^ {2}✗ (\S+) {2}/m.exec(output) ?? [];
  if (outcome?.failed) return tests.find((test) => test.startsWith(`test/${name}.test.`)) ?? 'a test';
  // V8 aborts when a loop without end has used up the memory.
  if (outcome || /^the tests were ended|with SIGABRT/.test(problem ?? '')) return problem;
  throw new Error(`${problem}\n${output.slice(-2000)}`);
}

async function stageFails(copy: string, stage: string, grep: string): Promise<boolean> {
  const { output } = await runProcess(process.execPath, ['test/main.mjs', 'test', stage, '--grep', grep], {
    cwd: copy,
  });
  const [, passed, failed] = /^(\d+) passed, (\d+) failed$/m.exec(output) ?? [];
  if (passed === undefined || Number(passed) + Number(failed) === 0) throw new Error(output.slice(-2000));
  return Number(failed) > 0;
}
