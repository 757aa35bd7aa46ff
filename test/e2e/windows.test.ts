import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Page } from 'playwright-core';
import { chooseInExplorer } from '../host/explorer.ts';
import { root } from '../host/paths.ts';
import { screenshot } from '../host/screen.ts';
import {
  openWindow,
  panelFrame,
  quickInput,
  quickInputItem,
  quickInputPick,
  reloadWindow,
  runCommand,
} from '../host/workbench.ts';
import { textOf, withoutFacts } from '../servers/relay/chatRequest.ts';
import { eventuallyEqual } from '../support/eventually.ts';
import { newestRequest, Panel, setUpStage, type Stage, useStage } from './support.ts';
import { walk } from './walk.ts';

describe('a Chinese window on two folders that are not trusted', () => {
  let stage: Stage;
  let page: Page;
  let panel: Panel;
  let bundle: Record<string, string>;

  useStage(
    () =>
      setUpStage({
        connected: true,
        language: 'zh-cn',
        asksForTrust: true,
        sandbox: { platform: { indexing: 'instant', seed: [{ dataset: 'Harbour' }] } },
      }),
    async (fresh) => {
      stage = fresh;
      bundle = JSON.parse(await readFile(join(root, 'media', 'l10n', 'bundle.l10n.zh-cn.json'), 'utf8'));
      const scratch = dirname(stage.workspace);
      const quay = join(scratch, 'quay');
      await mkdir(quay);
      await writeFile(join(quay, 'README.md'), '# Quay\n\nThe boats lie at the mole.\n');
      const file = join(scratch, 'both.code-workspace');
      await writeFile(file, JSON.stringify({ folders: [{ path: stage.workspace }, { path: quay }] }));
      page = await openWindow(stage.browser, stage.editor, file);
      await showFolders(page);
      panel = new Panel(panelFrame(page), (english) => bundle[english] ?? english);
      await panel.selectModel('scripted-tools');
    },
  );

  const trust = () => page.locator('.workspace-trust-editor');

  const step = walk('speaks Chinese, and reads what is attached alone until both folders are trusted');

  step('has no English word but names in the panel, and its commands under their Chinese names', async () => {
    const words = await panel.frame.locator('#root').evaluate((element) => {
      const attributes = ['aria-label', 'aria-description', 'placeholder', 'title'];
      const all = [...element.querySelectorAll<HTMLElement>('*')].filter((each) => each.checkVisibility());
      const named = all.flatMap((each) => attributes.map((name) => each.getAttribute(name) ?? ''));
      return [(element as HTMLElement).innerText, ...named].join('\n');
    });
    assert.match(words, /随便问/);
    const names = /scripted\s*-tools|http:\S+?(?=（)|Shift\+Enter|Shift|Enter/g;
    assert.doesNotMatch(words.replaceAll(names, ''), /[a-z]{2}/i);
    await screenshot(page, 'chinese');
    await runCommand(page, 'Switchboard: 连接中转站…');
    await quickInputPick(page, bundle['Add Another Relay…'] ?? '');
    await quickInput(page).locator('.quick-input-title').getByText('连接中转站（1/2）').waitFor();
    await page.keyboard.press('Escape');
    await quickInput(page).waitFor({ state: 'detached' });
  });

  step('sends what the user attached, and lets no tool read more', async () => {
    await panel.messageBox.pressSequentially('@quay/READ');
    await panel.frame.getByRole('option', { name: 'README.md' }).first().waitFor();
    await panel.messageBox.press('Enter');
    await eventuallyEqual(() => panel.messageBox.inputValue(), '@README.md ');
    await panel.messageBox.pressSequentially('Read sample/README.md');
    await panel.begin(() => panel.messageBox.press('Enter'));
    await panel.settled();
    const [asked, , result] = newestRequest(stage).messages.slice(-3);
    assert.match(
      withoutFacts(textOf(asked)),
      /^<attachment-\w+ kind="file" path="quay\/README\.md">\n# Quay/,
    );
    assert.match(textOf(result), /the user has not trusted this workspace/);
    assert.doesNotMatch(JSON.stringify(newestRequest(stage)), /Tide Tables/);
    assert.deepEqual(
      newestRequest(stage).tools?.map(({ function: { name } }) => name),
      ['read_file', 'update_plan', 'search_knowledge'],
    );
    const why = "This workspace isn't trusted, so only files you attached can be read.";
    await panel.frame.getByText(bundle[why] ?? '').waitFor();
    await screenshot(page, 'untrusted');
  });

  step("leads from one line to the editor's own question of trust, and then reads both folders", async () => {
    const line = panel.frame.getByText(bundle['Restricted Mode: models read only what you attach.'] ?? '');
    await line.waitFor();
    await panel.button(bundle['Trust…'] ?? '').click();
    await trust().getByText('You are in Restricted Mode').waitFor();
    await trust().getByRole('button', { name: 'Trust', exact: true }).click();
    await line.waitFor({ state: 'detached' });
    await runCommand(page, 'View: Close Editor');
    await trust().waitFor({ state: 'detached' });
    await panel.send('Read quay/README.md, sample/README.md and README.md; search for mole');
    await panel.settled();
    const results = newestRequest(stage).messages.slice(-4).map(textOf);
    for (const [index, begins] of [
      'quay/README.md, lines 1 to 3 of 3\n1\t# Quay',
      'sample/README.md, lines 1 to 15 of 15\n1\t# Tide Tables',
      'sample/README.md, lines 1 to 15 of 15\n1\t# Tide Tables',
    ].entries())
      assert.ok(results[index]?.startsWith(begins), results[index]);
    assert.match(results[3] ?? '', /^sample\/docs\/harbour-rules\.md\n[^]*^quay\/README\.md\n/m);
    await screenshot(page, 'two-folders');
  });

  step('names documents after their folders', async () => {
    await chooseInExplorer(page, ['sample', 'quay'], '添加到知识库…');
    await quickInputPick(page, 'Harbour');
    const send = quickInput(page).getByRole('option', { name: /上传 \d+ 篇文档/ });
    await send.waitFor();
    await quickInputItem(page, 'quay/README.md').waitFor();
    await screenshot(page, 'two-folders-preflight');
    await send.click();
    const names = () =>
      stage.sandbox.platform.datasets
        .flatMap(({ documents }) => documents.map(({ name }) => name.replaceAll('∕', '/')))
        .filter((name) => name.endsWith('README.md'))
        .toSorted();
    await eventuallyEqual(names, ['quay/README.md', 'sample/README.md']);
  });
});

/** On a busy machine VS Code often opens a workspace file without its folders, and stays so until reloaded. */
async function showFolders(page: Page): Promise<void> {
  const none = page.getByText('You have not yet added a folder to the workspace.');
  const folder = page.getByRole('treeitem', { name: 'quay' });
  await none.or(folder).first().waitFor();
  if (await none.isVisible()) await reloadWindow(page);
  await folder.waitFor();
}
