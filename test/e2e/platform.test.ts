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
} from '../host/workbench.ts';
import { passagePlanner } from '../servers/platform/apps/scripts/chatApps.ts';
import { flowText } from '../support/flowText.ts';
import { eventually, eventuallyEqual } from '../support/eventually.ts';
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
        connected: false,
        sandbox: {
          list: 'good',
          platform: {
            ...{ version: '1.17.0', indexing: 'instant', scope: ['Harbour', 'Ships'] },
            seed: ['Harbour', 'Ships', 'Payroll'].map((dataset) => ({ dataset, documents })),
            openapi: {
              pollSeconds: 1,
              workspaces: [{ name: 'Harbour office', apps: ['chat', 'form'], members: ['Ben', 'Cleo'] }],
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
  /** Above the message box, where the panel is open. */
  const notice = (text: string | RegExp) => panel.frame.getByText(text).first();
  const isAsked = (title: string) =>
    quickInput(page).locator('.quick-input-title').getByText(title).waitFor();

  const boatsSent = () =>
    platform()
      .requests.filter(({ path }) => path === '/v1/chat-messages')
      .map(({ json }) => (json as { inputs: Record<string, unknown> }).inputs['boat']);

  async function typeIn(title: string, text: string): Promise<void> {
    await isAsked(title);
    await quickInputType(page, text);
    await quickInputAccept(page);
  }
  async function connect(key: string): Promise<void> {
    await runCommand(page, 'Switchboard: Connect Platform…');
    await typeIn('(1/2)', platform().url);
    await quickInputPick(page, 'Enter Knowledge Base Key…');
    await typeIn('(2/2)', key);
  }

  const scoped = walk('opens what a key with a scope opens, and says why the rest is absent');

  scoped('asks for knowledge bases right after the key, and takes an ID', async () => {
    await connect(platform().keys.scoped);
    await typeIn('Add Knowledge Base', idOf('Harbour'));
    await (await line(/^Harbour, /)).waitFor();
  });

  scoped(
    'takes the address of a page of the console, from the row that says why others are absent',
    async () => {
      const row = await line(/^Add Knowledge Base….*doesn't let this key list knowledge bases/);
      await row.click();
      await typeIn('Add Knowledge Base', `${platform().url}/datasets/${idOf('Ships')}/documents`);
      await (await line(/^Ships, /)).waitFor();
      await screenshot(page, 'platform-scoped-key');
    },
  );

  scoped('says what the platform said of one that the key does not open, and leaves it out', async () => {
    await runCommand(page, 'Switchboard: Add Knowledge Base…');
    await typeIn('Add Knowledge Base', idOf('Payroll'));
    await notice(
      /The platform refused this key here: it was probably made for other knowledge bases/,
    ).waitFor();
    await screenshot(page, 'platform-outside-scope');
    assert.equal(await (await line(/^Payroll/)).count(), 0);
  });

  scoped('offers nothing that such a key cannot do', async () => {
    await page.keyboard.press('F1');
    await quickInputType(page, '>Switchboard: Create Knowledge Base');
    await quickInputItem(page, 'Switchboard: Add Knowledge Base…').waitFor();
    assert.equal(await quickInputItem(page, 'Switchboard: Create Knowledge Base…').count(), 0);
    await page.keyboard.press('Escape');
    await (await line(/^Ships, /)).click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Remove from List' }).waitFor();
    assert.equal(await page.getByRole('menuitem', { name: /Tags/ }).count(), 0);
    await screenshot(page, 'platform-scoped-menu');
  });

  scoped('removes one from the list, and not from the platform', async () => {
    await chooseInMenu(page, 'Remove from List');
    await (await line(/^Ships, /)).waitFor({ state: 'detached' });
    assert.ok(idOf('Ships'));
    await (await line(/^Harbour, /)).waitFor();
  });

  scoped('shows them all with a wider key', async () => {
    await connect(platform().datasetKey);
    await (await line(/^Payroll, /)).waitFor();
    assert.equal(await (await line(/^Add Knowledge Base…/)).count(), 0);
  });

  const signedIn = walk('goes from signing in to answers, and to a base that some members see');

  signedIn('signs in by a code, and chats with an app that has no key here', async () => {
    await runCommand(page, 'Switchboard: Connect Platform…');
    await typeIn('(1/2)', platform().url);
    await quickInputPick(page, 'Sign In');
    await dialog()
      .getByText(/Your code: /)
      .waitFor();
    await screenshot(page, 'platform-sign-in');
    await dialog().getByRole('button', { name: 'Copy Code and Open Browser' }).click();
    platform().console.approve();
    await notice(/Signed in to .*: 3 apps in the workspace "Harbour office"/).waitFor();
    await panel.selectModel('Tide helper');
    const answer = await panel.send('When is high water?');
    await panel.settled();
    await eventually(async () => assert.ok((await answer.innerText()).length > 20));
    await screenshot(page, 'platform-signed-in-answer');
  });

  signedIn(
    'corrects a form that the platform refused, of an app that is listed once by key and sign-in',
    async () => {
      const { key, name } = platform().apps.form;
      await runCommand(page, 'Switchboard: Add Platform App…');
      await typeIn('(1/2)', platform().url);
      await typeIn('(2/2)', key);
      await notice(`Added app "${name}"`).waitFor();
      await panel.button('Open in Chat').click();
      await panel.button(`Model: ${name}`).waitFor();
      // Folded until it is used.
      await (await openKnowledgeView(page)).getByRole('button', { name: 'Apps Section' }).click();
      await eventuallyEqual(async () => (await line(/^Passage planner, /)).count(), 1);
      await screenshot(page, 'platform-side-bar');
      const form = panel.frame.getByRole('form', { name: 'Inputs' });
      const boat = form.getByRole('textbox', { name: 'Name of the boat' });
      await boat.fill('Seeschwalbe');
      await form.getByRole('combobox', { name: 'Harbour' }).selectOption('Altmühle');
      await form.getByRole('textbox', { name: 'Draught in metres' }).fill('1.8');
      // Somebody has shortened the field since the form was loaded.
      const field = passagePlanner.form?.find(({ variable }) => variable === 'boat') as {
        max_length?: number;
      };
      const { max_length: before } = field;
      field.max_length = 5;
      try {
        await panel.send('Plan a passage');
        await panel.alert.getByText("The app refused its form's inputs.").waitFor();
        await screenshot(page, 'platform-form-refused');
        await panel.alert.getByRole('button', { name: 'Edit Inputs' }).click();
        assert.equal(await boat.inputValue(), 'Seeschwalbe');
        await boat.fill('Dione');
        await panel.button('Retry').first().click();
        await panel.settled();
        await eventuallyEqual(() => panel.alert.count(), 0);
        await eventuallyEqual(async () => boatsSent(), ['Seeschwalbe', 'Dione']);
      } finally {
        if (before === undefined) delete field.max_length;
        else field.max_length = before;
      }
    },
  );

  signedIn('edits the inputs of the conversation later, too', async () => {
    await panel.button('Edit Inputs').click();
    const form = panel.frame.getByRole('form', { name: 'Inputs' });
    const boat = form.getByRole('textbox', { name: 'Name of the boat' });
    assert.equal(await boat.inputValue(), 'Dione');
    await screenshot(page, 'platform-edit-inputs');
    await boat.fill('Ada');
    await panel.send('And now?');
    await panel.settled();
    assert.deepEqual(boatsSent(), ['Seeschwalbe', 'Dione', 'Ada']);
    await form.waitFor({ state: 'detached' });
  });

  signedIn('shares a knowledge base with some members', async () => {
    await connect(platform().datasetKey);
    await (await line(/^Payroll, /)).waitFor();
    await runCommand(page, 'Switchboard: Create Knowledge Base…');
    await typeIn('(1/4)', 'Pilots');
    await isAsked('(2/4)');
    await quickInputPick(page, 'Economical');
    await isAsked('(3/4)');
    await quickInputPick(page, 'Automatic');
    await isAsked('(4/4)');
    await quickInputPick(page, 'Some Members…');
    await quickInput(page)
      .getByRole('checkbox', { name: /^Cleo, / })
      .click();
    await screenshot(page, 'platform-members');
    await quickInputAccept(page);
    await (await line(/^Pilots, .*visible to some members/)).waitFor();
    await screenshot(page, 'platform-shared-base');
    const base = platform().datasets.find(({ name }) => name === 'Pilots');
    await eventuallyEqual(async () => base?.permission, 'partial_members');
    assert.equal(base?.memberIds.length, 1);
  });

  signedIn('pulls a workflow into a file', async () => {
    await (await line(/^Small flow, /)).click({ button: 'right' });
    await chooseInMenu(page, 'Pull to Workspace…');
    await quickInput(page).getByText('Pull Small flow to Workspace').waitFor();
    await quickInputAccept(page);
    await page.getByRole('tab', { name: 'small-flow.yml', selected: true }).waitFor();
    assert.equal(await readFile(file(), 'utf8'), platform().console.draftOf(flow().id));
  });

  signedIn("shows a colleague's change before it overwrites it", async () => {
    const pulled = await readFile(file(), 'utf8');
    platform().console.edit(flow().id, pulled.replace('Be brief.', 'Be long.'));
    await writeFile(file(), pulled.replace('gpt-4o', 'claude'));
    await runCommand(page, 'Switchboard: Push Workflow…');
    await dialog().getByText('"Small flow" was changed on the platform since the last pull.').waitFor();
    await dialog().getByRole('button', { name: 'Compare' }).and(page.locator(':focus')).waitFor();
    await dialog().getByText('LLM "Write": model gpt-4o → claude, prompt changed').waitFor();
    await screenshot(page, 'push-conflict');
    await dialog().getByRole('button', { name: 'Compare' }).click();
    await page.getByRole('tab', { name: /Platform ↔ File/, selected: true }).waitFor();
    await page.locator('.diff-editor, .monaco-diff-editor').getByText('Be long.').first().waitFor();
    await screenshot(page, 'flow-compared');
    assert.match(platform().console.draftOf(flow().id), /gpt-4o[^]*Be long\./);
  });

  signedIn('pushes what was merged', async () => {
    await writeFile(file(), platform().console.draftOf(flow().id).replace('gpt-4o', 'claude'));
    await runCommand(page, 'Switchboard: Push Workflow…');
    await dialog().getByText('Push "small-flow.yml" to "Small flow" at').waitFor();
    await dialog().getByText('You compared them.').waitFor();
    await screenshot(page, 'push-merged');
    await dialog().getByRole('button', { name: 'Push' }).click();
    await panel.frame.getByText('Pushed as the draft.').waitFor();
    assert.equal(platform().console.draftOf(flow().id), await readFile(file(), 'utf8'));
  });

  signedIn('transcribes an mp3', async () => {
    await writeFile(join(stage.workspace, 'memo.mp3'), 'ID3 memo');
    await (await line(/^Passage planner, /)).click({ button: 'right' });
    await chooseInMenu(page, 'Transcribe Audio…');
    // Not typed: while the dialog still fills its list, it takes a path that is there for one that is not.
    await quickInputPick(page, 'memo.mp3');
    await page.locator('.view-line').filter({ hasText: 'were heard' }).first().waitFor();
    await screenshot(page, 'platform-mp3');
  });
});
