import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { closeSharedBrowser } from '../host/sharedBrowser.ts';
import { setUpStage, type Panel, type Stage } from '../e2e/support.ts';
import type { SandboxOptions } from '../servers/sandbox.ts';
import { packageExtension } from '../host/packaged.ts';
import { root } from '../host/paths.ts';
import { chooseInExplorer, openKnowledgeView } from '../host/explorer.ts';
import {
  quickInput,
  quickInputAccept,
  quickInputPick,
  quickInputType,
  resizeSecondarySideBar,
  runCommand,
} from '../host/workbench.ts';

const folder = join(root, 'media', 'readme');
const size = { width: 1200, height: 720 };

export async function run(): Promise<void> {
  await packageExtension();
  await mkdir(folder, { recursive: true });
  await withWindow(true, async ({ page, panel }) => {
    await panel.selectModel('scripted-agent');
    await panel.send('Fix the failing test');
    const call = (name: string) => panel.frame.getByRole('group', { name: `Tool ${name}` }).last();
    await call('run_command').getByRole('button', { name: 'Always Allow' }).click();
    const allow = call('edit_file').getByRole('button', { name: 'Allow', exact: true });
    await allow.waitFor();
    await takePanel(page, 'edit-asks');
    await allow.click();
    await call('edit_file').getByText('windForce > 6').waitFor();
    await allow.click();
    await panel.settled();
    const changed = panel.frame.getByRole('group', { name: 'Changed files' });
    await changed.getByRole('button', { name: 'Show changes of src/mayLeave.js' }).click();
    await openFile(page, 'mayLeave.js');
    await page.locator('.codelens-decoration', { hasText: 'Undo' }).last().waitFor();
    await take(page, 'review');
    await panel.modelButton.click();
    await panel.frame.getByRole('listbox', { name: 'Models' }).getByRole('option').first().waitFor();
    await takePanel(page, 'models');
  });
  await withWindow(true, async ({ page, panel, stage }) => {
    await writeFile(join(stage.workspace, 'docs', 'access.md'), '-----BEGIN OPENSSH PRIVATE KEY-----\n');
    await chooseInExplorer(page, ['README.md', 'docs', 'src'], 'Add to Knowledge Base…');
    await quickInputPick(page, 'Tide Tables');
    const send = quickInput(page).getByRole('option', { name: /Upload \d+ documents/ });
    await send.waitFor();
    await page.getByText('Checking files…').waitFor({ state: 'detached' });
    await take(page, 'preflight', quickInput(page));
    await send.click();
    const view = await openKnowledgeView(page);
    await view.getByRole('treeitem', { name: /^Tide Tables/ }).click();
    await view
      .getByRole('treeitem', { name: /, indexed/ })
      .first()
      .waitFor();
    await panel.selectModel('scripted-tools');
    await panel.button('Knowledge').click();
    await quickInput(page)
      .getByRole('checkbox', { name: /^Tide Tables, / })
      .click();
    await quickInputAccept(page);
    await panel.send('Search the knowledge base for "visitors berth pontoon".');
    await panel.settled();
    await panel.frame.getByRole('list', { name: 'Sources' }).getByRole('button').first().click();
    const source = panel.frame
      .getByRole('list', { name: 'Sources' })
      .getByRole('button', { name: /harbour-rules/ });
    await source.first().click();
    await page.getByRole('tab', { name: 'harbour-rules.md', selected: true }).waitFor();
    await runCommand(page, 'Notifications: Clear All Notifications');
    await take(page, 'grounded');
  });
  await withWindow(true, async ({ page, panel, stage }) => {
    const { form } = stage.sandbox.platform.apps;
    await runCommand(page, 'Switchboard: Add Platform App…');
    await quickInput(page).getByText('(1/2)').waitFor();
    await quickInputType(page, stage.sandbox.platform.url);
    await quickInputAccept(page);
    await quickInput(page).getByText('(2/2)').waitFor();
    await quickInputType(page, form.key);
    await quickInputAccept(page);
    await panel.frame.getByText('Added app').waitFor();
    await panel.button('Dismiss').click();
    await panel.selectModel(form.name);
    await panel.frame.getByRole('textbox', { name: 'Name of the boat' }).fill('Seeschwalbe');
    await takePanel(page, 'app-form');
  });
  await withWindow(false, async ({ page, stage }) => {
    await runCommand(page, 'Switchboard: Connect Relay…');
    await quickInputType(page, stage.sandbox.relay.url);
    await quickInputAccept(page);
    await quickInput(page).getByText('(2/2)').waitFor();
    await quickInputType(page, 'sk-mistyped');
    await quickInputAccept(page);
    await take(page, 'connect-refused', page.locator('.monaco-dialog-box'));
  });
}

const sandbox: SandboxOptions = {
  list: 'good',
  knowsEndpoints: true,
  platform: { indexing: 'instant', seed: [{ dataset: 'Tide Tables' }] },
};

async function withWindow(
  connected: boolean,
  use: (window: { page: Page; panel: Panel; stage: Stage }) => Promise<void>,
): Promise<void> {
  const settings = { 'workbench.colorTheme': 'Default Dark Modern' };
  const stage = await setUpStage({ connected, sandbox, settings });
  try {
    // Double density, sharp on any screen.
    const user = await stage.browser.newContext({ viewport: size, deviceScaleFactor: 2 });
    const { page, panel } = await stage.open(user);
    await resizeSecondarySideBar(page, 440);
    await use({ page, panel, stage });
  } finally {
    await stage.close();
    await closeSharedBrowser();
  }
}

async function openFile(page: Page, name: string): Promise<void> {
  await page.keyboard.press('ControlOrMeta+P');
  await quickInputType(page, name);
  await quickInput(page).getByText(name).first().waitFor();
  await quickInputAccept(page);
  await page.locator('.editor-instance .view-line').first().waitFor();
}

function takePanel(page: Page, name: string): Promise<void> {
  return take(page, name, page.locator('.part.auxiliarybar'));
}

/** @param part of the window, shown at half its size in pixels; the whole window by default */
async function take(page: Page, name: string, part?: Locator): Promise<void> {
  await part?.waitFor();
  const clip = (await part?.boundingBox()) ?? undefined;
  await page.screenshot({ path: join(folder, `${name}.png`), animations: 'disabled', ...(clip && { clip }) });
}
