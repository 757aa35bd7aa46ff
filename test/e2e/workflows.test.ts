import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { chooseInMenu } from '../host/explorer.ts';
import {
  quickInput,
  quickInputAccept,
  quickInputPick,
  quickInputType,
  runCommand,
  screenshot,
} from '../host/workbench.ts';
import { flowText } from '../support/flowText.ts';
import { type Panel, setUpStage, type Stage, useStage } from './support.ts';
import { walk } from './walk.ts';

describe('a platform that is signed in to', () => {
  let stage: Stage;
  let page: Page;
  let panel: Panel;

  useStage(
    () =>
      setUpStage({
        connected: false,
        sandbox: {
          platform: { openapi: { pollSeconds: 1, workspaces: [{ name: 'Harbour office', apps: ['chat'] }] } },
        },
      }),
    async (fresh) => {
      stage = fresh;
      stage.sandbox.platform.console.addFlow(flowText());
      ({ page, panel } = await stage.open());
    },
  );

  const there = () => stage.sandbox.platform.console;
  const flow = () => there().apps.find(({ draft }) => draft.app.name === 'Small flow')!;
  const file = () => join(stage.workspace, 'small-flow.yml');
  const dialog = () => page.locator('.monaco-dialog-box');
  const press = (name: string) => dialog().getByRole('button', { name, exact: true }).click();
  const step = walk('leads from its address to an answer, and from a file to its draft');

  step('signs in by a code', async () => {
    await runCommand(page, 'Switchboard: Connect Platform…');
    await quickInputType(page, stage.sandbox.platform.url);
    await quickInputAccept(page);
    await quickInputPick(page, 'Sign In');
    await dialog().getByText('Your code: ').waitFor();
    await screenshot(page, 'sign-in-code');
    const [code = ''] = /[A-Z]{4}-[A-Z]{4}/.exec((await dialog().textContent()) ?? '') ?? [];
    await press('Copy Code and Open Browser');
    await panel.frame.getByText(`Enter the code ${code} at`).waitFor();
    assert.ok(there().approve(code));
    await panel.frame.getByText('as admin@example.com: 2 apps in the workspace "Harbour office".').waitFor();
    await screenshot(page, 'signed-in');
  });

  step('answers by an app that has no key here', async () => {
    await panel.button('Show Apps').click();
    const app = page.getByRole('treeitem', { name: /^Tide helper, / });
    await app.hover();
    await app.getByRole('button', { name: 'Open in Chat' }).click();
    await panel.button('Model: Tide helper').waitFor();
    const answer = await panel.send('When does the lock open?');
    await panel.settled();
    await answer.getByText('Tide helper is a scripted app').waitFor();
  });

  step('pulls a workflow into a file', async () => {
    await page.getByRole('treeitem', { name: /^Small flow, / }).click({ button: 'right' });
    await chooseInMenu(page, 'Pull to Workspace…');
    await quickInput(page).getByText('Pull Small flow to Workspace').waitFor();
    await quickInputAccept(page);
    await page.getByRole('tab', { name: 'small-flow.yml', selected: true }).waitFor();
    assert.equal(await readFile(file(), 'utf8'), there().draftOf(flow().id));
  });

  step("shows a colleague's change before it overwrites it", async () => {
    const pulled = await readFile(file(), 'utf8');
    there().edit(flow().id, pulled.replace('Be brief.', 'Be long.'));
    await writeFile(file(), pulled.replace('gpt-4o', 'claude'));
    await runCommand(page, 'Switchboard: Push Workflow…');
    await dialog().getByText('changed on the platform since the last pull').waitFor();
    await dialog().getByText('LLM "Write": model gpt-4o → claude, prompt changed').waitFor();
    await screenshot(page, 'push-conflict');
    await press('Compare');
    await page.getByRole('tab', { name: /Platform ↔ File/, selected: true }).waitFor();
    await page.locator('.diff-editor, .monaco-diff-editor').getByText('Be long.').first().waitFor();
    await screenshot(page, 'flow-compared');
    assert.match(there().draftOf(flow().id), /gpt-4o[^]*Be long\./);
  });

  step('pushes what was merged', async () => {
    await writeFile(file(), there().draftOf(flow().id).replace('gpt-4o', 'claude'));
    await runCommand(page, 'Switchboard: Push Workflow…');
    await dialog().getByText('LLM "Write": model gpt-4o → claude').waitFor();
    await screenshot(page, 'push-merged');
    await press('Push');
    await panel.frame.getByText('Pushed as the draft.').waitFor();
    assert.equal(there().draftOf(flow().id), await readFile(file(), 'utf8'));
  });
});
