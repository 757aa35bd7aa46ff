// A code-server with the packaged extension: the editor as a user has it, in a browser.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { chosenEditor, editors } from './editors.ts';
import { installedExtension, type Companion } from './packaged.ts';
import { freePort } from './ports.ts';
import { startProcess, type StartedProcess } from './processes.ts';
import { createScratch, type Scratch } from './scratch.ts';
import { vscodeFiles } from './vscodeFiles.ts';
import { waitForServer } from './waitFor.ts';

export interface CodeServerOptions {
  /** User settings beside the quiet ones. */
  settings?: Record<string, unknown>;
  /** Added to the extension host's environment. */
  env?: Record<string, string>;
  /** Taken if it is free. */
  port?: number;
  /** The display language, as `zh-cn`; what VS Code itself says stays English. */
  language?: string;
  /** Whether a folder has to be trusted first, as in everybody's editor. Otherwise every folder is. */
  asksForTrust?: boolean;
  /** Further extensions beside ours. */
  companions?: readonly Companion[];
}

export interface CodeServer {
  url: string;
  /** Removed with the server; workspaces belong here. */
  scratch: Scratch;
  /** The address of a window on a folder or a workspace file. */
  urlOf(workspace: string): string;
  /** What the server and its extension hosts wrote. */
  output(): string;
  /** How it ended, if it did by itself. */
  ended: Promise<number | string>;
  /** Kills it with its extension hosts in the middle of what they do, and starts it again with the same data. */
  crash(): Promise<void>;
  stop(): Promise<void>;
}

/** The panel open, and nothing that greets, asks or calls home. */
const quietSettings = {
  'workbench.startupEditor': 'none',
  'workbench.tips.enabled': false,
  'workbench.secondarySideBar.defaultVisibility': 'visible',
  'workbench.welcomePage.walkthroughs.openOnInstall': false,
  'security.workspace.trust.enabled': false,
  'telemetry.telemetryLevel': 'off',
  'extensions.ignoreRecommendations': true,
  'extensions.autoCheckUpdates': false,
  'extensions.autoUpdate': false,
  'update.mode': 'none',
  'chat.disableAIFeatures': true,
  // Each port that something listens on would be announced: the servers to talk to, the editor's own.
  'remote.autoForwardPorts': false,
  'remote.restoreForwardedPorts': false,
  // The explorer would select a file a while after it was opened, and so forget what was chosen since.
  'explorer.autoReveal': false,
};

/** Without the dialog of a new folder: it opens restricted. */
const trustSettings = {
  'security.workspace.trust.enabled': true,
  'security.workspace.trust.startupPrompt': 'never',
};

/** Without a language pack VS Code speaks English to its extensions, too; this one translates nothing of its own. */
async function addLanguagePack(data: string, language: string): Promise<void> {
  const file = join(data, 'language-pack.json');
  await writeFile(file, JSON.stringify({ version: '1.0.0', contents: {} }));
  const pack = {
    hash: language,
    extensions: [{ extensionIdentifier: { id: 'switchboard.language' }, version: '1.0.0' }],
    translations: { vscode: file },
    label: language,
  };
  await writeFile(join(data, 'languagepacks.json'), JSON.stringify({ [language]: pack }));
}

/** code-server would ask its extension gallery for news. */
const noGallery = JSON.stringify({ serviceUrl: '', itemUrl: '', resourceUrlTemplate: '' });

/** Starts it in a fresh user-data folder. */
export async function startCodeServer(options: CodeServerOptions = {}): Promise<CodeServer> {
  const [{ node, codeServer }, extensions, port, scratch] = await Promise.all([
    vscodeFiles(),
    installedExtension(options.companions),
    freePort(options.port),
    createScratch(),
  ]);
  const data = join(scratch.folder, 'data');
  await mkdir(join(data, 'User'), { recursive: true });
  const tmp = join(scratch.folder, 'tmp');
  await mkdir(tmp);
  const settings = {
    ...quietSettings,
    ...(options.asksForTrust && trustSettings),
    ...options.settings,
  };
  if (options.language) await addLanguagePack(data, options.language);
  await writeFile(join(data, 'User', 'settings.json'), JSON.stringify(settings, undefined, 2));
  const launch = () =>
    startProcess(
      node,
      [
        codeServer,
        ...['--auth', 'none'],
        ...['--bind-addr', `127.0.0.1:${port}`],
        ...['--config', join(data, 'config.yaml')],
        ...['--user-data-dir', data],
        ...['--extensions-dir', extensions],
        // A window that is closed is not coming back: its extension host need not wait for it for hours. Older ones do.
        ...(chosenEditor() === editors.newest ? ['--reconnection-grace-time', '5'] : []),
        '--disable-telemetry',
        '--disable-update-check',
        ...(options.asksForTrust ? [] : ['--disable-workspace-trust']),
        ...(options.language ? ['--locale', options.language] : []),
        '--disable-getting-started-override',
        '--ignore-last-opened',
      ],
      {
        cwd: scratch.folder,
        env: {
          ...cleanEnvironment(),
          EXTENSIONS_GALLERY: noGallery,
          // Sockets it leaves behind go with the scratch folder; elsewhere the folder's path is too long for them.
          ...(process.platform === 'linux' && { TMPDIR: tmp }),
          ...options.env,
        },
      },
    );
  const url = `http://127.0.0.1:${port}`;
  let server = launch();
  const stop = async () => {
    await server.stop();
    await scratch.remove();
  };
  const ready = async (started: StartedProcess) => {
    try {
      await waitForServer(`${url}/healthz`, started);
    } catch (error) {
      await stop();
      throw error;
    }
  };
  await ready(server);
  return {
    url,
    scratch,
    urlOf: (workspace) =>
      `${url}/?${workspace.endsWith('.code-workspace') ? 'workspace' : 'folder'}=${encodeURIComponent(workspace)}`,
    output: () => server.output(),
    ended: server.ended,
    async crash() {
      await server.kill();
      server = launch();
      await ready(server);
    },
    stop,
  };
}

/** This process's environment without what npm, Node and an editor around it put there, and without our keys. */
export function cleanEnvironment(): NodeJS.ProcessEnv {
  const foreign = /^(npm_|NODE_|VSCODE_|ELECTRON_|SWITCHBOARD_|CODE_SERVER_|PORT$|PASSWORD$)/;
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !foreign.test(name)));
}
