// Runs a suite in the extension host of a real VS Code: the desktop one, or its server with a browser.
import { cp, readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { downloadAndUnzipVSCode, runTests } from '@vscode/test-electron';
import type { Page } from 'playwright-core';
import { launchBrowser } from './browser.ts';
import { cleanEnvironment, plainSettings, quietSettings, writeSettings } from './codeServer.ts';
import { chosenEditor } from './editors.ts';
import { cacheFolder, root } from './paths.ts';
import { freePort } from './ports.ts';
import { startProcess } from './processes.ts';
import { vscodeFiles } from './vscodeFiles.ts';
import { pictureScreen } from './screen.ts';
import { makeQuiet } from './users.ts';
import { waitForServer } from './waitFor.ts';

const modelUser = join(root, 'test', 'host', 'companions', 'modelUser');

export interface SuiteRun {
  suite: string;
  workspace: string;
  /** For user data, server data and installed extensions; created if missing. */
  dataFolder: string;
  /** Written last by the suite. */
  resultFile: string;
  timeoutMs: number;
  /** Spares what the server's editor shows of its own, and drawing it. Benchmarks see the editor as users do. */
  isQuiet?: boolean;
  env: Record<string, string>;
}

/** True if a desktop VS Code could be downloaded and shown here. */
export async function desktopIsReachable(): Promise<boolean> {
  if (process.platform === 'linux' && !process.env['DISPLAY'] && !process.env['WAYLAND_DISPLAY'])
    return false;
  try {
    const address = 'https://update.code.visualstudio.com/api/releases/stable';
    const response = await fetch(address, { signal: AbortSignal.timeout(3000) });
    await response.body?.cancel();
    return response.ok;
  } catch {
    return false;
  }
}

export async function runInDesktop({ suite, workspace, dataFolder, env }: SuiteRun): Promise<void> {
  const vscodeExecutablePath = await downloadAndUnzipVSCode({
    version: chosenEditor().vscode,
    cachePath: join(cacheFolder, 'desktop'),
  });
  await runTests({
    vscodeExecutablePath,
    extensionDevelopmentPath: [root, modelUser],
    extensionTestsPath: suite,
    extensionTestsEnv: env,
    launchArgs: [
      workspace,
      ...['--user-data-dir', dataFolder],
      ...['--extensions-dir', join(dataFolder, 'extensions')],
      '--disable-workspace-trust',
    ],
  });
}

export async function runInServer(run: SuiteRun): Promise<void> {
  const [{ node, server: script }, port] = await Promise.all([vscodeFiles(), freePort()]);
  // The server loads one developed extension; others have to be installed.
  await cp(modelUser, join(run.dataFolder, 'extensions', 'switchboard.model-user-0.0.1'), {
    recursive: true,
  });
  if (run.isQuiet) await writeSettings(run.dataFolder, { ...quietSettings, ...plainSettings });
  let page: Page | undefined;
  // The suite has no browser of its own: it requests the picture of a failure.
  const screen = createServer((request, response) => {
    const title = new URL(request.url ?? '/', 'http://localhost').searchParams.get('title') ?? '';
    void (page ? pictureScreen(page, title) : Promise.resolve('The window is not open.'))
      .catch(String)
      .then((words) => response.end(words));
  });
  await new Promise<void>((resolve) => screen.listen(0, '127.0.0.1', resolve));
  const screenUrl = `http://127.0.0.1:${(screen.address() as AddressInfo).port}`;
  const server = startProcess(
    node,
    [
      script,
      ...['--host', '127.0.0.1'],
      ...['--port', String(port)],
      ...['--server-data-dir', run.dataFolder],
      ...['--user-data-dir', run.dataFolder],
      ...['--extensions-dir', join(run.dataFolder, 'extensions')],
      '--without-connection-token',
      '--accept-server-license-terms',
      // The workbench then honours `payload` in its address.
      '--enable-smoke-test-driver',
      '--disable-workspace-trust',
      '--disable-telemetry',
    ],
    { cwd: run.dataFolder, env: { ...cleanEnvironment(), ...run.env, SWITCHBOARD_TEST_SCREEN: screenUrl } },
  );
  try {
    await waitForServer(`http://127.0.0.1:${port}/version`, server);
    const browser = await launchBrowser();
    try {
      page = await browser.newPage({ reducedMotion: 'reduce' });
      if (run.isQuiet) await makeQuiet(page.context());
      const messages: string[] = [];
      page.on('console', (message) => messages.push(message.text()));
      await page.goto(suiteAddress(port, run));
      await waitForFile(run.resultFile, run.timeoutMs).catch((error: unknown) => {
        const tail = messages.slice(-20).join('\n');
        throw new Error(`The suite left no result. The window's last messages:\n${tail}`, { cause: error });
      });
    } finally {
      await browser.close();
    }
  } finally {
    await server.stop();
    screen.closeAllConnections();
    screen.close();
  }
}

function suiteAddress(port: number, { suite, workspace }: SuiteRun): string {
  const authority = `vscode-remote://127.0.0.1:${port}`;
  const payload = [
    ['extensionDevelopmentPath', `${authority}${root}`],
    ['extensionTestsPath', `${authority}${suite}`],
  ];
  const query = new URLSearchParams({ folder: workspace, payload: JSON.stringify(payload) });
  return `http://127.0.0.1:${port}/?${query}`;
}

async function waitForFile(file: string, timeoutMs: number): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  const exists = () =>
    readFile(file).then(
      () => true,
      () => false,
    );
  while (!(await exists())) {
    if (Date.now() > deadline) throw new Error(`There was no result after ${timeoutMs / 1000} s.`);
    await delay(100);
  }
}
