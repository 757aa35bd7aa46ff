import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { screenshot } from '../host/screen.ts';
import { moveToSecondarySideBar, secondarySideBarTab } from '../host/workbench.ts';
import { withoutFacts } from '../servers/relay/chatRequest.ts';
import { eventuallyEqual } from '../support/eventually.ts';
import { type Panel, setUpStage, type Stage, usual, useStage } from './support.ts';
import { walk } from './walk.ts';

interface Body {
  messages: { role: string; content?: string; tool_calls?: unknown[] }[];
}

describe('what the user says while the assistant works', () => {
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
  const call = (name: string): Locator => panel.frame.getByRole('group', { name: `Tool ${name}` }).last();
  const queued = () => panel.frame.getByRole('list', { name: 'Queued messages' }).getByRole('listitem');
  const texts = async () => (await queued().allInnerTexts()).map((text) => text.split(/\s*\n\s*/));
  const bodies = () =>
    stage.sandbox.relay.requests
      .filter(({ path }) => path === '/v1/chat/completions')
      .map(({ json }) => json as Body);
  const said = () => panel.frame.getByRole('article', { name: 'You', exact: true });

  const say = async (text: string, key = 'Enter') => {
    const before = await queued().count();
    await panel.messageBox.fill(text);
    await panel.messageBox.press(key);
    await eventuallyEqual(() => queued().count(), before + 1);
  };
  /** Starts a command that runs until released, with further calls in the same answer. */
  const runUntil = async (file: string, ...more: string[]) => {
    const input = { command: `until test -e ${file}; do sleep 0.1; done`, reason: 'To wait' };
    await panel.send([`call run_command with ${JSON.stringify(input)}`, ...more].join('\n'));
    await call('run_command').getByRole('button', { name: 'Allow', exact: true }).click();
    await call('run_command')
      .getByText(/^Running/)
      .waitFor();
  };
  const letGoOn = (file: string) => writeFile(join(stage.workspace, file), '');

  const step = walk('is handed in between rounds, or waits in the queue');

  step('is handed in between the rounds of an agent, which does that, too', async () => {
    await panel.selectModel('scripted-agent');
    await panel.button('Approvals: Ask First').click();
    await panel.frame.getByRole('option', { name: /Edits Allowed/ }).click();
    await panel.send('Fix the failing test');
    const allow = call('run_command').getByRole('button', { name: 'Always Allow' });
    await allow.waitFor();
    await say('Also update the changelog');
    assert.deepEqual(await texts(), [['Also update the changelog', 'After this step']]);
    await screenshot(page, 'steering');
    await allow.click();
    await said().nth(1).waitFor();
    await eventuallyEqual(() => queued().count(), 0);
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

  step('is queued for later with Alt+Enter, and the queue pauses with Stop and goes on', async () => {
    await panel.newChat();
    await panel.selectModel('scripted-tools');
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
    assert.deepEqual(await texts(), [['Later one'], ['Later two']]);
    const asked = bodies().length;
    await exactly('Resume').click();
    await eventuallyEqual(() => queued().count(), 0);
    await eventuallyEqual(() => said().count(), 3);
    await panel.settled();
    assert.equal(bodies().length, asked + 2);
    assert.equal(withoutFacts(bodies().at(-1)?.messages.at(-1)?.content ?? ''), 'Later two');
  });

  it('leaves a conversation that works in the background to History and the badge, and its end is told once', async () => {
    await moveToSecondarySideBar(page, 'Timeline');
    await secondarySideBarTab(page, 'Switchboard').click();
    await panel.newChat();
    await panel.selectModel('scripted-tools');
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
});
