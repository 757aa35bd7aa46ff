import assert from 'node:assert/strict';
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { screenshot } from '../host/screen.ts';
import { runCommand } from '../host/workbench.ts';
import { eventuallyEqual } from '../support/eventually.ts';
import { type Panel, setUpStage, type Stage, usual, useStage } from './support.ts';
import { walk } from './walk.ts';

interface ChatBody {
  tools?: { function: { name: string } }[];
  tool_choice?: string;
  messages: { role: string; content?: string; tool_calls?: { id: string }[]; tool_call_id?: string }[];
}

describe('tools in the panel', () => {
  let stage: Stage;
  let page: Page;
  let panel: Panel;

  useStage(
    () => setUpStage(usual),
    async (fresh) => {
      stage = fresh;
      await plantSecrets(stage);
      ({ page, panel } = await stage.open());
      await panel.selectModel('scripted-tools');
    },
  );

  const asked = () =>
    stage.sandbox.relay.requests
      .filter(({ path }) => path === '/v1/chat/completions')
      .map(({ json }) => json as ChatBody);
  const call = (name: string): Locator => panel.frame.getByRole('group', { name: `Tool ${name}` });
  const file = (name: string) => readFile(join(stage.workspace, name), 'utf8');
  const newChat = async () => {
    await panel.newChat();
    stage.sandbox.relay.clearRequests();
  };

  const reading = walk('read and search, in one round or several');

  reading('reads a file and answers from its content, step by step as the service says', async () => {
    await panel.send('Read README.md and tell me the title');
    await panel.settled();
    await panel.frame.getByText('Tide Tables').last().waitFor();
    await call('read_file').first().getByText('Read README.md', { exact: true }).waitFor();
    const [first, second] = asked();
    assert.ok(first && second && asked().length === 2);
    assert.equal(first.tool_choice, 'auto');
    assert.deepEqual(second.tools, first.tools);
    assert.deepEqual(second.messages.slice(0, first.messages.length), first.messages);
    const [assistant, result, ...rest] = second.messages.slice(first.messages.length);
    assert.equal(assistant?.role, 'assistant');
    assert.ok(!('content' in (assistant ?? {})));
    assert.equal(assistant?.tool_calls?.length, 1);
    assert.equal(result?.role, 'tool');
    assert.equal(result?.tool_call_id, assistant?.tool_calls?.[0]?.id);
    assert.match(result?.content ?? '', /Tide Tables/);
    assert.deepEqual(rest, []);
    await screenshot(page, 'tool-read');
  });

  reading('unfolds a call and opens its file at the line', async () => {
    await call('read_file').first().locator('summary').click();
    await call('read_file')
      .first()
      .getByRole('button', { name: /README\.md/ })
      .first()
      .click();
    await page.locator('.tabs-container .tab', { hasText: 'README.md' }).waitFor();
    await screenshot(page, 'tool-unfolded');
  });

  reading('searches, and makes three calls in one round', async () => {
    await newChat();
    await panel.send('Search for TODO');
    await panel.settled();
    await call('search_text')
      .getByText(/^Searched for "TODO": \d+ match/)
      .waitFor();
    assert.match(asked().at(-1)?.messages.at(-1)?.content ?? '', /TODO/);

    await newChat();
    await panel.send('Read README.md, src/main.ts and src/tides.ts');
    await panel.settled();
    await panel.frame.getByRole('group', { name: 'Read 3 files' }).locator('summary').click();
    await eventuallyEqual(() => call('read_file').count(), 3);
    const roles = asked()
      .at(-1)
      ?.messages.map(({ role }) => role);
    assert.deepEqual(roles, ['system', 'user', 'assistant', 'tool', 'tool', 'tool']);
    await screenshot(page, 'tool-three-calls');
  });

  const edit = (replacement: string) =>
    `call edit_file with ${JSON.stringify({ path: 'README.md', replacements: [{ oldText: '# Tide Tables', newText: replacement }] })}`;

  const editing = walk('edit as the user decides, and undo it');

  editing('shows an edit as a diff and asks; denied, nothing changes and the model reads why', async () => {
    await newChat();
    const before = await file('README.md');
    await panel.send(edit('# Denied'));
    await call('edit_file').getByRole('button', { name: 'Allow', exact: true }).waitFor();
    await call('edit_file').getByRole('group', { name: 'Proposed edit' }).getByText('# Denied').waitFor();
    await page.locator('.tabs-container .tab', { hasText: /README\.md \(proposed/ }).waitFor();
    await screenshot(page, 'tool-asks');
    await call('edit_file').getByRole('button', { name: 'Deny' }).click();
    const reason = call('edit_file').getByRole('textbox', { name: 'Reason for denying' });
    await reason.fill('Keep the title');
    await reason.press('Enter');
    await panel.settled();
    assert.equal(await file('README.md'), before);
    assert.match(asked().at(-1)?.messages.at(-1)?.content ?? '', /denied.*Keep the title/);
    await page.locator('.tabs-container .tab', { hasText: /proposed/ }).waitFor({ state: 'detached' });
  });

  editing('makes an allowed edit, which undo takes back', async () => {
    await newChat();
    const before = await file('README.md');
    await panel.send(edit('# Allowed'));
    await call('edit_file').getByRole('button', { name: 'Allow', exact: true }).click();
    await panel.settled();
    assert.match(await file('README.md'), /^# Allowed/);
    await page.locator('.tabs-container .tab', { hasText: /proposed/ }).waitFor({ state: 'detached' });
    await panel.frame
      .getByRole('group', { name: 'Changed files' })
      .getByRole('button', { name: 'README.md', exact: true })
      .click();
    await page.locator('.tabs-container .tab', { hasText: /README\.md \(changed/ }).waitFor();
    await screenshot(page, 'tool-changed-file');
    await page.locator('.modified .view-line', { hasText: '# Allowed' }).click();
    await page.keyboard.press('ControlOrMeta+Z');
    await page.locator('.modified .view-line', { hasText: '# Allowed' }).waitFor({ state: 'detached' });
    await runCommand(page, 'File: Save');
    await eventuallyEqual(() => file('README.md'), before);
  });

  editing("undoes a turn's edits together, and says what was changed since", async () => {
    await newChat();
    const before = await file('README.md');
    await panel.send(edit('# Edited'));
    await call('edit_file').getByRole('button', { name: 'Always Allow' }).click();
    await panel.settled();
    const changed = panel.frame.getByRole('group', { name: 'Changed files' });
    await changed.getByRole('button', { name: 'Undo', exact: true }).click();
    await changed.getByText('undone', { exact: true }).waitFor();
    assert.equal(await file('README.md'), before);

    await panel.send(edit('# Again'));
    await panel.settled();
    assert.match(await file('README.md'), /^# Again/);
    await writeFile(join(stage.workspace, 'README.md'), '# Somebody else\n');
    await changed.last().getByRole('button', { name: 'Undo', exact: true }).click();
    await changed.last().getByText('Not undone: changed since').waitFor();
    assert.equal(await file('README.md'), '# Somebody else\n');
    await screenshot(page, 'tool-undone');
  });

  it('refuse what is outside, linked, hidden or secret, with a reason, whatever the model asks', async () => {
    await newChat();
    const paths = ['../outside.txt', 'link-to-passwd', '.env', '~/.ssh/id_rsa', '/etc/passwd', '.git/config'];
    await panel.send(paths.map((path) => `call read_file with ${JSON.stringify({ path })}`).join('\n'));
    await panel.settled();
    await eventuallyEqual(() => call('read_file').getByText('failed').count(), paths.length);
    const results = (asked().at(-1)?.messages ?? []).filter(({ role }) => role === 'tool');
    assert.equal(results.length, paths.length);
    for (const { content = '' } of results) {
      assert.doesNotMatch(content, /root:|TOP-SECRET/);
      assert.ok(content.length > 20, content);
    }
  });
});

async function plantSecrets({ workspace }: Stage): Promise<void> {
  await writeFile(join(workspace, '..', 'outside.txt'), 'TOP-SECRET outside');
  await writeFile(join(workspace, '.env'), 'PASSWORD=TOP-SECRET');
  await mkdir(join(workspace, '.git'), { recursive: true });
  await writeFile(join(workspace, '.git', 'config'), 'TOP-SECRET');
  await symlink('/etc/passwd', join(workspace, 'link-to-passwd'));
}
