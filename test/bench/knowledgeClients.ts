// One way of uploading, ours or a naive one, in its own process so that its memory is measured alone.
import { randomUUID } from 'node:crypto';
import { open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Deferred } from '../../src/base/async/promises.ts';
import { systemClock } from '../../src/base/clock.ts';
import { SyncedFolder } from '../../src/knowledge/autoSync/syncedFolder.ts';
import { createFolderRepository } from '../../src/knowledge/autoSync/folderRepository.ts';
import type { LocalFiles } from '../../src/knowledge/files/localFiles.ts';
import type { PlatformClient } from '../../src/platform/platformClient.ts';
import { platformUnderTest } from '../support/platformUnderTest.ts';
import { silentLog } from '../support/silentLog.ts';
import { WorkspaceUnderTest } from '../support/workspaceUnderTest.ts';
import { gitIn } from '../support/git.ts';

const manyFiles = 2000;
const largeMegabytes = 200;

export interface KnowledgeFigures {
  ms: number;
  /** Peak growth of resident memory. */
  grownBytes: number;
  opened: number;
}

interface Place {
  client: PlatformClient;
  baseUrl: string;
  key: string;
  workspace: WorkspaceUnderTest;
  datasetId: string;
}

type Way = (place: Place) => Promise<() => Promise<{ opened: number }>>;

const ways: Record<string, Way> = {
  /** Includes the search for secrets. */
  async largeOurs({ client, workspace, datasetId }) {
    const { send } = workspace.open(client);
    // Loads the upload code before measuring.
    workspace.write('small.txt', 'Small.');
    await send(datasetId);
    await writeLarge(workspace);
    return async () => {
      const { added, failed } = await send(datasetId);
      if (added.length !== 1) throw new Error(`It was not sent: ${failed[0]?.error.message}`);
      return { opened: 1 };
    };
  },
  async largeWhole({ baseUrl, key, workspace, datasetId }) {
    await writeLarge(workspace);
    return async () => {
      const form = new FormData();
      form.append('data', JSON.stringify(settings));
      form.append('file', new Blob([await readFile(join(workspace.folder, 'large.txt'))]), 'large.txt');
      await post(baseUrl, key, `/datasets/${datasetId}/document/create_by_file`, form);
      return { opened: 1 };
    };
  },
  async manyOurs({ client, workspace, datasetId }) {
    writeMany(workspace);
    const { send } = workspace.open(client);
    return async () => {
      const { added } = await send(datasetId);
      if (added.length !== manyFiles) throw new Error(`${added.length} were sent.`);
      return { opened: manyFiles };
    };
  },
  /** The same requests from memory, a fixed number at a time. */
  manyOneByOne: (place) => manyBare(place, 1),
  manyAtOnce: (place) => manyBare(place, 32),
  async againOurs({ client, workspace, datasetId }) {
    writeMany(workspace);
    await workspace.open(client).send(datasetId);
    const counted = { opened: 0 };
    const { plan } = workspace.open(client, ({ files }) => ({ files: countOpened(files, counted) }));
    return async () => {
      const { documents } = await plan(datasetId, '', true);
      const unchanged = documents.filter(({ change }) => change === 'unchanged').length;
      if (unchanged !== manyFiles) throw new Error(`${unchanged} were unchanged.`);
      return counted;
    };
  },
  /** From the commit of 10 files in a folder in step to the first upload. */
  commitOurs: (place) => commitInStep(place),
};

function countOpened(files: LocalFiles, counted: { opened: number }): LocalFiles {
  return {
    walk: (path, signal) => files.walk(path, signal),
    check: (path) => files.check(path),
    workspaceName: (path) => files.workspaceName(path),
    shownPath: (path) => files.shownPath(path),
    decode: (bytes, realPath) => files.decode(bytes, realPath),
    committed: (paths, signal) => files.committed(paths, signal),
    open(realPath) {
      counted.opened++;
      return files.open(realPath);
    },
  };
}

const settings = {
  indexing_technique: 'economy',
  process_rule: { mode: 'automatic' },
  doc_form: 'text_model',
};

const filesInStep = 20_000;
const committed = 10;

