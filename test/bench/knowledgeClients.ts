// One way of uploading, ours or a naive one, in its own process so that its memory is measured alone.
import { open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { PlatformClient } from '../../src/platform/platformClient.ts';
import { platformUnderTest } from '../support/platformUnderTest.ts';
import { WorkspaceUnderTest } from '../support/workspaceUnderTest.ts';

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
    let opened = 0;
    const { plan } = workspace.open(client, ({ files }) => ({
      files: {
        walk: (path, signal) => files.walk(path, signal),
        check: (path) => files.check(path),
        workspaceName: (path) => files.workspaceName(path),
        shownPath: (path) => files.shownPath(path),
        decode: (bytes, realPath) => files.decode(bytes, realPath),
        committed: (paths, stop) => files.committed(paths, stop),
        open(realPath) {
          opened++;
          return files.open(realPath);
        },
      },
    }));
    return async () => {
      const { documents } = await plan(datasetId, '', true);
      const unchanged = documents.filter(({ change }) => change === 'unchanged').length;
      if (unchanged !== manyFiles) throw new Error(`${unchanged} were unchanged.`);
      return { opened };
    };
  },
};

const settings = {
  indexing_technique: 'economy',
  process_rule: { mode: 'automatic' },
  doc_form: 'text_model',
};

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
