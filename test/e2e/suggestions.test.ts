import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { screenshot } from '../host/screen.ts';
import {
  isStored,
  openFile,
  openPanel,
  openWindow,
  quickInputPick,
  runCommand,
  toggleSecondarySideBar,
} from '../host/workbench.ts';
import { completer } from '../servers/models/completionModels.ts';
import { refuse, type ScriptedModel, stall } from '../servers/script/script.ts';
import { eventually } from '../support/eventually.ts';
import { type Panel, setUpStage, type Stage, useStage } from './support.ts';
import { walk } from './walk.ts';

const head = 'function areaOf(width,';
const tail = ') {\n  return width * breadth;\n}\n';
const names = ['restricted', 'untested', 'trusted', 'waiting', 'failing', 'budget', 'unused', 'restored'];

describe('suggestions while typing', () => {
  let stage: Stage;
  let page: Page;
  let panel: Panel;

  let answers: 'code' | 'never' | 'refusal' = 'code';
  const refusal = refuse({ status: 403, body: { error: { message: 'No quota for this model.' } } });
  const scripted: ScriptedModel = {
    ...completer,
    complete: (...given) =>
      answers === 'code' ? completer.complete!(...given) : [answers === 'never' ? stall : refusal],
  };
  const setUp = () =>
    setUpStage({
      connected: true,
      asksForTrust: true,
      sandbox: { list: 'good', models: [scripted] },
      settings: { 'switchboard.completions.model': completer.id },
    });
  useStage(setUp, async (fresh) => {
    stage = fresh;
    await fill(stage.workspace, names);
    ({ page, panel } = await stage.open());
  });

  /** A workspace can choose neither the model nor the languages. */
  const settings = {
    'switchboard.completions.model': 'scripted-echo',
    'switchboard.completions.languages': { typescript: false },
  };
  async function fill(folder: string, files: readonly string[]): Promise<void> {
    for (const name of ['.vscode', 'src']) await mkdir(join(folder, name), { recursive: true });
    await writeFile(join(folder, '.vscode', 'settings.json'), JSON.stringify(settings));
    for (const name of files)
      await writeFile(join(folder, 'src', `${name}.ts`), `// ${name}\n${head}${tail}`);
  }
  const asked = () =>
    stage.sandbox.relay.requests
      .filter(({ path }) => path === '/v1/completions')
      .map(({ json }) => json as { model: string; prompt: string })
      .map(({ model, prompt }) => `${model} ${/^\/\/ (\w+)/.exec(prompt)?.[1] ?? 'test'}`);
  const statusBar = () => page.locator('.part.statusbar');
  const item = (state?: string): Locator =>
    statusBar().getByRole('button', {
      name: state === undefined ? /^Suggestions: / : `Suggestions: ${state}`,
    });
  const ghostText = () => page.locator('.monaco-editor.focused [class*=ghost-text]', { hasText: 'breadth' });

  /** Opens a file that had no suggestion yet, and types the blank where one belongs. */
  async function typeIn(name: string): Promise<void> {
    await openFile(page, `src/${name}.ts`);
    for (const key of ['ControlOrMeta+Home', 'ArrowDown', 'End', 'ArrowLeft', 'ArrowLeft', 'ArrowLeft', ' '])
      await page.keyboard.press(key);
    await statusBar().getByText('Ln 2, Col 24').waitFor();
  }
  const askTheEditor = () => runCommand(page, 'Trigger Inline Suggestion');
  const trust = async () => {
    await statusBar().getByRole('button', { name: 'Restricted Mode' }).click();
    const editor = page.locator('.workspace-trust-editor');
    await editor.getByRole('button', { name: 'Trust', exact: true }).first().click();
    // Extensions that start now take the focus from it.
    await eventually(async () => {
      await editor.getByText('You trust this folder').click();
      await page.keyboard.press('Escape');
      await editor.waitFor({ state: 'detached', timeout: 2_000 });
    });
  };

  /** A workspace may make the budget smaller; the editor notices when that file changes, unlike the user's. */
  const setBudget = (budget?: object) =>
    writeFile(
      join(stage.workspace, '.vscode', 'settings.json'),
      JSON.stringify({ ...settings, 'switchboard.chat.dailyBudget': budget }),
    );

  /** The question whether to go on stays in front of what is said after it. */
  async function asksInPanel(): Promise<void> {
    await panel.selectModel('scripted-echo');
    await panel.messageBox.fill('Is the harbour deep?');
    await panel.messageBox.press('Enter');
    await panel.button('Continue Once').waitFor();
    await runCommand(page, 'Switchboard: Show Balance');
    await panel.button('Next Notice').waitFor();
    await screenshot(page, 'budget-question');
    await panel.button('Stop').first().click();
    await panel.frame.getByText('Stopped at your daily budget.').waitFor();
  }

  const sideBarIsStored = (isHidden: boolean) =>
    eventually(async () =>
      assert.equal(await isStored(page, 'workbench.auxiliaryBar.hidden: true'), isHidden),
    );

  const step = walk('are there once Switchboard is used in a window, in folders that the user trusts');

  step('ask nothing in Restricted Mode', async () => {
    await typeIn('restricted');
    await askTheEditor();
    assert.equal(await item().count(), 0);
    await screenshot(page, 'suggestions-restricted');
  });

  step("ask nothing of the model that the user's settings name until it has passed the test", async () => {
    await trust();
    await item().waitFor();
    await typeIn('untested');
    await item('the model is not tested yet. Choose Model…').waitFor();
    await screenshot(page, 'suggestions-untested');
    assert.deepEqual(asked(), []);
  });

  step('come while typing', async () => {
    await item().click();
    await quickInputPick(page, completer.id);
    await page.getByRole('dialog').getByRole('button', { name: 'Turn On' }).click();
    await item('on. Pause').waitFor();
    await typeIn('trusted');
    await ghostText().waitFor();
    await screenshot(page, 'suggestions-on');
    assert.deepEqual(asked(), ['scripted-completer test', 'scripted-completer trusted']);
  });

  step('say in the status bar what they do', async () => {
    const states = async (name: string, state: string) => {
      await item(state).waitFor();
      await item().hover();
      await page
        .locator('.workbench-hover')
        .getByText(state.slice(0, state.indexOf('.')))
        .waitFor();
      await screenshot(page, `suggestions-${name}`);
      await page.mouse.move(0, 0);
    };
    answers = 'never';
    await typeIn('waiting');
    await states('waiting', 'waiting for the model. Pause');
    answers = 'refusal';
    await typeIn('failing');
    await states('failed', 'failed. Try Again');
    answers = 'code';
    await item().click();
    await item('on. Pause').click();
    await states('paused', 'paused. Resume');
    await item().click();
    await openFile(page, 'README.md');
    await states('language', 'off for markdown. Pause');
    await setBudget({ tokens: 1 });
    await typeIn('budget');
    await eventually(async () => {
      await page.keyboard.type('x');
      await item('daily budget reached. Try Again').waitFor({ timeout: 1_000 });
    });
    await states('budget', 'daily budget reached. Try Again');
    await asksInPanel();
    await setBudget(undefined);
    await item('on. Pause').waitFor();
  });

  step('wait in a new window until Switchboard is used, which asking the editor for one is', async () => {
    await toggleSecondarySideBar(page);
    await sideBarIsStored(true);
    await page.reload();
    await typeIn('unused');
    assert.equal(await item().count(), 0);
    await screenshot(page, 'suggestions-unused');
    await askTheEditor();
    await item('on. Pause').waitFor();
    await ghostText().waitFor();
  });

  step('are there at once in a window that opens with a view of Switchboard', async () => {
    await toggleSecondarySideBar(page);
    await openPanel(page);
    await sideBarIsStored(false);
    await page.reload();
    // While a window starts, the editor may drop what it asked for until the next key.
    await panel.messageBox.waitFor();
    await item('on. Pause').waitFor();
    await typeIn('restored');
    await ghostText().waitFor();
  });

  step('ask nothing in the next folder until that is trusted, too', async () => {
    const other = join(dirname(stage.workspace), 'other');
    await fill(other, ['other']);
    page = await openWindow(stage.browser, stage.editor, other, page.context());
    await typeIn('other');
    await askTheEditor();
    assert.equal(await item().count(), 0);
    await screenshot(page, 'suggestions-other-folder');
    assert.deepEqual(
      [...new Set(asked())],
      ['test', 'trusted', 'waiting', 'failing', 'unused', 'restored'].map(
        (each) => `scripted-completer ${each}`,
      ),
    );
  });
});
