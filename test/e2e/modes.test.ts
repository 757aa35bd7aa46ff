import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { eventuallyEqual } from '../support/eventually.ts';
import { screenshot } from '../host/screen.ts';
import { openFile, runCommand } from '../host/workbench.ts';
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
      const next = `- label: Make it so\n    agent: agent\n    prompt: 'call read_skill with {"name": "berths"}'\n    send: true`;
      const agent = `---\ndescription: Looks only\ntools: ['read', 'browse']\nhandoffs:\n  ${next}\n---\nBe brief.\n`;
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

  step(
    'hand over to another mode where the agent offers it, in which skills of the project are read',
    async () => {
      const folder = join(stage.workspace, '.agents', 'skills', 'berths');
      await mkdir(folder, { recursive: true });
      await writeFile(
        join(folder, 'SKILL.md'),
        '---\ndescription: How berths are named\n---\nNames of berths are short.\n',
      );
      const next = panel.frame
        .getByRole('group', { name: 'Next Steps' })
        .getByRole('button', { name: 'Make it so' });
      await next.waitFor();
      await screenshot(page, 'mode-handoff');
      await panel.begin(() => next.click());
      await panel.button('Mode: Agent').waitFor();
      await call('read_skill').getByText('Read the skill berths').waitFor();
      await panel.settled();
      const { messages, tools } = lastRequest();
      assert.match(JSON.stringify(tools), /- berths: How berths are named/);
      assert.match(messages.at(-1)?.content ?? '', /^<instructions-.*Names of berths are short\./s);
    },
  );

  step('send a skill, and commands of ours, after a slash', async () => {
    await panel.newChat();
    await panel.messageBox.pressSequentially('/');
    await panel.frame.getByRole('option', { name: /explain/ }).waitFor();
    await screenshot(page, 'mode-slash');
    await panel.messageBox.pressSequentially('ber');
    await panel.frame.getByRole('option', { name: /explain/ }).waitFor({ state: 'detached' });
    await panel.messageBox.press('Enter');
    await eventuallyEqual(() => panel.messageBox.inputValue(), '/berths ');
    await panel.messageBox.pressSequentially('say hello');
    await panel.begin(() => panel.messageBox.press('Enter'));
    await panel.settled();
    assert.match(JSON.stringify(lastRequest().messages), /Names of berths are short\..*say hello/);
    await panel.messageBox.fill('/new');
    await panel.messageBox.press('Escape');
    await panel.messageBox.press('Enter');
    await panel.frame.getByRole('article').first().waitFor({ state: 'detached' });
  });

  step('ask in Ask by Explain, in a conversation of its own, and work as before by Fix', async () => {
    await choose('Modes', 'Agent');
    await panel.send('hello');
    await panel.settled();
    await openFile(page, 'src/tides.ts');
    await runCommand(page, 'Switchboard: Explain');
    await panel.button('Mode: Ask').waitFor();
    await panel.entries.nth(1).waitFor();
    await panel.settled();
    await eventuallyEqual(
      () =>
        panel.entries
          .first()
          .innerText()
          .then((text) => /^Explain/m.test(text)),
      true,
    );
    await panel.focused();
    assert.match(JSON.stringify(lastRequest().messages), /\[Mode: Ask\./);
    assert.ok(!JSON.stringify(lastRequest().messages).includes('hello'));
    await screenshot(page, 'explain-own');
    await openFile(page, 'src/tides.ts');
    await runCommand(page, 'Switchboard: Fix');
    await panel.button('Mode: Agent').waitFor();
    await panel.entries.nth(3).waitFor();
    await panel.settled();
    await panel.focused();
    assert.match(JSON.stringify(lastRequest().messages), /Explain the attached code.*Find and fix the bugs/);
    await screenshot(page, 'explain-fix');
  });
});
