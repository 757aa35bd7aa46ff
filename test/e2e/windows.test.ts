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
  runCommand,
} from '../host/workbench.ts';
import { withoutFacts } from '../servers/relay/chatRequest.ts';
import { eventuallyEqual } from '../support/eventually.ts';
import { Panel, setUpStage, type Stage, useStage } from './support.ts';
import { walk } from './walk.ts';

interface ChatBody {
  messages: { content: string }[];
  tools: { function: { name: string } }[];
}

function newestRequest({ sandbox }: Stage): ChatBody {
  const request = sandbox.relay.requests.findLast(({ path }) => path === '/v1/chat/completions');
  return (request?.json ?? { messages: [], tools: [] }) as ChatBody;
}

function newestMessage(stage: Stage): string {
  return withoutFacts(newestRequest(stage).messages.at(-1)?.content ?? '');
}

describe('a Chinese window on a folder that is not trusted', () => {
  let stage: Stage;
  let page: Page;
  let panel: Panel;
  let bundle: Record<string, string>;

  useStage(
    () => setUpStage({ connected: true, language: 'zh-cn', asksForTrust: true }),
    async (fresh) => {
      stage = fresh;
      bundle = JSON.parse(await readFile(join(root, 'media', 'l10n', 'bundle.l10n.zh-cn.json'), 'utf8'));
      page = await openWindow(stage.browser, stage.editor, stage.workspace);
      panel = new Panel(panelFrame(page), (english) => bundle[english] ?? english);
      await panel.selectModel('scripted-tools');
    },
  );

  const step = walk('speaks Chinese, and gives models what the user attached alone');

  step('has no English word but names in the panel', async () => {
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
  });

  step('has its commands under their Chinese names', async () => {
    await runCommand(page, 'Switchboard: 连接中转站…');
    await quickInputPick(page, bundle['Add Another Relay…'] ?? '');
    await quickInput(page).locator('.quick-input-title').getByText('连接中转站（1/2）').waitFor();
    await page.keyboard.press('Escape');
    await quickInput(page).waitFor({ state: 'detached' });
  });

  step('lets no tool read what the user did not attach, and says so', async () => {
    await panel.send('Read README.md and tell me the title');
    await panel.settled();
    assert.match(newestMessage(stage), /the user has not trusted this workspace/);
    assert.doesNotMatch(newestMessage(stage), /Tide Tables/);
    assert.deepEqual(
      newestRequest(stage).tools.map(({ function: { name } }) => name),
      ['read_file', 'update_plan', 'search_knowledge'],
    );
    const call = panel.frame.getByRole('group', {
      name: bundle['Tool {0}']?.replace('{0}', 'read_file') ?? '',
    });
    await call.waitFor();
    const why = "This workspace isn't trusted, so only files you attached can be read.";
    await panel.frame.getByText(bundle[why] ?? '').waitFor();
    await screenshot(page, 'untrusted');
  });

  step("says so in one line, which leads to the editor's own question of trust", async () => {
    const line = 'Restricted Mode: models read only what you attach.';
    await panel.frame.getByText(bundle[line] ?? '').waitFor();
    await panel.button(bundle['Trust…'] ?? '').click();
    const trust = page.locator('.workspace-trust-editor');
    await trust.getByText('You are in Restricted Mode').waitFor();
    await page.keyboard.press('Escape');
    await trust.waitFor({ state: 'detached' });
  });

  step('sends what the user attached', async () => {
    await panel.messageBox.pressSequentially('What is @READ');
    await panel.frame.getByRole('option', { name: 'README.md' }).first().waitFor();
    await panel.messageBox.press('Enter');
    await eventuallyEqual(() => panel.messageBox.inputValue(), 'What is @README.md ');
    await panel.begin(() => panel.messageBox.press('Enter'));
    await panel.settled();
    assert.match(newestMessage(stage), /^<attachment-\w+ kind="file" path="README\.md">\n# Tide Tables/);
  });
});

describe('a window on two folders', () => {
  let stage: Stage;
  let page: Page;
  let panel: Panel;

  useStage(
    () =>
      setUpStage({
        connected: true,
        sandbox: { platform: { indexing: 'instant', seed: [{ dataset: 'Harbour' }] } },
      }),
    async (fresh) => {
      stage = fresh;
      const scratch = dirname(stage.workspace);
      const quay = join(scratch, 'quay');
      await mkdir(quay);
      await writeFile(join(quay, 'README.md'), '# Quay\n\nThe boats lie at the mole.\n');
      const file = join(scratch, 'both.code-workspace');
      await writeFile(file, JSON.stringify({ folders: [{ path: stage.workspace }, { path: quay }] }));
      page = await openWindow(stage.browser, stage.editor, file);
      panel = new Panel(panelFrame(page));
      await panel.selectModel('scripted-tools');
    },
  );

  const step = walk('has files, searches and documents of both');

  step('reads each folder by its name, and says which one a bare path was found in', async () => {
    for (const [path, begins] of [
      ['quay/README.md', 'quay/README.md, lines 1 to 3 of 3\n1\t# Quay'],
      ['sample/README.md', 'sample/README.md, lines 1 to 15 of 15\n1\t# Tide Tables'],
      ['README.md', 'sample/README.md, lines 1 to 15 of 15\n1\t# Tide Tables'],
    ] as const) {
      await panel.send(`Read ${path}`);
      await panel.settled();
      assert.ok(newestMessage(stage).startsWith(begins), newestMessage(stage));
    }
    await screenshot(page, 'two-folders');
  });

  step('searches both', async () => {
    await panel.send('Search for mole');
    await panel.settled();
    assert.match(newestMessage(stage), /^sample\/docs\/harbour-rules\.md\n/m);
    assert.match(newestMessage(stage), /^quay\/README\.md\n/m);
  });

  step('names documents after their folders', async () => {
    await chooseInExplorer(page, ['sample', 'quay'], 'Add to Knowledge Base…');
    await quickInputPick(page, 'Harbour');
    const send = quickInput(page).getByRole('option', { name: /Upload \d+ documents/ });
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
