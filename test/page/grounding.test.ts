import assert from 'node:assert/strict';
import { eventuallyEqual } from '../support/eventually.ts';
import { useBrowser } from './support/browserSuite.ts';
import type { PanelPage } from './support/panelPage.ts';
import { answer, groundedEntries, quotingEntries, sourceStates, user } from './support/states.ts';
import type { Entry } from '../../src/shared/transcript.ts';

const chosen = [
  { id: 'd1', name: 'Harbour' },
  { id: 'd2', name: 'Ships' },
];

describe('knowledge bases in the page', () => {
  const suite = useBrowser();
  let panel: PanelPage;
  beforeEach(async () => {
    panel = await suite.open();
  });
  const button = () => panel.button('Knowledge');
  const description = () => button().getAttribute('aria-description');

  it('are chosen with a button that says how many there are', async () => {
    await panel.show({ knowledge: { isConnected: true, chosen: [] } });
    assert.equal(await description(), 'Choose knowledge bases to ground answers in');
    await button().click();
    await panel.posted('chooseKnowledge');
    await panel.say({ type: 'knowledgeChanged', knowledge: { isConnected: true, chosen } });
    await eventuallyEqual(() => button().getAttribute('data-count'), '2');
    assert.equal(await description(), 'Knowledge bases chosen: 2');
  });

  it('lead a stranger to connecting a platform', async () => {
    await panel.show({ knowledge: { isConnected: false, chosen: [] } });
    assert.match((await description()) ?? '', /^Connect a platform/);
    await button().click();
    await panel.posted('chooseKnowledge');
  });

  it('are chips that go one by one, with the keyboard too, and the focus is never lost', async () => {
    await panel.show({ knowledge: { isConnected: true, chosen } });
    const list = panel.page.getByRole('list', { name: 'Knowledge bases' });
    assert.deepEqual(await list.getByRole('listitem').allInnerTexts(), ['Harbour', 'Ships']);
    await panel.button('Remove Harbour').focus();
    await panel.page.keyboard.press('Delete');
    assert.equal((await panel.posted('removeKnowledge')).id, 'd1');
    await panel.say({ type: 'knowledgeChanged', knowledge: { isConnected: true, chosen: chosen.slice(1) } });
    const focused = () => panel.page.evaluate(() => document.activeElement?.getAttribute('aria-label'));
    await eventuallyEqual(focused, 'Remove Ships');
    await panel.page.keyboard.press('Enter');
    await eventuallyEqual(async () => (await panel.posts('removeKnowledge')).length, 2);
    await panel.say({ type: 'knowledgeChanged', knowledge: { isConnected: true, chosen: [] } });
    await eventuallyEqual(focused, 'Message');
    assert.equal(await list.count(), 0);
  });

  it('were searched: a group says so and unfolds to what was sent', async () => {
    await panel.show({ entries: groundedEntries, status: { type: 'searching' } });
    await panel.status.getByText('Searching the knowledge bases…').waitFor();
    const group = panel.page.getByRole('group', { name: 'Searched knowledge bases' });
    await group.getByText('3 found').waitFor();
    await group.getByText('Searched knowledge bases').click();
    await group.getByText(/^Searched for: .* · 120 ms$/).waitFor();
    const sent = await group.getByRole('group', { name: 'Sent with the question' }).innerText();
    assert.equal(sent, (groundedEntries[1] as { sent: string }).sent);
  });
});

describe('a search of knowledge bases in the page', () => {
  const suite = useBrowser();

  it('has a tick only if it worked, and says in words what failed', async () => {
    const panel = await suite.open();
    for (const [state, found, icon, words] of [
      ['done', 3, 'check', '3 found'],
      ['incomplete', 2, 'warning', '2 found, some failed'],
      ['failed', 0, 'warning', 'failed'],
    ] as const) {
      await panel.show({ entries: [search({ state, found })] });
      const group = panel.page.getByRole('group', { name: 'Searched knowledge bases' });
      await group.getByText(words, { exact: true }).waitFor();
      assert.equal(await group.locator(`summary > .codicon-${icon}`).count(), 1);
      assert.equal(await group.locator('.codicon-check').count(), state === 'done' ? 1 : 0);
      assert.equal(await group.getByText('Nothing was found').count(), 0);
    }
  });
});

