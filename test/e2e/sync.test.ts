import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { chooseInExplorer, openKnowledgeView } from '../host/explorer.ts';
import { screenshot } from '../host/screen.ts';
import {
  quickInput,
  quickInputAccept,
  quickInputPick,
  quickInputType,
  reloadWindow,
  runCommand,
} from '../host/workbench.ts';
import { type Panel, setUpStage, type Stage, useStage } from './support.ts';
import { walk } from './walk.ts';

const tenMinutesMs = 10 * 60_000;

describe('a folder synced with a knowledge base', () => {
  let stage: Stage;
  let page: Page;
  let panel: Panel;

  const setUp = () =>
    setUpStage({
      connected: false,
      sandbox: { list: 'good', platform: { indexing: 'instant', seed: [{ dataset: 'Handbook' }] } },
    });
  useStage(setUp, async (fresh) => {
    stage = fresh;
    await mkdir(join(stage.workspace, 'pages'));
    for (const name of ['anchor', 'buoy', 'crane', 'dock', 'engine']) await write(name, `About the ${name}.`);
    ({ page, panel } = await stage.open());
  });

  const fileOf = (name: string) => join(stage.workspace, 'pages', `${name}.md`);
  const write = (name: string, text: string) => writeFile(fileOf(name), `# ${name}\n\n${text}\n`);
  /** Name of a page on the platform, which allows no slash in file names. */
  const nameOf = (name: string) => `sample∕pages∕${name}.md`;
  const shownAs = (name: string) => `sample/pages/${name}.md`;
  const documents = () => stage.sandbox.platform.datasets[0]?.documents ?? [];
  const named = (name: string) => documents().find((document) => document.name === nameOf(name));
  const pages = () => documents().flatMap(({ name }) => /\w+(?=\.md$)/.exec(name) ?? []);
  const dialog = () => page.locator('.monaco-dialog-box');
  const row = (text: string) => quickInput(page).getByRole('option').filter({ hasText: text });
  const plannedSync = async (title: string) => {
    await chooseInExplorer(page, ['pages'], 'Sync Folder with Knowledge Base…');
    await quickInput(page).locator('.quick-input-title').getByText(`Sync with Handbook: ${title}`).waitFor();
  };
  const connectWith = async (key: string) => {
    await quickInput(page).getByText('(2/2)').waitFor();
    await quickInputType(page, key);
    await quickInputAccept(page);
    // The key is checked before it is saved; whatever opens meanwhile would dismiss the box.
    await quickInput(page).waitFor({ state: 'hidden' });
  };

  const step = walk('is linked, kept the same, and told what is stuck');

  step('needs a platform, which is connected from the palette: not with the key of an app', async () => {
    const { platform } = stage.sandbox;
    await runCommand(page, 'Switchboard: Connect Platform…');
    await quickInput(page).getByText('(1/2)').waitFor();
    await quickInputType(page, platform.url);
    await quickInputAccept(page);
    await connectWith(platform.appKey);
    await dialog().getByText('This is the key of the app "Tide helper"').waitFor();
    await dialog().getByText('Nothing has been saved yet.').waitFor();
    await screenshot(page, 'sync-wrong-key');
    await dialog().getByRole('button', { name: 'Change Key' }).click();
    await connectWith(platform.datasetKey);
    await panel.dismiss(`Connected to ${platform.url}: 1 knowledge base.`);
  });

  step('is linked by its first sync, which is shown before anything goes', async () => {
    await chooseInExplorer(page, ['pages'], 'Sync Folder with Knowledge Base…');
    await quickInputPick(page, 'Handbook');
    await quickInput(page)
      .locator('.quick-input-title')
      .getByText('Sync with Handbook: 5 new, 0 changed')
      .waitFor();
    assert.equal(stage.sandbox.platform.count('createByFile'), 0);
    await row('Upload 5 documents').click();
    await panel.dismiss('Handbook: 5 added.');
    const base = (await openKnowledgeView(page)).getByRole('treeitem', {
      name: /^Handbook, .*synced with pages/,
    });
    await base.waitFor();
  });

  step('deletes what was renamed or removed only when that is confirmed', async () => {
    await rename(fileOf('anchor'), fileOf('mooring'));
    await rm(fileOf('buoy'));
    await write('crane', 'Lifts twelve tons.');
    const expected = '1 new, 1 changed, 2 unchanged, 2 deleted locally';
    await plannedSync(expected);
    await row('mooring.md').getByText('Uploaded earlier as pages/anchor.md.').waitFor();
    await row('anchor.md').getByText('Its content is uploaded under another name.').waitFor();
    await row('buoy.md').getByText('The file no longer exists.').waitFor();
    await screenshot(page, 'sync-preflight');
    await row('Upload 2 documents (').click();
    await panel.dismiss('Handbook: 1 added, 1 updated.');
    assert.deepEqual(pages().toSorted(), ['anchor', 'buoy', 'crane', 'dock', 'engine', 'mooring']);
    await plannedSync('0 new, 0 changed, 4 unchanged, 2 deleted locally');
    await row('Delete 2 documents').click();
    await panel.dismiss('Handbook: 2 deleted.');
    assert.deepEqual(pages().toSorted(), ['crane', 'dock', 'engine', 'mooring']);
  });

  step('leaves alone what others changed, deleted or put there, unless told otherwise', async () => {
    const { others } = stage.sandbox.platform;
    others.replaceDocument('Handbook', nameOf('crane'), 'Out of order, says the harbour master.');
    others.deleteDocument('Handbook', nameOf('dock'));
    others.addDocument('Handbook', { name: nameOf('ferry'), text: 'Sails at noon.' });
    await write('crane', 'Lifts ten tons.');
    await write('ferry', 'Sails at one.');
    await plannedSync('0 new, 0 changed, 2 unchanged, 3 conflicts');
    await row('crane.md').getByText('This document was replaced on the platform.').waitFor();
    await row('dock.md').getByText('This document was deleted on the platform.').waitFor();
    await row('ferry.md').getByText('has another document with this name').waitFor();
    await screenshot(page, 'sync-conflicts');
    await row('crane.md').click();
    await row('Upload 1 document (').click();
    await panel.dismiss('Handbook: 1 updated.');
    assert.match(named('crane')?.text ?? '', /ten tons/);
    assert.equal(named('ferry')?.text, 'Sails at noon.');
    assert.equal(named('dock'), undefined);
  });

  step('says in words why a document could not be indexed, and what is stuck', async () => {
    const { platform } = stage.sandbox;
    platform.misbehave({ does: 'index-error', document: nameOf('mooring'), message: 'The model is asleep.' });
    const repair = platform.misbehave({ does: 'stuck', document: nameOf('engine') });
    await write('mooring', 'Ropes, again.');
    await write('engine', 'Diesel, again.');
    await plannedSync('0 new, 2 changed, 1 unchanged, 2 conflicts');
    await row('Upload 2 documents (').click();
    await panel.dismiss('Handbook: 2 updated.');
    const view = await openKnowledgeView(page);
    const item = (name: string, state: string) =>
      view.getByRole('treeitem', { name: `${shownAs(name)}, ${state}` });
    const base = view.getByRole('treeitem', { name: /^Handbook/, expanded: false });
    await base.click();
    await item('mooring', 'failed: The model is asleep.').waitFor();
    await item('engine', 'waiting').waitFor();
    await sentEarlier('engine', tenMinutesMs);
    await reloadWindow(page);
    await openKnowledgeView(page);
    await base.click();
    const stuck = new RegExp(`${shownAs('engine')}, stuck in queue for 1\\d min$`);
    await view.getByRole('treeitem', { name: stuck }).waitFor();
    await view.getByRole('treeitem', { name: /^Handbook.*1 stuck/ }).waitFor();
    await screenshot(page, 'sync-stuck');
    repair();
    await view.getByRole('treeitem', { name: '1 document is stuck: Re-upload' }).click();
    await panel.dismiss('Handbook: 1 updated.');
    await item('engine', 'indexed, 1 segment').waitFor();
  });

  /** Changes the time in the manifest at which a page was sent. */
  async function sentEarlier(name: string, ms: number): Promise<void> {
    const data = join(stage.editor.scratch.folder, 'data');
    const files = await readdir(data, { recursive: true });
    const manifest = files.find((file) => /documents-[^/\\]*\.jsonl$/.test(file));
    assert.ok(manifest);
    const path = join(data, manifest);
    const lines = (await readFile(path, 'utf8')).split('\n');
    const older = lines.map((line) =>
      line.includes('"sent"') && line.includes(nameOf(name))
        ? line.replace(/"at":(\d+)/, (_, at: string) => `"at":${Number(at) - ms}`)
        : line,
    );
    assert.notDeepEqual(older, lines);
    await writeFile(path, older.join('\n'));
  }
});
