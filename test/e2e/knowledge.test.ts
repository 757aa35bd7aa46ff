import assert from 'node:assert/strict';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import type { Page } from 'playwright-core';
import { ownToolNames, occasionalToolNames } from '../../src/tools/ownToolNames.ts';
import { chooseInExplorer, explorerItem, openKnowledgeView } from '../host/explorer.ts';
import { createScratch, type Scratch } from '../host/scratch.ts';
import { screenshot } from '../host/screen.ts';
import { quickInput, quickInputAccept, quickInputPick, runCommand } from '../host/workbench.ts';
import { eventually, eventuallyEqual } from '../support/eventually.ts';
import { type Panel, setUpStage, type Stage, useStage } from './support.ts';
import { walk } from './walk.ts';
import { gitIn } from '../support/git.ts';

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

/** Enough for an upload that is cut off in its middle. */
const days = 40;

describe('knowledge bases', () => {
  let home: Scratch;
  let stage: Stage;
  let page: Page;
  let panel: Panel;

  const setUp = async () => {
    home ??= await createScratch();
    const rules = { name: 'rules.md', text: 'Three knots in the harbour.' };
    return setUpStage({
      connected: true,
      variables: { CODEX_HOME: home.folder },
      sandbox: {
        list: 'good',
        platform: {
          // This dialect takes the technique as the spec writes it, so no request is repeated for it.
          ...{ dialect: 'description', indexing: 'instant' },
          seed: [{ dataset: 'Harbour', documents: [rules] }, { dataset: 'Handbook' }, { dataset: 'Logbook' }],
        },
      },
    });
  };
  useStage(setUp, async (fresh) => {
    stage = fresh;
    for (const folder of ['guide', 'pages']) await mkdir(join(stage.workspace, folder));
    await write('guide/arrival.md', '# Arrival\n\nCall the harbour master first.\n');
    await write('guide/berths.md', '# Berths\n\nPontoon C is for visitors.\n');
    await write('access.md', `# Access\n\nkey: AKIA${key}\n`);
    await write('fuel.md', fuelPage('east'));
    await writePage('anchor', 'Holds.');
    await writePage('buoy', 'Floats.');
    git('init', '-q', '-b', 'main');
    commit('Begin');
    ({ page, panel } = await stage.open());
  });
  after(() => home?.remove());

  const write = (path: string, text: string) => writeFile(join(stage.workspace, path), text);
  const writePage = (name: string, text: string) => write(`pages/${name}.md`, `# ${name}\n\n${text}\n`);
  const git = (...args: string[]) => gitIn(stage.workspace, ...args);
  const commit = (subject: string) => {
    git('add', '-A');
    git('commit', '-qm', subject);
  };
  const head = () => git('rev-parse', 'HEAD').slice(0, 7);

  const platform = () => stage.sandbox.platform;
  const documentsOf = (base: string) =>
    platform().datasets.find(({ name }) => name === base)?.documents ?? [];
  const namesIn = (base: string) =>
    documentsOf(base)
      .map(({ name }) => name.replaceAll('∕', '/'))
      .toSorted();
  const uploads = () => platform().count('createByFile') + platform().count('createByText');

  const preflight = (title: string) =>
    quickInput(page).locator('.quick-input-title').getByText(title).waitFor();
  const row = (text: string) => quickInput(page).getByRole('option').filter({ hasText: text });
  const tree = () => openKnowledgeView(page);

  const step = walk('show what goes, ground an answer whose source opens, and are searched by others');

  step('show what would go from the context menu, without secrets, and send what is confirmed', async () => {
    await chooseInExplorer(page, ['README.md', 'access.md', 'fuel.md', 'guide'], 'Add to Knowledge Base…');
    await quickInputPick(page, 'Harbour');
    await preflight('Add to Harbour: 4 new, 0 changed, 1 skipped');
    await screenshot(page, 'knowledge-preflight');
    const skipped = await row('access.md').innerText();
    assert.match(skipped, /Line 3 looks like an AWS access key/);
    assert.doesNotMatch(skipped, /AKIA/);
    assert.equal(uploads(), 0);
    const gate = platform().hold();
    await row('Upload 4 documents').click();
    // The progress stands above the message box, where a notification would cover it.
    await panel.frame.getByText(/^Uploading to Harbour: 0 of 4/).waitFor();
    assert.equal(await page.locator('.notification-toast').count(), 0);
    gate.open();
    await panel.dismiss('Harbour: 4 added.');
    await panel.frame.getByText(/^Uploading to Harbour/).waitFor({ state: 'detached' });
    const sent = ['README.md', 'fuel.md', 'guide/arrival.md', 'guide/berths.md'];
    assert.deepEqual(namesIn('Harbour'), ['rules.md', ...sent.map((path) => `sample/${path}`)]);
    await (await tree()).getByRole('treeitem', { name: /^Harbour/ }).click();
    const indexed = (await tree()).getByRole('treeitem', { name: /^sample.*, indexed/ });
    await eventuallyEqual(() => indexed.count(), 4);
    await screenshot(page, 'knowledge-tree');
  });

  step('ground an answer whose source opens the file at the line, and its change since', async () => {
    await panel.selectModel('scripted-tools');
    const harbour = quickInput(page).getByRole('checkbox', { name: /^Harbour, / });
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
    await write('fuel.md', '# Fuel\n\nThere is none any more.\n');
    const fuel = sources.getByRole('listitem').filter({ hasText: 'fuel.md' }).first();
    const changed = fuel.getByRole('button', { name: 'Changed since it was indexed' });
    await changed.waitFor();
    await screenshot(page, 'knowledge-changed');
    await changed.click();
    await page.getByRole('tab', { name: /^fuel\.md \(Indexed/, selected: true }).waitFor();
    // The editor takes the focus once it has compared, which would close a menu opened before.
    await page.locator('.monaco-diff-editor :focus').waitFor();
    await screenshot(page, 'knowledge-compared');
  });

  step('are synced with a folder, and lose what it lost only when that is confirmed', async () => {
    await (await explorerItem(page, 'guide')).click();
    const berths = await explorerItem(page, 'berths.md');
    await rm(join(stage.workspace, 'guide', 'berths.md'));
    commit('Remove the berths');
    // The Explorer closes its menu when it draws what changed.
    await berths.waitFor({ state: 'detached' });
    await chooseInExplorer(page, ['guide'], 'Sync Folder with Knowledge Base…');
    await quickInputPick(page, 'Harbour');
    await preflight('Sync with Harbour: 0 new, 0 changed, 1 unchanged, 1 deleted locally');
    await row('berths.md').getByText('The file no longer exists.').waitFor();
    await screenshot(page, 'sync-preflight');
    assert.equal(documentsOf('Harbour').length, 5);
    await row('Delete 1 document').click();
    await panel.dismiss('Harbour: 1 deleted.');
    assert.ok(!namesIn('Harbour').includes('sample/guide/berths.md'));
    await (await tree()).getByRole('treeitem', { name: /^Harbour, .*synced with guide/ }).waitFor();
  });

  step('are searched by another program that was configured, once the user allows it', async () => {
    await runCommand(page, 'Switchboard: Configure Another Client…');
    await quickInputPick(page, 'Knowledge by MCP');
    await quickInputPick(page, 'Codex');
    await quickInput(page).getByText('Configure Codex: Review Changes').waitFor();
    await page.locator('.monaco-diff-editor').getByText('switchboard-knowledge').first().waitFor();
    await screenshot(page, 'configure-knowledge-diff');
    await quickInputAccept(page);
    await panel.frame
      .getByText(/The server started, this window answered, tools: search_knowledge/)
      .waitFor();
    const configured = await readFile(join(home.folder, 'config.toml'), 'utf8');
    const [, command = ''] = /^command = "(.+)"$/m.exec(configured) ?? [];
    const [, args = ''] = /^args = (\[.+\])$/m.exec(configured) ?? [];
    const codex = new Client({ name: 'codex-mcp-client', version: '1' });
    await codex.connect(new StdioClientTransport({ command, args: JSON.parse(args) as string[] }));
    try {
      const call = codex.callTool({ name: 'search_knowledge', arguments: { query: 'harbour' } });
      const asks = panel.frame.getByText(/^Codex \(configured on .+\) wants to search .*Harbour/).waitFor();
      await Promise.race([asks, call.then((early) => assert.fail(JSON.stringify(early)))]);
      await screenshot(page, 'knowledge-asks');
      await panel.button('Allow in This Workspace').click();
      assert.match(JSON.stringify((await call).content), /Three knots/);
    } finally {
      await codex.close();
    }
  });

  const pages = () => documentsOf('Handbook').flatMap(({ name }) => /\w+(?=\.md$)/.exec(name) ?? []);
  const textOf = (name: string) =>
    documentsOf('Handbook').find((each) => each.name.endsWith(`∕${name}.md`))?.text;
  const handbook = (state: string) =>
    page.locator('.part.sidebar').getByRole('treeitem', { name: new RegExp(`^Handbook, ${state}`) });
  const statusBar = (state: string) =>
    page.locator('.part.statusbar').getByRole('button', { name: `Handbook: ${state}` });
  const isShown = async (state: string) => {
    await statusBar(state).waitFor();
    await handbook(state).waitFor();
  };

  const automatic = walk('keep themselves in step with commits, and lose nothing when the editor is killed');

  automatic('show all that would go by itself, before anything does', async () => {
    await chooseInExplorer(page, ['pages'], 'Keep in Sync Automatically…');
    await quickInputPick(page, 'Handbook');
    await preflight('Keep pages in Sync with Handbook');
    await row('main').first().waitFor();
    await row('At most 100 files and 20 MB at a time').waitFor();
    await screenshot(page, 'auto-sync-plan');
    assert.deepEqual(pages(), []);
    await row('Uploads 2 files').click();
    await eventuallyEqual(() => pages().toSorted(), ['anchor', 'buoy']);
    await tree();
    await isShown(`in sync as of ${head()}`);
  });

  automatic('upload what a commit changes, and ask before they delete', async () => {
    await writePage('crane', 'Lifts ten tons.');
    await writePage('anchor', 'Holds well.');
    await rm(join(stage.workspace, 'pages', 'buoy.md'));
    commit('Lift, and remove the buoy');
    await isShown('1 file waiting');
    assert.deepEqual(pages().toSorted(), ['anchor', 'buoy', 'crane']);
    assert.match(textOf('anchor') ?? '', /Holds well/);
    await statusBar('1 file waiting').click();
    await row('buoy.md').getByText('Deleted or skipped locally').waitFor();
    await screenshot(page, 'auto-sync-waiting');
    await row('Sync…').first().click();
    await row('Delete 1 document').click();
    await eventuallyEqual(() => pages().toSorted(), ['anchor', 'crane']);
    await isShown(`in sync as of ${head()}`);
  });

  automatic('stay paused over a crash, after which a cut off upload is finished, nothing twice', async () => {
    await handbook('in sync').hover();
    await page.locator('.part.sidebar').getByRole('button', { name: 'Pause Automatic Sync' }).click();
    await isShown('paused');
    await writePage('jetty', 'Later.');
    await mkdir(join(stage.workspace, 'log'));
    for (let day = 1; day <= days; day++) await write(`log/day-${day}.md`, `# Day ${day}\n\nWind ${day}.\n`);
    commit('Add the jetty and the log');
    platform().clearRequests();
    const gate = platform().hold();
    await chooseInExplorer(page, ['log'], 'Add to Knowledge Base…');
    await quickInputPick(page, 'Logbook');
    await row(`Upload ${days} documents`).click();
    for (let sent = 0; sent < days / 2; sent++) {
      await gate.waitFor(1);
      gate.release(1);
    }
    await gate.waitFor(1);
    const context = page.context();
    await stage.editor.crash();
    gate.open();
    await page.close();
    ({ page, panel } = await stage.open(context));
    await tree();
    await panel.frame.getByText('An upload to Logbook was interrupted').waitFor();
    await screenshot(page, 'knowledge-interrupted');
    await panel.button('Resume').click();
    await panel.dismiss(/^Logbook: \d+ added\.$/);
    assert.deepEqual(duplicatesIn(namesIn('Logbook')), []);
    assert.equal(documentsOf('Logbook').length, days);
    // A repeated upload gets another batch; uploaded documents are never sent again.
    const arrived = platform().requests.filter(
      ({ path, closedEarly }) => path.includes('create_by_file') && !closedEarly,
    );
    const sent = arrived.flatMap(({ parts }) => parts?.find(({ filename }) => filename)?.filename ?? []);
    assert.deepEqual(duplicatesIn(sent), []);
    await isShown('paused');
    assert.equal(textOf('jetty'), undefined);
    await runCommand(page, 'Switchboard: Resume Automatic Sync');
    await eventually(() => assert.ok(textOf('jetty')));
    await isShown(`in sync as of ${head()}`);
  });
});

function duplicatesIn(names: readonly string[]): string[] {
  return names.filter((name, index) => names.indexOf(name) !== index);
}
