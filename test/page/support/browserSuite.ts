import type { Browser } from 'playwright-core';
import { testEnded } from '../../host/failures.ts';
import { sharedBrowser } from '../../host/sharedBrowser.ts';
import { PanelPage, type PanelPageOptions } from './panelPage.ts';
import { startPageServer, type PageServer } from './pageServer.ts';

export interface BrowserSuite {
  /** The page is closed after the test, which fails if the page had an error or broke its policy. */
  open(options?: PanelPageOptions): Promise<PanelPage>;
}

/** @param folder of the page's bundle, if not the extension's */
export function useBrowser(folder?: () => Promise<string>): BrowserSuite {
  let browser: Browser;
  let server: PageServer;
  let pages: PanelPage[] = [];
  before(async function () {
    // A browser may have to be installed first.
    this.timeout(180_000);
    [browser, server] = await Promise.all([
      sharedBrowser(),
      folder?.().then(startPageServer) ?? startPageServer(),
    ]);
  });
  after(() => server?.stop());
  afterEach(async function () {
    await testEnded(this.currentTest);
    const open = pages;
    pages = [];
    for (const page of open) await page.close();
  });
  return {
    async open(options) {
      const page = await PanelPage.open(browser, server, options);
      pages.push(page);
      return page;
    },
  };
}
