// Typing @ in a workspace of 200,000 files: listing them against `rg --files`, and the time per letter.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { MentionFinder } from '../../src/chat/mentions/mentionFinder.ts';
import { createToolDependencies } from '../../src/tools/allTools.ts';
import { nodeFileSystem } from '../../src/tools/files/nodeFileSystem.ts';
import { outFolder } from '../host/paths.ts';
import { MemoryWorkspace } from '../support/memoryWorkspace.ts';
import { builtWorker, vscodeRipgrep } from '../support/searchParts.ts';
import { ratio, row, type Row } from './rows.ts';

const fileCount = 200_000;
const queries = ['c', 'co', 'cont', 'controller', 'controller19', 'team-3/serv', 'zzz'];

export async function benchMentions(): Promise<Row[]> {
  const [folder, workerFile, ripgrep] = await Promise.all([largeTree(), builtWorker(), vscodeRipgrep()]);
  const workspace = new MemoryWorkspace({}, nodeFileSystem);
  workspace.folderList = [{ name: 'tree', path: folder, isVirtual: false }];
  const deps = createToolDependencies(workspace, { workerFile, ripgrep: undefined, timeoutMs: 60_000 });
  await listedByRipgrep(ripgrep, folder);
  const [bare, count] = await timed(() => listedByRipgrep(ripgrep, folder));
  const finder = new MentionFinder(
    () => deps,
    async () => [],
    () => 0,
  );
  const find = async (query: string) => {
    let labels: string[] = [];
    for await (const { mentions } of finder.find(query, new AbortController().signal)) {
      labels = mentions.map(({ label }) => label);
    }
    return labels;
  };
  const [listing, found] = await timed(() => find('file199999'));
  if (count !== fileCount || !found.includes('file199999.ts'))
    throw new Error(`${count} files, ${found.join(' ')}`);
  const keys: number[] = [];
  for (const query of queries) keys.push((await timed(() => find(query)))[0]);
  const slowest = Math.max(...keys);
  return [
    row('@ lists 200,000 files, against rg --files', ratio(listing, bare), 'no budget', () => true),
    row('a letter after @, the slowest', { value: slowest, unit: 'ms' }, 'under 150 ms', (v) => v < 150),
  ];
}

async function timed<T>(work: () => Promise<T>): Promise<[ms: number, result: T]> {
  const started = performance.now();
  const result = await work();
  return [performance.now() - started, result];
}

function listedByRipgrep(program: string, folder: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, ['--no-config', '--hidden', '--files', './'], {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
    child.on('error', reject);
    child.on('close', () => resolve(output.split('\n').length - 1));
  });
}

async function largeTree(): Promise<string> {
  const folder = join(outFolder, 'bench', `mentionTree-${fileCount}`);
  if (existsSync(folder)) return folder;
  const partial = `${folder}.partial`;
  await rm(partial, { recursive: true, force: true });
  const perFolder = 200;
  for (let first = 0; first < fileCount; first += perFolder) {
    const unit = first / perFolder;
    const path = join(partial, 'packages', `team-${unit % 40}`, `component${unit}`, 'src');
    await mkdir(path, { recursive: true });
    const names = Array.from({ length: perFolder }, (_, index) => {
      const kind = ['file', 'helper', 'service', 'controller'][(first + index) % 4] ?? '';
      return `${index === perFolder - 1 ? 'file' : kind}${first + index}.ts`;
    });
    await Promise.all(names.map((name) => writeFile(join(path, name), '')));
  }
  // Without a repository here, the ignore rules of the one above would apply.
  await mkdir(join(partial, '.git'));
  await rename(partial, folder);
  return folder;
}
