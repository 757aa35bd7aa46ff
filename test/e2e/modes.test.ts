import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { reloadWindow, screenshot } from '../host/workbench.ts';
import { lastUserText, messagesOfTurn } from '../servers/relay/chatRequest.ts';
import { text, toolCall, type ScriptedModel } from '../servers/script/script.ts';
import { setUpStage, type Panel, type Stage } from './support.ts';

const plan = '## Plan\n\n1. Create `planned.md` with *one* line.  \n2. Read it again.\n\n> Nothing else.';

/** Plans where it is told to plan; what it is told to carry out, it carries out. */
const planner: ScriptedModel = {
  id: 'planner',
  ownedBy: 'openai',
  describe: 'Plans, and carries the plan out.',
  *answer(request) {
    if (/^\[Mode: Plan\./m.test(lastUserText(request))) yield text(`I looked around.\n\n${plan}\n`);
    else if (messagesOfTurn(request).some((message) => message.role === 'tool')) yield text('Carried out.');
    else {
      const call = JSON.stringify({ path: 'planned.md', content: 'one\n' });
      yield toolCall({ id: 'call_1', name: 'create_file', arguments: call });
    }
  },
};

describe('modes, in the window', () => {
  let stage: Stage;
  let page: Page;
  let panel: Panel;

  before(async () => {
    stage = await setUpStage({ connected: true, sandbox: { models: [planner] } });
    ({ page, panel } = await stage.open());
    await panel.selectModel('scripted-tools');
  });
  after(() => stage.close());

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

  it('refuse an edit in Ask, say so, and are still in force after the window was reloaded', async () => {
    const before = await file('README.md');
    await choose('Modes', 'Ask');
    const edit = { path: 'README.md', replacements: [{ oldText: 'a', newText: 'b', all: true }] };
    await panel.send(`call edit_file with ${JSON.stringify(edit)}`);
    await call('edit_file').getByText('Not allowed in the mode "Ask"').waitFor();
    await panel.settled();
    assert.match(lastRequest().messages.at(-1)?.content ?? '', /^Not run: the mode "Ask" is on/);
    assert.equal(await file('README.md'), before);
    await screenshot(page, 'mode-ask');
    await reloadWindow(page);
    await panel.button('Mode: Ask').waitFor();
    await panel.send(`call create_file with {"path": "new.md", "content": "x"}`);
    await panel.settled();
    assert.equal(await file('new.md'), undefined);
  });

  it('plan without a change, and hand the plan to an agent word for word', async () => {
    await panel.newChat();
    await panel.selectModel('planner');
    await choose('Modes', 'Plan');
    await panel.send('Write a file');
    await panel.settled();
    await screenshot(page, 'mode-plan');
    await panel.begin(() =>
      panel.frame.getByRole('group', { name: 'Plan' }).getByRole('button', { name: 'Start' }).click(),
    );
    await panel.button('Mode: Agent').waitFor();
    await call('create_file').getByRole('button', { name: 'Allow', exact: true }).click();
    await panel.settled();
    assert.equal(await file('planned.md'), 'one\n');
    const said = lastRequest().messages.filter(({ role }) => role === 'user');
    assert.ok(said.at(-1)?.content?.endsWith(`Carry out this plan:\n\n${plan}`));
    await screenshot(page, 'mode-plan-started');
  });

  it('edit without asking where edits are allowed, but for protected files', async () => {
    await panel.newChat();
    await panel.selectModel('scripted-tools');
    await choose('Approvals', 'Edits Allowed');
    await panel.send('call create_file with {"path": "free.md", "content": "free"}');
    await panel.settled();
    assert.equal(await file('free.md'), 'free');
    await panel.send('call create_file with {"path": ".vscode/settings.json", "content": "{}"}');
    await call('create_file').getByRole('button', { name: 'Deny', exact: true }).waitFor();
    await screenshot(page, 'mode-edits-allowed');
    await panel.button('Stop').click();
    await panel.settled();
    assert.equal(await file('.vscode/settings.json'), undefined);
  });

  it('are also those that the project describes, as are prompts, and run only the tools that they name', async () => {
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
    await panel.button('Mode: looker').waitFor();
    await call('create_file').getByText('Not allowed in the mode "looker"').waitFor();
    await panel.settled();
    assert.equal(await file('asked.md'), undefined);
    assert.match(JSON.stringify(lastRequest().messages), /\[Mode: looker\..*Be brief\./);
    await panel.button('Mode: looker').click();
    await panel.frame.getByText('Unknown tools: browse').waitFor();
    await screenshot(page, 'mode-agents');
  });
});
