import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { chooseInMenu, openKnowledgeView } from '../host/explorer.ts';
import { screenshot } from '../host/screen.ts';
import {
  quickInput,
  quickInputAccept,
  quickInputItem,
  quickInputPick,
  quickInputType,
  runCommand,
  webviewOf,
} from '../host/workbench.ts';
import { flowText } from '../support/flowText.ts';
import { eventually } from '../support/eventually.ts';
import { type Panel, setUpStage, type Stage, useStage } from './support.ts';
import { walk } from './walk.ts';

describe('a platform of today', () => {
  let stage: Stage;
  let page: Page;
  let panel: Panel;

  const documents = [{ name: 'rules.md', text: 'No fires on the quay.' }];
  useStage(
    () =>
      setUpStage({
        connected: true,
        apps: ['form'],
        sandbox: {
          list: 'good',
          platform: {
            ...{ version: '1.17.0', indexing: 'instant', scope: ['Harbour'] },
            seed: ['Harbour', 'Payroll'].map((dataset) => ({ dataset, documents })),
            openapi: {
              pollSeconds: 1,
              workspaces: [{ name: 'Harbour office', apps: ['chat', 'form'] }],
            },
          },
        },
      }),
    async (fresh) => {
      stage = fresh;
      stage.sandbox.platform.console.addFlow(flowText());
      ({ page, panel } = await stage.open());
    },
  );

  const platform = () => stage.sandbox.platform;
  const dialog = () => page.locator('.monaco-dialog-box');
  const flow = () => platform().console.apps.find(({ draft }) => draft.app.name === 'Small flow')!;
  const file = () => join(stage.workspace, 'small-flow.yml');
  const idOf = (name: string) => platform().datasets.find((each) => each.name === name)?.id ?? '';
  const line = async (name: string | RegExp) =>
    (await openKnowledgeView(page)).getByRole('treeitem', { name });

  async function typeIn(title: string, text: string): Promise<void> {
    await quickInput(page).locator('.quick-input-title').getByText(title).waitFor();
    await quickInputType(page, text);
    await quickInputAccept(page);
  }

  const step = walk('has apps by the environment and a sign-in, knowledge bases, and workflows as files');

  step('has the apps of the environment by itself, and sends the form with the message', async () => {
    await runCommand(page, 'Switchboard: Focus on Apps View');
    const app = page.getByRole('treeitem', { name: /^Passage planner, .*from the environment/ });
    await app.hover();
    await screenshot(page, 'app-from-environment');
    await app.getByRole('button', { name: 'Open in Chat' }).click();
    await panel.button('Model: Passage planner').waitFor();
    const form = panel.frame.getByRole('form', { name: 'Inputs' });
    await form.getByRole('textbox', { name: 'Name of the boat' }).fill('Seeschwalbe');
    await form.getByRole('combobox', { name: 'Harbour' }).selectOption('Altmühle');
    await form.getByRole('textbox', { name: 'Draught in metres' }).fill('1.8');
    await screenshot(page, 'app-form');
    await panel.send('Plan a passage');
    await panel.settled();
    const { json } = platform().requests.find(({ path }) => path === '/v1/chat-messages') ?? {};
    const { boat, draught, harbour } = (json as { inputs: Record<string, unknown> }).inputs;
    assert.deepEqual([boat, draught, harbour], ['Seeschwalbe', 1.8, 'Altmühle']);
  });

  step('reads the last answer of a conversation aloud, to its end', async () => {
    const tree = page.getByRole('tree', { name: 'Apps' });
    await tree.getByRole('treeitem', { name: /^Passage planner, / }).click();
    await tree.getByRole('treeitem', { name: /^Plan a passage/ }).click({ button: 'right' });
    await chooseInMenu(page, 'Read Last Answer Aloud');
    const tab = page.getByRole('tab', { name: 'Plan a passage.mp3' });
    await tab.waitFor();
    const player = webviewOf(page, 'vscode.media-preview');
    const audio = player.locator('audio');
    await audio.evaluate((element: HTMLAudioElement) => (element.playbackRate = 16));
    await page.keyboard.press('Tab');
    await page.keyboard.press('Space');
    await audio.and(player.locator(':focus')).waitFor();
    await eventually(async () =>
      assert.ok(await audio.evaluate((element: HTMLAudioElement) => element.ended)),
    );
    // Once a palette is closed, VS Code focuses the player, later than an editor: that would close the next menu.
    await runCommand(page, 'View: Close Editor');
    await tab.waitFor({ state: 'detached' });
  });

  step(
    'asks for knowledge bases after a key with a scope, and offers nothing that it cannot do',
    async () => {
      await (await line(/^Payroll, /)).waitFor();
      await runCommand(page, 'Switchboard: Connect Platform…');
      await typeIn('(1/2)', platform().url);
      await quickInputPick(page, 'Enter Knowledge Base Key…');
      await typeIn('(2/2)', platform().keys.scoped);
      await (await line(/^Add Knowledge Base….*doesn't let this key list knowledge bases/)).waitFor();
      await (await line(/^(Harbour|Payroll), /)).first().waitFor({ state: 'detached' });
      await typeIn('Add Knowledge Base', idOf('Harbour'));
      await (await line(/^Harbour, /)).waitFor();
      await page.keyboard.press('F1');
      await quickInputType(page, '>Switchboard: Create Knowledge Base');
      await quickInputItem(page, 'Switchboard: Add Knowledge Base…').waitFor();
      assert.equal(await quickInputItem(page, 'Switchboard: Create Knowledge Base…').count(), 0);
      await page.keyboard.press('Escape');
      await (await line(/^Harbour, /)).click({ button: 'right' });
      await page.getByRole('menuitem', { name: 'Remove from List' }).waitFor();
      assert.equal(await page.getByRole('menuitem', { name: /Tags/ }).count(), 0);
      await screenshot(page, 'platform-scoped-menu');
      await chooseInMenu(page, 'Remove from List');
      await (await line(/^Harbour, /)).waitFor({ state: 'detached' });
      assert.ok(idOf('Harbour'), 'it is still on the platform');
    },
  );

  step('signs in by a code, and chats with an app that has no key here', async () => {
    await runCommand(page, 'Switchboard: Connect Platform…');
    await typeIn('(1/2)', platform().url);
    await quickInputPick(page, 'Sign In');
    await dialog()
      .getByText(/Your code: /)
      .waitFor();
    await screenshot(page, 'platform-sign-in');
    await dialog().getByRole('button', { name: 'Copy Code and Open Browser' }).click();
    platform().console.approve();
    await panel.frame.getByText(/Signed in to .*: 3 apps in the workspace "Harbour office"/).waitFor();
    await panel.selectModel('Tide helper');
    const answer = await panel.send('When is high water?');
    await panel.settled();
    await eventually(async () => assert.ok((await answer.innerText()).length > 20));
    await screenshot(page, 'platform-signed-in-answer');
  });

  step("pulls a workflow into a file, and shows a colleague's change before it overwrites it", async () => {
    await (await line(/^Small flow, /)).click({ button: 'right' });
    await chooseInMenu(page, 'Pull to Workspace…');
    await quickInput(page).getByText('Pull Small flow to Workspace').waitFor();
    await quickInputAccept(page);
    const tab = page.getByRole('tab', { name: 'small-flow.yml' });
    await tab.waitFor();
    const pulled = await readFile(file(), 'utf8');
    assert.equal(pulled, platform().console.draftOf(flow().id));
    platform().console.edit(flow().id, pulled.replace('Be brief.', 'Be long.'));
    await writeFile(file(), pulled.replace('gpt-4o', 'claude').replace('start.topic', 'start.other'));
    await runCommand(page, 'Switchboard: Push Workflow…');
    await dialog().getByText('"Small flow" was changed on the platform since the last pull.').waitFor();
    await screenshot(page, 'push-conflict');
    await dialog().getByRole('button', { name: 'Compare' }).and(page.locator(':focus')).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('tab', { name: /Platform ↔ File/, selected: true }).waitFor();
    const difference = page.locator('.monaco-diff-editor');
    await difference.getByText('Be long.').first().waitFor();
    await difference.locator('.squiggly-error').first().waitFor();
    await page.keyboard.press('Control+Shift+E');
    const changed = '[aria-label*="Changed here and on the platform"]';
    await page.locator(`.explorer-folders-view ${changed}`).first().waitFor();
    await screenshot(page, 'flow-compared');
    assert.match(platform().console.draftOf(flow().id), /gpt-4o[^]*Be long\./);
  });
});
