import assert from 'node:assert/strict';
import { access, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { screenshot } from '../host/screen.ts';
import {
  isStored,
  openFile,
  quickInput,
  quickInputType,
  reloadWindow,
  runCommand,
  setInBackground,
  toggleSecondarySideBar,
} from '../host/workbench.ts';
import { textOf } from '../servers/relay/chatRequest.ts';
import { eventually, eventuallyEqual } from '../support/eventually.ts';
import { newestRequest, type Panel, setUpStage, type Stage, usual, useStage } from './support.ts';
import { walk } from './walk.ts';

describe('the chat panel', () => {
  let stage: Stage;
  let page: Page;
  let panel: Panel;
  const first = 'one\ntwo\nthree\nfour\nfive\nsix\n';
  const second = 'alpha\nbeta\n';

  useStage(
    () => setUpStage(usual),
    async (fresh) => {
      stage = fresh;
      await writeFile(join(stage.workspace, 'first.txt'), first);
      await writeFile(join(stage.workspace, 'second.txt'), second);
      ({ page, panel } = await stage.open());
    },
  );

  const exactly = (name: string) => panel.frame.getByRole('button', { name, exact: true });
  const call = (name: string): Locator => panel.calls(name).last();
  const hasFocus = (element: Locator) => element.and(panel.frame.locator(':focus')).waitFor();
  const file = (path: string) => readFile(join(stage.workspace, path), 'utf8');
  const exists = (path: string) =>
    access(join(stage.workspace, path)).then(
      () => true,
      () => false,
    );
  const told = () => textOf(newestRequest(stage).messages.at(-1));

  const talk = walk('is talked in, left and found again');

  talk('is connected from the environment, and answers', async () => {
    await panel.modelButton.waitFor();
    await panel.frame.getByText('from the environment').waitFor();
    await screenshot(page, 'connected');
    await panel.selectModel('scripted-echo');
    const answer = await panel.send('What is a **switchboard**?');
    await panel.settled();
    await answer.getByText('switchboard').first().waitFor();
    assert.equal(await answer.getAttribute('aria-label'), 'scripted-echo');
    await eventuallyEqual(() => panel.messageBox.inputValue(), '');
    await screenshot(page, 'first-answer');
  });

  talk('draws under the policy of the editor, and asks before it opens a link', async () => {
    const link = 'See <https://example.com/tides>, $\\frac{a}{b}$';
    const code = '```js\nconst a = 1;\n```\n\n```mermaid\nflowchart LR\n  A --> B\n```';
    const answer = await panel.send(`${link}\n\n${code}`);
    await answer.locator('.math.drawn mfrac').waitFor();
    await answer.getByRole('img', { name: /^Diagram, flowchart/ }).waitFor();
    // Highlighting runs in a worker, which the panel's policy has to allow.
    await answer.locator('.hljs-keyword').first().waitFor();
    await panel.settled();
    await screenshot(page, 'drawn');
    const opened: string[] = [];
    page.context().on('page', (other) => opened.push(other.url()));
    const dialog = page.getByRole('dialog');
    for (const button of ['left', 'middle'] as const) {
      await answer.getByRole('link').click({ button });
      await dialog.getByText('open the external website').waitFor();
      await dialog.getByText('https://example.com').waitFor();
      await screenshot(page, `link-asks-${button}`);
      assert.equal(await dialog.count(), 1);
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
      await hasFocus(answer.getByRole('link'));
    }
    // Anything opened by the click itself would have come before the second question.
    assert.deepEqual(opened, []);
  });

  const field = () => panel.frame.getByRole('textbox', { name: 'Edit Message' });

  talk(
    'has what was typed, attached and chosen after a reload, and its place when it was hidden',
    async () => {
      await panel.newChat();
      const question = await panel.send('First question');
      await panel.settled();
      await panel.send('The tide turns.\n\n'.repeat(60));
      await panel.settled();
      await question.hover();
      await question.getByRole('button', { name: 'Retry', exact: true }).click();
      await panel.frame.getByText('2 of 2').waitFor();
      await panel.settled();
      await exactly('Previous version').click();
      await panel.frame.getByText('1 of 2').waitFor();
      await eventuallyEqual(() => panel.entries.count(), 4);

      const draft = 'Half a thought about @README.md ';
      await panel.messageBox.pressSequentially('Half a thought about @READ');
      await panel.frame.getByRole('option', { name: 'README.md' }).first().waitFor();
      await panel.messageBox.press('Enter');
      const chip = panel.frame.getByRole('list', { name: 'Attachments' }).getByText('README.md');
      await chip.waitFor();
      await panel.entries.first().getByRole('button', { name: 'Edit' }).press('Enter');
      await hasFocus(field());
      // The editor's own "select all" is asynchronous.
      await field().fill('Half an edit');
      for (const text of [draft, 'Half an edit'])
        await eventually(async () => assert.ok(await isStored(page, text), text));
      await reloadWindow(page);
      await eventuallyEqual(() => field().inputValue(), 'Half an edit');
      await eventuallyEqual(() => panel.messageBox.inputValue(), draft);
      await chip.waitFor();
      await panel.frame.getByText('1 of 2').waitFor();
      await panel.button('Model: scripted-echo').waitFor();
      await screenshot(page, 'reloaded');
      await field().press('Escape');
      await field().waitFor({ state: 'detached' });

      // Reloading first: the editor saves in its own time if the side bar is shown.
      const last = panel.entries.last();
      const top = () => last.evaluate((element) => element.getBoundingClientRect().top);
      await panel.frame.locator('.scroller').evaluate((element) => element.scrollTo(0, 420));
      await exactly('Jump to the End').waitFor();
      // Parts of the page load late, so the position counts once nothing moves.
      const before = await last.evaluate(async (element) => {
        let at = NaN;
        for (let still = 0; still < 20; still++) {
          await new Promise(requestAnimationFrame);
          const now = element.getBoundingClientRect().top;
          if (now !== at) still = 0;
          at = now;
        }
        return at;
      });
      await toggleSecondarySideBar(page);
      await page.locator('iframe.webview').first().waitFor({ state: 'hidden' });
      await runCommand(page, 'Switchboard: Open Chat');
      await eventuallyEqual(() => panel.messageBox.inputValue(), draft);
      await eventually(async () =>
        assert.ok(Math.abs((await top()) - before) < 4, `${await top()} was ${before}`),
      );
      await panel.focused();
      await panel.begin(() => panel.messageBox.press('Enter'));
      await panel.settled();
    },
  );

  talk('is found by what was said, on the branch that was left, and searched by keys', async () => {
    await exactly('Next version').click();
    await eventuallyEqual(() => panel.entries.count(), 2);
    await panel.titleButton('History').click();
    await quickInputType(page, 'half a thought');
    await quickInput(page).locator('.monaco-list-row').filter({ hasText: 'First question' }).click();
    await eventuallyEqual(() => panel.entries.count(), 6);
    const find = panel.frame.getByRole('search', { name: 'Find in conversation' });
    await find.getByText('1 of 2').waitFor();
    await eventuallyEqual(() => find.getByRole('textbox').inputValue(), 'half a thought');
    await screenshot(page, 'history-found');
    await find.getByRole('textbox').press('Escape');
    await find.waitFor({ state: 'detached' });
    await panel.messageBox.click();
    await page.keyboard.press('Control+F');
    await hasFocus(find.getByRole('textbox'));
    await page.keyboard.press('Escape');
    await find.waitFor({ state: 'detached' });
    await hasFocus(panel.messageBox);
    await page.keyboard.press('Control+Alt+ArrowUp');
    await hasFocus(panel.frame.getByRole('article', { name: 'You' }));
  });

  talk('keeps for later what Alt+Enter says, which waits once the turn is stopped', async () => {
    await panel.newChat();
    await panel.selectModel('scripted-tools');
    const input = { command: 'until test -e never; do sleep 0.1; done', reason: 'To wait' };
    await panel.send(`call run_command with ${JSON.stringify(input)}`);
    await panel.allow('run_command').click();
    await call('run_command')
      .getByText(/^Running/)
      .waitFor();
    const queued = panel.frame.getByRole('list', { name: 'Queued messages' }).getByRole('listitem');
    const texts = async () => (await queued.allInnerTexts()).map((text) => text.split(/\s*\n\s*/));
    await panel.messageBox.fill('Later');
    await panel.messageBox.press('Alt+Enter');
    await eventuallyEqual(texts, [['Later', 'Later']]);
    await panel.messageBox.fill('For this turn');
    await panel.messageBox.press('Enter');
    await eventuallyEqual(texts, [
      ['For this turn', 'After this step'],
      ['Later', 'Later'],
    ]);
    await screenshot(page, 'steering-queue');
    await exactly('Stop').click();
    await panel.frame.getByText('The queue is paused.').waitFor();
    assert.equal(await queued.count(), 2);
    await screenshot(page, 'steering-paused');
    await exactly('Resume').click();
    await eventuallyEqual(() => queued.count(), 0);
    await eventuallyEqual(() => panel.frame.getByRole('article', { name: 'You' }).count(), 3);
    await panel.settled();
    assert.match(told(), /Later$/);
  });

  const tab = (name: RegExp) => page.locator('.tabs-container .tab', { hasText: name });
  const changed = () => panel.frame.getByRole('group', { name: 'Changed files' });
  const notification = (text: string) => page.locator('.notification-toast', { hasText: text });
  const edit = (path: string, ...changes: [string, string][]) => {
    const replacements = changes.map(([oldText, newText]) => ({ oldText, newText }));
    return `call edit_file with ${JSON.stringify({ path, replacements })}`;
  };
  const create = (path: string) => `call create_file with ${JSON.stringify({ path, content: 'made\n' })}`;

  const work = walk('asks before it changes anything, wherever the user looks, and takes changes back');

  work('keeps an undone hunk and asks again after a reload, and is answered by keys', async () => {
    await panel.newChat();
    await panel.selectModel('scripted-tools');
    await panel.send(edit('first.txt', ['two', 'TWO'], ['five', 'FIVE']));
    await panel.allow('edit_file').click();
    await panel.settled();
    await exactly('Show changes of first.txt').click();
    await exactly('Undo the change at line 2').click();
    const left = 'one\ntwo\nthree\nfour\nFIVE\nsix\n';
    await eventuallyEqual(() => file('first.txt'), left);
    await panel.send(create('reloaded.txt'));
    await panel.allow('create_file').waitFor();
    await reloadWindow(page);
    await call('create_file').getByText('The window was closed before you decided.').waitFor();
    await tab(/\(proposed/).waitFor({ state: 'detached' });
    const unfold = exactly('Show changes of first.txt');
    const kept = exactly('Keep the change at line 5');
    // The editor restores unfolded sections in its own time.
    await unfold.or(kept).first().waitFor();
    if (await unfold.isVisible()) await unfold.click();
    await kept.waitFor();
    assert.equal(await panel.button(/change at line 2/).count(), 0);
    assert.equal(await file('first.txt'), left);
    await screenshot(page, 'approval-reloaded');
    await exactly('Continue').click();
    await panel.allow('create_file').waitFor();
    await panel.focused();
    await page.keyboard.press('Control+Alt+P');
    await hasFocus(call('create_file'));
    assert.equal(await exists('reloaded.txt'), false);
    await eventually(async () => {
      await page.keyboard.press('Control+Enter');
      assert.ok(await exists('reloaded.txt'));
    });
    await panel.settled();
  });

  work('asks in a notification while its window or the panel is not looked at', async () => {
    await panel.newChat();
    await setInBackground(page, true);
    await panel.send('run `touch away.txt`');
    for (const name of ['Allow', 'Deny', 'Show'])
      await notification('touch away.txt').getByRole('button', { name }).waitFor();
    await screenshot(page, 'approval-background');
    await notification('touch away.txt').getByRole('button', { name: 'Deny' }).click();
    await setInBackground(page, false);
    await call('run_command').getByText('denied').waitFor();
    await panel.settled();
    await panel.send('run `touch told.txt`');
    await panel.allow('run_command').waitFor();
    const asking = page.locator('.statusbar-item', { hasText: '1 call needs approval' });
    await asking.waitFor();
    assert.equal(await notification('touch told.txt').count(), 0);
    await toggleSecondarySideBar(page);
    await notification('touch told.txt').getByRole('button', { name: 'Allow' }).click();
    await eventuallyEqual(() => exists('told.txt'), true);
    await asking.waitFor({ state: 'detached' });
    await toggleSecondarySideBar(page);
    await panel.settled();
    assert.equal(await exists('away.txt'), false);
  });

  work('is answered above the diff of what it proposes, and undone there, by button and by key', async () => {
    await panel.newChat();
    const answer = async (name: RegExp, button: string) => {
      await tab(name).waitFor();
      await page.locator('.editor-actions').getByRole('button', { name: button }).click();
    };
    await panel.send(edit('second.txt', ['alpha', 'ALPHA']));
    await answer(/second\.txt \(proposed/, 'Reject');
    await eventually(() => assert.match(told(), /denied this call/));
    await panel.settled();
    assert.equal(await file('second.txt'), second);
    await panel.send(`${create('made.txt')}\n${edit('second.txt', ['beta', 'BETA'])}`);
    await answer(/made\.txt \(proposed/, 'Accept');
    await answer(/second\.txt \(proposed/, 'Accept');
    await panel.settled();
    assert.equal(await file('second.txt'), 'alpha\nBETA\n');
    await page.getByRole('button', { name: '4 files to review' }).waitFor();
    await page.locator('.explorer-folders-view [aria-label*="Changes to review"]').first().waitFor();

    await changed().getByRole('button', { name: '2 files changed' }).click();
    await tab(/2 files changed in this turn/).waitFor();
    await screenshot(page, 'review-turn');
    await page.locator('.modified .view-line', { hasText: /^made$/ }).click();
    await page.keyboard.press('Control+Alt+U');
    await eventuallyEqual(() => exists('made.txt'), false);

    await runCommand(page, 'View: Close All Editors');
    await changed().getByRole('button', { name: 'second.txt', exact: true }).click();
    await tab(/second\.txt \(changed in this turn/).waitFor();
    await page.locator('.modified .view-line', { hasText: /^BETA$/ }).click();
    const actions = page.locator('.editor-actions').filter({ visible: true });
    await eventuallyEqual(() => actions.getByRole('button', { name: /(Previous|Next) Change/ }).count(), 2);
    await screenshot(page, 'review-diff');
    await actions.getByRole('button', { name: /^Undo Change/ }).click();
    await eventuallyEqual(() => file('second.txt'), second);
    await changed().getByText('undone', { exact: true }).nth(1).waitFor();
  });

  work('edits inline at the code by keys alone, which leads back into the code', async () => {
    await openFile(page, 'second.txt');
    await page.keyboard.press('Control+End');
    await page.keyboard.press('ArrowUp');
    await runCommand(page, 'Switchboard: Edit Inline…');
    const request = page.locator('.review-widget');
    const box = request.locator('.native-edit-context, textarea').and(page.locator(':focus'));
    await box.waitFor({ state: 'attached' });
    await page.keyboard.type('replace beta with gamma');
    await screenshot(page, 'inline-request');
    await page.keyboard.press('Enter');
    await eventuallyEqual(() => file('second.txt'), 'alpha\ngamma\n');
    await request.getByRole('button', { name: 'Change Request' }).waitFor();
    await box.waitFor({ state: 'attached' });
    await screenshot(page, 'inline-edited');
    await page.keyboard.press('Escape');
    await eventuallyEqual(() => request.count(), 0);
    assert.equal(await page.getByRole('tab', { name: 'Comments', selected: true }).count(), 0);
    await page.locator('.editor-instance :focus').waitFor({ state: 'attached' });
  });
});