async function commitInStep({ client, workspace, datasetId }: Place) {
  const { folder } = workspace;
  const git = (...args: string[]) => gitIn(folder, ...args);
  const pathOf = (index: number) => `src/part${index % 40}/${index}.ts`;
  for (let index = 0; index < filesInStep; index++) workspace.write(pathOf(index), smallText(index));
  git('init', '-q', '-b', 'main');
  git('add', '-A');
  git('commit', '-qm', 'Begin');
  const counted = { opened: 0 };
  const window = workspace.open(client, ({ files }) => ({ files: countOpened(files, counted) }));
  const { knowledge, storage, files } = window;
  const changed = Array.from({ length: committed }, (_, index) => pathOf(index * 1999));
  // Only the changed ones need to be on the platform; the manifest knows all.
  for (const path of changed) await window.send(datasetId, path);
  const [name = ''] = (await storage.list()).filter((each) => each.startsWith('documents-'));
  const sent = Array.from({ length: filesInStep }, (_, index) =>
    JSON.stringify({
      ...{
        type: 'sent',
        at: Date.now(),
        name: `app/${pathOf(index)}`,
        path: pathOf(index),
        hash: 'f'.repeat(64),
      },
      ...{ size: 1, mtimeMs: 1, documentId: randomUUID(), uploadFileId: randomUUID(), batch: randomUUID() },
      outcome: { type: 'indexed', segments: 1 },
    }),
  );
  await storage.rewrite(name, (text) => `${sent.join('\n')}\n${text}`);
  const limits = { maxFiles: 100, maxBytes: 1e9, maxFileSizeBytes: 1e9, exclude: [] };
  const link = {
    ...{ folder: '', path: folder, datasetId, datasetName: 'Bench' },
    auto: { terms: { when: 'commit' as const, branch: 'main', ...limits }, commit: git('rev-parse', 'HEAD') },
  };
  await knowledge.links.add(link);
  const first = new Deferred();
  const { uploads } = knowledge;
  let count = 0;
  const syncedFolder = new SyncedFolder(
    {
      ...{ links: knowledge.links, files, log: silentLog, clock: systemClock },
      uploads: {
        // The platform of the benchmark has only some of the documents.
        plan: (_, stop) => uploads.planChanges({ datasetId, folder, paths: [] }, stop),
        planChanges: (...args) => uploads.planChanges(...args),
        isBusy: (id) => uploads.isBusy(id),
        async runAutomatic(plan, send, signal) {
          count = send.length;
          first.resolve();
          return uploads.run(plan, { send: [], remove: [] }, signal);
        },
      },
      repository: createFolderRepository(folder, async () => ({ program: 'git', root: folder })),
      limits: () => limits,
      prepare: (plan) => plan,
      lock: () => ({ release: async () => undefined }),
    },
    link,
  );
  // The window looks at the folder when it is opened.
  const isOpened = new Deferred();
  syncedFolder.onDidChange(() => syncedFolder.state.activity === 'still' && isOpened.resolve());
  syncedFolder.start();
  await isOpened.promise;
  for (const path of changed) workspace.write(path, `export const changed = '${path}';\n`, 30);
  git('commit', '-qam', 'Change ten files');
  counted.opened = 0;
  return async () => {
    syncedFolder.tell({ type: 'moved' });
    await first.promise;
    syncedFolder.dispose();
    if (count !== committed) throw new Error(`${count} files would go.`);
    return counted;
  };
}

async function manyBare({ baseUrl, key, datasetId }: Place, atATime: number) {
  const numbers = Array.from({ length: manyFiles }, (_, index) => index).values();
  return async () => {
    const worker = async () => {
      for (const index of numbers) {
        const body = JSON.stringify({ name: `${index}.ts`, text: smallText(index), ...settings });
        await post(baseUrl, key, `/datasets/${datasetId}/document/create_by_text`, body);
      }
    };
    await Promise.all(Array.from({ length: atATime }, worker));
    return { opened: 0 };
  };
}

async function post(baseUrl: string, key: string, path: string, body: string | FormData): Promise<void> {
  const response = await fetch(`${baseUrl}/v1${path}`, {
    method: 'POST',
    body,
    headers: {
      authorization: `Bearer ${key}`,
      ...(typeof body === 'string' && { 'content-type': 'application/json' }),
    },
  });
  const answer = await response.text();
  if (!response.ok) throw new Error(answer);
}

async function writeLarge(workspace: WorkspaceUnderTest): Promise<void> {
  workspace.write('large.txt', '');
  const file = await open(join(workspace.folder, 'large.txt'), 'w');
  const piece = Buffer.alloc(1_000_000, 'All work and no play makes a document of some length.\n');
  for (let written = 0; written < largeMegabytes; written++) await file.write(piece);
  await file.close();
}

function writeMany(workspace: WorkspaceUnderTest): void {
  for (let index = 0; index < manyFiles; index++) {
    workspace.write(`src/part${index % 40}/${index}.ts`, smallText(index));
  }
}

function smallText(index: number): string {
  return `export const value${index} = ${index};\n`.repeat(40);
}

async function main([name = '', baseUrl = '', key = '']: readonly string[]): Promise<void> {
  const way = ways[name];
  if (!way) throw new Error(`There is no way "${name}".`);
  const workspace = new WorkspaceUnderTest({}, 1);
  const { client, http } = platformUnderTest({ baseUrl, key, timeouts: { firstTokenMs: 60_000 } });
  try {
    const { id: datasetId } = await client.datasets.create({ name }, workspace.signal);
    const measured = await way({ client, baseUrl, key, workspace, datasetId });
    const before = process.memoryUsage.rss();
    const started = performance.now();
    const { opened } = await measured();
    const ms = performance.now() - started;
    const grownBytes = process.resourceUsage().maxRSS * 1024 - before;
    const figures: KnowledgeFigures = { ms, grownBytes, opened };
    process.send?.(figures);
  } finally {
    http.dispose();
    workspace.dispose();
  }
}

main(process.argv.slice(2)).then(
  () => process.exit(),
  (error: unknown) => {
    console.error(error);
    process.exit(1);
  },
);
