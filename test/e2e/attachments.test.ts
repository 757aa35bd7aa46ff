import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { chooseInExplorer, chooseInSubmenu, explorerItem } from '../host/explorer.ts';
import { screenshot } from '../host/screen.ts';
import { openFile, webviewOf } from '../host/workbench.ts';
import { textOf, withoutFacts } from '../servers/relay/chatRequest.ts';
import { eventually, eventuallyEqual } from '../support/eventually.ts';
import { newestRequest, type Panel, setUpStage, type Stage, usual, useStage } from './support.ts';
import { walk } from './walk.ts';

describe('what goes with a message', () => {
  let stage: Stage;
  let page: Page;
  let panel: Panel;

  useStage(
    () => setUpStage(usual),
    async (fresh) => {
      stage = fresh;
      await writeFile(join(stage.workspace, '.env'), 'TOKEN=very-secret-token\n');
      await writeFile(join(stage.workspace, 'AGENTS.md'), 'Speak of harbours as havens.\n');
      ({ page, panel } = await stage.open());
      await panel.selectModel('scripted-echo');
    },
  );

  const chips = (): Locator =>
    panel.frame.locator('.composer').getByRole('list', { name: 'Attachments' }).getByRole('listitem');
  const context = () => panel.frame.getByRole('list', { name: 'Context' });
  const lastMessages = () => {
    const { messages } = newestRequest(stage);
    return { system: textOf(messages[0]), user: textOf(messages.at(-1)) };
  };

  const step = walk('is dragged, added and named from where the editor shows it, and shown as it was sent');

  step('takes a file dragged from the explorer while Shift is held', async () => {
    const row = await explorerItem(page, 'README.md');
    const from = await row.boundingBox();
    const to = await page.locator('iframe.webview').first().boundingBox();
    assert.ok(from && to);
    await page.mouse.move(from.x + 30, from.y + from.height / 2);
    await page.mouse.down();
    await page.keyboard.down('Shift');
    await page.mouse.move(to.x - 20, to.y + 200, { steps: 5 });
    await page.mouse.move(to.x + to.width / 2, to.y + 200, { steps: 5 });
    await panel.frame.getByText('Drop to attach').waitFor();
    await screenshot(page, 'drop-hint');
    await page.mouse.up();
    await page.keyboard.up('Shift');
    await chips().getByText('README.md').waitFor();
  });

  step(
    'takes folders from the explorer, a selection from the editor and a file from its tab by Add to Chat',
    async () => {
      await chooseInExplorer(page, ['README.md', 'docs'], 'Add to Chat');
      await chips().getByText('docs/').waitFor();
      await panel.focused();
      await openFile(page, 'src/tides.ts');
      await page.keyboard.press('Shift+ArrowDown');
      await page.locator('.editor-instance .selected-text').first().waitFor();
      await page.keyboard.press('Shift+F10');
      await chooseInSubmenu(page, 'Add to Chat');
      await chips()
        .getByText(/^line 1 /)
        .waitFor();
      // A menu that is open closes when the panel takes the focus.
      await panel.focused();
      await page.getByRole('tab', { name: 'tides.ts' }).click({ button: 'right' });
      await chooseInSubmenu(page, 'Add to Chat');
      await eventuallyEqual(() => chips().count(), 4);
      await screenshot(page, 'add-to-chat');
    },
  );

  step('sends all of it with the rules of the project and where the user is, but no secrets', async () => {
    await panel.messageBox.pressSequentially('@.env');
    await panel.frame
      .getByRole('listbox', { name: 'Mentions' })
      .getByRole('option', { name: '.env' })
      .waitFor();
    await panel.messageBox.press('Enter');
    await chips().getByText('Not sent: ".env" is an environment file and may contain secrets.').waitFor();
    await screenshot(page, 'attachment-refused');
    await context().getByText('AGENTS.md', { exact: true }).waitFor();
    await panel.send('What is in it?');
    await panel.settled();
    const { system, user } = lastMessages();
    assert.match(system, /^You are Switchboard[^]*Speak of harbours as havens\./);
    assert.match(user, /^<context-(\w+)>\nDate: \d{4}-\d\d-\d\d\nSystem: \w+[^]*Active file: src\/tides\.ts/);
    assert.match(
      withoutFacts(user),
      /^<attachment-(\w+) kind="file" path="README\.md">\n# Tide Tables[^]*<\/attachment-\1>\n\n<attachment-\w+ kind="folder" path="docs">/,
    );
    assert.match(
      user,
      /<attachment-\w+ kind="selection" path="src\/tides\.ts" lines="1-1">\n\/\*\* One predicted/,
    );
    assert.match(user, /<attachment-\w+ kind="file" path="\.env">\n\[Nothing of it was sent/);
    const everything = JSON.stringify(stage.sandbox.relay.requests.map(({ json }) => json ?? null));
    assert.ok(!everything.includes('very-secret-token'));
    await eventuallyEqual(() => chips().count(), 0);
    const sent = panel.frame.getByRole('article', { name: 'You' }).last();
    await sent.getByRole('button', { name: 'README.md' }).click();
    await page.getByRole('tab', { name: /README\.md/ }).waitFor();
  });

  step('leaves out what its chip excludes, and shows the request as a page and word for word', async () => {
    await panel.button('Exclude AGENTS.md').click();
    await panel.button('Exclude README.md').click();
    await panel.button('Include README.md').waitFor();
    await panel.send('And now?');
    await panel.settled();
    const { system, user } = lastMessages();
    assert.doesNotMatch(system, /havens/);
    assert.doesNotMatch(user, /Active file/);
    await panel.button('View Request').last().click();
    await page.getByRole('tab', { name: /Preview Request/ }).waitFor();
    const preview = webviewOf(page, 'vscode.markdown-language-features');
    await preview.getByRole('heading', { name: 'System prompt' }).waitFor();
    await preview.getByText('And now?').waitFor();
    await preview.getByText('You are Switchboard', { exact: false }).waitFor({ state: 'hidden' });
    await preview.getByText(/^Switchboard about/).click();
    await preview.getByText('You are Switchboard', { exact: false }).waitFor();
    await screenshot(page, 'told-request');
    await preview.getByRole('link', { name: 'Show as JSON' }).click();
    await page.getByRole('tab', { name: /Request\.json/ }).waitFor();
    const lines = page.locator('.editor-instance .view-lines').last();
    await eventually(async () => assert.match(await lines.innerText(), /"model":.*scripted-echo/));
    await screenshot(page, 'told-json');
    await eventuallyEqual(() => page.locator('.tab.dirty').count(), 0);
  });
});
