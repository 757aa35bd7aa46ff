// What a user does in VS Code's window, for tests that drive it in a browser.
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, BrowserContext, FrameLocator, Locator, Page } from 'playwright-core';
import type { CodeServer } from './codeServer.ts';
import { eventually } from '../support/eventually.ts';
import { reportFailures } from './screen.ts';
import { outFolder } from './paths.ts';

/** For a window that starts, and for what is done in it; a busy machine is slow at both. */
const startTimeoutMs = 60_000;
const actionTimeoutMs = 30_000;
/** After this the palette is taken to have been closed. */
const paletteMs = 5000;

/**
 * Opens a window on a folder and the chat panel in it. A new browser context is a new user (SecretStorage and
 * layout are kept in it); pass the context of an earlier page to come back as the same one.
 */
export async function openWindow(
  browser: Browser,
  server: CodeServer,
  workspace: string,
  context?: BrowserContext,
): Promise<Page> {
  const user =
    context ??
    (await browser.newContext({
      viewport: { width: 1400, height: 900 },
      // The server would pack the 19 MB of the workbench for each window, which goes nowhere.
      extraHTTPHeaders: { 'Accept-Encoding': 'identity' },
    }));
  const page = await user.newPage();
  page.setDefaultTimeout(actionTimeoutMs);
  reportFailures(page);
  await page.goto(server.urlOf(workspace));
  await page.locator('.monaco-workbench').waitFor({ timeout: startTimeoutMs });
  await openPanel(page);
  return page;
}

/** Opens the chat panel as a user does, by its tab in the secondary side bar. */
export async function openPanel(page: Page): Promise<void> {
  await panelTab(page).waitFor({ timeout: startTimeoutMs });
  // The tab of the panel that is open would close it.
  if ((await panelTab(page).getAttribute('aria-selected')) !== 'true') {
    // A window that shows the panel again by itself may take the tab away from under the pointer.
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
  // A window that was just about to show the panel again by itself took the click for closing it.
  await runCommand(page, 'Switchboard: Open Chat');
  await body.waitFor({ timeout: startTimeoutMs });
}

/** True once the browser has stored what an extension remembers: the editor writes it in its own time, and not at a reload. */
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
      const values = await settled(database.transaction('ItemTable').objectStore('ItemTable').getAll());
      database.close();
      if (values.some((value) => String(value).includes(wanted))) return true;
    }
    return false;
  }, text);
}

/** Reloads the window, which opens the panel again by itself if it was open. */
export async function reloadWindow(page: Page): Promise<void> {
  await page.reload({ timeout: startTimeoutMs });
  await panelFrame(page).locator('body').waitFor({ timeout: startTimeoutMs });
}

function panelTab(page: Page): Locator {
  return secondarySideBarTab(page, 'Switchboard');
}

/** A tab of the secondary side bar; those it has no room for are in a menu. */
export function secondarySideBarTab(page: Page, name: string): Locator {
  return page
    .locator('.part.auxiliarybar')
    .getByRole('tab')
    .filter({ has: page.getByLabel(name) });
}

/** Gives a view a tab of its own in the secondary side bar, wide enough for the names of two. */
export async function moveToSecondarySideBar(page: Page, view: string): Promise<void> {
  await runCommand(page, 'View: Move View');
  await quickInputPick(page, view);
  await quickInputPick(page, 'New Secondary Side Bar Entry');
  await resizeSecondarySideBar(page, 460);
  await secondarySideBarTab(page, view).waitFor();
}

/** Drags the border of the secondary side bar, as a user would. */
export async function resizeSecondarySideBar(page: Page, width: number): Promise<void> {
  const box = await page.locator('.part.auxiliarybar').boundingBox();
  if (!box) throw new Error('The secondary side bar is hidden.');
  await page.mouse.move(box.x - 1, 300);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width - width, 300, { steps: 4 });
  await page.mouse.up();
}

/** Hides the side bar the panel is in, or shows it again, by its key. */
export async function toggleSecondarySideBar(page: Page): Promise<void> {
  await page.keyboard.press('ControlOrMeta+Alt+B');
}

