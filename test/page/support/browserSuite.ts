import type { Browser, Page } from 'playwright-core';
import { testEnded } from '../../host/failures.ts';
import { sharedBrowser } from '../../host/sharedBrowser.ts';
import { onTestsEnd } from '../../host/testsEnd.ts';
import { PanelPage, type PanelPageOptions } from './panelPage.ts';
import { startPageServer, type PageServer } from './pageServer.ts';

export interface BrowserSuite {
  /** The test fails if the page had an error or broke its policy. */
  open(options?: PanelPageOptions): Promise<PanelPage>;
}

let usual: Promise<PageServer> | undefined;
/** The page that the test before has left. */
let left: Page | undefined;

/** @param folder of the page's bundle, if not the extension's */
export function useBrowser(folder?: () => Promise<string>): BrowserSuite {
  let browser: Browser;
  let server: PageServer;
  let pages: PanelPage[] = [];
  before(async function () {
    // A browser may have to be installed first.
    this.timeout(180_000);
    usual ??= startPageServer();
    onTestsEnd(stopServer);
    [browser, server] = await Promise.all([sharedBrowser(), folder?.().then(startPageServer) ?? usual]);
  });
  after(async () => {
    if (server !== (await usual)) await server?.stop();
  });
  afterEach(async function () {
    await testEnded(this.currentTest);
    const hasFailed = this.currentTest?.state === 'failed';
    const open = pages;
    pages = [];
    for (const page of open) {
      if (hasFailed || left) await page.close();
      else left = await page.leave();
    }
  });
  return {
    async open(options = {}) {
      const again = options.zoom === undefined ? left : undefined;
      if (again) left = undefined;
      const page = await PanelPage.open(browser, server, options, again);
      pages.push(page);
      return page;
    },
  };
}

async function stopServer(): Promise<void> {
  await (await usual)?.stop();
  usual = undefined;
}
