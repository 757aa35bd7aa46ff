import type { BrowserContext, Page } from 'playwright-core';

/**
 * Lets the browser lay out pages without painting them, unless pictures are asked for (`SCREENSHOTS=1`):
 * painting takes a fifth of an editor window's processor time, and tests read the layout.
 */
export async function leaveUndrawn(user: BrowserContext): Promise<void> {
  if (process.env['SCREENSHOTS']) return;
  await user.addInitScript(setOpacity, 0);
}

/** For the picture of a failure. */
export async function draw(page: Page): Promise<void> {
  await Promise.allSettled(page.frames().map((frame) => frame.evaluate(setOpacity, 1)));
}

/** Runs in a page. */
function setOpacity(opacity: number): void {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(`:root { opacity: ${opacity} }`);
  document.adoptedStyleSheets.push(sheet);
}