/**
 * Sends the window to the background or fetches it back, by what a browser tells a page whose tab is left or returned
 * to. Bringing another page to the front does not: Playwright lets each page believe that it has the focus.
 */
export async function setInBackground(page: Page, isInBackground: boolean): Promise<void> {
  await page.evaluate((hidden) => {
    document.hasFocus = () => !hidden;
    Object.defineProperty(document, 'hidden', { configurable: true, value: hidden });
    document.dispatchEvent(new Event('visibilitychange'));
  }, isInBackground);
}

/** The inside of the chat panel's webview. */
export function panelFrame(page: Page): FrameLocator {
  return webviewOf(page, 'switchboard.switchboard');
}

/** The inside of an extension's webview. */
export function webviewOf(page: Page, extensionId: string): FrameLocator {
  return page
    .frameLocator(`iframe.webview[src*="extensionId=${extensionId}&"]`)
    .frameLocator('iframe#active-frame');
}

/**
 * Runs a command from the palette by its title as shown there, e.g. `Switchboard: New Chat`. Wait for what the
 * command shows before the next step: if it takes the focus later, it closes what is open by then.
 */
export async function runCommand(page: Page, title: string): Promise<void> {
  await eventually(async () => {
    // Whatever in the window takes the focus at this moment closes the palette: a user opens it again. What was
    // asked last may still be fading away, and is not the palette.
    const input = quickInput(page).locator('input.input');
    const isOpen = await input.evaluateAll((all: HTMLInputElement[]) => all[0]?.value.startsWith('>'));
    if (!isOpen) await page.keyboard.press('F1');
    await input.fill(`>${title}`, { timeout: paletteMs });
    await quickInputItem(page, title).click({ timeout: paletteMs });
  });
  // The command may ask with the same widget: what is typed next must not end up in the palette.
  await page.waitForFunction(() => {
    const input = document.querySelector<HTMLInputElement>('.quick-input-widget:not([inert]) input.input');
    return !input?.checkVisibility() || !input.value.startsWith('>');
  });
}

/** The QuickInput widget: the palette, pick lists and input boxes. While it fades away it is inert. */
export function quickInput(page: Page): Locator {
  return page.locator('.quick-input-widget:not([inert])').filter({ visible: true });
}

/** Replaces what is typed in the open QuickInput. */
export async function quickInputType(page: Page, text: string): Promise<void> {
  await quickInput(page).locator('input.input').fill(text);
}

/** Picks the item with this label from the open QuickInput. */
export async function quickInputPick(page: Page, label: string): Promise<void> {
  await quickInputItem(page, label).click();
}

/** An item of the open QuickInput, by its label. */
export function quickInputItem(page: Page, label: string): Locator {
  return quickInput(page)
    .getByRole('option')
    .filter({ has: page.locator('.label-name').getByText(label, { exact: true }) })
    .first();
}

/** Opens a file of the workspace in an editor, with the caret in it. */
export async function openFile(page: Page, path: string): Promise<void> {
  await page.keyboard.press('Control+P');
  await quickInputType(page, path);
  const name = path.slice(path.lastIndexOf('/') + 1);
  await quickInputPick(page, name);
  await page.getByRole('tab', { name, selected: true }).waitFor();
  await page.locator('.editor-instance .monaco-editor.focused').waitFor();
}

/** Accepts what the open QuickInput holds. */
export async function quickInputAccept(page: Page): Promise<void> {
  await quickInput(page).locator('input.input').press('Enter');
}

/** The line under the open QuickInput's box: the prompt, or why the text is refused. */
export function quickInputMessage(page: Page): Locator {
  return quickInput(page).locator('.quick-input-message');
}

/** Writes what the window shows to out/screenshots. */
export async function screenshot(page: Page, name: string): Promise<void> {
  const folder = join(outFolder, 'screenshots');
  await mkdir(folder, { recursive: true });
  await page.screenshot({ path: join(folder, `${name}.png`) });
}
