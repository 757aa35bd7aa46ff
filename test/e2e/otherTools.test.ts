import { ownToolNames, occasionalToolNames } from '../../src/tools/ownToolNames.ts';
import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { root } from '../host/paths.ts';
import { screenshot } from '../host/screen.ts';
import { quickInput, quickInputAccept, quickInputType } from '../host/workbench.ts';
import { type Panel, setUpStage, type Stage, useStage } from './support.ts';
import { walk } from './walk.ts';

interface ChatBody {
  tools: { function: { name: string } }[];
  messages: { content: string }[];
}

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
  const asked = () =>
    stage.sandbox.relay.requests.findLast(({ path }) => path === '/v1/chat/completions')?.json as ChatBody;
  const offered = () => asked().tools.map((tool) => tool.function.name);
  const wish = 'call tide_now with {"place": "Ostend"}';

  const step = walk('are listed, switched on, asked about and granted under their own names');

  step('are not offered before the user switched them on', async () => {
    await panel.send(wish);
    await panel.settled();
    assert.ok(offered().includes('read_file'));
    assert.ok(!offered().includes('tide_now'));
    // The button says the same number in the next step.
    assert.equal(offered().length, own);
  });

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

  step(
    "are listed by their names and where they come from, beside Switchboard's, without the editor's own",
    async () => {
      await count(own, own + 3);
      await openList();
      await quickInput(page).getByText('Offers a tool to models (switchboard.tool-provider)').waitFor();
      await quickInput(page).getByText('Read files', { exact: true }).waitFor();
      await screenshot(page, 'tools-list');
      await quickInputType(page, 'tide');
      await row('Tide now').waitFor();
      await row('Private tide').waitFor();
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
    },
  );

  step('are switched on from the panel, ask, and answer', async () => {
    await openList();
    await row('Tide now').check();
    await screenshot(page, 'other-tools');
    await quickInputAccept(page);
    await count(own + 1, own + 3);
    await panel.focused();
    await panel.send(wish);
    const call = panel.frame.getByRole('group', { name: 'Tool tide_now' });
    await call.getByRole('button', { name: 'Allow', exact: true }).click();
    await panel.settled();
    await panel.frame.getByText('3.2 m').first().waitFor();
    // Text of other extensions is framed.
    assert.match(
      asked().messages.at(-1)?.content ?? '',
      /^<result-([0-9a-f]+)>\nThe tide at Ostend is 3\.2 m\.\n<\/result-\1>$/,
    );
  });

  step(
    'take no place of ours, and say by their button and their list what was always allowed, until it is revoked',
    async () => {
      const theirs = 'ext_switchboard_tool-provider_read_file';
      await panel.newChat();
      await openList();
      await row('Read tide files').check();
      await quickInputAccept(page);
      await count(own + 2, own + 3);
      await panel.focused();
      await panel.send('call read_file with {"path": "README.md"}');
      await panel.settled();
      assert.match(asked().messages.at(-1)?.content ?? '', /Tide Tables/);
      assert.deepEqual(
        offered().filter((name) => name.endsWith('read_file')),
        ['read_file', theirs],
      );
      await panel.send(`call ${theirs} with {}`);
      const call = panel.frame.getByRole('group', { name: `Tool ${theirs}` });
      await panel.button('Approvals: Ask First').waitFor();
      await call.getByRole('button', { name: 'Always Allow' }).click();
      const button = panel.button('Approvals: 1 Tool Allowed');
      await button.waitFor();
      assert.match(
        (await button.getAttribute('title')) ?? '',
        /Without asking: Read tide files \(switchboard\.tool-provider\)$/,
      );
      await panel.settled();
      assert.match(asked().messages.at(-1)?.content ?? '', /From the namesake/);
      await screenshot(page, 'grant-button');
      await panel.send(`call ${theirs} with {}`);
      await panel.settled();
      await openList();
      const granted = row('Read tide files (switchboard.tool-provider)');
      await granted.hover();
      await screenshot(page, 'grant-list');
      await granted.getByRole('button', { name: 'Revoke' }).click();
      await panel.button('Approvals: Ask First').waitFor();
      await page.keyboard.press('Escape');
      await panel.focused();
      await panel.send(`call ${theirs} with {}`);
      await call.last().getByRole('button', { name: 'Deny', exact: true }).waitFor();
      await panel.button('Stop').click();
      await panel.settled();
      await openList();
      await row('Read tide files').uncheck();
      await quickInputAccept(page);
      await count(own + 1, own + 3);
    },
  );

  step('are offered no more once they refused to run from another extension', async () => {
    await openList();
    await quickInputType(page, 'Private');
    await row('Private tide').check();
    await quickInputAccept(page);
    await count(own + 2, own + 3);
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
    await panel.focused();
  });

  step(
    "are in one list with Switchboard's own, which are offered no more when they are switched off",
    async () => {
      await openList();
      await row('Read files').uncheck();
      await quickInputAccept(page);
      await count(own, own + 2);
      await panel.send('call read_file with {"path": "README.md"}');
      await panel.settled();
      assert.ok(!offered().includes('read_file'));
      assert.ok(offered().includes('list_files'));
    },
  );

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
    const call = panel.frame.getByRole('group', { name: 'Tool mcp_harbour_offic_tide_now' });
    await call.getByRole('button', { name: 'Allow', exact: true }).click();
    await panel.settled();
    assert.match(asked().messages.at(-1)?.content ?? '', /The tide at Ostend is 3\.2 m\./);
  });
});
