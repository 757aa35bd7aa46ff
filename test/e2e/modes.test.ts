import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { screenshot } from '../host/workbench.ts';
import { type Panel, setUpStage, type Stage, usual, useStage } from './support.ts';
import { walk } from './walk.ts';

describe('modes, in the window', () => {
  let stage: Stage;
  let page: Page;
  let panel: Panel;

  useStage(
    () => setUpStage(usual),
    async (fresh) => {
      stage = fresh;
      ({ page, panel } = await stage.open());
      await panel.selectModel('scripted-tools');
    },
  );

  const file = (path: string) => readFile(join(stage.workspace, path), 'utf8').catch(() => undefined);
  const call = (name: string) => panel.frame.getByRole('group', { name: `Tool ${name}` }).last();
  const choose = async (list: 'Modes' | 'Approvals', name: string) => {
    await panel.button(list === 'Modes' ? /^Mode: / : /^Approvals: /).click();
    await panel.frame.getByRole('listbox', { name: list }).getByRole('option', { name, exact: true }).click();
    await panel.button(`${list === 'Modes' ? 'Mode' : 'Approvals'}: ${name}`).waitFor();
  };
  const lastRequest = () => {
    const request = stage.sandbox.relay.requests.findLast(({ path }) => path === '/v1/chat/completions');
    return request?.json as { messages: { role: string; content?: string }[]; tools: unknown[] };
  };

  const step = walk('refuse what they do not offer, also those that the project describes');

  step('refuse an edit in Ask, and say so', async () => {
    const before = await file('README.md');
    await choose('Modes', 'Ask');
    const edit = { path: 'README.md', replacements: [{ oldText: 'a', newText: 'b', all: true }] };
    await panel.send(`call edit_file with ${JSON.stringify(edit)}`);
    await call('edit_file').getByText('Not allowed in the mode "Ask"').waitFor();
    await panel.settled();
    assert.match(lastRequest().messages.at(-1)?.content ?? '', /^Not run: the mode "Ask" is on/);
    assert.equal(await file('README.md'), before);
    await screenshot(page, 'mode-ask');
  });

  step(
    'are also those that the project describes, as are prompts, and run only the tools that they name',
    async () => {
      const folder = (name: string) => join(stage.workspace, '.github', name);
      await Promise.all(['agents', 'prompts'].map((name) => mkdir(folder(name), { recursive: true })));
      const agent = `---\ndescription: Looks only\ntools: ['read', 'browse']\n---\nBe brief.\n`;
      await writeFile(join(folder('agents'), 'looker.agent.md'), agent);
      const prompt = `---\nagent: looker\n---\ncall create_file with {"path": "\${input:name}.md", "content": "x"}\n`;
      await writeFile(join(folder('prompts'), 'make.prompt.md'), prompt);
      await panel.newChat();
      await panel.selectModel('scripted-tools');
      await panel.messageBox.pressSequentially('/ma');
      await panel.frame.getByRole('option', { name: /make/ }).waitFor();
      await screenshot(page, 'mode-prompts');
      await panel.messageBox.press('Enter');
      await panel.begin(async () => {
        await panel.messageBox.press('Enter');
        const input = page.locator('.quick-input-widget input').first();
        await input.waitFor();
        await input.fill('asked');
        await input.press('Enter');
      });
      await panel.button('Mode: looker (looker.agent.md)').waitFor();
      await call('create_file').getByText('Not allowed in the mode "looker (looker.agent.md)"').waitFor();
      await panel.settled();
      assert.equal(await file('asked.md'), undefined);
      assert.match(
        JSON.stringify(lastRequest().messages),
        /\[Mode: looker \(looker\.agent\.md\)\..*Be brief\./,
      );
      await panel.button('Mode: looker (looker.agent.md)').click();
      await panel.frame.getByText('Unknown tools: browse').waitFor();
      await screenshot(page, 'mode-agents');
      await page.keyboard.press('Escape');
    },
  );
});
