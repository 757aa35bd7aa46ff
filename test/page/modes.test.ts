import assert from 'node:assert/strict';
import { eventually, eventuallyEqual } from '../support/eventually.ts';
import type { PanelPage } from './support/panelPage.ts';
import { useBrowser } from './support/browserSuite.ts';
import { answer, permissions, user } from './support/states.ts';

describe('modes and approvals below the message box', () => {
  const suite = useBrowser();
  let panel: PanelPage;
  beforeEach(async () => {
    panel = await suite.open();
    await panel.show();
  });

  it('are named by buttons, which open lists of what there is and what it means', async () => {
    await panel.button('Mode: Agent').click();
    const list = panel.page.getByRole('listbox', { name: 'Modes' });
    await list.waitFor();
    await panel.posted('loadModes');
    assert.equal(await list.getByRole('option').count(), 3);
    const selected = list.getByRole('option', { name: 'Agent' });
    assert.equal(await selected.getAttribute('aria-selected'), 'true');
    await panel.page.keyboard.press('ArrowUp');
    await panel.page.keyboard.press('Enter');
    assert.equal((await panel.posted('selectMode')).modeId, 'plan');
    await eventuallyEqual(() => list.count(), 0);
    await eventually(async () =>
      assert.ok(await panel.messageBox.evaluate((box) => box === document.activeElement)),
    );
  });

  it('follow the host, which says what is in force', async () => {
    const [ask] = permissions().modes;
    const [, editsAllowed] = permissions().approvalLevels;
    await panel.say({
      type: 'permissionsChanged',
      permissions: permissions({ mode: ask!, approvals: { ...editsAllowed!, asksFirst: false } }),
    });
    await panel.button('Mode: Ask').waitFor();
    await panel.button('Approvals: Edits Allowed').click();
    await panel.page.getByRole('option', { name: 'Ask First' }).click();
    assert.equal((await panel.posted('selectApprovals')).level, 'askFirst');
  });

  it('are named with all that runs without asking, whatever was chosen', async () => {
    const [asks] = permissions().approvalLevels;
    const detail = 'Every edit needs your approval. Without asking: Tide now';
    await panel.say({
      type: 'permissionsChanged',
      permissions: permissions({ approvals: { ...asks!, name: '1 Tool Allowed', detail, asksFirst: false } }),
    });
    const button = panel.button('Approvals: 1 Tool Allowed');
    assert.equal(await button.getAttribute('title'), `1 Tool Allowed: ${detail}`);
    assert.equal(await button.locator('.codicon-pass').count(), 1);
    await button.click();
    const option = panel.page.getByRole('option', { name: 'Ask First' });
    assert.equal(await option.getAttribute('aria-selected'), 'true');
    await option.click();
    assert.equal((await panel.posted('selectApprovals')).level, 'askFirst');
  });

  it("show a project's with its file, where there is little room, too", async () => {
    const mode = {
      id: '.github/agents/helper.agent.md',
      name: 'Ask (helper.agent.md)',
      detail: 'Only reads',
    };
    await panel.page.setViewportSize({ width: 340, height: 600 });
    await panel.say({ type: 'permissionsChanged', permissions: permissions({ mode }) });
    const button = panel.button('Mode: Ask (helper.agent.md)');
    await button.waitFor();
    assert.match(await button.locator('.name-tail').innerText(), /md\)$/);
    assert.equal(await button.locator('.codicon-hubot').count(), 1);
  });

  it('close with Escape and by going elsewhere, and open when the command says so', async () => {
    await panel.say({ type: 'modesOpened' });
    const list = panel.page.getByRole('listbox', { name: 'Modes' });
    await list.waitFor();
    await panel.page.keyboard.press('Escape');
    await eventuallyEqual(() => list.count(), 0);
    await panel.button('Approvals: Ask First').click();
    await panel.page.getByRole('listbox', { name: 'Approvals' }).waitFor();
    await panel.page.mouse.click(20, 20);
    await eventuallyEqual(() => panel.page.getByRole('listbox').count(), 0);
    assert.equal((await panel.posts('stopTurn')).length, 0);
  });

  it('are not there for an app, which uses no tools of the workspace', async () => {
    const app = { id: 'app:1', name: 'Planner', app: 'Chat app' };
    await panel.show({
      models: { state: 'ready', options: [app], selected: app, favourites: [], recent: [] },
    });
    await eventuallyEqual(() => panel.button(/^(Mode|Approvals): /).count(), 0);
  });

  it('have a plan started under the answer that ends with it, while that is the newest', async () => {
    const planned = answer('a1', '## Plan\n\n1. Edit', { end: { hasPlan: true } });
    await panel.show({ entries: [user('u1', 'Plan it'), planned] });
    const group = panel.page.getByRole('group', { name: 'Plan' });
    await group.getByRole('button', { name: 'Start' }).click();
    assert.equal((await panel.posted('startPlan')).id, 'a1');
    await panel.show({ entries: [user('u1', 'Plan it'), planned, user('u2', 'No'), answer('a2', 'Well')] });
    await eventuallyEqual(() => group.count(), 0);
  });

  it('have the next steps of an agent under its newest answer, once that has ended', async () => {
    const handoffs = [
      { label: 'Fix it', detail: 'Switches to Agent and sends a message: Fix it' },
      { label: 'Explain', detail: 'Switches to Ask and fills the message box' },
    ];
    const entries = [user('u1', 'Look'), answer('a1', 'Looked')];
    await panel.show({ entries });
    const article = panel.page.getByRole('article').last();
    await eventuallyEqual(async () => (await article.innerText()).split('\n').at(-1), 'Looked');
    await panel.show({ entries, permissions: permissions({ handoffs }) });
    const group = panel.page.getByRole('group', { name: 'Next Steps' });
    await group.getByRole('button', { name: 'Explain', description: /fills the message box/ }).click();
    assert.deepEqual(await panel.posted('handOff'), { type: 'handOff', index: 1, label: 'Explain' });
    const running = { type: 'answering' } as const;
    await panel.show({ entries, permissions: permissions({ handoffs }), status: running });
    await group.getByRole('button', { name: 'Fix it', disabled: true }).waitFor();
    const failed = answer('a2', '', {
      end: { failure: { message: 'No', code: 'model', remedy: { type: 'retry', label: 'Retry' } } },
    });
    await panel.show({
      entries: [...entries, user('u2', 'Go on'), failed],
      permissions: permissions({ handoffs }),
    });
    await eventuallyEqual(() => group.count(), 0);
  });

  it('are offered prompt files after a slash, of which the name is put into the message', async () => {
    await panel.messageBox.pressSequentially('/re');
    const last = async () => (await panel.posts('findPrompts')).at(-1);
    await eventuallyEqual(async () => (await last())?.query, 're');
    const options = [
      { id: 'prompt:review', kind: 'prompt' as const, label: 'review', detail: 'Reviews a file' },
    ];
    const { requestId } = (await last())!;
    await panel.say({ type: 'mentionsFound', requestId, options, isComplete: true });
    await panel.page.getByRole('option', { name: /review/ }).waitFor();
    await panel.page.keyboard.press('Enter');
    await eventuallyEqual(() => panel.messageBox.inputValue(), '/review ');
    assert.equal((await panel.posts('attachMention')).length, 0);
  });
});
