import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { quickInput, quickInputAccept, quickInputType, screenshot } from '../host/workbench.ts';
import { ownToolNames } from '../../src/tools/ownTools.ts';
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

  /** Without the one that searches knowledge bases, of which none is chosen. */
  const own = ownToolNames.length - 1;
  const asked = () =>
    stage.sandbox.relay.requests.findLast(({ path }) => path === '/v1/chat/completions')?.json as ChatBody;
  const offered = () => asked().tools.map((tool) => tool.function.name);
  const wish = 'call tide_now with {"place": "Ostend"}';

  it('are not offered before the user switched them on', async () => {
    await panel.send(wish);
    await panel.settled();
    assert.ok(offered().includes('read_file'));
    assert.ok(!offered().includes('tide_now'));
  });

  const openList = async () => {
    await panel.button(/^Tools$/).click();
    await row('List files').waitFor();
  };
  const row = (label: string) =>
    quickInput(page)
      .getByRole('checkbox')
      .filter({ has: page.locator('.label-name').getByText(label, { exact: true }) });
  const count = (on: number, total: number) =>
    panel.frame.locator(`[aria-label=Tools][aria-description="Tools on: ${on} of ${total}"]`).waitFor();

  it("are listed by their names and where they come from, beside Switchboard's, without the editor's own", async () => {
    await count(own, own + 2);
    await openList();
    await quickInput(page).getByText('Offers a tool to models').waitFor();
    await quickInput(page).getByText('Read files', { exact: true }).waitFor();
    await screenshot(page, 'tools-list');
    await quickInputType(page, 'tide');
    await row('Tide now').waitFor();
    await row('Private tide').waitFor();
    // Of VS Code itself, and of an extension that comes with it.
    await quickInputType(page, 'terminal');
    await row('Tide now').waitFor({ state: 'detached' });
    assert.equal(
      await quickInput(page)
        .getByRole('checkbox')
        .filter({ has: page.locator('.label-name') })
        .count(),
      0,
    );
    await page.keyboard.press('Escape');
    await quickInput(page).waitFor({ state: 'detached' });
    await panel.focused();
  });

  it('are switched on from the panel, ask, and answer', async () => {
    await openList();
    await row('Tide now').check();
    await screenshot(page, 'other-tools');
    await quickInputAccept(page);
    await count(own + 1, own + 2);
    await panel.focused();
    await panel.send(wish);
    const call = panel.frame.getByRole('group', { name: 'Tool tide_now' });
    await call.getByRole('button', { name: 'Allow', exact: true }).click();
    await panel.settled();
    await panel.frame.getByText('3.2 m').first().waitFor();
    // In a frame, since it is the text of others.
    assert.match(
      asked().messages.at(-1)?.content ?? '',
      /^<result-([0-9a-f]+)>\nThe tide at Ostend is 3\.2 m\.\n<\/result-\1>$/,
    );
  });

  it('are offered no more once they refused to run from another extension', async () => {
    await openList();
    await row('Private tide').check();
    await quickInputAccept(page);
    await count(own + 2, own + 2);
    await panel.send('call tide_private with {}');
    assert.ok(offered().includes('tide_private'));
    const call = panel.frame.getByRole('group', { name: 'Tool tide_private' });
    await call.getByRole('button', { name: 'Allow', exact: true }).click();
    await panel.settled();
    assert.match(asked().messages.at(-1)?.content ?? '', /runs in the editor's own chat only/);
    assert.ok(!offered().includes('tide_private'));
    await openList();
    await row('Tide now').waitFor();
    await row('Private tide').waitFor({ state: 'detached' });
    await page.keyboard.press('Escape');
    await quickInput(page).waitFor({ state: 'detached' });
  });

  it("are in one list with Switchboard's own, which are offered no more when they are switched off", async () => {
    await openList();
    await row('Read files').uncheck();
    await quickInputAccept(page);
    await count(own, own + 1);
    await panel.send('call read_file with {"path": "README.md"}');
    await panel.settled();
    assert.ok(!offered().includes('read_file'));
    assert.ok(offered().includes('list_files'));
  });
});
