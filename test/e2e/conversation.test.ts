import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import {
  quickInput,
  quickInputAccept,
  quickInputType,
  reloadWindow,
  runCommand,
  screenshot,
} from '../host/workbench.ts';
import { withoutFacts } from '../servers/relay/chatRequest.ts';
import { eventually, eventuallyEqual } from '../support/eventually.ts';
import { setUpStage, type Panel, type Stage } from './support.ts';

describe('a conversation', () => {
  let stage: Stage;
  let page: Page;
  let panel: Panel;

  before(async () => {
    stage = await setUpStage({ connected: true, sandbox: { chunkDelayMs: 8 } });
    ({ page, panel } = await stage.open());
  });
  after(() => stage.close());

  const exactly = (name: string) => panel.frame.getByRole('button', { name, exact: true });
  const texts = async () => (await panel.entries.allInnerTexts()).map((text) => text.replaceAll('\n', ' '));
  const models = () =>
    stage.sandbox.relay.requests.filter(({ path }) => path === '/v1/chat/completions').length;

  it('goes on with an answer that was cut off, in the same entry', async () => {
    await panel.selectModel('fault/cut-then-repeats');
    const answer = await panel.send('Where is the harbour?');
    await panel.alert.waitFor();
    await panel.settled();
    assert.deepEqual(await panel.alert.locator('.button').allInnerTexts(), ['Continue', 'Retry']);
    await screenshot(page, 'cut-answer');
    await exactly('Continue').click();
    await answer.getByText(/^My fault: The connection closes/).waitFor();
    await panel.settled();
    assert.equal(await panel.alert.count(), 0);
    assert.equal(await panel.entries.count(), 2);
    assert.equal((await answer.innerText()).split('I saw 2 messages').length, 2);
    await screenshot(page, 'continued-answer');

    await reloadWindow(page);
    await eventually(async () => assert.match(await panel.entries.nth(1).innerText(), /My fault/));
    assert.equal(await exactly('Continue').count(), 0);
  });

  it('keeps what followed an answer that is asked for again, also when the window is reloaded', async () => {
    await panel.newChat();
    await panel.selectModel('scripted-echo');
    const first = await panel.send('First question');
    await panel.settled();
    await panel.send('Second question');
    await panel.settled();
    const before = await texts();
    await first.hover();
    await first.getByRole('button', { name: 'Retry', exact: true }).click();
    await panel.frame.getByText('2 of 2').waitFor();
    await panel.settled();
    await eventuallyEqual(() => panel.entries.count(), 2);
    await screenshot(page, 'second-version');
    await exactly('Previous version').click();
    await panel.frame.getByText('1 of 2').waitFor();
    await eventuallyEqual(() => panel.entries.count(), 4);
    assert.match((await texts())[2] ?? '', /Second question/);
    await screenshot(page, 'first-version');
    await reloadWindow(page);
    await panel.frame.getByText('1 of 2').waitFor();
    const shown = (await texts()).map((text) => text.replace(/ 1 of 2/, ''));
    assert.deepEqual(shown, before);
    // What is asked next is asked on this way.
    await panel.send('Third question');
    await panel.settled();
    const body = stage.sandbox.relay.requests.findLast(({ path }) => path === '/v1/chat/completions')
      ?.json as {
      messages: { role: string; content: string }[];
    };
    assert.deepEqual(
      body.messages.filter(({ role }) => role === 'user').map(({ content }) => withoutFacts(content)),
      ['First question', 'Second question', 'Third question'],
    );
  });

  it('edits a message by keys, and leads back to the way that was left, at the message and in History', async () => {
    const second = panel.entries.filter({ hasText: 'Second question' }).first();
    await panel.messageBox.fill('half a thought');
    await second.getByRole('button', { name: 'Edit' }).press('Enter');
    await panel.frame.getByText('Editing a message.').waitFor();
    await panel.focused();
    await eventuallyEqual(() => panel.messageBox.inputValue(), 'Second question');
    await page.keyboard.press('Escape');
    await eventuallyEqual(() => panel.messageBox.inputValue(), 'half a thought');
    await second.getByRole('button', { name: 'Edit' }).press('Enter');
    await eventuallyEqual(() => panel.messageBox.inputValue(), 'Second question');
    await panel.focused();
    // The editor selects all on its own time, if a key asks for it.
    await panel.messageBox.fill('Another question');
    await screenshot(page, 'message-edited');
    await page.keyboard.press('Enter');
    await panel.frame.getByText('2 of 2').waitFor();
    await panel.settled();
    await eventuallyEqual(() => panel.entries.count(), 4);
    assert.equal(await panel.messageBox.inputValue(), 'half a thought');
    await panel.messageBox.fill('');

    await runCommand(page, 'Switchboard: Focus on History View');
    const line = (name: RegExp) => page.getByRole('treeitem', { name });
    await line(/^First question, Open/)
      .locator('.monaco-tl-twistie')
      .click();
    await line(/^Another question, Shown/).waitFor();
    await screenshot(page, 'history-branches');
    await line(/^Second question$/).click();
    await eventuallyEqual(() => panel.entries.count(), 6);
    await line(/^Second question, Shown/).waitFor();
    await panel.entries.filter({ hasText: 'Third question' }).first().waitFor();
  });

  it('draws mathematics and diagrams under the policy of the editor', async () => {
    await panel.newChat();
    await panel.selectModel('scripted-echo');
    const answer = await panel.send('Draw $\\frac{a}{b}$\n\n```mermaid\nflowchart LR\n  A --> B\n```');
    await answer.locator('.math.drawn mfrac').waitFor();
    await answer.getByRole('img', { name: /^Diagram, flowchart/ }).waitFor();
    await panel.settled();
    await screenshot(page, 'drawn');
  });

  it('opens where a text was found, on the branch that was left', async () => {
    await panel.titleButton('History').click();
    await quickInputType(page, 'another question');
    await quickInput(page).locator('.monaco-list-row').filter({ hasText: 'First question' }).click();
    await eventuallyEqual(() => panel.entries.count(), 4);
    const find = panel.frame.getByRole('search', { name: 'Find in conversation' });
    await find.getByText('1 of 2').waitFor();
    assert.equal(await find.getByRole('textbox').inputValue(), 'another question');
    await screenshot(page, 'history-found');
    await find.getByRole('textbox').press('Escape');
  });

  it('is found by what was said in it, renamed, and brought back after it was deleted', async () => {
    const row = (text: string) => quickInput(page).locator('.monaco-list-row').filter({ hasText: text });
    const act = async (text: string, action: string) => {
      await row(text).hover();
      await row(text).getByRole('button', { name: action }).click();
    };
    await panel.titleButton('History').click();
    // The answer says that, the title does not.
    await quickInputType(page, 'connection closes');
    await row('Where is the harbour?').waitFor();
    await eventuallyEqual(() => quickInput(page).locator('.monaco-list-row').count(), 1);
    await act('Where is the harbour?', 'Rename');
    await quickInput(page).locator('.quick-input-title').getByText('Rename').waitFor();
    await quickInputType(page, 'Harbours and tides');
    await quickInputAccept(page);
    await act('Harbours and tides', 'Delete');
    await row('Harbours and tides').waitFor({ state: 'detached' });
    await panel.button('Undo').click();
    await panel.frame.getByText('Deleted "Harbours and tides".').waitFor({ state: 'detached' });
    await panel.titleButton('History').click();
    await row('Harbours and tides').click();
    await eventually(async () => assert.match(await panel.entries.nth(1).innerText(), /My fault/));
  });

  it('goes on in the background, is listed as running, and is shown live when it is opened again', async () => {
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
    await exactly('Stop').waitFor();
    const length = async () => (await panel.entries.nth(1).innerText()).length;
    const seen = await length();
    await eventually(async () => assert.ok((await length()) > seen));
    await exactly('Stop').click();
    await panel.frame.getByText('You stopped this answer.').waitFor();
  });

  it('queues what is sent while an answer comes', async () => {
    await panel.newChat();
    await panel.selectModel('scripted-writer');
    const items = panel.frame.getByRole('list', { name: 'Queued messages' }).getByRole('listitem');
    await panel.send('Write 3000 lines');
    await panel.messageBox.press('Enter');
    for (const [at, text] of ['Write 4 lines', 'Write 5 lines', 'Write 6 lines'].entries()) {
      await panel.messageBox.fill(text);
      await panel.messageBox.press('Enter');
      await eventuallyEqual(() => items.count(), at + 1);
      await eventuallyEqual(() => panel.messageBox.inputValue(), '');
    }
    await screenshot(page, 'queue');
    await items.nth(1).getByRole('button', { name: 'Edit' }).click();
    await eventuallyEqual(() => panel.messageBox.inputValue(), 'Write 5 lines');
    await eventuallyEqual(() => items.count(), 2);
    await panel.messageBox.fill('');
    // Stopped, the queue waits, also for the next window.
    await exactly('Stop').click();
    await panel.frame.getByText('The queue is paused.').waitFor();
    await screenshot(page, 'queue-paused');
    const asked = models();
    await reloadWindow(page);
    await eventuallyEqual(() => items.count(), 2);
    assert.equal(models(), asked);
    await items.first().getByRole('button', { name: 'Send now' }).click();
    await eventuallyEqual(() => items.count(), 0);
    await eventuallyEqual(() => panel.entries.count(), 6);
    await panel.settled();
    assert.match((await texts())[2] ?? '', /Write 4 lines/);
    assert.match((await texts())[4] ?? '', /Write 6 lines/);
    assert.equal(models(), asked + 2);
  });
});
