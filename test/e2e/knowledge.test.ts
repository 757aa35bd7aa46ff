import assert from 'node:assert/strict';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { ownToolNames, occasionalToolNames } from '../../src/tools/ownToolNames.ts';
import { chooseInExplorer, openKnowledgeView } from '../host/explorer.ts';
import { screenshot } from '../host/screen.ts';
import { quickInput, quickInputAccept, quickInputPick, quickInputType } from '../host/workbench.ts';
import { eventually, eventuallyEqual } from '../support/eventually.ts';
import { type Panel, setUpStage, type Stage, useStage } from './support.ts';
import { walk } from './walk.ts';

/** Several segments long, so that a source has a position in it. */
function fuelPage(quay: string): string {
  const hours = (part: string) =>
    Array.from({ length: 100 }, (_, day) => `Open on ${part} day ${day} from eight until noon, cash only.\n`);
  return ['# Fuel\n', ...hours('winter'), `Diesel is sold at the ${quay} quay.\n`, ...hours('summer')].join(
    '\n',
  );
}

/** Split so that no scanner takes this file for one with a secret. */
const key = 'ABCDEFGH23456722';

const add = 'Add to Knowledge Base…';

describe('knowledge bases', () => {
  let stage: Stage;
  let page: Page;
  let panel: Panel;

  const setUp = () =>
    setUpStage({
      connected: true,
      sandbox: { list: 'good', platform: { indexing: { polls: 3 } } },
    });
  useStage(setUp, async (fresh) => {
    stage = fresh;
    await mkdir(join(stage.workspace, 'guide'));
    await write('guide/arrival.md', '# Arrival\n\nCall the harbour master first.\n');
    await write('guide/berths.md', '# Berths\n\nPontoon C is for visitors.\n');
    await write('access.md', `# Access\n\nkey: AKIA${key}\n`);
    await write('fuel.md', fuelPage('east'));
    ({ page, panel } = await stage.open());
  });

  const write = (path: string, text: string) => writeFile(join(stage.workspace, path), text);
  const documents = () => stage.sandbox.platform.datasets.flatMap((dataset) => dataset.documents);
  const uploads = () =>
    stage.sandbox.platform.count('createByFile') + stage.sandbox.platform.count('createByText');
  const preflight = (title: string) =>
    quickInput(page).locator('.quick-input-title').getByText(title).waitFor();
  const tree = () => openKnowledgeView(page);

  const step = walk('show what goes, index it, and ground an answer whose source opens');

  step('shows what would go before anything goes, from the context menu of the explorer', async () => {
    await chooseInExplorer(page, ['README.md', 'access.md', 'fuel.md', 'guide'], add);
    await quickInputPick(page, 'Create Knowledge Base…');
    await quickInput(page).getByText('(1/4)').waitFor();
    await quickInputType(page, 'Harbour');
    await quickInputAccept(page);
    await quickInput(page).getByText('(2/4)').waitFor();
    await quickInputPick(page, 'Economical');
    await quickInput(page).getByText('(3/4)').waitFor();
    await quickInputPick(page, 'Automatic');
    await quickInput(page).getByText('(4/4)').waitFor();
    await quickInputPick(page, 'All Members of the Workspace');
    await preflight('Add to Harbour: 4 new, 0 changed, 1 skipped');
    await screenshot(page, 'knowledge-preflight');
    assert.equal(uploads(), 0);
  });

  step('leaves out what looks like a secret, and says why without showing it', async () => {
    const words = await quickInput(page).getByRole('option').filter({ hasText: 'access.md' }).innerText();
    assert.match(words, /AWS access key/);
    assert.match(words, /line 3/i);
    assert.doesNotMatch(words, /AKIA/);
  });

  step('sends what was confirmed, and watches it until it is indexed', async () => {
    const gate = stage.sandbox.platform.hold();
    await quickInput(page)
      .getByRole('option', { name: /Upload 4 documents/ })
      .click();
    // The progress stands above the message box, where a notification would cover it.
    await panel.frame.getByText(/^Uploading to Harbour: 0 of 4/).waitFor();
    assert.equal(await page.locator('.notification-toast').count(), 0);
    gate.open();
    await panel.dismiss('Harbour: 4 added.');
    await panel.frame.getByText(/^Uploading to Harbour/).waitFor({ state: 'detached' });
    assert.deepEqual(
      documents()
        .map(({ name }) => name.replaceAll('∕', '/'))
        .toSorted(),
      ['sample/README.md', 'sample/fuel.md', 'sample/guide/arrival.md', 'sample/guide/berths.md'],
    );
    const [dataset] = stage.sandbox.platform.datasets;
    assert.equal(dataset?.technique, 'economy');
    await (await tree()).getByRole('treeitem', { name: /^Harbour/ }).click();
    const indexed = (await tree()).getByRole('treeitem', { name: /^sample.*, indexed/ });
    await eventuallyEqual(() => indexed.count(), 4);
    await screenshot(page, 'knowledge-tree');
  });

  step('grounds an answer whose source opens the file at the line', async () => {
    await eventually(() => assert.ok(documents().every(({ status }) => status === 'completed')));
    await panel.selectModel('scripted-tools');
    const harbour = quickInput(page).getByRole('checkbox', { name: /^Harbour, / });
    await panel.button(/^Knowledge$/).click();
    await harbour.waitFor();
    await page.keyboard.press('Escape');
    await panel.focused();
    await panel.button(/^Knowledge$/).click();
    await harbour.click();
    await quickInputAccept(page);
    await panel.frame.getByText('Harbour').first().waitFor();
    await panel.focused();
    const all = ownToolNames.length - occasionalToolNames.length;
    await panel.frame.locator(`[aria-description="Tools on: ${all} of ${all}"]`).waitFor();
    // The model could search by itself: grounding searches before.
    await panel.send('What does diesel cost at the west quay?');
    await panel.settled();
    await panel.frame.getByRole('group', { name: 'Searched knowledge bases' }).waitFor();
    const sources = panel.frame.getByRole('list', { name: 'Sources' });
    await sources
      .getByRole('button', { name: /fuel\.md/ })
      .first()
      .click();
    await page.getByRole('tab', { name: 'fuel.md', selected: true }).waitFor();
    await page
      .locator('.statusbar')
      .getByText(/Ln \d+, Col \d+ \(\d+ selected\)/)
      .waitFor();
    await page.locator('.view-line').filter({ hasText: 'winter day 90 ' }).waitFor();
    await screenshot(page, 'knowledge-grounded');
  });

  step('says of a source whether its file still has it, and compares what has changed', async () => {
    const sources = panel.frame.getByRole('list', { name: 'Sources' });
    const fuel = sources.getByRole('listitem').filter({ hasText: 'fuel.md' }).first();
    await fuel.getByText(/ · lines \d+–\d+/).waitFor();
    await write('fuel.md', `Above.\n\n${fuelPage('east')}`);
    await fuel.getByText(/ · moved to lines \d+–\d+/).waitFor();
    await write('fuel.md', '# Fuel\n\nThere is none any more.\n');
    const changed = fuel.getByRole('button', { name: 'Changed since it was indexed' });
    await changed.waitFor();
    await fuel.getByRole('button', { name: 'Re-upload to Knowledge Base' }).waitFor();
    await screenshot(page, 'knowledge-changed');
    await changed.click();
    await page.getByRole('tab', { name: /^fuel\.md \(Indexed/, selected: true }).waitFor();
    await page.locator('.diff-editor, .monaco-diff-editor').first().waitFor();
    await screenshot(page, 'knowledge-compared');
    await rm(join(stage.workspace, 'fuel.md'));
    await fuel.getByText('File is gone').waitFor();
    assert.equal(await fuel.getByRole('button', { name: /Knowledge Base/ }).count(), 0);
  });
});

describe('an upload that is cut off', () => {
  let stage: Stage;
  const total = 200;

  before(async () => {
    stage = await setUpStage({
      connected: true,
      sandbox: {
        list: 'good',
        // This dialect takes the technique as the spec writes it, so no request is repeated for it.
        platform: { dialect: 'description', indexing: 'instant', seed: [{ dataset: 'Logbook' }] },
      },
    });
    await mkdir(join(stage.workspace, 'log'));
    for (let day = 1; day <= total; day++) {
      await writeFile(join(stage.workspace, 'log', `day-${day}.md`), `# Day ${day}\n\nWind ${day}.\n`);
    }
  });
  after(() => stage.close());

  it('is finished after the editor was killed, with each document sent once', async () => {
    const { platform } = stage.sandbox;
    let { page, panel } = await stage.open();
    const gate = platform.hold();
    await chooseInExplorer(page, ['log'], add);
    await quickInputPick(page, 'Logbook');
    await quickInput(page)
      .getByRole('option', { name: /Upload 200 documents/ })
      .click();
    for (let sent = 0; sent < total / 2; sent++) {
      await gate.waitFor(1);
      gate.release(1);
    }
    await gate.waitFor(1);
    const context = page.context();
    await stage.editor.crash();
    gate.open();
    await page.close();
    ({ page, panel } = await stage.open(context));
    await openKnowledgeView(page);
    await panel.frame.getByText('An upload to Logbook was interrupted').waitFor();
    await screenshot(page, 'knowledge-interrupted');
    await panel.button('Resume').click();
    await eventually(() => assert.ok((platform.datasets[0]?.documents.length ?? 0) >= total));
    await panel.dismiss(/^Logbook: \d+ added\.$/);
    const [dataset] = platform.datasets;
    assert.deepEqual(duplicatesIn(dataset?.documents.map(({ name }) => name) ?? []), []);
    assert.equal(dataset?.documents.length, total);
    // A repeated upload gets another batch; uploaded documents are never sent again.
    const arrived = platform.requests.filter(
      ({ path, closedEarly }) => path.includes('create_by_file') && !closedEarly,
    );
    const sent = arrived.flatMap(({ parts }) => parts?.find(({ filename }) => filename)?.filename ?? []);
    assert.deepEqual(duplicatesIn(sent), []);
  });
});

function duplicatesIn(names: readonly string[]): string[] {
  return names.filter((name, index) => names.indexOf(name) !== index);
}
