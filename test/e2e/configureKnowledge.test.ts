import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import type { Page } from 'playwright-core';
import { createScratch, type Scratch } from '../host/scratch.ts';
import { screenshot } from '../host/screen.ts';
import { quickInput, quickInputAccept, quickInputType, runCommand } from '../host/workbench.ts';
import { eventually } from '../support/eventually.ts';
import { type Panel, setUpStage, useStage } from './support.ts';
import { walk } from './walk.ts';

describe('another program for knowledge, of the packaged extension', () => {
  const documents = [{ name: 'rules.md', text: 'Three knots in the harbour.' }];
  let home: Scratch;
  let page: Page;
  let panel: Panel;

  useStage(
    async () => {
      home = await createScratch();
      return setUpStage({
        connected: true,
        sandbox: { platform: { indexing: 'instant', seed: [{ dataset: 'Team handbook', documents }] } },
        variables: { CODEX_HOME: home.folder },
      });
    },
    async (stage) => {
      ({ page, panel } = await stage.open());
    },
  );
  after(() => home?.remove());

  const file = () => join(home.folder, 'config.toml');
  const step = walk('is configured, served by this window, and goes without a trace');

  step('offers knowledge beside the model', async () => {
    // The palette knows what is connected from when it opens.
    await panel.frame.getByText('Choose a model to start').waitFor();
    await runCommand(page, 'Switchboard: Configure Another Client…');
    await quickInput(page).getByText('Model of the Relay').waitFor();
    await screenshot(page, 'configure-purpose');
    await quickInputType(page, 'Knowledge by MCP');
    await quickInputAccept(page);
    await quickInput(page).getByText('Kilo', { exact: true }).waitFor();
    await screenshot(page, 'configure-knowledge-programs');
  });

  step('shows what it will write', async () => {
    await quickInputType(page, 'Codex');
    await quickInputAccept(page);
    await quickInput(page).getByText('Configure Codex: Review Changes').waitFor();
    await page.locator('.monaco-diff-editor').getByText('switchboard-knowledge').first().waitFor();
    await screenshot(page, 'configure-knowledge-diff');
    await quickInputAccept(page);
  });

  step('starts the server once, which this window answers', async () => {
    await panel.frame
      .getByText(/The server started, this window answered, tools: search_knowledge/)
      .waitFor();
    await screenshot(page, 'configure-knowledge-done');
    assert.match(await readFile(file(), 'utf8'), /^\[mcp_servers\.switchboard-knowledge\]/);
  });

  step('asks before the first search, in the panel', async () => {
    const [, command = ''] = /^command = "(.+)"$/m.exec(await readFile(file(), 'utf8')) ?? [];
    const [, args = ''] = /^args = (\[.+\])$/m.exec(await readFile(file(), 'utf8')) ?? [];
    const codex = new Client({ name: 'codex-mcp-client', version: '1' });
    await codex.connect(new StdioClientTransport({ command, args: JSON.parse(args) as string[] }));
    try {
      const call = codex.callTool({ name: 'search_knowledge', arguments: { query: 'harbour' } });
      const asks = panel.frame
        .getByText(/^Codex \(configured on .+\) wants to search Team handbook\./)
        .waitFor();
      await Promise.race([asks, call.then((early) => assert.fail(JSON.stringify(early)))]);
      await screenshot(page, 'knowledge-asks');
      await panel.button('Allow in This Workspace').click();
      assert.equal((await call).isError, false);
      const again = await codex.callTool({ name: 'search_knowledge', arguments: { query: 'harbour' } });
      assert.match(JSON.stringify(again.content), /Three knots/);
    } finally {
      await codex.close();
    }
  });

  step('takes it back', async () => {
    await panel.button('Undo').click();
    await panel.frame.getByText('Undone.').waitFor();
    await eventually(() => assert.rejects(readFile(file()), { code: 'ENOENT' }));
  });
});
