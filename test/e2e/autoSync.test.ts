import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { chooseInExplorer, openKnowledgeView } from '../host/explorer.ts';
import { screenshot } from '../host/screen.ts';
import { quickInput, quickInputAccept, quickInputPick, reloadWindow, runCommand } from '../host/workbench.ts';
import { eventually, eventuallyEqual } from '../support/eventually.ts';
import { type Panel, setUpStage, type Stage, useStage } from './support.ts';
import { walk } from './walk.ts';

describe('a folder that keeps itself in step', () => {
  let stage: Stage;
  let page: Page;
  let panel: Panel;

  const setUp = () =>
    setUpStage({
      connected: true,
      settings: { 'switchboard.knowledge.autoSync': { maxFiles: 3 } },
      sandbox: { list: 'good', platform: { indexing: 'instant', seed: [{ dataset: 'Handbook' }] } },
    });
  useStage(setUp, async (fresh) => {
    stage = fresh;
    await mkdir(join(stage.workspace, 'pages'));
    await write('anchor', 'Holds.');
    await write('buoy', 'Floats.');
    git('init', '-q', '-b', 'main');
    commit('Begin');
    ({ page, panel } = await stage.open());
  });

  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=T', '-c', 'user.email=t@example.com', ...args], {
      cwd: stage.workspace,
      encoding: 'utf8',
    }).trim();
  const commit = (subject: string) => {
    git('add', '-A');
    git('commit', '-qm', subject);
  };
  const head = () => git('rev-parse', 'HEAD').slice(0, 7);
  const write = (name: string, text: string) =>
    writeFile(join(stage.workspace, 'pages', `${name}.md`), `# ${name}\n\n${text}\n`);
  const documents = () => stage.sandbox.platform.datasets[0]?.documents ?? [];
  const pages = () => documents().flatMap(({ name }) => /\w+(?=\.md$)/.exec(name) ?? []);
  const textOf = (name: string) => documents().find((each) => each.name.endsWith(`∕${name}.md`))?.text;
  const row = (text: string) => quickInput(page).getByRole('option').filter({ hasText: text });
  const base = (state: string) =>
    page.locator('.part.sidebar').getByRole('treeitem', { name: new RegExp(`^Handbook, ${state}`) });
  const statusBar = (state: string) =>
    page.locator('.part.statusbar').getByRole('button', { name: `Handbook: ${state}` });
  const isShown = async (state: string) => {
    await statusBar(state).waitFor();
    await base(state).waitFor();
  };

  const step = walk('goes by commits, asks for the rest, and pauses when it must');

  step('shows all that would go by itself, before anything does', async () => {
    await openKnowledgeView(page);
    await chooseInExplorer(page, ['pages'], 'Keep in Sync Automatically…');
    await quickInputPick(page, 'Handbook');
    const title = quickInput(page).locator('.quick-input-title');
    await title.getByText('Keep pages in Sync with Handbook').waitFor();
    await row('Uploads 2 files').waitFor();
    await row('main').first().waitFor();
    await row('At most 3 files and 20 MB at a time').waitFor();
    await screenshot(page, 'auto-sync-plan');
    assert.deepEqual(pages(), []);
    await row('Uploads 2 files').click();
    await eventuallyEqual(() => pages().toSorted(), ['anchor', 'buoy']);
    await openKnowledgeView(page);
    await isShown(`in sync as of ${head()}`);
    await screenshot(page, 'auto-sync-in-step');
  });

  step('uploads what a commit changes, and nothing that is not committed', async () => {
    await write('crane', 'Lifts ten tons.');
    await write('anchor', 'Holds well.');
    commit('Lift');
    await write('buoy', 'Not committed.');
    await eventuallyEqual(() => pages().toSorted(), ['anchor', 'buoy', 'crane']);
    await isShown(`in sync as of ${head()}`);
    assert.match(textOf('anchor') ?? '', /Holds well/);
    assert.match(textOf('buoy') ?? '', /Floats/);
    git('checkout', '-q', 'pages/buoy.md');
  });

  step('answers from what a commit has brought', async () => {
    await panel.selectModel('scripted-tools');
    await panel.button(/^Knowledge$/).click();
    await quickInput(page)
      .getByRole('checkbox', { name: /^Handbook, / })
      .click();
    await quickInputAccept(page);
    await panel.frame.getByText('Handbook').first().waitFor();
    await panel.focused();
    await panel.send('How much does the crane lift?');
    await panel.settled();
    const crane = panel.frame.getByRole('listitem').filter({ hasText: 'crane.md' }).first();
    await crane.getByText(/ · lines 1–3/).waitFor();
    await crane.getByRole('button', { name: /crane\.md/ }).click();
    await page.locator('.view-line', { hasText: 'Lifts ten tons.' }).waitFor();
    await screenshot(page, 'auto-sync-answer');
    await openKnowledgeView(page);
  });

  step('asks before it deletes, and lists what waits', async () => {
    await rm(join(stage.workspace, 'pages', 'buoy.md'));
    commit('Remove the buoy');
    await isShown('1 file waiting');
    assert.equal(pages().length, 3);
    await statusBar('1 file waiting').click();
    await row('buoy.md').getByText('Deleted or skipped locally').waitFor();
    await screenshot(page, 'auto-sync-waiting');
    await row('Sync…').first().click();
    await row('Delete 1 document').click();
    await eventuallyEqual(() => pages().toSorted(), ['anchor', 'crane']);
    await isShown(`in sync as of ${head()}`);
  });

  step('pauses on another branch, which neither adds nor removes anything', async () => {
    git('checkout', '-q', '-b', 'other');
    git('rm', '-q', 'pages/anchor.md');
    await write('dock', 'Elsewhere.');
    commit('Something else');
    await isShown('paused: another branch');
    await screenshot(page, 'auto-sync-branch');
    assert.deepEqual(pages().toSorted(), ['anchor', 'crane']);
    git('checkout', '-q', 'main');
    await isShown(`in sync as of ${head()}`);
    assert.deepEqual(pages().toSorted(), ['anchor', 'crane']);
  });

  step('waits for a platform that is down, also through a reload', async () => {
    const recover = stage.sandbox.platform.misbehave({ does: 'outage' });
    await write('engine', 'Diesel.');
    commit('Add the engine');
    await isShown('paused: platform is down');
    await screenshot(page, 'auto-sync-down');
    recover();
    await reloadWindow(page);
    await openKnowledgeView(page);
    await isShown(`in sync as of ${head()}`);
    assert.match(textOf('engine') ?? '', /Diesel/);
  });

  step('asks for uploads that exceed the limit', async () => {
    for (const name of ['flag', 'gate', 'hull', 'inlet']) await write(name, 'One of many.');
    commit('Add many');
    await isShown('paused: limit');
    assert.equal(pages().length, 3);
    await statusBar('paused: limit').click();
    await row('flag.md').getByText('Exceeds the limit per upload').waitFor();
    await screenshot(page, 'auto-sync-limit');
    await row('Sync…').first().click();
    await row('Upload 4 documents').click();
    await panel.dismiss('Handbook: 4 added.');
    await isShown(`in sync as of ${head()}`);
  });

  step('is paused and resumed by a click', async () => {
    await base('in sync').hover();
    await page.locator('.part.sidebar').getByRole('button', { name: 'Pause Automatic Sync' }).click();
    await isShown('paused');
    await write('jetty', 'Later.');
    commit('Add the jetty');
    await screenshot(page, 'auto-sync-paused');
    await runCommand(page, 'Switchboard: Resume Automatic Sync');
    await eventually(() => assert.ok(textOf('jetty')));
    await isShown(`in sync as of ${head()}`);
  });
});
