import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { chooseInMenu } from '../host/explorer.ts';
import { screenshot } from '../host/screen.ts';
import {
  openFile,
  quickInput,
  quickInputAccept,
  quickInputType,
  runCommand,
  webviewOf,
} from '../host/workbench.ts';
import { startPlatform } from '../servers/sandbox.ts';
import { eventually, eventuallyEqual } from '../support/eventually.ts';
import { type Panel, setUpStage, type Stage, useStage } from './support.ts';
import { walk } from './walk.ts';

interface ChatBody {
  query: string;
  inputs: Record<string, unknown>;
  conversation_id?: string;
  user: string;
}

describe('apps of the platform', () => {
  let stage: Stage;
  let page: Page;
  let panel: Panel;

  useStage(
    () => setUpStage({ connected: true, sandbox: { list: 'good' }, apps: ['formFlow'] }),
    async (fresh) => {
      stage = fresh;
      ({ page, panel } = await stage.open());
    },
  );

  const frame = () => panel.frame;
  const suggested = (question: string) => frame().getByRole('button', { name: question });
  const platform = () => stage.sandbox.platform;
  const sent = (path: string) =>
    platform()
      .requests.filter((request) => request.path === path)
      .map(({ json }) => json as ChatBody);

  async function addApp(key: string, address = platform().url): Promise<void> {
    await runCommand(page, 'Switchboard: Add Platform App…');
    await quickInput(page).getByText('(1/2)').waitFor();
    await quickInputType(page, address);
    await quickInputAccept(page);
    await quickInput(page).getByText('(2/2)').waitFor();
    await quickInputType(page, key);
    await quickInputAccept(page);
  }
  /** Waits for the confirmation, which closes whatever is opened before it. */
  async function addAppAndWait({ key, name }: { key: string; name: string }): Promise<void> {
    await addApp(key);
    await frame().getByText(`Added app "${name}"`).waitFor();
  }
  async function addAndOpen(name: 'chat' | 'form' | 'chatflow') {
    const app = platform().apps[name];
    await addAppAndWait(app);
    await panel.button('Open in Chat').click();
    await panel.button(`Model: ${app.name}`).waitFor();
    return app;
  }

  it('has the apps of the environment by itself, and sends a form with every message', async () => {
    await runCommand(page, 'Switchboard: Focus on Apps View');
    const line = page.getByRole('treeitem', { name: 'Echo everything, chatflow, from the environment' });
    await line.waitFor();
    await screenshot(page, 'app-from-environment');
    await line.hover();
    await line.getByRole('button', { name: 'Open in Chat' }).click();
    await panel.button('Model: Echo everything').waitFor();
    const form = frame().getByRole('form', { name: 'Inputs' });
    await form.getByRole('textbox', { name: 'Your name' }).fill('Ann');
    await form.getByRole('textbox', { name: 'How many' }).fill('3');
    await form.getByRole('combobox', { name: 'Tone' }).selectOption('friendly');
    await panel.send('One');
    await panel.settled();
    await panel.send('Two');
    await panel.settled();
    const [first, second] = sent('/v1/chat-messages');
    assert.deepEqual(second?.inputs, first?.inputs);
    assert.equal(second?.inputs['tone'], 'friendly');
  });

  it("runs a workflow on the editor's selection", async () => {
    platform().clearRequests();
    await addAppAndWait(platform().apps.workflow);
    await openFile(page, 'README.md');
    await page.keyboard.press('ControlOrMeta+A');
    await runCommand(page, 'Switchboard: Run Workflow…');
    const form = frame().getByRole('dialog', { name: 'Summarise' });
    const text = form.getByRole('textbox', { name: 'Text to summarise' });
    await text.and(frame().locator(':focus')).waitFor();
    await form.getByText('From README.md, lines 1 to 16').waitFor();
    await screenshot(page, 'app-workflow-form');
    await text.fill('');
    await form.getByRole('button', { name: 'Run', exact: true }).click();
    await form.getByText('Required', { exact: true }).waitFor();
    await form.getByRole('button', { name: 'Take Text to summarise from the Editor' }).click();
    await form.getByRole('button', { name: 'Run', exact: true }).click();
    await eventuallyEqual(() => sent('/v1/workflows/run').length, 1);
    assert.match(String(sent('/v1/workflows/run')[0]?.inputs['text']), /^# Tide Tables/);
    await page.locator('.view-line').filter({ hasText: 'counts' }).first().waitFor();
    await screenshot(page, 'app-workflow-result');
  });

  const chatting = walk('are talked to, rated, and found again in the history of the platform');

  chatting('greets, suggests questions, and holds a conversation of several turns', async () => {
    platform().clearRequests();
    await addAndOpen('chat');
    await frame().getByText('Ahoy! I am the').waitFor();
    await screenshot(page, 'app-greeting');
    await panel.begin(() => suggested('When may I leave with a draught of 1.8 m?').click());
    await panel.settled();
    await panel.send('What did I say before?');
    await panel.settled();
    await frame().getByRole('article').getByText('Before, you said:').first().waitFor();
    const [first, second] = sent('/v1/chat-messages');
    assert.ok(first && second);
    assert.ok(!first.conversation_id);
    assert.match(second.conversation_id ?? '', /^[0-9a-f-]{36}$/);
    assert.equal(second.user, first.user);
  });

  chatting('rates an answer, and takes it back', async () => {
    const good = panel.button('Good answer').last();
    await good.click();
    await good.and(frame().locator('[aria-pressed=true]')).waitFor();
    await good.click();
    await good.and(frame().locator('[aria-pressed=false]')).waitFor();
    const ratings = platform().requests.filter(({ path }) => path.endsWith('/feedbacks'));
    assert.deepEqual(
      ratings.map(({ json }) => (json as { rating: string | null }).rating),
      ['like', null],
    );
  });

  chatting("opens a conversation of the platform's history and goes on with it", async () => {
    await panel.newChat();
    platform().clearRequests();
    await panel.titleButton('Show History').click();
    const load = quickInput(page).getByRole('option', { name: /Tide helper.*Load conversations/ });
    await load.waitFor();
    await screenshot(page, 'app-history');
    assert.deepEqual(sent('/v1/conversations'), [], 'Nobody is asked before somebody wants it.');
    await load.click();
    await load.waitFor({ state: 'detached' });
    await eventuallyEqual(() => sent('/v1/conversations').length, 1);
    await screenshot(page, 'app-history-loaded');
    await quickInput(page)
      .getByRole('option', { name: /When may I leave.*Tide helper/ })
      .last()
      .click();
    await frame().getByRole('article').getByText('Before, you said:').first().waitFor();
    await panel.send('What did I say before?');
    await panel.settled();
    const [next] = sent('/v1/chat-messages');
    assert.match(next?.conversation_id ?? '', /^[0-9a-f-]{36}$/);
  });

  const filling = walk('have forms, before they answer and after, and are read aloud');

  filling(
    'asks for what an app needs first, says what is wrong, and sends it as the server wants it',
    async () => {
      platform().clearRequests();
      await addAndOpen('form');
      const form = frame().getByRole('form', { name: 'Inputs' });
      await form.getByRole('textbox', { name: 'Name of the boat' }).waitFor();
      await panel.messageBox.fill('Plan a passage');
      await panel.messageBox.press('Enter');
      await form.locator('[aria-invalid=true]').first().waitFor();
      assert.equal(sent('/v1/chat-messages').length, 0);
      await form.getByRole('textbox', { name: 'Name of the boat' }).fill('Seeschwalbe');
      await form.getByRole('textbox', { name: 'The crew, one in a line' }).fill('Ada\nGrace');
      await form.getByRole('textbox', { name: 'Draught in metres' }).fill('1.8');
      await form.getByRole('combobox', { name: 'Harbour' }).selectOption('Altmühle');
      await form.getByRole('checkbox', { name: 'Sails at night' }).check();
      await form.getByRole('textbox', { name: 'Equipment, as JSON' }).fill('{"radar": true}');
      await screenshot(page, 'app-form');
      await panel.begin(() => panel.messageBox.press('Enter'));
      await frame().getByText('Seeschwalbe').last().waitFor();
      await panel.settled();
      const inputs = sent('/v1/chat-messages').at(-1)?.inputs ?? {};
      assert.deepEqual(
        [inputs['boat'], inputs['crew'], inputs['draught'], inputs['harbour'], inputs['night']],
        ['Seeschwalbe', 'Ada\nGrace', 1.8, 'Altmühle', true],
      );
      assert.ok(!('forecast' in inputs));
    },
  );

  filling('reads the last answer of a conversation aloud, to its end', async () => {
    await runCommand(page, 'Switchboard: Focus on Apps View');
    const tree = page.getByRole('tree', { name: 'Apps' });
    await tree.getByRole('treeitem', { name: /^Passage planner, / }).click();
    await tree.getByRole('treeitem', { name: /^Plan a passage/ }).click({ button: 'right' });
    await chooseInMenu(page, 'Read Last Answer Aloud');
    await page.getByRole('tab', { name: 'Plan a passage.mp3' }).waitFor();
    const player = webviewOf(page, 'vscode.media-preview');
    const audio = player.locator('audio');
    await audio.evaluate((element: HTMLAudioElement) => (element.playbackRate = 16));
    await page.keyboard.press('Tab');
    await page.keyboard.press('Space');
    await audio.and(player.locator(':focus')).waitFor();
    await eventually(async () =>
      assert.ok(await audio.evaluate((element: HTMLAudioElement) => element.ended)),
    );
  });

  filling('fills in the form that an answer waits for, and has the rest of it', async () => {
    const newer = await startPlatform({ version: '1.16.1' });
    try {
      const { key, name } = newer.apps.chatflowPauses;
      await addApp(key, newer.url);
      await frame().getByText(`Added app "${name}"`).waitFor();
      await panel.button('Open in Chat').click();
      await panel.button(`Model: ${name}`).waitFor();
      await panel.send('Is there a berth?');
      await panel.settled();
      await frame().getByRole('group', { name: 'Waiting for human input' }).waitFor();
      await panel.button('Fill In Form…').click();
      const form = frame().getByRole('dialog');
      await form.getByRole('blockquote').getByText('Is there a berth?').waitFor();
      await form.getByRole('combobox', { name: 'urgency' }).selectOption('today');
      await screenshot(page, 'app-input');
      await form.getByRole('button', { name: 'Approve' }).click();
      const whole = 'I have asked the harbour master. The answer is "approve": None.';
      await frame().getByRole('article').getByText(whole, { exact: true }).waitFor();
      await eventuallyEqual(() => panel.button('Fill In Form…').count(), 0);
    } finally {
      await newer.stop();
    }
  });
});
