import type { Locator, Page } from 'playwright-core';

const treeOf = (page: Page) => page.locator('.explorer-folders-view');

export async function explorerItem(page: Page, name: string): Promise<Locator> {
  await openSideBar(page, /^Explorer/);
  const item = treeOf(page).getByRole('treeitem', { name, exact: true });
  await item.waitFor();
  return item;
}

export async function chooseInExplorer(page: Page, names: readonly string[], command: string): Promise<void> {
  const items: Locator[] = [];
  for (const name of names) {
    const item = await explorerItem(page, name);
    await item.click({ modifiers: items.length > 0 ? ['ControlOrMeta'] : [] });
    items.push(item);
    for (const chosen of items) await chosen.and(page.locator('[aria-selected=true]')).waitFor();
    await drawn(page, item);
  }
  // By the keyboard: rows move while folders are read, and a click would meet another one.
  await page.keyboard.press('Shift+F10');
  await chooseInSubmenu(page, command);
}

/** Waits for what a click on a folder expands: a menu closes when the Explorer draws. */
async function drawn(page: Page, item: Locator): Promise<void> {
  const row = await item.evaluate(({ dataset, ariaExpanded, ariaLevel }: HTMLElement) => ({
    isExpanded: ariaExpanded === 'true',
    index: Number(dataset['index']),
    level: Number(ariaLevel),
  }));
  if (!row.isExpanded) return;
  await treeOf(page)
    .locator(`[role=treeitem][data-index="${row.index + 1}"][aria-level="${row.level + 1}"]`)
    .waitFor();
}

/** Chooses by the keyboard: a menu ignores clicks right after it opened. */
export async function chooseInMenu(page: Page, name: string): Promise<void> {
  const item = page.getByRole('menuitem', { name });
  await item.hover();
  await item.and(page.locator(':focus')).waitFor();
  await page.keyboard.press('Enter');
}

export async function chooseInSubmenu(page: Page, name: string): Promise<void> {
  // Opens a moment later and takes the focus, so no key is pressed for it.
  await page.getByRole('menuitem', { name: 'Switchboard', exact: true }).hover();
  await chooseInMenu(page, name);
}

export async function openKnowledgeView(page: Page): Promise<Locator> {
  await openSideBar(page, /^Switchboard/);
  return page.locator('.part.sidebar');
}

/** A click on the tab of an open view would close it, and after a reload that view may not be drawn yet. */
async function openSideBar(page: Page, name: RegExp): Promise<void> {
  const tab = page.locator('.part.activitybar').getByRole('tab', { name });
  if ((await tab.getAttribute('aria-selected')) !== 'true') await tab.click();
}
