import type { Browser, BrowserContext, Page } from 'playwright-core';

/** Users whose windows are closed: the workbench in their cache saves a fifth of the cost of opening a window. */
const left = new WeakMap<Browser, BrowserContext>();

/** A browser context is a user: it holds SecretStorage and layout. */
export async function newUser(browser: Browser): Promise<BrowserContext> {
  const again = left.get(browser);
  left.delete(browser);
  return (
    again ??
    browser.newContext({
      viewport: { width: 1400, height: 900 },
      // Drawing what moves takes a tenth of the processor time; page/status has motion.
      reducedMotion: 'reduce',
      // Saves the server from compressing the 19 MB of the workbench for each window.
      extraHTTPHeaders: { 'Accept-Encoding': 'identity' },
    })
  );
}

/** Removes all that users before have stored, but for the browser's cache. */
export async function forget(page: Page, origin: string): Promise<void> {
  const context = page.context();
  const session = await context.newCDPSession(page);
  await session.send('Storage.clearDataForOrigin', { origin, storageTypes: 'all' });
  await session.detach();
  await context.clearCookies();
  await context.clearPermissions();
}

export async function leaveUsers(browser: Browser): Promise<void> {
  const [first, ...others] = browser.contexts();
  for (const context of others) await context.close();
  if (!first) return;
  for (const page of first.pages()) await page.close();
  left.set(browser, first);
}
