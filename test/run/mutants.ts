// `npm run mutants`: breaks the code on purpose, one fault at a time, and sees whether the tests notice. The faults are
// listed in test/mutation/, a file for each area. They are made in a copy, so that nothing is left behind in the sources.
import { execFileSync } from 'node:child_process';
import { copyFile, mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import * as z from 'zod/mini';
import { outFolder, root } from '../host/paths.ts';
import { runProcess } from '../host/processes.ts';

const text = z.string().check(z.minLength(1));

const mutantSchema = z.strictObject({
  /** What is wrong in it, to be read after "survived:". */
  fault: text,
  file: text,
  /** Must stand in the file exactly once. */
  before: text,
  after: z.string(),
  /** The stage of `npm test` that is to fail, and which tests of it are enough. */
  stage: text,
  grep: text,
});
type Mutant = z.infer<typeof mutantSchema> & { area: string };

const copy = join(outFolder, 'mutants');

/** @param args areas (all if none is named), `--grep <text in a fault>` */
export async function run(args: string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { grep: { type: 'string', short: 'g', default: '' } },
  });
  const mutants = (await readMutants(positionals)).filter(({ fault }) => fault.includes(values.grep));
  await copySources();
  const counts = new Map<string, number>();
  let caught = 0;
  for (const mutant of mutants) {
    const { stage, grep, area, fault } = mutant;
    const verdict = await judge(mutant, counts).catch((error: unknown) => String(error));
    if (verdict === 'caught') caught++;
    console.log(`${verdict === 'caught' ? '✓' : '✗'} ${area}: ${fault} (${stage}, "${grep}"): ${verdict}`);
  }
  await rm(copy, { recursive: true, force: true });
  console.log(`${caught} of ${mutants.length} mutants caught`);
  process.exitCode = caught < mutants.length || mutants.length === 0 ? 1 : 0;
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

/** What Git knows or would take, as it is now; what was installed is linked to. */
async function copySources(): Promise<void> {
  await rm(copy, { recursive: true, force: true });
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
  });
  for (const file of listed.toString().split('\0').filter(Boolean)) {
    await mkdir(dirname(join(copy, file)), { recursive: true });
    // A file that was deleted and is not yet committed.
    await copyFile(join(root, file), join(copy, file)).catch(() => {});
  }
  for (const folder of ['node_modules', '.cache'])
    await symlink(join(root, folder), join(copy, folder), 'junction');
}

/** @param counts how many tests there are, by stage and filter; asked once each, without a fault */
async function judge(mutant: Mutant, counts: Map<string, number>): Promise<string> {
  const file = join(copy, mutant.file);
  const whole = await readFile(file, 'utf8');
  const places = whole.split(mutant.before).length - 1;
  if (places !== 1) return `its text stands ${places} times in ${mutant.file}`;
  const tests = `${mutant.stage} ${mutant.grep}`;
  if (!counts.has(tests)) {
    const { passed, failed } = await runTests(mutant);
    if (failed > 0 || passed === 0) return `without it ${passed} tests pass and ${failed} fail`;
    counts.set(tests, passed);
  }
  await writeFile(
    file,
    whole.replace(mutant.before, () => mutant.after),
  );
  try {
    const { passed, failed, output } = await runTests(mutant);
    if (failed === 0) return 'survived';
    // A fault that keeps the tests from being built or started proves nothing.
    return passed + failed >= (counts.get(tests) ?? 0)
      ? 'caught'
      : `not all of the tests ran\n${output.slice(-2000)}`;
  } finally {
    await writeFile(file, whole);
  }
}

async function runTests({
  stage,
  grep,
}: Mutant): Promise<{ passed: number; failed: number; output: string }> {
  const { output } = await runProcess(process.execPath, ['test/main.mjs', 'test', stage, '--grep', grep], {
    cwd: copy,
  });
  const [, passed, failed] = /^(\d+) passed, (\d+) failed$/m.exec(output) ?? [];
  if (passed === undefined) throw new Error(output.slice(-2000));
  return { passed: Number(passed), failed: Number(failed), output };
}
