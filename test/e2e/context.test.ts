import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { screenshot } from '../host/screen.ts';
import { eventually } from '../support/eventually.ts';
import { type Panel, setUpStage, type Stage, usual, useStage } from './support.ts';
import { walk } from './walk.ts';

interface Body {
  messages: { role: string; content: string }[];
}

describe('a long conversation', () => {
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

  const bodies = () =>
    stage.sandbox.relay.requests
      .filter(({ path }) => path === '/v1/chat/completions')
      .map(({ json }) => json as Body);
  const meter = () => panel.button(/^Context: [\d.,]+ tokens$/);
  const marker = () =>
    panel.frame.getByRole('note').filter({ hasText: 'Earlier messages are sent as a summary' });

  const step = walk('is compacted by hand, and goes on from the summary');

  step('is compacted by hand, with the original still there to be read', async () => {
    await panel.selectModel('scripted-writer');
    for (const name of ['north', 'south', 'east']) {
      await panel.send(`write 1500 lines about the ${name}`);
      await panel.settled();
    }
    await meter().click();
    const dialog = panel.frame.getByRole('dialog', { name: 'Context' });
    await dialog.getByText('reported by the server').waitFor();
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

  step('goes on from the summary', async () => {
    await panel.selectModel('scripted-echo');
    await panel.send('And the west?');
    await panel.settled();
    const { messages } = bodies().at(-1)!;
    assert.match(messages[1]?.content ?? '', /<summary-\w+>\n## Goal\nwrite 1500 lines about the north/);
    assert.ok(!messages.some(({ content }) => content === 'write 1500 lines about the north'));
  });
});
