import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { chooseInExplorer, chooseInSubmenu } from '../host/explorer.ts';
import { screenshot } from '../host/screen.ts';
import { openFile, quickInputPick, runCommand, toggleSecondarySideBar } from '../host/workbench.ts';
import { withoutFacts } from '../servers/relay/chatRequest.ts';
import { eventuallyEqual } from '../support/eventually.ts';
import { type Panel, setUpStage, type Stage, usual, useStage } from './support.ts';
import { walk } from './walk.ts';

interface Part {
  type: string;
  image_url?: { url: string };
}

interface ChatBody {
  messages: { role: string; content: string | Part[] }[];
}

const pixel =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

describe('attachments in the panel', () => {
  let stage: Stage;
  let page: Page;
  let panel: Panel;

  useStage(
    () => setUpStage(usual),
    async (fresh) => {
      stage = fresh;
      await writeFile(join(stage.workspace, '.env'), 'TOKEN=very-secret-token\n');
      ({ page, panel } = await stage.open());
      await panel.selectModel('scripted-echo');
    },
  );

  const chips = (): Locator =>
    panel.frame.locator('.composer').getByRole('list', { name: 'Attachments' }).getByRole('listitem');
  const mentions = () => panel.frame.getByRole('listbox', { name: 'Mentions' });
  const lastContent = () => {
    const asked = stage.sandbox.relay.requests.filter(({ path }) => path === '/v1/chat/completions');
    return (asked.at(-1)?.json as ChatBody | undefined)?.messages.at(-1)?.content;
  };
  const lastText = () => {
    const content = lastContent();
    assert.ok(typeof content === 'string');
    return withoutFacts(content);
  };
  const mention = async (text: string, name: string | RegExp) => {
    await panel.messageBox.pressSequentially(text);
    await mentions().getByRole('option', { name }).first().waitFor();
  };
  const send = async () => {
    const before = await panel.entries.count();
    await panel.messageBox.press('Enter');
    await panel.entries.nth(before + 1).waitFor();
    await panel.settled();
  };

  const typed = walk('are sent as they are named, picked, selected and pasted, but for secrets');

  typed('finds a file by @, shows it as a chip and sends what it holds', async () => {
    await mention('What is @READ', 'README.md');
    await screenshot(page, 'mentions');
    await panel.messageBox.press('Enter');
    await chips()
      .getByText(/about \d+ tokens/)
      .waitFor();
    await eventuallyEqual(() => panel.messageBox.inputValue(), 'What is @README.md ');
    await screenshot(page, 'attachment-chip');
    await send();
    assert.match(
      lastText(),
      /^<attachment-(\w+) kind="file" path="README\.md">\n# Tide Tables[\s\S]*<\/attachment-\1>\n\nWhat is @README\.md/,
    );
    await eventuallyEqual(() => chips().count(), 0);
    const sent = panel.frame.getByRole('article', { name: 'You' }).last();
    await sent.getByRole('listitem').getByText('README.md').waitFor();
  });

  typed('opens what was sent from its chip', async () => {
    const sent = panel.frame.getByRole('article', { name: 'You' }).last();
    await sent.getByRole('button', { name: 'README.md' }).click();
    await page.getByRole('tab', { name: /README\.md/ }).waitFor();
  });

  typed('refuses .env with its reason, whether typed or picked, and sends nothing of it', async () => {
    await mention('@.env', '.env');
    await panel.messageBox.press('Enter');
    await chips().getByText('Not sent: ".env" is an environment file and may contain secrets.').waitFor();
    await panel.button('Remove .env').click();
    await chips().first().waitFor({ state: 'detached' });

    await panel.button('Attach').press('Enter');
    await quickInputPick(page, '.env');
    await panel.button('Attach').and(panel.frame.locator(':focus')).waitFor();
    await chips()
      .getByText(/Not sent: .*environment file/)
      .waitFor();
    await screenshot(page, 'attachment-refused');
    await panel.messageBox.fill('What is in it?');
    await send();
    assert.match(lastText(), /<attachment-\w+ kind="file" path="\.env">\n\[Nothing of it was sent/);
    const everything = JSON.stringify(stage.sandbox.relay.requests.map(({ json }) => json ?? null));
    assert.ok(!everything.includes('very-secret-token'));
  });

  typed('attaches the selection with its lines', async () => {
    await openFile(page, 'src/tides.ts');
    await page.keyboard.press('Control+Home');
    for (let line = 0; line < 3; line++) await page.keyboard.press('Shift+ArrowDown');
    await mention('@sel', /^Selection/);
    await panel.messageBox.press('Tab');
    await chips()
      .getByText(/lines 1–3 · /)
      .waitFor();
    await send();
    assert.match(
      lastText(),
      /^<attachment-\w+ kind="selection" path="src\/tides\.ts" lines="1-3">\n\/\*\* One predicted high or low water\. \*\/\nexport interface Tide \{\n {2}time: Date;\n\n?<\/attachment-\w+>/,
    );
  });

  typed('keeps what is attached while the panel is hidden, until it is removed', async () => {
    await panel.messageBox.fill('');
    await mention('@harbour', 'harbour-rules.md');
    await panel.messageBox.press('Enter');
    await chips()
      .getByText(/about \d+ tokens/)
      .waitFor();
    await toggleSecondarySideBar(page);
    await page.locator('iframe.webview').first().waitFor({ state: 'hidden' });
    await toggleSecondarySideBar(page);
    await chips().getByText('harbour-rules.md').waitFor();
    await panel.button('Remove harbour-rules.md').press('Delete');
    await chips().first().waitFor({ state: 'detached' });
    await panel.messageBox.fill('');
  });

  typed('sends a pasted image', async () => {
    await panel.messageBox.evaluate((box, data) => {
      const bytes = Uint8Array.from(atob(data), (character) => character.charCodeAt(0));
      const clipboardData = new DataTransfer();
      clipboardData.items.add(new File([bytes], 'image.png', { type: 'image/png' }));
      box.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
    }, pixel);
    await chips().getByText('Image support of scripted-echo is unknown.').waitFor();
    await panel.messageBox.fill('What do you see?');
    await send();
    const content = lastContent();
    assert.ok(Array.isArray(content));
    assert.deepEqual(
      content.map(({ type, image_url }) => image_url?.url ?? type),
      ['text', `data:image/png;base64,${pixel}`],
    );
    await panel.entries.last().getByText('I was shown 1 images').waitFor();
  });

  const taken = walk('are dragged and added from where the editor shows files');

  taken('takes a file dragged from the explorer while Shift is held', async () => {
    await runCommand(page, 'View: Show Explorer');
    const row = page.locator('.explorer-folders-view').getByRole('treeitem', { name: 'README.md' });
    await row.waitFor();
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
    await panel.button('Remove README.md').click();
  });

  taken(
    'takes files from the explorer, a selection from the editor and a file from its tab by Add to Chat',
    async () => {
      await chooseInExplorer(page, ['README.md', 'docs'], 'Add to Chat');
      await chips().getByText('docs/').waitFor();
      await chips().getByText('README.md').waitFor();
      await panel.focused();
      await openFile(page, 'src/tides.ts');
      await page.locator('.editor-instance .monaco-editor.focused').waitFor();
      // The editor restores the cursor of a file that was open before.
      await page.keyboard.press('ControlOrMeta+Home');
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
      for (let left = 4; left > 0; left--) {
        await panel
          .button(/^Remove /)
          .first()
          .click();
        await eventuallyEqual(() => chips().count(), left - 1);
      }
    },
  );
});
