import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { screenshot } from '../host/screen.ts';
import {
  isStored,
  quickInput,
  quickInputAccept,
  quickInputType,
  reloadWindow,
  runCommand,
} from '../host/workbench.ts';
import { withoutFacts } from '../servers/relay/chatRequest.ts';
import { eventually, eventuallyEqual } from '../support/eventually.ts';
import { type Panel, setUpStage, type Stage, usual, useStage } from './support.ts';
import { walk } from './walk.ts';

describe('a conversation', () => {
  let stage: Stage;
  let page: Page;
  let panel: Panel;

  useStage(
    () => setUpStage(usual),
    async (fresh) => {
      stage = fresh;
      ({ page, panel } = await stage.open());
    },
  );

  const exactly = (name: string) => panel.frame.getByRole('button', { name, exact: true });
  const texts = async () => (await panel.entries.allInnerTexts()).map((text) => text.replaceAll('\n', ' '));

  const step = walk('has versions and branches, and is found in History');

  step('keeps what followed an answer that is asked for again, over a reload', async () => {
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
    const shown = async () => (await texts()).map((text) => text.replace(/ 1 of 2/, ''));
    await eventuallyEqual(shown, before);
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

  step(
    'edits a message in its place, over a reload, and leads back to the way that was left, at the message and in History',
    async () => {
      const second = panel.entries.filter({ hasText: 'Second question' }).first();
      const field = panel.frame.getByRole('textbox', { name: 'Edit Message' });
      const edit = second.getByRole('button', { name: 'Edit' });
      await panel.messageBox.fill('half a thought');
      await edit.press('Enter');
      await field.and(panel.frame.locator(':focus')).waitFor();
      assert.equal(await field.inputValue(), 'Second question');
      await page.keyboard.press('Escape');
      await edit.and(panel.frame.locator(':focus')).waitFor();
      await edit.press('Enter');
      await field.and(panel.frame.locator(':focus')).waitFor();
      // The editor's own "select all" is asynchronous.
      await field.fill('Half an edit');
      await eventually(async () => assert.ok(await isStored(page, 'Half an edit')));
      await reloadWindow(page);
      await eventuallyEqual(() => field.inputValue(), 'Half an edit');
      await eventuallyEqual(() => panel.messageBox.inputValue(), 'half a thought');
      await field.fill('Another question');
      await screenshot(page, 'message-edited');
      await field.press('Enter');
      await panel.frame.getByText('2 of 2').waitFor();
      await panel.settled();
      await eventuallyEqual(() => panel.entries.count(), 4);
      await eventuallyEqual(() => panel.messageBox.inputValue(), 'half a thought');
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
    },
  );

  step('opens where a text was found, on the branch that was left', async () => {
    await panel.titleButton('History').click();
    await quickInputType(page, 'another question');
    await quickInput(page).locator('.monaco-list-row').filter({ hasText: 'First question' }).click();
    await eventuallyEqual(() => panel.entries.count(), 4);
    const find = panel.frame.getByRole('search', { name: 'Find in conversation' });
    await find.getByText('1 of 2').waitFor();
    await eventuallyEqual(() => find.getByRole('textbox').inputValue(), 'another question');
    await screenshot(page, 'history-found');
    await find.getByRole('textbox').press('Escape');
  });

  step('begins with what fits the workspace, in mode Ask', async () => {
    await panel.newChat();
    await panel.button('Explain This Project').click();
    await panel.entries.filter({ hasText: 'Explain this project' }).first().waitFor();
    await panel.settled();
    const question = panel.entries.first();
    await question.getByRole('list', { name: 'Attachments' }).getByRole('listitem').waitFor();
    await panel.button('Mode: Ask').waitFor();
    await screenshot(page, 'explain-project');
  });

  step('draws mathematics and diagrams under the policy of the editor', async () => {
    await panel.newChat();
    await panel.selectModel('scripted-echo');
    const answer = await panel.send('Draw $\\frac{a}{b}$\n\n```mermaid\nflowchart LR\n  A --> B\n```');
    await answer.locator('.math.drawn mfrac').waitFor();
    await answer.getByRole('img', { name: /^Diagram, flowchart/ }).waitFor();
    await panel.settled();
    await screenshot(page, 'drawn');
  });

  step('is found by what was said in it, renamed, and brought back after it was deleted', async () => {
    const row = (text: string) => quickInput(page).locator('.monaco-list-row').filter({ hasText: text });
    const act = async (text: string, action: string) => {
      await row(text).hover();
      await row(text).getByRole('button', { name: action }).click();
    };
    await panel.titleButton('History').click();
    await quickInputType(page, 'third question');
    await eventuallyEqual(() => quickInput(page).locator('.monaco-list-row').count(), 1);
    await act('First question', 'Rename');
    await quickInput(page).locator('.quick-input-title').getByText('Rename').waitFor();
    await quickInputType(page, 'Harbours and tides');
    await quickInputAccept(page);
    await act('Harbours and tides', 'Delete');
    await row('Harbours and tides').waitFor({ state: 'detached' });
    await panel.button('Undo').click();
    await panel.frame.getByText('Deleted "Harbours and tides".').waitFor({ state: 'detached' });
    await panel.titleButton('History').click();
    await row('Harbours and tides').click();
    await panel.entries.filter({ hasText: 'First question' }).first().waitFor();
  });

  step(
    'is as it was when History is dismissed, and leaves the focus in the box when it is deleted',
    async () => {
      await panel.newChat();
      await panel.selectModel('scripted-echo');
      await panel.send('The tide turns.\n\n'.repeat(60));
      await panel.settled();
      const scroller = panel.frame.locator('.scroller');
      const copy = panel.entries.last().getByRole('button', { name: 'Copy', exact: true });
      await copy.focus();
      await scroller.evaluate((element) => element.scrollTo(0, 300));
      const top = () => scroller.evaluate((element) => Math.round(element.scrollTop));
      await eventuallyEqual(top, 300);
      const before = await texts();
      for (const open of [
        () => runCommand(page, 'Switchboard: Show History'),
        () => panel.titleButton('History').click(),
      ]) {
        await open();
        await quickInput(page).getByText('History', { exact: true }).waitFor();
        await page.keyboard.press('Escape');
        await quickInput(page).waitFor({ state: 'hidden' });
        assert.deepEqual([await texts(), await top()], [before, 300]);
      }
    },
  );
});
