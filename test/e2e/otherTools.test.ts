import { ownToolNames, occasionalToolNames } from '../../src/tools/ownToolNames.ts';
import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { root } from '../host/paths.ts';
import { screenshot } from '../host/screen.ts';
import { quickInput, quickInputAccept, quickInputType } from '../host/workbench.ts';
import { textOf } from '../servers/relay/chatRequest.ts';
import { newestRequest, type Panel, setUpStage, type Stage, useStage } from './support.ts';
import { walk } from './walk.ts';

describe("other extensions' tools in the panel", () => {
  let stage: Stage;
  let page: Page;
  let panel: Panel;

  useStage(
    () => setUpStage({ connected: true, sandbox: { list: 'good' }, companions: ['toolProvider'] }),
    async (fresh) => {
      stage = fresh;
      ({ page, panel } = await stage.open());
      await panel.selectModel('scripted-tools');
    },
  );

  const own = ownToolNames.length - occasionalToolNames.length;
  const offered = () => newestRequest(stage).tools!.map((tool) => tool.function.name);
  /** Draws only the rows that it has room for: those further down are searched for. */
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

  const step = walk("are listed with whose they are and switched on, as Switchboard's own are switched off");

  step("are listed beside Switchboard's, without the editor's own, and are off", async () => {
    await count(own, own + 3);
    await openList();
    await quickInput(page).getByText('Offers a tool to models (switchboard.tool-provider)').waitFor();
    await screenshot(page, 'tools-list');
    await row('Read files').uncheck();
    await quickInputType(page, 'tide');
    await row('Tide now').check();
    await row('Private tide').check();
    await screenshot(page, 'other-tools');
    await quickInputType(page, 'terminal');
    await row('Tide now').waitFor({ state: 'detached' });
    assert.equal(
      await quickInput(page)
        .getByRole('checkbox')
        .filter({ has: page.locator('.label-name') })
        .count(),
      0,
    );
    await quickInputAccept(page);
    await count(own + 1, own + 3);
    await panel.focused();
  });

  step('ask and answer, or are offered no more once they refused to run from another extension', async () => {
    await panel.send('call tide_now with {"place": "Ostend"}\ncall tide_private with {}');
    assert.ok(['tide_now', 'tide_private', 'list_files'].every((name) => offered().includes(name)));
    assert.ok(!offered().includes('read_file'));
    for (const name of ['tide_now', 'tide_private'])
      await panel.calls(name).getByRole('button', { name: 'Allow', exact: true }).click();
    await panel.settled();
    const [answered, refused] = newestRequest(stage).messages.slice(-2);
    // Text of other extensions is framed.
    assert.match(textOf(answered), /^<result-([0-9a-f]+)>\nThe tide at Ostend is 3\.2 m\.\n<\/result-\1>$/);
    assert.match(textOf(refused), /runs in the editor's own chat only/);
    assert.ok(!offered().includes('tide_private'));
    await count(own, own + 2);
  });

  step('of an MCP server are there once it was started and VS Code has asked for its input', async () => {
    const script = join(root, 'test/host/companions/mcp/tideServer.mjs');
    const harbour = { command: process.execPath, args: [script, '${input:mode}'] };
    const inputs = [{ id: 'mode', type: 'promptString', description: 'What the server does' }];
    await mkdir(join(stage.workspace, '.vscode'));
    await writeFile(
      join(stage.workspace, '.vscode/mcp.json'),
      JSON.stringify({ servers: { harbour }, inputs }),
    );
    const waiting = panel.frame.locator(
      `[aria-label=Tools][aria-description="Tools on: ${own} of ${own + 2}. MCP servers not started: 1"]`,
    );
    await waiting.waitFor();
    await openList();
    await quickInputType(page, 'harbour');
    await row('harbour').hover();
    await screenshot(page, 'mcp-server');
    await row('harbour').getByRole('button', { name: 'Start Server' }).click();
    await quickInput(page).getByText('What the server does').waitFor();
    await screenshot(page, 'mcp-input');
    await quickInputType(page, 'tide');
    await quickInputAccept(page);
    await row('offic_tide_now').check();
    await screenshot(page, 'mcp-tools');
    await row('harbour').waitFor({ state: 'detached' });
    await quickInputAccept(page);
    await count(own + 1, own + 3);
    await panel.focused();
    await panel.send('call mcp_harbour_offic_tide_now with {"place": "Ostend"}');
    const call = panel.calls('mcp_harbour_offic_tide_now');
    await call.getByRole('button', { name: 'Allow', exact: true }).click();
    await panel.settled();
    assert.match(textOf(newestRequest(stage).messages.at(-1)), /The tide at Ostend is 3\.2 m\./);
  });
});
