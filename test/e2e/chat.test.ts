import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { reloadWindow, runCommand, screenshot, toggleSecondarySideBar } from '../host/workbench.ts';
import { axeViolations } from '../support/axe.ts';
import { eventually, eventuallyEqual } from '../support/eventually.ts';
import { recordedModels } from '../servers/faults/recorded.ts';
import { setUpStage, type Panel, type Stage } from './support.ts';

interface ChatBody {
  model: string;
  messages: { role: string; content: string }[];
}

describe('the chat panel', () => {
  let stage: Stage;
  let page: Page;
  let panel: Panel;

  before(async () => {
    stage = await setUpStage({ connected: true, sandbox: { chunkDelayMs: 8, models: recordedModels } });
    ({ page, panel } = await stage.open());
  });
  after(() => stage.close());

  const asked = () =>
    stage.sandbox.relay.requests
      .filter(({ path }) => path === '/v1/chat/completions')
      .map(({ json }) => json as ChatBody);

  it('is connected from the environment and has models', async () => {
    await panel.modelButton.waitFor();
    await panel.frame.getByText('from the environment').waitFor();
    await screenshot(page, 'connected');
  });

  it('answers a first message', async () => {
    await panel.selectModel('scripted-echo');
    const answer = await panel.send('What is a **switchboard**?');
    await panel.settled();
    await eventually(async () => assert.match(await answer.innerText(), /switchboard/));
    assert.equal(await answer.getAttribute('aria-label'), 'scripted-echo');
    await eventuallyEqual(() => panel.messageBox.inputValue(), '');
    await screenshot(page, 'first-answer');
  });

  it('changes only the model field when the model is switched in the middle', async () => {
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

  it('stops a long answer half-way, closes the socket and keeps what came', async () => {
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
    // In a worker, which the panel's policy has to let in.
    await answer.locator('.hljs-keyword').first().waitFor();
    await screenshot(page, 'stopped');
  });

  for (const { model, says } of [
    { model: 'fault/cut-mid-answer', says: /cut off|broke off|ended before/i },
    { model: 'fault/error-inside-200', says: /./ },
    { model: 'fault/empty-reply', says: /without an answer/ },
    { model: 'fault/html-page', says: /address/i },
    { model: 'fault/balance-403', says: /balance|credit|quota/i },
    {
      model: 'recorded/litellm/nomoney',
      says: /has no credit left[^]*Your key and balance are fine[^]*You exceeded your current quota/,
    },
    { model: 'recorded/new-api/429-long', says: /Try again in 10 min[^]*Please try again in 600s/ },
  ]) {
    it(`says what happened with ${model}, with one button`, async () => {
      await panel.newChat();
      await panel.selectModel(model);
      await panel.send('Hello');
      await panel.alert.waitFor();
      await eventually(async () => assert.match(await panel.alert.innerText(), says));
      await panel.settled();
      const buttons = await panel.alert.locator('.button').allInnerTexts();
      // Beside the one button that helps, what was cut off can be gone on with.
      assert.equal(buttons.filter((name) => name !== 'Continue').length, 1);
      const wasBegun = ['fault/cut-mid-answer', 'fault/error-inside-200'].includes(model);
      assert.equal(buttons.includes('Continue'), wasBegun);
      await screenshot(page, model.replaceAll('/', '-'));
    });
  }

  it('shows a wait with its reason, which stays when the wait is cancelled', async () => {
    await panel.newChat();
    await panel.selectModel('recorded/one-api/429');
    await panel.send('Hello');
    await panel.frame.getByText('Retrying in').getByText('当前分组上游负载已饱和').first().waitFor();
    await screenshot(page, 'retrying');
    await panel.button('Cancel').click();
    await eventually(async () => assert.match(await panel.alert.innerText(), /Rate limit reached/));
    await panel.settled();
    assert.match(await panel.alert.innerText(), /当前分组上游负载已饱和/);
    assert.equal(asked().filter(({ model }) => model === 'recorded/one-api/429').length, 1);
    await panel.alert.getByText('Details', { exact: true }).click();
    await panel.alert.getByText('Request ID: 2026112119440797795926053416374').waitFor();
    await screenshot(page, 'cancelled-wait');
  });

  it('keeps what was typed when the panel is hidden, the window reloaded and the model switched', async () => {
    await panel.newChat();
    await panel.selectModel('scripted-echo');
    const first = await panel.send('Remember me');
    await panel.settled();
    const shown = await first.innerText();
    assert.match(shown, /Remember me/);
    await panel.messageBox.fill('Half a thought');
    await panel.selectModel('scripted-writer');
    await eventuallyEqual(() => panel.messageBox.inputValue(), 'Half a thought');

    await toggleSecondarySideBar(page);
    await page.locator('iframe.webview').first().waitFor({ state: 'hidden' });
    await runCommand(page, 'Switchboard: Open Chat');
    await panel.entries.nth(1).waitFor();
    await eventuallyEqual(() => panel.messageBox.inputValue(), 'Half a thought');

    await reloadWindow(page);
    await panel.entries.nth(1).waitFor();
    await eventuallyEqual(() => panel.messageBox.inputValue(), 'Half a thought');
    await eventuallyEqual(() => panel.entries.nth(1).innerText(), shown);
    await panel.button('Model: scripted-writer').waitFor();
  });

  it('asks before it opens a link, showing its address, and opens nothing by itself', async () => {
    const answer = await panel.send('Write 20 lines');
    await panel.settled();
    const opened: string[] = [];
    page.context().on('page', (other) => opened.push(other.url()));
    const dialog = page.getByRole('dialog');
    const link = answer.getByRole('link').first();
    for (const button of ['left', 'middle'] as const) {
      await link.click({ button });
      await dialog.getByText('Open this link from an answer?').waitFor();
      await dialog.getByText('https://example.com').waitFor();
      await screenshot(page, `link-asks-${button}`);
      assert.equal(await dialog.count(), 1);
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
      await link.and(panel.frame.locator(':focus')).waitFor();
    }
    // What a click opens by itself would have come before the second question did.
    assert.deepEqual(opened, []);
  });

  it('finds a text in the conversation by Ctrl+F, from the message box, and goes from message to message', async () => {
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
  });

  it('has nothing that axe objects to', async () => {
    assert.deepEqual(await axeViolations(panel.frame.locator('#root')), []);
  });

  it('says when the network is gone', async () => {
    await stage.sandbox.relay.stop();
    await panel.newChat();
    await panel.send('Anybody there?');
    await panel.alert.waitFor({ timeout: 60_000 });
    await eventually(async () => assert.match(await panel.alert.innerText(), /127\.0\.0\.1/));
    await screenshot(page, 'offline');
  });
});
