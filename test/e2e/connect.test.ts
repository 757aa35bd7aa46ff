import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { openKnowledgeView } from '../host/explorer.ts';
import { screenshot } from '../host/screen.ts';
import {
  quickInput,
  quickInputAccept,
  quickInputMessage,
  quickInputType,
  runCommand,
} from '../host/workbench.ts';
import { eventually } from '../support/eventually.ts';
import { type Panel, setUpStage, type Stage, useStage } from './support.ts';
import { walk } from './walk.ts';

/** File contents as bytes in a string. Rejects if a file is removed while it is read. */
async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  return Promise.all(files.map(({ parentPath, name }) => readFile(join(parentPath, name), 'latin1')));
}

describe('connecting a relay', () => {
  let stage: Stage;
  let page: Page;
  let panel: Panel;

  useStage(
    () => setUpStage({ connected: false, sandbox: { list: 'good' } }),
    async (fresh) => {
      stage = fresh;
      ({ page, panel } = await stage.open());
    },
  );

  const dialog = () => page.locator('.monaco-dialog-box');
  const settings = () => readFile(join(stage.editor.scratch.folder, 'data', 'User', 'settings.json'), 'utf8');

  const step = walk('leads from the welcome over a bad key to a good one, which is nowhere to be found');

  step('leads from the activity bar to the relay first, as the panel does with one button', async () => {
    const view = await openKnowledgeView(page);
    await view.getByText('Step 1 of 3').waitFor();
    await view.getByRole('button', { name: 'Connect Relay…', exact: true }).waitFor();
    await view.getByRole('button', { name: 'Apps Section' }).waitFor({ state: 'detached' });
    await screenshot(page, 'fresh-profile');
    await panel.button('Connect Relay…').click();
    await quickInput(page).getByText('Connect Relay (1/2): Address').waitFor();
    await screenshot(page, 'welcome');
    await quickInputType(page, `${stage.sandbox.relay.url}/v1/chat/completions`);
    await quickInputMessage(page).getByText(`Requests will go to ${stage.sandbox.relay.url}/v1/…`).waitFor();
    await quickInputAccept(page);
    await quickInput(page).getByText('(2/2)').waitFor();
  });

  step('refuses a key with a line break, and one that the relay refuses, and saves neither', async () => {
    await quickInput(page).locator('input.input[type=password]').waitFor();
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.evaluate(() => navigator.clipboard.writeText('sk-first\nsecond'));
    await quickInput(page).locator('input.input').press('ControlOrMeta+V');
    await quickInputMessage(page).getByText('line break').waitFor();
    await screenshot(page, 'connect-key-line-break');
    await quickInputType(page, 'sk-wrong');
    await quickInputAccept(page);
    await dialog().getByText(`Request: ${stage.sandbox.relay.url}/v1/models`).waitFor();
    await dialog().getByText('Status: 401').waitFor();
    await dialog().getByText('Invalid token').waitFor();
    await screenshot(page, 'connect-refused');
    assert.doesNotMatch(await settings(), /switchboard/);
  });

  step('connects with a good key after the bad one was changed, and answers', async () => {
    await dialog().getByRole('button', { name: 'Change Key' }).click();
    await quickInput(page).getByText('(2/2)').waitFor();
    await quickInputType(page, ` ${stage.sandbox.relay.key} `);
    await quickInputAccept(page);
    await panel.modelButton.waitFor();
    await panel.frame.getByText(/^Connected to .*models\.$/).waitFor();
    // The user chooses the model: the picker is open, with nothing covering it.
    const filter = panel.frame.getByRole('searchbox', { name: 'Filter models' });
    await filter.and(panel.frame.locator(':focus')).waitFor();
    await page.locator('.notification-toast').first().waitFor({ state: 'detached' });
    await screenshot(page, 'connected-by-hand');
    await filter.fill('scripted-echo');
    await filter.press('Enter');
    await panel.button('Model: scripted-echo').waitFor();
    await panel.focused();
    const saved = `"switchboard.relay.baseUrl": "${stage.sandbox.relay.url}"`;
    await eventually(async () => assert.ok((await settings()).includes(saved)));
    const answer = await panel.send('Hello');
    await answer.getByText('Hello').first().waitFor();
  });

  step(
    'is connected in another window, too, leaves no trace of the key elsewhere, and forgets it',
    async () => {
      const other = await stage.open(page.context());
      await other.panel.modelButton.waitFor();
      await other.page.close();
      await runCommand(page, 'Switchboard: Show Log');
      await page.locator('.part.panel .monaco-editor.focused').waitFor();
      const { relay } = stage.sandbox;
      const places = await eventually(async () => [
        stage.editor.output(),
        ...(await filesBelow(join(stage.editor.scratch.folder, 'data'))),
        ...(await Promise.all(page.frames().map((frame) => frame.content()))),
      ]);
      assert.ok(
        places.some((text) => text.includes(relay.url)),
        'the address is found, so the search works',
      );
      for (const key of [relay.key, 'sk-wrong', 'sk-first']) {
        assert.deepEqual(
          places.filter((text) => text.includes(key)),
          [],
        );
      }
      await runCommand(page, 'Switchboard: Remove Saved Keys…');
      await quickInput(page).getByText(relay.url).waitFor();
      await quickInputAccept(page);
      await panel.button('Connect Relay…').waitFor();
    },
  );

  step('asks before a link of a console connects, and sends and saves nothing until then', async () => {
    const { relay } = stage.sandbox;
    const before = await settings();
    relay.clearRequests();
    const data = Buffer.from(JSON.stringify({ id: 'new-api', baseUrl: relay.url, apiKey: relay.key }));
    const link = `code-oss://switchboard.switchboard/connect?v=1&data=${encodeURIComponent(data.toString('base64'))}`;
    const open = async () => {
      await runCommand(page, 'Developer: Open URL');
      await quickInputType(page, link);
      await quickInputAccept(page);
      await dialog().getByRole('button', { name: 'Open', exact: true }).click();
      await dialog()
        .getByText(`Connect to the relay at ${new URL(relay.url).host}?`)
        .waitFor();
    };
    await open();
    const question = await dialog().innerText();
    assert.match(question, new RegExp(`sk-…${relay.key.slice(-4)}`));
    assert.ok(!question.includes(relay.key));
    await screenshot(page, 'connect-link');
    await dialog().getByRole('button', { name: 'Cancel' }).click();
    await dialog().waitFor({ state: 'detached' });
    assert.deepEqual([relay.requests.length, await settings()], [0, before]);
    await open();
    await dialog().getByRole('button', { name: 'Connect', exact: true }).click();
    await eventually(() => assert.ok(relay.requests.some(({ path }) => path === '/v1/models')));
    await panel.button('Connect Relay…').waitFor({ state: 'detached' });
    const logs = await filesBelow(join(stage.editor.scratch.folder, 'data', 'logs'));
    assert.ok(!logs.some((text) => text.includes(relay.key) || text.includes(data.toString('base64'))));
  });

  it('has an icon, a details page without a broken picture, and pictures in its walkthrough', async () => {
    const pictures = async () =>
      (
        await Promise.all(
          page
            .frames()
            .map((frame) =>
              frame
                .evaluate(() =>
                  [...document.images]
                    .filter((image) => image.checkVisibility())
                    .map(({ src, naturalWidth }) => ({ src, isThere: naturalWidth > 0 })),
                )
                .catch(() => []),
            ),
        )
      ).flat();
    await runCommand(page, 'Extensions: Show Installed Extensions');
    await page.locator('.extensions-list').getByText('Switchboard', { exact: true }).first().click();
    await eventually(async () => {
      const shown = await pictures();
      assert.ok(shown.some(({ src, isThere }) => isThere && src.includes('icon.png')));
      assert.deepEqual(
        // Pictures of the repository's site may be out of reach.
        shown.filter(({ src, isThere }) => !isThere && !src.startsWith('https:')),
        [],
      );
    });
    await screenshot(page, 'details-page');
    // The editor shows a step's picture beside it only if there is room.
    await page.setViewportSize({ width: 1900, height: 1000 });
    await runCommand(page, 'Welcome: Open Walkthrough...');
    await quickInputType(page, 'Switchboard');
    await quickInput(page).getByText('Get started with Switchboard').first().click();
    await page.getByText('Switch models').click();
    await eventually(async () =>
      assert.ok((await pictures()).some(({ src, isThere }) => isThere && src.includes('models.png'))),
    );
    await screenshot(page, 'walkthrough');
  });
});
