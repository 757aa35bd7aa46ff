import assert from 'node:assert/strict';
import { access, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { screenshot } from '../host/screen.ts';
import { quickInput, quickInputAccept } from '../host/workbench.ts';
import { eventually } from '../support/eventually.ts';
import { type Panel, setUpStage, type Stage, usual, useStage } from './support.ts';
import { walk } from './walk.ts';

describe('commands of models', () => {
  let stage: Stage;
  let page: Page;
  let panel: Panel;

  useStage(
    () => setUpStage(usual),
    async (fresh) => {
      stage = fresh;
      await writeFile(join(stage.workspace, '.env'), 'PASSWORD=TOP-SECRET');
      ({ page, panel } = await stage.open());
      await panel.selectModel('scripted-tools');
    },
  );

  const call = (): Locator => panel.frame.getByRole('group', { name: 'Tool run_command' }).last();
  const allow = () => call().getByRole('button', { name: 'Allow', exact: true });
  const always = () => call().getByRole('button', { name: 'Always Allow' });
  const terminal = () => page.locator('.terminal-tabs-entry, .single-terminal-tab', { hasText: /./ });
  const told = () => {
    const request = stage.sandbox.relay.requests.findLast(({ path }) => path === '/v1/chat/completions');
    const { messages = [] } = (request?.json ?? {}) as { messages?: { role: string; content?: string }[] };
    return messages.findLast(({ role }) => role === 'tool')?.content ?? '';
  };
  const denied = async () => {
    await allow().waitFor();
    await call().getByRole('button', { name: 'Deny' }).click();
    await call().getByRole('textbox', { name: 'Reason for denying' }).press('Enter');
    await panel.settled();
  };
  const exists = (path: string) =>
    access(join(stage.workspace, path)).then(
      () => true,
      () => false,
    );

  const step = walk('ask, run in a terminal, and are allowed for as long as the user wants');

  step('ask, showing the command, the folder and the reason, and run in a terminal', async () => {
    const input = { command: 'ls src && pwd', reason: 'To see the sources' };
    await panel.send(`call run_command with ${JSON.stringify(input)}`);
    await allow().waitFor();
    const given = call().getByRole('group', { name: 'Arguments' }).first();
    assert.deepEqual(await given.getByRole('term').allInnerTexts(), ['Command', 'Folder', 'Reason']);
    assert.deepEqual(await given.getByRole('definition').allInnerTexts(), [
      ...['ls src && pwd', stage.workspace, 'To see the sources'],
    ]);
    assert.equal(await always().getAttribute('title'), 'Allow this exact command in this folder');
    await screenshot(page, 'command-asks');
    await allow().click();
    await panel.settled();
    await call().getByText('Ran ls src && pwd', { exact: true }).waitFor();
    assert.equal(await terminal().count(), 0);
    const place = stage.workspace.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
    assert.match(
      told(),
      new RegExp(`^Exit code 0\\.\\n<output-\\w+>\\ndeparture\\.ts\\n[^]*\\n${place}\\n</output-\\w+>$`),
    );
    await screenshot(page, 'command-ran');
  });

  step('get none of the keys that the editor was started with', async () => {
    await panel.newChat();
    await panel.send('run `env | sort`');
    await allow().click();
    await panel.settled();
    assert.match(told(), /\nPAGER=cat\n/);
    assert.ok(!told().includes(stage.sandbox.relay.key) && !told().includes('SWITCHBOARD_'));
  });

  step(
    'run without a question once they were always allowed, until the list of tools takes that back',
    async () => {
      await panel.newChat();
      await panel.send('run `ls docs`');
      await always().click();
      await panel.settled();
      await panel.newChat();
      await panel.send('run `ls docs`');
      await panel.settled();
      await call().getByText('Ran ls docs', { exact: true }).waitFor();
      await panel.newChat();
      await panel.send('run `ls docs src`');
      await denied();

      await panel.button(/^Tools$/).click();
      const kept = quickInput(page)
        .getByRole('checkbox')
        .filter({ has: page.locator('.label-name').getByText('ls docs', { exact: true }) });
      await kept.scrollIntoViewIfNeeded();
      await screenshot(page, 'command-kept');
      await kept.uncheck();
      await quickInputAccept(page);
      await panel.focused();
      await panel.newChat();
      await panel.send('run `ls docs`');
      await denied();
      assert.match(told(), /denied this call/);
    },
  );

  step(
    'are allowed by what they begin with where the user chose that after reading what it means',
    async () => {
      await panel.newChat();
      await panel.send('run `pwd -P`');
      const wider = () => call().getByRole('button', { name: 'Allow all commands that start with "pwd"…' });
      const dialog = page.getByRole('dialog');
      await wider().click();
      await dialog.getByText(/whatever follows these words/).waitFor();
      await screenshot(page, 'command-wider');
      await dialog.getByRole('button', { name: 'Cancel' }).click();
      await dialog.waitFor({ state: 'detached' });
      await wider().click();
      await dialog.getByRole('button', { name: 'Always Allow' }).click();
      await panel.settled();
      await panel.newChat();
      await panel.send('run `pwd -L`');
      await panel.settled();
      await call().getByText('Ran pwd -L', { exact: true }).waitFor();
      await panel.newChat();
      await panel.send('run `pwd -L && ls docs src`');
      await denied();
    },
  );

  step('end with the turn that is stopped', async () => {
    await panel.newChat();
    await panel.messageBox.fill(
      'run `touch begun; trap "touch ended; exit" TERM; while :; do sleep 0.1; done`',
    );
    await panel.messageBox.press('Enter');
    await allow().click();
    await eventually(async () => assert.ok(await exists('begun')));
    await call().getByRole('button', { name: 'Show Terminal' }).click();
    await terminal().first().waitFor();
    await screenshot(page, 'command-hangs');
    await panel.button('Stop').click();
    await eventually(async () => assert.ok(await exists('ended')));
    await call().getByText('stopped', { exact: true }).waitFor();
  });
});
