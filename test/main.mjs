// Plain JavaScript, so a fresh clone installs first. Then bundles and runs the task, a module that exports
// `run`.
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { withLock } from './host/lock.mjs';
import { npm } from './host/npm.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** @type {Record<string, string>} */
const tasks = {
  start: 'test/run/start.ts',
  test: 'test/run/test.ts',
  bench: 'test/bench/bench.ts',
  interop: 'test/run/interop.ts',
  fuzz: 'test/run/fuzz.ts',
  mutants: 'test/run/mutants.ts',
  pictures: 'test/run/pictures.ts',
};

const [name = '', ...args] = process.argv.slice(2);
const task = tasks[name];
if (!task) {
  console.error(`Usage: node test/main.mjs <${Object.keys(tasks).join(' | ')}> [arguments]`);
  process.exit(2);
}
if (Number(process.versions.node.split('.')[0]) < 20) {
  console.error(`Node 20 or newer is needed; this is ${process.version}.`);
  process.exit(2);
}

// esbuild, tsc and the type checks of oxlint run in Go, where collecting garbage takes a quarter of their time.
process.env['GOGC'] ??= 'off';
process.env['GOMEMLIMIT'] ??= '2GiB';

await withLock(join(root, '.cache', 'dependencies.lock'), installDependencies);
process.setSourceMapsEnabled(true);
const { buildTests } = await import('../esbuild.mjs');
const { stop } = await import('esbuild');
const [file = ''] = await buildTests([task], `out/tasks/${name}`);
// esbuild's helper process would otherwise stay while the task runs.
await stop();
const { run } = await import(pathToFileURL(file).href);
await run(args);

async function installDependencies() {
  const wanted = await packages(join(root, 'package-lock.json'));
  // npm writes this file last, so an interrupted install leaves none.
  const present = await packages(join(root, 'node_modules', '.package-lock.json')).catch(
    /** @returns {Awaited<ReturnType<typeof packages>>} */
    () => ({}),
  );
  const isCurrent = Object.entries(wanted).every(
    ([path, { version, optional }]) =>
      path === '' || present[path]?.version === version || (optional && !present[path]),
  );
  if (isCurrent) return;
  const started = performance.now();
  console.error('Installing dependencies (npm ci) …');
  await npm(root, ['ci']);
  console.error(`Installed dependencies in ${Math.round((performance.now() - started) / 1000)} s`);
}

/**
 * @param {string} lockfile
 * @returns {Promise<Record<string, { version?: string, optional?: boolean }>>}
 */
async function packages(lockfile) {
  return JSON.parse(await readFile(lockfile, 'utf8')).packages;
}
