import type { BrowserContext, Page } from 'playwright-core';

/**
 * Lets the browser lay out pages without painting them, unless pictures are asked for (`SCREENSHOTS=1`):
 * painting takes a fifth of an editor window's processor time, and tests read the layout.
 */
export async function leaveUndrawn(user: BrowserContext): Promise<void> {
  if (process.env['SCREENSHOTS']) return;
  await user.addInitScript(() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(':root { opacity: 0 }');
    document.adoptedStyleSheets.push(sheet);
  });
}

/** For the picture of a failure. */
export async function draw(page: Page): Promise<void> {
  const show = () => void (document.adoptedStyleSheets = []);
  await Promise.allSettled(page.frames().map((frame) => frame.evaluate(show)));
}
