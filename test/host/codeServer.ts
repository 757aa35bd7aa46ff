// A code-server with the packaged extension: a user's editor, in a browser.
import { existsSync } from 'node:fs';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { chosenEditor, editors } from './editors.ts';
import { installedExtension, type Companion } from './packaged.ts';
import { freePort } from './ports.ts';
import { startProcess, type StartedProcess } from './processes.ts';
import { createScratch, type Scratch } from './scratch.ts';
import { vscodeFiles } from './vscodeFiles.ts';
import { waitForServer } from './waitFor.ts';

export interface CodeServerOptions {
  settings?: Record<string, unknown>;
  env?: Record<string, string>;
  /** Preferred port; another if it is taken. */
  port?: number;
  /** The display language, as `zh-cn`; VS Code's own texts stay English. */
  language?: string;
  /** True if folders have to be trusted first, as by default. Otherwise every folder is trusted. */
  asksForTrust?: boolean;
  companions?: readonly Companion[];
  /** Extensions of VS Code's own, by their folders; all by default. */
  builtIn?: readonly string[];
}

export interface CodeServer {
  url: string;
  /** Removed with the server; workspaces belong here. */
  scratch: Scratch;
  urlOf(workspace: string): string;
  output(): string;
  /** Exit code or signal, if the server ended by itself. */
  ended: Promise<number | string>;
  /** Kills the server and its extension hosts without notice, and restarts it with the same data. */
  crash(): Promise<void>;
  stop(): Promise<void>;
}

/** Keeps the editor from showing, asking and announcing things of its own beside a test. */
export const quietSettings = {
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
  // Each listening port would be announced: those of the sandbox, the editor's own.
  'remote.autoForwardPorts': false,
  'remote.restoreForwardedPorts': false,
  // The explorer would select an opened file after a while, and lose the selection made since.
  'explorer.autoReveal': false,
  // TypeScript would install types from the npm registry.
  'typescript.disableAutomaticTypeAcquisition': true,
};

/** They spare a window a twentieth of its processor time, and no test sees what they leave out. */
export const plainSettings = {
  'terminal.integrated.gpuAcceleration': 'off',
  'editor.minimap.enabled': false,
  'editor.occurrencesHighlight': 'off',
  'editor.stickyScroll.enabled': false,
  'breadcrumbs.enabled': false,
  'window.commandCenter': false,
  'workbench.layoutControl.enabled': false,
};

/** A new folder opens restricted, without the dialog. */
const trustSettings = {
  'security.workspace.trust.enabled': true,
  'security.workspace.trust.startupPrompt': 'never',
};

/** Gives a folder with some of VS Code's own extensions. */
async function linkBuiltIn(folder: string, all: string, names: readonly string[]): Promise<string> {
  await mkdir(folder);
  // The oldest editor lacks some.
  for (const name of names.filter((each) => existsSync(join(all, each)))) {
    await symlink(join(all, name), join(folder, name), 'junction');
  }
  return folder;
}

/** VS Code speaks English to its extensions without a language pack; this one translates nothing itself. */
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

/** @param data the editor's folder of user data */
export async function writeSettings(data: string, settings: object): Promise<void> {
  await mkdir(join(data, 'User'), { recursive: true });
  await writeFile(join(data, 'User', 'settings.json'), JSON.stringify(settings, undefined, 2));
}

/** Keeps code-server from asking its extension gallery for news. */
const noGallery = JSON.stringify({ serviceUrl: '', itemUrl: '', resourceUrlTemplate: '' });

export async function startCodeServer(options: CodeServerOptions = {}): Promise<CodeServer> {
  const [{ node, codeServer, builtIn }, extensions, port, scratch] = await Promise.all([
    vscodeFiles(),
    installedExtension(options.companions),
    freePort(options.port),
    createScratch(),
  ]);
  const data = join(scratch.folder, 'data');
  const tmp = join(scratch.folder, 'tmp');
  await mkdir(tmp);
  const settings = {
    ...quietSettings,
    'chat.disableAIFeatures': true,
    ...(options.asksForTrust && trustSettings),
    ...options.settings,
  };
  await writeSettings(data, settings);
  if (options.language) await addLanguagePack(data, options.language);
  const chosen =
    options.builtIn && (await linkBuiltIn(join(scratch.folder, 'built-in'), builtIn, options.builtIn));
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
        ...(chosen === undefined ? [] : ['--builtin-extensions-dir', chosen]),
        // Extension hosts of closed windows end soon; older editors can't be told.
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
          // A tenth of the processor time of opening a window; goes with the installed extension.
          NODE_COMPILE_CACHE: join(extensions, '..', 'compiled'),
          // Leftover sockets go with the scratch folder; elsewhere its path is too long for sockets.
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

/** Without variables of npm, Node and a surrounding editor, and without our keys. */
export function cleanEnvironment(): NodeJS.ProcessEnv {
  const foreign = /^(npm_|NODE_|VSCODE_|ELECTRON_|SWITCHBOARD_|CODE_SERVER_|PORT$|PASSWORD$)/;
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !foreign.test(name)));
}