function search(parts: { state: 'done' | 'incomplete' | 'failed'; found: number }): Entry {
  return { type: 'search', id: parts.state, query: 'Tides?', durationMs: 120, sent: '', ...parts };
}

describe('sources in the page', () => {
  const suite = useBrowser();
  let panel: PanelPage;
  beforeEach(async () => {
    panel = await suite.open();
    await panel.show({ entries: groundedEntries });
  });
  const list = () => panel.page.getByRole('list', { name: 'Sources' });
  const item = (n: number) => list().getByRole('listitem').nth(n);

  it('are listed under the answer, cited ones first', async () => {
    // The list's script is loaded with the first answer that has sources.
    await item(2).waitFor();
    const names = await list().getByRole('button', { name: /^\d/ }).allInnerTexts();
    assert.deepEqual(
      names.map((name) => name.replace(/\s+/g, ' ')),
      ['1 docs/heights.md', '2 A tide table with a very long name.pdf', '3 berths.md'],
    );
    await item(0).getByText('Harbour · score 0.81', { exact: true }).waitFor();
    await item(2).getByText('not cited', { exact: true }).waitFor();
  });

  it('open with their button', async () => {
    await list().getByRole('button', { name: /^1 / }).click();
    assert.deepEqual(await panel.posted('openSource'), { type: 'openSource', id: '2', n: 1 });
  });

  it('unfold to the segment itself', async () => {
    const toggle = list().getByRole('button', { name: 'Segment of source 1' });
    assert.equal(await toggle.getAttribute('aria-expanded'), 'false');
    await toggle.press('Enter');
    await list().getByText('Twice a day.').waitFor();
    assert.equal(await toggle.getAttribute('aria-expanded'), 'true');
    assert.equal(
      await item(2)
        .getByRole('button', { name: /^Segment/ })
        .count(),
      0,
    );
  });

  it('can be added to a knowledge base where they are files of the workspace', async () => {
    await item(0).getByRole('button', { name: 'Add to Knowledge Base' }).click();
    assert.deepEqual(await panel.posted('addSource'), { type: 'addSource', id: '2', n: 1 });
    assert.equal(await item(1).getByRole('button', { name: 'Add to Knowledge Base' }).count(), 0);
  });

  it('are cited in the text by buttons, of those that exist and outside of code', async () => {
    const cites = panel.entry('Claude Sonnet 5').locator('.markdown').getByRole('button');
    const labels = () =>
      cites.evaluateAll((buttons) => buttons.map((each) => each.getAttribute('aria-label')));
    await eventuallyEqual(labels, ['Source 2', 'Source 1']);
    await panel.entry('Claude Sonnet 5').getByText('and [9] is nothing').waitFor();
    await cites.first().focus();
    await panel.page.keyboard.press('Enter');
    assert.deepEqual(await panel.posted('openSource'), { type: 'openSource', id: '2', n: 2 });
  });

  it('are cited while the answer streams in, and stay the same elements', async () => {
    const start = { ...answer('2', '', { end: null }), citable: [[1, 2]] as [number, number][] };
    await panel.show({ entries: [user('1', 'Go'), start], status: { type: 'answering' } });
    await panel.say({ type: 'textAdded', id: '2', text: 'First [' });
    await panel.say({ type: 'textAdded', id: '2', text: '1' });
    await panel.say({ type: 'textAdded', id: '2', text: '].\n\nSecond [2' });
    const first = await panel.button('Source 1').elementHandle();
    await panel.say({ type: 'textAdded', id: '2', text: '], third [3].\n\nAnd on.\n\nAnd on.' });
    await panel.button('Source 2').waitFor();
    const end = { sources: [{ n: 3, document: 'Told at the end' }] };
    await panel.say({ type: 'entryEnded', id: '2', end });
    await panel.button('Source 3').waitFor();
    assert.equal(await first?.evaluate((element) => element.isConnected), true);
  });

  it('become citable when they are found after the answer was begun', async () => {
    await panel.show({ entries: [user('1', 'Go'), answer('2', '', { end: null })] });
    await panel.say({ type: 'citableChanged', id: '2', citable: [[4, 4]] });
    await panel.say({ type: 'textAdded', id: '2', text: 'As [4] says.' });
    await panel.button('Source 4').click();
    assert.equal((await panel.posted('openSource')).n, 4);
  });

  it('say where they are now, and what became of those that changed', async () => {
    const shown = await panel.posted('showSources');
    assert.deepEqual(shown, { type: 'showSources', ids: ['2'] });
    await panel.say({ type: 'sourcesChecked', id: '2', states: sourceStates });
    await item(0).getByText('Harbour · score 0.81 · moved to lines 1040–1058', { exact: true }).waitFor();
    await item(1).getByText('Almanac · score 0.7 · line 7', { exact: true }).waitFor();
    await item(2).getByText('File is gone').waitFor();

    const changed = { n: 1, state: { type: 'changed' as const, lines: { startLine: 3, endLine: 4 } } };
    await panel.say({ type: 'sourcesChecked', id: '2', states: [changed] });
    await eventuallyEqual(() => list().getByText('File is gone').count(), 0);
    const compare = item(0).getByRole('button', { name: 'Changed since it was indexed' });
    await compare.focus();
    await panel.page.keyboard.press('Enter');
    assert.deepEqual(await panel.posted('compareSource'), { type: 'compareSource', id: '2', n: 1 });
    // It was a selection, whose lines are others now: the file itself is offered.
    await item(0).getByRole('button', { name: 'Add to Knowledge Base' }).click();
    assert.equal((await panel.posted('addSource')).n, 1);
  });

  it('that changed are uploaded again to their knowledge base, and those that are gone are not', async () => {
    const source = { n: 1, document: 'a.md', location: { path: 'a.md' }, content: 'A' };
    const sources = [source, { ...source, n: 2, document: 'b.md' }];
    await panel.show({ entries: [user('1', 'Go'), answer('7', 'As [1] and [2].', { end: { sources } })] });
    await item(1).waitFor();
    await panel.say({
      type: 'sourcesChecked',
      id: '7',
      states: [
        { n: 1, state: { type: 'changed' } },
        { n: 2, state: { type: 'gone' } },
      ],
    });
    await item(0).getByRole('button', { name: 'Re-upload to Knowledge Base' }).click();
    assert.deepEqual(await panel.posted('updateSource'), { type: 'updateSource', id: '7', n: 1 });
    assert.equal(
      await item(1)
        .getByRole('button', { name: /Knowledge Base/ })
        .count(),
      0,
    );
    await panel.show({ entries: [user('1', 'Go')] });
    await eventuallyEqual(async () => (await panel.posts('showSources')).at(-1)?.ids, []);
  });

  it('that do not have the words quoted from them are marked where they are cited', async () => {
    await panel.show({ entries: quotingEntries });
    const names = () =>
      panel
        .entry('Claude Sonnet 5')
        .locator('.markdown button.cite')
        .evaluateAll((buttons) => buttons.map((each) => each.getAttribute('aria-label')));
    const wrong = (n: number) => `Source ${n}: the quoted words are not in it`;
    await eventuallyEqual(names, ['Source 1', wrong(2), wrong(1), wrong(2), 'Source 2']);
    const marked = panel.button(wrong(1));
    assert.equal(await marked.locator('.codicon-warning').count(), 1);
    await marked.click();
    assert.equal((await panel.posted('openSource')).n, 1);
  });

  it('that are many and not cited are shown when they are wanted', async () => {
    const sources = Array.from({ length: 12 }, (_, at) => ({ n: at + 1, document: `doc${at + 1}.md` }));
    const earlier = { n: 20, document: 'earlier.md', isEarlier: true };
    const text = 'Only [7], not `[20]`.';
    await panel.show({
      entries: [user('1', 'Go'), answer('2', text, { end: { sources: [...sources, earlier] } })],
    });
    await eventuallyEqual(() => list().getByRole('listitem').count(), 4);
    await item(0).getByText('doc7.md').waitFor();
    await panel.button('Show 8 More, Not Cited').click();
    await eventuallyEqual(() => list().getByRole('listitem').count(), 12);
  });
});
