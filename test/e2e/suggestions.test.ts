import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { screenshot } from '../host/screen.ts';
import { openFile, openWorkbench, panelFrame, quickInputPick, runCommand } from '../host/workbench.ts';
import { completer } from '../servers/models/completionModels.ts';
import { eventually } from '../support/eventually.ts';
import { setUpStage, type Stage, useStage } from './support.ts';
import { walk } from './walk.ts';

const head = 'function areaOf(width,';
const tail = ') {\n  return width * breadth;\n}\n';

describe('suggestions while typing', () => {
  let stage: Stage;
  let page: Page;

  const setUp = () =>
    setUpStage({
      connected: true,
      asksForTrust: true,
      sandbox: { list: 'good', models: [completer] },
      settings: {
        'switchboard.completions.model': completer.id,
        // A new window must not show the panel, whose use would count.
        'workbench.secondarySideBar.defaultVisibility': 'hidden',
      },
    });
  useStage(setUp, async (fresh) => {
    stage = fresh;
    await fill(stage.workspace, ['restricted', 'trusted']);
    page = await openWorkbench(stage.browser, stage.editor, stage.workspace);
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

  const step = walk('are there once Switchboard is used in a window, in folders that the user trusts');

  step('ask nothing in Restricted Mode', async () => {
    await typeIn('restricted');
    await askTheEditor();
    // The panel comes later than what suggests, which loads with the extension.
    await runCommand(page, 'Switchboard: Open Chat');
    await panelFrame(page).getByRole('textbox', { name: 'Message' }).waitFor();
    assert.equal(await item().count(), 0);
    await screenshot(page, 'suggestions-restricted');
  });

  step("come while typing once the folder is trusted and the user's model has passed the test", async () => {
    await trust();
    await item().waitFor();
    await page.getByRole('tab', { name: 'restricted.ts' }).click();
    await askTheEditor();
    await item('the model is not tested yet. Choose Model…').click();
    assert.deepEqual(asked(), []);
    await quickInputPick(page, completer.id);
    await page.getByRole('dialog').getByRole('button', { name: 'Turn On' }).click();
    await item('on. Pause').waitFor();
    await typeIn('trusted');
    await ghostText().waitFor();
    await screenshot(page, 'suggestions-on');
  });

  step(
    'wait in the next folder for its trust, and for the first use, which asking the editor is',
    async () => {
      const other = join(dirname(stage.workspace), 'other');
      await fill(other, ['untrusted', 'unused']);
      page = await openWorkbench(stage.browser, stage.editor, other, page.context());
      await typeIn('untrusted');
      assert.equal(await item().count(), 0);
      await screenshot(page, 'suggestions-other-folder');
      await trust();
      await typeIn('unused');
      assert.equal(await item().count(), 0);
      await askTheEditor();
      await item('on. Pause').waitFor();
      await ghostText().waitFor();
      await screenshot(page, 'suggestions-unused');
      assert.deepEqual(
        asked(),
        ['test', 'trusted', 'unused'].map((each) => `scripted-completer ${each}`),
      );
    },
  );
});
