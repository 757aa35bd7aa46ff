import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { quickInput, quickInputAccept, quickInputType, screenshot } from '../host/workbench.ts';
import { setUpStage, type Panel, type Stage } from './support.ts';

interface ChatBody {
  tools: { function: { name: string } }[];
  messages: { content: string }[];
}

describe("other extensions' tools in the panel", () => {
  let stage: Stage;
  let page: Page;
  let panel: Panel;

  before(async () => {
    stage = await setUpStage({ connected: true, sandbox: { list: 'good' }, companions: ['toolProvider'] });
    ({ page, panel } = await stage.open());
    await panel.selectModel('scripted-tools');
  });
  after(() => stage.close());

  const asked = () =>
    stage.sandbox.relay.requests.findLast(({ path }) => path === '/v1/chat/completions')?.json as ChatBody;
  const offered = () => asked().tools.map((tool) => tool.function.name);
  const wish = 'call tide_now with {"place": "Ostend"}';

  it('are not offered before the person switched them on', async () => {
    await panel.send(wish);
    await panel.settled();
    assert.ok(offered().includes('read_file'));
    assert.ok(!offered().includes('tide_now'));
  });

  it('are switched on from the panel, ask, and answer', async () => {
    await panel.button(/^Tools$/).click();
    await quickInput(page).getByText('Tools of Other Extensions').waitFor();
    await quickInputType(page, 'tide_now');
    await quickInput(page)
      .getByRole('checkbox', { name: /tide_now/ })
      .first()
      .check();
    await screenshot(page, 'other-tools');
    await quickInputAccept(page);
    await panel.send(wish);
    const call = panel.frame.getByRole('group', { name: 'Tool tide_now' });
    await call.getByRole('button', { name: 'Allow', exact: true }).click();
    await panel.settled();
    await panel.frame.getByText('3.2 m').first().waitFor();
    assert.equal(asked().messages.at(-1)?.content, 'The tide at Ostend is 3.2 m.');
  });
});
