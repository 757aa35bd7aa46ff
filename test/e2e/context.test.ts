import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { reloadWindow, screenshot } from '../host/workbench.ts';
import { eventually, eventuallyEqual } from '../support/eventually.ts';
import { setUpStage, type Panel, type Stage } from './support.ts';

interface Body {
  messages: { role: string; content: string }[];
}

describe('a long conversation', () => {
  let stage: Stage;
  let page: Page;
  let panel: Panel;

  before(async () => {
    stage = await setUpStage({ connected: true });
    ({ page, panel } = await stage.open());
  });
  after(() => stage.close());

  const bodies = () =>
    stage.sandbox.relay.requests
      .filter(({ path }) => path === '/v1/chat/completions')
      .map(({ json }) => json as Body);
  const meter = () => panel.button(/^Context: [\d.,]+K?$/);
  const marker = () =>
    panel.frame.getByRole('note').filter({ hasText: 'Earlier messages are sent as a summary' });

  it('is compacted by hand, with the original still there to be read', async () => {
    await panel.selectModel('scripted-writer');
    for (const name of ['north', 'south', 'east']) {
      await panel.send(`write 1500 lines about the ${name}`);
      await panel.settled();
    }
    await meter().click();
    const dialog = panel.frame.getByRole('dialog', { name: 'Context' });
    await dialog.getByText('as the server counted').waitFor();
    await dialog.getByRole('listitem').filter({ hasText: 'Messages' }).waitFor();
    await screenshot(page, 'context-meter');
    const before = await meter().getAttribute('aria-label');
    const sent = bodies().at(-1)!.messages;
    await dialog.getByRole('button', { name: 'Compact' }).click();
    await marker().waitFor();
    await panel.settled();
    const asked = bodies().at(-1)!.messages;
    assert.deepEqual(asked.slice(0, sent.length), sent, 'it goes on from what was sent');
    assert.match(asked.at(-1)?.content ?? '', /^\[From the editor, not from the user:\]/);
    await eventually(async () => assert.notEqual(await meter().getAttribute('aria-label'), before));
    await marker().locator('summary').click();
    await marker().getByText('write 1500 lines about the north').waitFor();
    await panel.entries.first().scrollIntoViewIfNeeded();
    await panel.entries.first().getByText('write 1500 lines about the north').waitFor();
    assert.equal(await panel.entries.count(), 6);
    await screenshot(page, 'compacted');
  });

  it('goes on from the summary, and the same after a reload', async () => {
    await panel.selectModel('scripted-echo');
    await panel.send('And the west?');
    await panel.settled();
    const { messages } = bodies().at(-1)!;
    assert.match(messages[1]?.content ?? '', /<summary-\w+>\n## Goal\nwrite 1500 lines about the north/);
    assert.ok(!messages.some(({ content }) => content === 'write 1500 lines about the north'));
    await reloadWindow(page);
    await marker().waitFor();
    await panel.send('Once more?');
    await panel.settled();
    assert.deepEqual(bodies().at(-1)!.messages.slice(0, messages.length), messages);
  });

  it('has its checklist above the message box', async () => {
    await panel.newChat();
    await panel.selectModel('scripted-tools');
    const steps = [
      { step: 'Look at the boats', state: 'done' },
      { step: 'Count them', state: 'doing' },
    ];
    await panel.send(`call update_plan with ${JSON.stringify({ steps })}`);
    await panel.settled();
    const plan = panel.frame.getByRole('group', { name: 'Plan', exact: true });
    await plan.getByText('2 of 2: Count them').click();
    await eventuallyEqual(
      () => plan.getByRole('listitem').allTextContents(),
      ['Look at the boatsdone', 'Count themin progress'],
    );
    await screenshot(page, 'checklist');
    await reloadWindow(page);
    await plan.getByText('2 of 2: Count them').waitFor();
  });
});
