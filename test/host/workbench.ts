import type { Browser, BrowserContext, FrameLocator, Locator, Page } from 'playwright-core';
import type { CodeServer } from './codeServer.ts';
import { eventually } from '../support/eventually.ts';
import { reportFailures } from './screen.ts';
import { openAsNewUser } from './users.ts';

/** Limit for starting a window and for each action; a busy machine is slow at both. */
const startTimeoutMs = 60_000;
const actionTimeoutMs = 30_000;
const paletteMs = 5000;

/** @param user of an earlier window; a new one by default */
export async function openWindow(
  browser: Browser,
  server: CodeServer,
  workspace: string,
  user?: BrowserContext,
): Promise<Page> {
  const page = await openWorkbench(browser, server, workspace, user);
  await openPanel(page);
  return page;
}

/** Opens a window in which nothing of the extension is shown yet. */
export async function openWorkbench(
  browser: Browser,
  server: CodeServer,
  workspace: string,
  user?: BrowserContext,
): Promise<Page> {
  const page = await (user ? user.newPage() : openAsNewUser(browser, server.url));
  page.setDefaultTimeout(actionTimeoutMs);
  await reportFailures(page);
  await page.goto(server.urlOf(workspace));
  await page.locator('.monaco-workbench').waitFor({ timeout: startTimeoutMs });
  return page;
}

export async function openPanel(page: Page): Promise<void> {
  await panelTab(page).waitFor({ timeout: startTimeoutMs });
  // A click on the tab of the open panel would close it.
  if ((await panelTab(page).getAttribute('aria-selected')) !== 'true') {
    // A window restoring the panel may move the tab away from under the pointer.
    await panelTab(page)
      .click({ timeout: actionTimeoutMs / 6 })
      .catch(() => undefined);
  }
  const body = panelFrame(page).locator('body');
  const isOpen = await body.waitFor({ timeout: actionTimeoutMs }).then(
    () => true,
    () => false,
  );
  if (isOpen) return;
  // A window that was restoring the panel took the click for closing it.
  await runCommand(page, 'Switchboard: Open Chat');
  await body.waitFor({ timeout: startTimeoutMs });
}

/** True once the browser has stored `key: value` or a part of it, which the editor does in its own time. */
export function isStored(page: Page, text: string): Promise<boolean> {
  return page.evaluate(async (wanted) => {
    const settled = <T>(request: IDBRequest<T>) =>
      new Promise<T>((resolve, reject) => {
        request.addEventListener('success', () => resolve(request.result));
        request.addEventListener('error', () => reject(new Error(String(request.error))));
      });
    for (const { name = '' } of await indexedDB.databases()) {
      if (!name.startsWith('vscode-web-state-db-')) continue;
      const database = await settled(indexedDB.open(name));
      const items = database.transaction('ItemTable').objectStore('ItemTable');
      const [keys, values] = await Promise.all([settled(items.getAllKeys()), settled(items.getAll())]);
      database.close();
      if (values.some((value, index) => `${keys[index] as string}: ${String(value)}`.includes(wanted)))
        return true;
    }
    return false;
  }, text);
}

export async function reloadWindow(page: Page): Promise<void> {
  await page.reload({ timeout: startTimeoutMs });
  await panelFrame(page).locator('body').waitFor({ timeout: startTimeoutMs });
}

function panelTab(page: Page): Locator {
  return secondarySideBarTab(page, 'Switchboard');
}

/** A tab of the secondary side bar; tabs without room are in a menu. */
export function secondarySideBarTab(page: Page, name: string): Locator {
  return page
    .locator('.part.auxiliarybar')
    .getByRole('tab')
    .filter({ has: page.getByLabel(name) });
}

export async function resizeSecondarySideBar(page: Page, width: number): Promise<void> {
  const box = await page.locator('.part.auxiliarybar').boundingBox();
  if (!box) throw new Error('The secondary side bar is hidden.');
  await page.mouse.move(box.x - 1, 300);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width - width, 300, { steps: 4 });
  await page.mouse.up();
}

export async function toggleSecondarySideBar(page: Page): Promise<void> {
  await page.keyboard.press('ControlOrMeta+Alt+B');
}

/** Another page in front isn't enough: in Playwright each believes it has focus. */
export async function setInBackground(page: Page, isInBackground: boolean): Promise<void> {
  await page.evaluate((hidden) => {
    document.hasFocus = () => !hidden;
    Object.defineProperty(document, 'hidden', { configurable: true, value: hidden });
    document.dispatchEvent(new Event('visibilitychange'));
  }, isInBackground);
}

export function panelFrame(page: Page): FrameLocator {
  return webviewOf(page, 'switchboard.switchboard');
}

export function webviewOf(page: Page, extensionId: string): FrameLocator {
  return page
    .frameLocator(`iframe.webview[src*="extensionId=${extensionId}&"]`)
    .frameLocator('iframe#active-frame');
}

/** Runs a command by its palette title. Wait for what it shows: a late focus closes whatever is open. */
export async function runCommand(page: Page, title: string): Promise<void> {
  await eventually(async () => {
    // Anything that takes the focus now closes the palette, so it is opened again. A question may still be
    // fading.
    const input = quickInput(page).locator('input.input');
    const isOpen = await input.evaluateAll((all: HTMLInputElement[]) => all[0]?.value.startsWith('>'));
    if (!isOpen) await page.keyboard.press('F1');
    await input.fill(`>${title}`, { timeout: paletteMs });
    await quickInputItem(page, title).click({ timeout: paletteMs });
  });
  // The command may use the same widget; text typed next must not end up in the palette.
  await page.waitForFunction(() => {
    const input = document.querySelector<HTMLInputElement>('.quick-input-widget:not([inert]) input.input');
    return !input?.checkVisibility() || !input.value.startsWith('>');
  });
}

/** The QuickInput widget: palette, pick lists and input boxes. It is inert while it fades. */
export function quickInput(page: Page): Locator {
  return page.locator('.quick-input-widget:not([inert])').filter({ visible: true });
}

export async function quickInputType(page: Page, text: string): Promise<void> {
  await quickInput(page).locator('input.input').fill(text);
}

export async function quickInputPick(page: Page, label: string): Promise<void> {
  await quickInputItem(page, label).click();
}

export function quickInputItem(page: Page, label: string): Locator {
  return quickInput(page)
    .getByRole('option')
    .filter({ has: page.locator('.label-name').getByText(label, { exact: true }) })
    .first();
}

export async function openFile(page: Page, path: string): Promise<void> {
  await eventually(async () => {
    // A late focus closes it or takes the key, as with the palette.
    if (!(await quickInput(page).isVisible())) await page.keyboard.press('Control+P');
    await quickInput(page).locator('input.input').fill(path, { timeout: paletteMs });
  });
  const name = path.slice(path.lastIndexOf('/') + 1);
  await quickInputPick(page, name);
  await page.getByRole('tab', { name, selected: true }).waitFor();
  await page.locator('.editor-instance .monaco-editor.focused').waitFor();
}

export async function quickInputAccept(page: Page): Promise<void> {
  await quickInput(page).locator('input.input').press('Enter');
}

/** The line under the QuickInput's box: the prompt, or why the text is refused. */
export function quickInputMessage(page: Page): Locator {
  return quickInput(page).locator('.quick-input-message');
}
