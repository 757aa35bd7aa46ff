import assert from 'node:assert/strict';
import { access, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import {
  moveToSecondarySideBar,
  reloadWindow,
  screenshot,
  secondarySideBarTab,
  toggleSecondarySideBar,
} from '../host/workbench.ts';
import { withoutFacts } from '../servers/relay/chatRequest.ts';
import { eventuallyEqual } from '../support/eventually.ts';
import { setUpStage, type Panel, type Stage, usual } from './support.ts';

interface Body {
  messages: { role: string; content?: string; tool_calls?: unknown[] }[];
}

describe('what the user says while the assistant works', () => {
  let stage: Stage;
  let page: Page;
  let panel: Panel;

  before(async () => {
    stage = await setUpStage(usual);
    ({ page, panel } = await stage.open());
    await panel.selectModel('scripted-agent');
  });
  after(() => stage.close());

  const exactly = (name: string) => panel.frame.getByRole('button', { name, exact: true });
  const call = (name: string): Locator => panel.frame.getByRole('group', { name: `Tool ${name}` }).last();
  const queued = () => panel.frame.getByRole('list', { name: 'Queued messages' }).getByRole('listitem');
  const texts = async () => (await queued().allInnerTexts()).map((text) => text.split(/\s*\n\s*/));
  const bodies = () =>
    stage.sandbox.relay.requests
      .filter(({ path }) => path === '/v1/chat/completions')
      .map(({ json }) => json as Body);
  const said = () => panel.frame.getByRole('article', { name: 'You', exact: true });
  const exists = (path: string) =>
    access(join(stage.workspace, path)).then(
      () => true,
      () => false,
    );

  /** Hands a message in, and waits until it is taken. */
  const say = async (text: string, key = 'Enter') => {
    const before = await queued().count();
    await panel.messageBox.fill(text);
    await panel.messageBox.press(key);
    await eventuallyEqual(() => queued().count(), before + 1);
  };
  /** Starts a command that runs until it is let go on, and what else is asked for in the same answer. */
  const runUntil = async (file: string, ...more: string[]) => {
    const input = { command: `until test -e ${file}; do sleep 0.1; done`, reason: 'To wait' };
    await panel.send([`call run_command with ${JSON.stringify(input)}`, ...more].join('\n'));
    await call('run_command').getByRole('button', { name: 'Allow', exact: true }).click();
    await call('run_command')
      .getByText(/^Running/)
      .waitFor();
  };
  const letGoOn = (file: string) => writeFile(join(stage.workspace, file), '');

  it('is handed in between the rounds of an agent, which does that, too', async () => {
    await panel.button('Approvals: Ask First').click();
    await panel.frame.getByRole('option', { name: /Edits Allowed/ }).click();
    await panel.send('Fix the failing test');
    const allow = call('run_command').getByRole('button', { name: 'Always allow' });
    await allow.waitFor();
    await say('Also update the changelog');
    assert.deepEqual(await texts(), [['Also update the changelog', 'After this step']]);
    await screenshot(page, 'steering');
    await allow.click();
    await said().nth(1).waitFor();
    assert.equal(await queued().count(), 0);
    await panel.settled();
    assert.match(await readFile(join(stage.workspace, 'CHANGELOG.md'), 'utf8'), /0\.5 m under the keel/);
    const all = bodies();
    for (const [index, { messages }] of all.entries()) {
      const before = all[index - 1]?.messages ?? [];
      assert.deepEqual(messages.slice(0, before.length), before, `request ${index + 1}`);
    }
    const steered = all.find(({ messages }) => messages.at(-1)?.role === 'user' && messages.length > 3);
    assert.deepEqual(
      steered?.messages.slice(-2).map(({ role }) => role),
      ['tool', 'user'],
    );
    await screenshot(page, 'steered');
  });

  it('comes before calls that have not begun, and after the one that runs', async () => {
    await panel.newChat();
    await panel.selectModel('scripted-tools');
    await runUntil('go1', 'call create_file with {"path": "not.md", "content": "not"}');
    await say('Read README.md');
    await letGoOn('go1');
    await call('create_file').getByText('Skipped: your message came first.').waitFor();
    await call('read_file').waitFor();
    await panel.settled();
    assert.equal(await exists('not.md'), false);
    await screenshot(page, 'steering-skipped');
  });

  it('is queued for later with Alt+Enter; the queue pauses when it is stopped, also over a reload, and goes on', async () => {
    await panel.newChat();
    await runUntil('go2');
    await say('Later one', 'Alt+Enter');
    await say('Later two', 'Alt+Enter');
    await say('For this turn');
    assert.deepEqual(await texts(), [
      ['For this turn', 'After this step'],
      ['Later one', 'Later'],
      ['Later two', 'Later'],
    ]);
    await screenshot(page, 'steering-queue');
    await queued().first().getByRole('button', { name: 'Remove' }).click();
    await eventuallyEqual(() => queued().count(), 2);
    await exactly('Stop').click();
    await panel.frame.getByText('The queue is paused.').waitFor();
    await screenshot(page, 'steering-paused');
    await reloadWindow(page);
    await panel.frame.getByText('The queue is paused.').waitFor();
    assert.deepEqual(await texts(), [['Later one'], ['Later two']]);
    const asked = bodies().length;
    await exactly('Resume').click();
    await eventuallyEqual(() => queued().count(), 0);
    await eventuallyEqual(() => said().count(), 3);
    await panel.settled();
    assert.equal(bodies().length, asked + 2);
    assert.equal(withoutFacts(bodies().at(-1)?.messages.at(-1)?.content ?? ''), 'Later two');
  });

  it('is sent at once in place of what runs', async () => {
    await panel.newChat();
    await runUntil('go3');
    await say('Instead', 'Alt+Enter');
    await queued().first().getByRole('button', { name: 'Send now' }).click();
    await eventuallyEqual(() => said().count(), 2);
    await panel.settled();
    assert.equal(withoutFacts(bodies().at(-1)?.messages.at(-1)?.content ?? ''), 'Instead');
    assert.equal(await exists('go3'), false);
  });

  it('leaves a conversation that works in the background to History and the badge, and its end is told once', async () => {
    await moveToSecondarySideBar(page, 'Timeline');
    await secondarySideBarTab(page, 'Switchboard').click();
    await panel.newChat();
    await runUntil('go4');
    await panel.newChat();
    const row = page.locator('.quick-input-list .monaco-list-row').filter({ hasText: 'go4' });
    await panel.titleButton('History').click();
    await row.getByText('Running').waitFor();
    await letGoOn('go4');
    await row.getByText('New answer').waitFor();
    await screenshot(page, 'background-history');
    await page.keyboard.press('Escape');
    const notice = panel.frame.getByText(/^Done: call run_command/);
    await notice.waitFor();
    assert.equal(await notice.count(), 1);
    await screenshot(page, 'background-done');
    const badge = secondarySideBarTab(page, 'Switchboard').locator('.badge-content');
    await eventuallyEqual(() => badge.innerText(), '1');
    await exactly('Show').click();
    await said().getByText('go4').waitFor();
    await notice.waitFor({ state: 'detached' });
    await badge.waitFor({ state: 'hidden' });
    await panel.titleButton('History').click();
    await row.waitFor();
    assert.equal(await row.getByText('New answer').count(), 0);
    await page.keyboard.press('Escape');
  });

  it('tells once that a conversation needs approval, however many calls ask', async () => {
    await panel.newChat();
    const allow = () => panel.frame.getByRole('button', { name: 'Allow', exact: true });
    const files = ['one.md', 'two.md', 'three.md'];
    await panel.send(
      files.map((path) => `call create_file with ${JSON.stringify({ path, content: path })}`).join('\n'),
    );
    await allow().waitFor();
    await toggleSecondarySideBar(page);
    const toast = (path: string) => page.locator('.notification-toast', { hasText: path });
    await toast('one.md').waitFor();
    await screenshot(page, 'background-approval');
    for (const path of files.slice(0, 2)) {
      // The diff of the next call opens beside it by itself.
      await page.locator('.tabs-container .tab.active', { hasText: path }).waitFor();
      await page.getByRole('button', { name: 'Accept' }).click();
      await eventuallyEqual(() => exists(path), true);
    }
    await page.locator('.statusbar-item', { hasText: '1 call needs approval' }).click();
    await allow().click();
    await panel.settled();
    assert.deepEqual([await toast('two.md').count(), await toast('three.md').count()], [0, 0]);
  });
});
