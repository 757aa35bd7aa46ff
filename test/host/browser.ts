import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { chromium, type Browser, type LaunchOptions } from 'playwright-core';
import { npmChromium } from './chromium.ts';

/** For a closed network, and for running as root in a container. */
const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

const names = [
  'google-chrome-stable',
  'google-chrome',
  'chromium',
  'chromium-browser',
  'microsoft-edge-stable',
  'microsoft-edge',
];

/** Flags for pages of short tests. Optimizing their code and collecting garbage beside them takes a fifth of their processor time. */
export const quickFlags = [...flags, '--js-flags=--no-opt --no-maglev --single-threaded-gc'];

let found: LaunchOptions | undefined;

/** Headless Chromium from SWITCHBOARD_TEST_BROWSER, PATH, Playwright's folders, or npm. */
export async function launchBrowser(args: string[] = flags): Promise<Browser> {
  const launch = (options: LaunchOptions) => start({ ...options, args });
  if (found) return launch(found);
  const refusals: string[] = [];
  for (const options of installed()) {
    try {
      const browser = await launch(options);
      found = options;
      return browser;
    } catch (error) {
      // A name on PATH may be a stub that only says how to install the browser.
      refusals.push(`${options.executablePath ?? options.channel}: ${String(error).split('\n', 1)[0]}`);
    }
  }
  try {
    found = await npmChromium();
  } catch (error) {
    throw new Error(`No browser could be started.\n${refusals.join('\n')}`, { cause: error });
  }
  return launch(found);
}

function start(options: LaunchOptions): Promise<Browser> {
  return chromium.launch({
    ...options,
    headless: true,
    // Playwright would end this process at a signal, before cleanup; at the exit it closes the browser
    // anyway.
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
  });
}

function* installed(): Generator<LaunchOptions> {
  const chosen = process.env['SWITCHBOARD_TEST_BROWSER'];
  if (chosen) yield { executablePath: chosen };
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  for (const name of names) {
    const executablePath = folders.map((folder) => join(folder, name)).find(isExecutable);
    if (executablePath) yield { executablePath };
  }
  if (process.platform !== 'linux') {
    for (const channel of ['chrome', 'msedge']) yield { channel };
  }
  if (isExecutable(chromium.executablePath())) yield { executablePath: chromium.executablePath() };
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
