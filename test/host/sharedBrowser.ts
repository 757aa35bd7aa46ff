import type { Browser } from 'playwright-core';
import { launchBrowser, quickFlags } from './browser.ts';
import { onTestsEnd } from './testsEnd.ts';

let shared: Promise<Browser> | undefined;

/** Closed after the process's last suite. Each suite has its own contexts. */
export async function sharedBrowser(): Promise<Browser> {
  const isCrashed = shared !== undefined && !(await shared).isConnected();
  if (!shared || isCrashed) shared = launchBrowser(quickFlags);
  onTestsEnd(closeSharedBrowser);
  return shared;
}

export async function closeSharedBrowser(): Promise<void> {
  await (await shared)?.close();
  shared = undefined;
}
