import type { Browser, BrowserContext, Page } from 'playwright-core';
import { takeSocketMessages } from './socketMessages.ts';
import { leaveUndrawn } from './undrawn.ts';

/** Users whose windows are closed: the workbench in their cache saves a fifth of the cost of opening a window. */
const left = new WeakMap<Browser, BrowserContext>();

/** Those made here; others look otherwise, so they are not used again. */
const usual = new WeakSet<BrowserContext>();

/** Gives a page of a new user, which is not drawn. */
export async function openAsNewUser(browser: Browser, origin: string): Promise<Page> {
  const again = left.get(browser);
  if (again) {
    left.delete(browser);
    const page = await again.newPage();
    await forget(page, origin);
    return page;
  }
  const user = await newUser(browser);
  usual.add(user);
  await makeQuiet(user);
  return user.newPage();
}

/** Spares windows what no test sees; it counts for pages that are opened or loaded later. */
export async function makeQuiet(user: BrowserContext): Promise<void> {
  await leaveUndrawn(user);
  await takeSocketMessages(user);
}

/** A browser context is a user: it holds SecretStorage and layout. Its windows are drawn. */
export function newUser(browser: Browser): Promise<BrowserContext> {
  return browser.newContext({
    viewport: { width: 1400, height: 900 },
    // Drawing what moves takes a tenth of the processor time; page/status has motion.
    reducedMotion: 'reduce',
    // Saves the server from compressing the 19 MB of the workbench for each window.
    extraHTTPHeaders: { 'Accept-Encoding': 'identity' },
  });
}

/** Removes all that the user before has stored, but for the browser's cache. */
async function forget(page: Page, origin: string): Promise<void> {
  const context = page.context();
  const session = await context.newCDPSession(page);
  await session.send('Storage.clearDataForOrigin', { origin, storageTypes: 'all' });
  await session.detach();
  await context.clearCookies();
  await context.clearPermissions();
}

export async function leaveUsers(browser: Browser): Promise<void> {
  const all = browser.contexts();
  const kept = all.find((user) => usual.has(user));
  for (const user of all) if (user !== kept) await user.close();
  if (!kept) return;
  for (const page of kept.pages()) await page.close();
  left.set(browser, kept);
}
