// search_text on a generated tree: with ripgrep and without, against the bare rg binary and a naive walk.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createToolDependencies, workspaceTools } from '../../src/tools/allTools.ts';
import { nodeFileSystem } from '../../src/tools/files/nodeFileSystem.ts';
import { ToolSet } from '../../src/tools/toolSet.ts';
import { outFolder, root } from '../host/paths.ts';
import { MemoryWorkspace } from '../support/memoryWorkspace.ts';
import { builtWorker, vscodeRipgrep } from '../support/searchParts.ts';
import { ratio, row, type Row } from './rows.ts';

const fileCount = 20_000;
const needle = 'rareNeedle';
const repeats = 9;

export async function benchSearch(): Promise<Row[]> {
  const [folder, workerFile, ripgrep] = await Promise.all([searchTree(), shippedWorker(), vscodeRipgrep()]);
  const search = (program: string | undefined) => {
    const workspace = new MemoryWorkspace({}, nodeFileSystem);
    workspace.folderList = [{ name: 'tree', path: folder, isVirtual: false }];
    const deps = createToolDependencies(workspace, { workerFile, ripgrep: program, timeoutMs: 60_000 });
    const tools = new ToolSet(workspaceTools(deps));
    return async () => {
      const call = tools.prepare({ name: 'search_text', input: { query: needle } });
      if ('problem' in call) throw new Error(call.problem);
      const { content } = await call.run({ signal: new AbortController().signal });
      return content.split(needle).length - 1;
    };
  };
  const [bare, ours, alone, naive] = await measure([
    () => bareRipgrep(ripgrep, folder),
    search(ripgrep),
    search(undefined),
    () => naiveWalk(folder),
  ]);
  if (!bare || !ours || !alone || !naive) throw new Error('Something was not measured.');
  if (ours.found !== bare.found || alone.found !== bare.found) {
    throw new Error(`rg found ${bare.found}, ours ${ours.found} with it and ${alone.found} without.`);
  }
  return [
    row('search 20,000 files, bare rg', { value: bare.ms, unit: 'ms' }, 'no budget', () => true),
    row('search_text with rg, against bare rg', ratio(ours.ms, bare.ms), 'at most 1.3x', (v) => v <= 1.3),
    row('search_text without rg, against bare rg', ratio(alone.ms, bare.ms), 'under 3x', (v) => v < 3),
    row(
      'a naive walk, against search_text without rg',
      ratio(naive.ms, alone.ms),
      'at least 2x',
      (v) => v >= 2,
    ),
  ];
}

async function shippedWorker(): Promise<string> {
  const shipped = join(root, 'dist', 'searchWorker.mjs');
  return existsSync(shipped) ? shipped : builtWorker();
}

/** Medians. The ways take turns, so a slower machine affects all of them; the first round is warm-up. */
async function measure(ways: (() => Promise<number>)[]): Promise<{ ms: number; found: number }[]> {
  const times: number[][] = ways.map(() => []);
  const found: number[] = [];
  for (let round = 0; round <= repeats; round++) {
    for (const [index, way] of ways.entries()) {
      const started = performance.now();
      found[index] = await way();
      if (round > 0) times[index]?.push(performance.now() - started);
    }
  }
  return times.map((all, index) => ({
    ms: all.toSorted((a, b) => a - b)[Math.floor(all.length / 2)] ?? 0,
    found: found[index] ?? 0,
  }));
}

function bareRipgrep(program: string, folder: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(
      program,
      ['--no-config', '--hidden', '--line-number', '--fixed-strings', needle, './'],
      {
        cwd: folder,
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    );
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
    child.on('error', reject);
    child.on('close', () => resolve(output.split(needle).length - 1));
  });
}

/** The naive search: every file decoded and split. */
async function naiveWalk(folder: string): Promise<number> {
  let found = 0;
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.name === '.git' || entry.name === 'node_modules') continue;
    if (entry.isDirectory()) found += await naiveWalk(path);
    else if (entry.isFile()) {
      for (const line of (await readFile(path, 'utf8')).split('\n')) if (line.includes(needle)) found++;
    }
  }
  return found;
}

/** 20,000 files in nested folders: a third ignored, some binary, one in a hundred with the needle. */
async function searchTree(): Promise<string> {
  const folder = join(outFolder, 'bench', `searchTree-${fileCount}`);
  if (existsSync(folder)) return folder;
  const partial = `${folder}.partial`;
  await rm(partial, { recursive: true, force: true });
  const random = seeded(20_261_121);
  const words = Array.from({ length: 2000 }, () =>
    random()
      .toString(36)
      .slice(2, 4 + Math.floor(random() * 8)),
  );
  const lines = Array.from({ length: 4000 }, () =>
    Array.from(
      { length: 1 + Math.floor(random() * 12) },
      () => words[Math.floor(random() * words.length)],
    ).join(' '),
  );
  const text = (count: number) => {
    const from = Math.floor(random() * (lines.length - count));
    return `${lines.slice(from, from + count).join('\n')}\n`;
  };
  const folders = Array.from({ length: 1300 }, (_, index) => {
    const top = index % 3 === 0 ? 'node_modules/' : index % 50 === 1 ? 'generated/' : 'src/';
    return `${top}part${index % 37}/section${index % 11}/unit${index}`;
  });
  for (const each of folders) await mkdir(join(partial, each), { recursive: true });
  await mkdir(join(partial, '.git'));
  await writeFile(join(partial, '.git', 'HEAD'), 'ref: refs/heads/main\n');
  await writeFile(
    join(partial, '.gitignore'),
    'node_modules/\ngenerated/\n*.log\n.cache\n/dist\ncoverage/\n*.tmp\n',
  );
  for (let index = 0; index < fileCount; index++) {
    const path = join(
      partial,
      folders[index % folders.length] ?? '',
      `file${index}.${index % 20 === 0 ? 'bin' : 'ts'}`,
    );
    const body = text(20 + Math.floor(random() ** 3 * 1200));
    const marked = index % 100 === 7 ? `${body}const ${needle} = ${index};\n` : body;
    await writeFile(
      path,
      index % 20 === 0 ? Buffer.concat([Buffer.from([0, 1, 2, 0]), Buffer.from(body)]) : marked,
    );
  }
  await rename(partial, folder);
  return folder;
}

/** Random numbers in [0, 1), the same on every machine (mulberry32). */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
