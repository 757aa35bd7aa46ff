import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startCodeServer } from '../host/codeServer.ts';
import { chooseEditor, chosenEditor } from '../host/editors.ts';
import { packageExtension } from '../host/packaged.ts';
import { root } from '../host/paths.ts';
import { onShutdown } from '../host/shutdown.ts';
import { vscodeFiles } from '../host/vscodeFiles.ts';
import { startPlatform, startRelay } from '../servers/sandbox.ts';

const preferredPort = 8080;

interface Service {
  url: string;
  key: string;
  origin: string;
  isSandbox: boolean;
  stop(): Promise<void>;
}

interface Platform extends Service {
  appKeys: readonly string[];
}

/** Each takes a minute, and none needs an account. */
const firstSteps = `
Try first:
  1. In the chat panel on the right, ask "Fix the failing test", and review what changed. "Also update the changelog", said
     meanwhile, is done, too; in the mode Plan it plans first. "read README.md, then search for TODO" calls tools one by one.
  2. In the model picker, choose the app "Guide" and ask "When does the lock open?". "Passage planner" begins with a form.
  3. Press Knowledge below the message box, choose "Harbour" and ask "How fast may a boat go inside the mole?".
  4. Open Switchboard in the activity bar: run the app "Summarise" with the play button at its line, look into "Harbour".
  5. In the explorer, right-click the folder docs and choose Switchboard, then "Add to Knowledge Base…".
`;

/** @param args `--editor <newest or oldest>`, `--packaged` to use the existing package */
export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      editor: { type: 'string', default: 'newest' },
      packaged: { type: 'boolean', default: false },
    },
  });
  chooseEditor(values.editor);
  const [services] = await Promise.all([
    startServices(),
    vscodeFiles(),
    values.packaged ? undefined : packageExtension(),
  ]);
  onShutdown(() => services.stop());
  const { relay, platform } = services;
  const editor = await startCodeServer({ port: preferredPort, companions: ['opener'], ...services.editor });
  const workspace = await editor.scratch.workspace();
  console.log(`
Switchboard in VS Code ${chosenEditor().vscode}. Open in a browser:

  ${editor.urlOf(workspace)}

Relay      ${relay.url} (${relay.origin})
Platform   ${platform.url} (${platform.origin})
Workspace  ${workspace} (a copy; it goes when this ends)
${relay.isSandbox && platform.isSandbox ? firstSteps : ''}
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

/** @param environment names servers that are running already */
export async function startServices(environment = process.env) {
  const [relay, platform] = await Promise.all([relayService(environment), platformService(environment)]);
  return {
    relay,
    platform,
    editor: {
      settings: relay.isSandbox ? { 'switchboard.chat.model': 'scripted-agent' } : {},
      env: {
        SWITCHBOARD_RELAY_URL: relay.url,
        SWITCHBOARD_RELAY_KEY: relay.key,
        SWITCHBOARD_PLATFORM_URL: platform.url,
        SWITCHBOARD_DATASET_KEY: platform.key,
        SWITCHBOARD_APP_KEYS: platform.appKeys.join(','),
      },
    },
    stop: async () => void (await Promise.all([relay.stop(), platform.stop()])),
  };
}

async function relayService(environment: NodeJS.ProcessEnv): Promise<Service> {
  const given = givenService(environment, 'SWITCHBOARD_RELAY_URL', 'SWITCHBOARD_RELAY_KEY');
  if (given) return given;
  // The speed of a fast model, so that streaming is visible.
  const relay = await startRelay({ chunkDelayMs: 15, pauseMs: 2000, knowsEndpoints: true });
  return { url: relay.url, key: relay.key, origin: 'sandbox', isSandbox: true, stop: () => relay.stop() };
}

async function platformService(environment: NodeJS.ProcessEnv): Promise<Platform> {
  const given = givenService(environment, 'SWITCHBOARD_PLATFORM_URL', 'SWITCHBOARD_DATASET_KEY');
  if (given) return { ...given, appKeys: (environment['SWITCHBOARD_APP_KEYS'] ?? '').split(',') };
  // Slow enough that indexing is visible.
  const documents = await harbourDocuments();
  const platform = await startPlatform({
    indexing: { stepMs: 600 },
    // The speed of a fast model, so that a flow's steps are visible.
    chunkDelayMs: 15,
    seed: [{ dataset: 'Harbour', description: 'The rules and tides of the sample workspace.', documents }],
  });
  const { chat, form, agent, chatflow, workflow, completion } = platform.apps;
  return {
    url: platform.url,
    key: platform.datasetKey,
    origin: 'sandbox',
    isSandbox: true,
    stop: () => platform.stop(),
    appKeys: [chat, form, agent, chatflow, workflow, completion].map(({ key }) => key),
  };
}

/** Content for a search before anything was uploaded. */
async function harbourDocuments(): Promise<{ name: string; text: string }[]> {
  const folder = join(root, 'test', 'workspace', 'docs');
  const names = await readdir(folder);
  return Promise.all(names.map(async (name) => ({ name, text: await readFile(join(folder, name), 'utf8') })));
}

function givenService(environment: NodeJS.ProcessEnv, urlName: string, keyName: string): Service | undefined {
  const url = environment[urlName];
  if (!url) return undefined;
  const key = environment[keyName] ?? '';
  return { url, key, origin: 'from the environment', isSandbox: false, stop: async () => {} };
}
