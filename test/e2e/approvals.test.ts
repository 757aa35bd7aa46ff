import assert from 'node:assert/strict';
import { access, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { screenshot } from '../host/screen.ts';
import {
  moveToSecondarySideBar,
  reloadWindow,
  runCommand,
  secondarySideBarTab,
  setInBackground,
  toggleSecondarySideBar,
} from '../host/workbench.ts';
import { eventually, eventuallyEqual } from '../support/eventually.ts';
import { type Panel, setUpStage, type Stage, usual, useStage } from './support.ts';
import { walk } from './walk.ts';

describe('approvals, wherever the user looks', () => {
  let stage: Stage;
  let page: Page;
  let panel: Panel;

  useStage(
    () => setUpStage(usual),
    async (fresh) => {
      stage = fresh;
      ({ page, panel } = await stage.open());
      await panel.selectModel('scripted-tools');
    },
  );

  const call = (name = 'create_file'): Locator => panel.frame.getByRole('group', { name: `Tool ${name}` });
  const allow = (name?: string) => call(name).last().getByRole('button', { name: 'Allow', exact: true });
  const ask = (path: string) =>
    panel.send(`call create_file with ${JSON.stringify({ path, content: `# ${path}\n` })}`);
  const text = (path: string) => readFile(join(stage.workspace, path), 'utf8');
  const exists = (path: string) =>
    access(join(stage.workspace, path)).then(
      () => true,
      () => false,
    );
  const statusItem = () => page.locator('.statusbar-item', { hasText: /needs? approval/ });
  const notification = (path: string) => page.locator('.notification-toast', { hasText: path });
  const proposalTab = () => page.locator('.tabs-container .tab', { hasText: /\(proposed/ });
  const told = () => {
    const request = stage.sandbox.relay.requests.findLast(({ path }) => path === '/v1/chat/completions');
    return (
      (request?.json as { messages: { content?: string }[] } | undefined)?.messages.at(-1)?.content ?? ''
    );
  };

  const inPanel = walk('are asked again, wherever the panel was meanwhile');

  // Runs first: the editor saves in its own time if the side bar is shown.
  inPanel('is asked again after the window was reloaded, and takes created folders back', async () => {
    await ask('deep/er/reloaded.md');
    await allow().waitFor();
    await reloadWindow(page);
    await call().getByText('The window was closed before you decided.').waitFor();
    await proposalTab().waitFor({ state: 'detached' });
    await screenshot(page, 'approval-reloaded');
    await panel.button('Continue').click();
    await allow().waitFor();
    await panel.focused();
    await page.keyboard.press('Control+Alt+P');
    await call().last().and(panel.frame.locator(':focus')).waitFor();
    await eventually(async () => {
      await page.keyboard.press('Control+Enter');
      assert.ok(await exists('deep/er/reloaded.md'));
    });
    await panel.settled();
    assert.equal(await text('deep/er/reloaded.md'), '# deep/er/reloaded.md\n');
    const changed = panel.frame.getByRole('group', { name: 'Changed files' });
    await changed.getByText('+1 −0').first().waitFor();
    await screenshot(page, 'approval-changed-files');
    await changed.getByRole('button', { name: 'Undo', exact: true }).click();
    await changed.getByText('undone', { exact: true }).waitFor();
    await eventuallyEqual(() => exists('deep'), false);
  });

  inPanel(
    'shows what it asks, again after the side bar was hidden and shown, and in the status bar',
    async () => {
      await panel.newChat();
      await ask('hidden.md');
      await allow().waitFor();
      await call().getByRole('group', { name: 'Content of the new file' }).getByText('# hidden.md').waitFor();
      await statusItem().waitFor();
      await screenshot(page, 'approval-asks');
      await toggleSecondarySideBar(page);
      await page.locator('.part.auxiliarybar').waitFor({ state: 'hidden' });
      await statusItem().waitFor();
      await toggleSecondarySideBar(page);
      await allow().click();
      await panel.settled();
      assert.equal(await text('hidden.md'), '# hidden.md\n');
      await statusItem().waitFor({ state: 'detached' });
    },
  );

  inPanel('asks again after another tab of the side bar was looked at', async () => {
    await panel.newChat();
    await moveToSecondarySideBar(page, 'Timeline');
    await secondarySideBarTab(page, 'Switchboard').click();
    await ask('tab.md');
    await allow().waitFor();
    await secondarySideBarTab(page, 'Timeline').click();
    await page.locator('iframe.webview').waitFor({ state: 'detached' });
    await statusItem().waitFor();
    await notification('tab.md').waitFor();
    await screenshot(page, 'approval-other-tab');
    await secondarySideBarTab(page, 'Switchboard').click();
    await call().getByRole('group', { name: 'Content of the new file' }).getByText('# tab.md').waitFor();
    // The notification would cover the message box, and closes by itself only after ten seconds.
    await notification('tab.md').waitFor({ state: 'detached', timeout: 5000 });
    await allow().click();
    await panel.settled();
    assert.equal(await text('tab.md'), '# tab.md\n');
    await statusItem().waitFor({ state: 'detached' });
    // A notification would cover the next test's panel.
    await runCommand(page, 'Notifications: Clear All Notifications');
  });

  const askToRun = async (input: object) => {
    await panel.messageBox.fill(`call run_command with ${JSON.stringify(input)}`);
    await panel.messageBox.press('Enter');
    await call('run_command').last().getByRole('button', { name: 'Deny' }).waitFor();
  };

  const inNotification = walk('are answered in a notification, or lead from there to what asks');

  inNotification(
    'is answered from the notification that says all of it while the panel is hidden, once',
    async () => {
      await askToRun({ command: 'touch told.md', reason: 'To keep notes' });
      await toggleSecondarySideBar(page);
      await notification('touch told.md').waitFor();
      await screenshot(page, 'approval-notification');
      await notification('touch told.md').getByRole('button', { name: 'Allow' }).click();
      await eventuallyEqual(() => exists('told.md'), true);
      await statusItem().waitFor({ state: 'detached' });
      await toggleSecondarySideBar(page);
      await panel.settled();
    },
  );

  inNotification('only shows what it does not say all of', async () => {
    await panel.newChat();
    await askToRun({ command: `touch ${'notes.md '.repeat(200)}` });
    await toggleSecondarySideBar(page);
    const buttons = notification('touch notes.md').getByRole('button', { name: /^(Allow|Deny|Show)$/ });
    await eventuallyEqual(() => buttons.allInnerTexts(), ['Show']);
    await screenshot(page, 'approval-notification-show');
    await buttons.click();
    const asked = call('run_command').last();
    await asked.getByText('… 1,806 characters …').waitFor();
    await screenshot(page, 'approval-folded');
    await asked.getByRole('button', { name: 'Show All', exact: true }).click();
    await asked.getByText('1,806 characters', { exact: true }).waitFor();
    await allow('run_command').waitFor();
    await screenshot(page, 'approval-unfolded');
    await asked.getByRole('button', { name: 'Deny' }).click();
    await asked.getByRole('textbox', { name: 'Reason for denying' }).press('Enter');
    await panel.settled();
    await runCommand(page, 'Notifications: Clear All Notifications');
  });

  inNotification('is told of in a window that is in the background, with the three answers', async () => {
    await panel.newChat();
    await setInBackground(page, true);
    await panel.messageBox.fill('run `touch away.md`');
    await panel.messageBox.press('Enter');
    const asked = notification('touch away.md');
    for (const name of ['Allow', 'Deny', 'Show']) await asked.getByRole('button', { name }).waitFor();
    await screenshot(page, 'approval-background');
    await asked.getByRole('button', { name: 'Deny' }).click();
    await setInBackground(page, false);
    await call('run_command').getByText('denied').waitFor();
    await panel.settled();
    assert.equal(await exists('away.md'), false);
  });

  inNotification('ignores the notification of a question that the diff editor answered', async () => {
    await panel.newChat();
    await ask('first.md');
    await allow().waitFor();
    await toggleSecondarySideBar(page);
    await notification('first.md').waitFor();
    await proposalTab().click();
    await screenshot(page, 'approval-diff');
    await page.getByRole('button', { name: 'Reject' }).click();
    await proposalTab().waitFor({ state: 'detached' });
    await eventually(() => assert.match(told(), /denied this call/));
    await toggleSecondarySideBar(page);
    await panel.settled();
    await ask('second.md');
    await allow().waitFor();
    await notification('first.md').waitFor({ state: 'detached' });
    await runCommand(page, 'Notifications: Show Notifications');
    await page
      .locator('.notifications-center .notification-list-item', { hasText: /Needs approval.*first\.md/ })
      .getByRole('button', { name: 'Show' })
      .click();
    await page.locator('.statusbar-item', { hasText: 'already allowed or denied' }).waitFor();
    // Other notifications cover the panel as long as the list is open.
    await runCommand(page, 'Notifications: Clear All Notifications');
    await allow().waitFor();
    assert.deepEqual([await exists('first.md'), await exists('second.md')], [false, false]);
    await page.getByRole('button', { name: 'Accept' }).click();
    await panel.settled();
    assert.equal(await exists('second.md'), true);
  });

  inNotification('finds the conversation that asks in the background', async () => {
    await panel.newChat();
    await ask('background.md');
    await allow().waitFor();
    await panel.newChat();
    const notice = panel.frame.getByText(/^Needs approval: .*background\.md.*call create_file with/);
    await notice.waitFor();
    assert.equal(await notification('background.md').count(), 0);
    await screenshot(page, 'approval-elsewhere');
    await page.getByRole('button', { name: /1 call needs approval/ }).click();
    await allow().waitFor();
    await notice.waitFor({ state: 'detached' });
    await allow().click();
    await panel.settled();
    assert.equal(await exists('background.md'), true);
  });

  it('keep the place and what is unfolded when the panel is hidden and shown', async () => {
    await panel.newChat();
    await panel.send('Read README.md and tell me the title');
    await panel.settled();
    await panel.selectModel('scripted-writer');
    await panel.send('Write 120 lines about tides');
    await panel.settled();
    await call('read_file').locator('summary').click();
    const result = () => call('read_file').getByRole('group', { name: 'Result' });
    await result().waitFor();
    const scroller = () => panel.frame.locator('.scroller');
    await scroller().evaluate((element) => element.scrollTo(0, 420));
    await panel.button('Jump to the End').waitFor();
    // The scroll position is saved once the view is still.
    const top = () =>
      panel.frame
        .locator('.entry.assistant')
        .last()
        .evaluate((el) => el.getBoundingClientRect().top);
    // Parts of the page load late, so the position counts once nothing moves.
    const before = await panel.frame
      .locator('.entry.assistant')
      .last()
      .evaluate(async (element) => {
        let last = NaN;
        for (let still = 0; still < 20; still++) {
          await new Promise(requestAnimationFrame);
          const now = element.getBoundingClientRect().top;
          if (now !== last) still = 0;
          last = now;
        }
        return last;
      });
    await toggleSecondarySideBar(page);
    await page.locator('.part.auxiliarybar').waitFor({ state: 'hidden' });
    await toggleSecondarySideBar(page);
    await result().waitFor({ state: 'attached' });
    await eventually(async () =>
      assert.ok(Math.abs((await top()) - before) < 4, `${await top()} was ${before}`),
    );
    await screenshot(page, 'panel-restored');
  });
});
