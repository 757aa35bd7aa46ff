// `npm start`: a real VS Code with the packaged extension, a sample workspace, and servers to talk to.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startCodeServer } from '../host/codeServer.ts';
import { packageExtension } from '../host/packaged.ts';
import { root } from '../host/paths.ts';
import { onShutdown } from '../host/shutdown.ts';
import { versions } from '../host/cache.ts';
import { vscodeFiles } from '../host/vscodeFiles.ts';
import { startPlatform, startRelay } from '../servers/sandbox.ts';

const preferredPort = 8080;

/** A server to talk to, and where it comes from. */
interface Service {
  url: string;
  key: string;
  origin: string;
  /** Apps to add by hand: every app has a key of its own. */
  apps?: readonly { name: string; mode: string; key: string }[];
}

/** Runs until it is interrupted. */
export async function run(): Promise<void> {
  const [, relay, platform] = await Promise.all([
    Promise.all([vscodeFiles(), packageExtension()]),
    relayService(),
    platformService(),
  ]);
  const editor = await startCodeServer({
    port: preferredPort,
    companions: ['opener'],
    env: {
      SWITCHBOARD_RELAY_URL: relay.url,
      SWITCHBOARD_RELAY_KEY: relay.key,
      SWITCHBOARD_PLATFORM_URL: platform.url,
      SWITCHBOARD_DATASET_KEY: platform.key,
    },
  });
  const workspace = await editor.scratch.workspace();
  console.log(`
Switchboard in VS Code ${versions.vscode}. Open in a browser:

  ${editor.urlOf(workspace)}

Relay      ${relay.url} (${relay.origin})
Platform   ${platform.url} (${platform.origin})${appLines(platform)}
Workspace  ${workspace} (a copy; it goes when this ends)

Ctrl-C ends it.`);
  let interrupted = false;
  onShutdown(() => {
    interrupted = true;
  });
  const code = await editor.ended;
  if (interrupted) return;
  console.error(`VS Code ended with ${code}:\n${editor.output().slice(-4000)}`);
  process.exit(1);
}

async function relayService(): Promise<Service> {
  const given = givenService('SWITCHBOARD_RELAY_URL', 'SWITCHBOARD_RELAY_KEY');
  if (given) return given;
  // As slow as a fast model, so that the stream is seen.
  const relay = await startRelay({ chunkDelayMs: 15, pauseMs: 2000, knowsEndpoints: true });
  onShutdown(() => relay.stop());
  return { url: relay.url, key: relay.key, origin: 'sandbox' };
}

async function platformService(): Promise<Service> {
  const given = givenService('SWITCHBOARD_PLATFORM_URL', 'SWITCHBOARD_DATASET_KEY');
  if (given) return given;
  // Slow enough that indexing is seen to go on.
  const documents = await harbourDocuments();
  const platform = await startPlatform({
    indexing: { stepMs: 600 },
    seed: [{ dataset: 'Harbour', description: 'The rules and tides of the sample workspace.', documents }],
  });
  onShutdown(() => platform.stop());
  const { chat, form, agent, chatflow, workflow, completion } = platform.apps;
  return {
    url: platform.url,
    key: platform.datasetKey,
    origin: 'sandbox',
    apps: [chat, form, agent, chatflow, workflow, completion],
  };
}

function appLines({ apps = [] }: Service): string {
  if (apps.length === 0) return '';
  const rows = apps.map(({ name, mode, key }) => `\n  ${key.padEnd(24)} ${name} (${mode})`);
  return `\nApps       add one with "Switchboard: Add Platform App…", that address and its key:${rows.join('')}`;
}

/** Something to search before anything was sent. */
async function harbourDocuments(): Promise<{ name: string; text: string }[]> {
  const folder = join(root, 'test', 'workspace', 'docs');
  const names = await readdir(folder);
  return Promise.all(names.map(async (name) => ({ name, text: await readFile(join(folder, name), 'utf8') })));
}

function givenService(urlName: string, keyName: string): Service | undefined {
  const url = process.env[urlName];
  return url ? { url, key: process.env[keyName] ?? '', origin: 'from the environment' } : undefined;
}
