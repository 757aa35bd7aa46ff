import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { screenshot } from '../host/screen.ts';
import {
  quickInput,
  quickInputItem,
  isStored,
  reloadWindow,
  runCommand,
  toggleSecondarySideBar,
} from '../host/workbench.ts';
import { eventually, eventuallyEqual } from '../support/eventually.ts';
import { type Panel, setUpStage, type Stage, useStage } from './support.ts';
import { walk } from './walk.ts';

interface ChatBody {
  model: string;
  messages: { role: string; content: string }[];
}

describe('the chat panel', () => {
  let stage: Stage;
  let page: Page;
  let panel: Panel;

  useStage(
    () => setUpStage({ connected: true, sandbox: { chunkDelayMs: 8 } }),
    async (fresh) => {
      stage = fresh;
      ({ page, panel } = await stage.open());
    },
  );

  const asked = () =>
    stage.sandbox.relay.requests
      .filter(({ path }) => path === '/v1/chat/completions')
      .map(({ json }) => json as ChatBody);

  const step = walk('is talked in, stopped, reloaded, hidden and searched');

  step('is connected from the environment and has models', async () => {
    await panel.modelButton.waitFor();
    await panel.frame.getByText('from the environment').waitFor();
    await screenshot(page, 'connected');
  });

  step('answers a first message', async () => {
    await panel.selectModel('scripted-echo');
    const answer = await panel.send('What is a **switchboard**?');
    await panel.settled();
    await eventually(async () => assert.match(await answer.innerText(), /switchboard/));
    assert.equal(await answer.getAttribute('aria-label'), 'scripted-echo');
    await eventuallyEqual(() => panel.messageBox.inputValue(), '');
    await screenshot(page, 'first-answer');
  });

  step('changes only the model field when the model is switched in the middle', async () => {
    const [before] = asked().slice(-1);
    await panel.selectModel('scripted-reasoner');
    const answer = await panel.send('And now?');
    await panel.settled();
    await answer.getByText(/Thought/).waitFor();
    const [after] = asked().slice(-1);
    assert.ok(before && after);
    const { model: oldModel, messages: oldMessages, ...oldRest } = before;
    const { model: newModel, messages: newMessages, ...newRest } = after;
    assert.deepEqual([oldModel, newModel], ['scripted-echo', 'scripted-reasoner']);
    assert.deepEqual(newRest, oldRest);
    assert.deepEqual(newMessages.slice(0, oldMessages.length), oldMessages);
    await screenshot(page, 'reasoning');
  });

  step('is asked again with another model, of which those not for chat come last', async () => {
    const answer = panel.entries.last();
    await answer.hover();
    await answer.getByRole('button', { name: 'Retry with Another Model…' }).click();
    await quickInput(page).getByText('Retry with Another Model').waitFor();
    await page.keyboard.press('ArrowUp');
    const last = quickInputItem(page, 'scripted-whisper-1');
    await last.waitFor();
    await quickInput(page).getByText('Not for chat').waitFor();
    await screenshot(page, 'retry-not-for-chat');
    await page.keyboard.press('Escape');
    await last.waitFor({ state: 'detached' });
  });

  step('stops a long answer half-way, closes the socket and keeps what came', async () => {
    await panel.selectModel('scripted-writer');
    const answer = await panel.send('Write 2000 lines');
    await answer.getByRole('heading', { name: 'Part 2: rooms' }).waitFor();
    await screenshot(page, 'long-answer');
    await panel.button('Stop').click();
    await answer.getByText('You stopped this answer.').waitFor();
    const request = stage.sandbox.relay.requests.findLast(({ path }) => path === '/v1/chat/completions');
    await request?.ended;
    assert.equal(request?.closedEarly, true);
    await answer.getByRole('heading', { name: 'Part 2: rooms' }).waitFor();
    // Highlighting runs in a worker, which the panel's policy has to allow.
    await answer.locator('.hljs-keyword').first().waitFor();
    await screenshot(page, 'stopped');
  });

  step('goes on in the background, and is shown live when it is opened again', async () => {
    await panel.newChat();
    await panel.selectModel('scripted-writer');
    const answer = await panel.send('Write 3000 lines');
    await answer.getByRole('heading', { name: 'Part 2: rooms' }).waitFor();
    await panel.newChat();
    await panel.selectModel('scripted-echo');
    await panel.send('Something else meanwhile');
    await panel.settled();
    await panel.titleButton('History').click();
    const row = page.locator('.quick-input-list .monaco-list-row').filter({ hasText: 'Write 3000 lines' });
    await row.getByText('Running').waitFor();
    await screenshot(page, 'history-running');
    await row.click();
    await panel.button(/^Stop$/).waitFor();
    const length = async () => (await panel.entries.nth(1).innerText()).length;
    const seen = await length();
    await eventually(async () => assert.ok((await length()) > seen));
    await panel.button(/^Stop$/).click();
    await panel.frame.getByText('You stopped this answer.').waitFor();
  });

  step('says what happened, with the one button that helps', async () => {
    await panel.newChat();
    await panel.selectModel('fault/balance-403');
    await panel.send('Hello');
    await panel.alert.waitFor();
    await eventually(async () => assert.match(await panel.alert.innerText(), /balance|credit|quota/i));
    await panel.settled();
    assert.equal(await panel.alert.locator('.button').count(), 1);
    await screenshot(page, 'failure');
  });

  step('keeps what was typed and attached over another model, a reload and hiding', async () => {
    await panel.newChat();
    await panel.selectModel('scripted-echo');
    const first = await panel.send('Remember me');
    await panel.settled();
    const shown = await first.innerText();
    assert.match(shown, /Remember me/);
    const draft = 'Half a thought about @README.md ';
    await panel.messageBox.pressSequentially('Half a thought about @READ');
    await panel.frame.getByRole('option', { name: 'README.md' }).first().waitFor();
    await panel.messageBox.press('Enter');
    const chip = panel.frame.getByRole('list', { name: 'Attachments' }).getByText('README.md');
    await chip.waitFor();
    await panel.selectModel('scripted-writer');
    await eventuallyEqual(() => panel.messageBox.inputValue(), draft);

    await eventually(async () => assert.ok(await isStored(page, draft)));
    await reloadWindow(page);
    await panel.entries.nth(1).waitFor();
    await eventuallyEqual(() => panel.messageBox.inputValue(), draft);
    await eventuallyEqual(() => panel.entries.nth(1).innerText(), shown);
    await chip.waitFor();
    await panel.button('Model: scripted-writer').waitFor();

    // Reloading first: the editor saves in its own time if the side bar is shown.
    await toggleSecondarySideBar(page);
    await page.locator('iframe.webview').first().waitFor({ state: 'hidden' });
    await runCommand(page, 'Switchboard: Open Chat');
    await panel.entries.nth(1).waitFor();
    await eventuallyEqual(() => panel.messageBox.inputValue(), draft);
  });

  step('asks before it opens a link, showing its address, and opens nothing by itself', async () => {
    const answer = await panel.send('Write 20 lines');
    await panel.settled();
    const opened: string[] = [];
    page.context().on('page', (other) => opened.push(other.url()));
    const dialog = page.getByRole('dialog');
    const link = answer.getByRole('link').first();
    for (const button of ['left', 'middle'] as const) {
      await link.click({ button });
      await dialog.getByText('open the external website').waitFor();
      await dialog.getByText('https://example.com').waitFor();
      await screenshot(page, `link-asks-${button}`);
      assert.equal(await dialog.count(), 1);
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
      await link.and(panel.frame.locator(':focus')).waitFor();
    }
    // Anything opened by the click itself would have come before the second question.
    assert.deepEqual(opened, []);
  });

  step(
    'finds a text in the conversation by Ctrl+F, from the message box, and goes from message to message',
    async () => {
      await panel.messageBox.click();
      await page.keyboard.press('Control+F');
      const find = panel.frame.getByRole('search', { name: 'Find in conversation' });
      const box = find.getByRole('textbox');
      await box.and(panel.frame.locator(':focus')).waitFor();
      await page.keyboard.type('write 20 lines');
      await find.getByText(/^\d+ of \d+$/).waitFor();
      await screenshot(page, 'find');
      await page.keyboard.press('Escape');
      await find.waitFor({ state: 'detached' });
      await panel.messageBox.and(panel.frame.locator(':focus')).waitFor();
      await page.keyboard.press('Control+Alt+ArrowUp');
      await panel.frame.getByRole('article', { name: 'You' }).and(panel.frame.locator(':focus')).waitFor();
    },
  );

  step('says when the network is gone', async () => {
    await stage.sandbox.relay.stop();
    await panel.newChat();
    await panel.send('Anybody there?');
    await panel.alert.waitFor({ timeout: 60_000 });
    await eventually(async () => assert.match(await panel.alert.innerText(), /127\.0\.0\.1/));
    await screenshot(page, 'offline');
  });
});
