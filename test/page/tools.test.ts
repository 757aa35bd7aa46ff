import assert from 'node:assert/strict';
import { eventuallyEqual } from '../support/eventually.ts';
import type { PanelPage } from './support/panelPage.ts';
import { useBrowser } from './support/browserSuite.ts';
import { answer, toolEntries, user } from './support/states.ts';

describe('tool calls in the page', () => {
  const suite = useBrowser();
  let panel: PanelPage;
  beforeEach(async () => {
    panel = await suite.open();
    await panel.show({ entries: toolEntries, status: { type: 'runningTools' } });
  });

  const call = (name: string) => panel.page.getByRole('group', { name: `Tool ${name}` });

  it('are groups that say their state in words', async () => {
    await call('search_text').getByText('72 ms').waitFor();
    await call('read_file').getByText('failed', { exact: true }).waitFor();
    await call('edit_file').getByText('asks you').waitFor();
    await call('list_files').getByText('running', { exact: true }).waitFor();
    await call('search_text').getByText('Blocked, environment files: 1').waitFor();
  });

  it('unfold to what was asked and what came back, with places that open', async () => {
    await call('search_text').waitFor();
    assert.equal(await call('search_text').getByRole('group', { name: 'Result' }).count(), 0);
    await call('search_text').getByText('"TODO" in src').click();
    await call('search_text').getByRole('group', { name: 'Result' }).getByText('air pressure').waitFor();
    await call('search_text').getByRole('button', { name: 'src/tides.ts:21' }).click();
    const { location } = await panel.posted('openLocation');
    assert.deepEqual(location, { path: 'src/tides.ts', line: 21 });
  });

  for (const [button, decision] of [
    ['Allow', 'allow'],
    ['Always allow', 'always'],
    ['Deny', 'deny'],
  ] as const) {
    it(`are answered with ${button}`, async () => {
      await call('edit_file').getByRole('button', { name: button, exact: true }).click();
      assert.deepEqual(await panel.posted('answerTool'), { type: 'answerTool', entryId: 't3', decision });
    });
  }

  it('are denied with a reason by Enter in its box', async () => {
    const reason = call('edit_file').getByRole('textbox', { name: 'Reason for denying' });
    await reason.fill(' Not this file ');
    await reason.press('Enter');
    const order = await panel.posted('answerTool');
    assert.deepEqual([order.decision, order.reason], ['deny', 'Not this file']);
  });

  it('follow their states as these change', async () => {
    await panel.say({ type: 'toolStateChanged', entryId: 't3', state: 'running' });
    await call('edit_file')
      .getByRole('button', { name: 'Allow', exact: true })
      .waitFor({ state: 'detached' });
    const end = { state: 'denied', durationMs: 1, result: 'No.', locations: [], withheld: [] } as const;
    await panel.say({ type: 'toolEnded', entryId: 't3', end: { ...end, locations: [], withheld: [] } });
    await call('edit_file').getByText('denied', { exact: true }).waitFor();
  });

  it('name their model once, also when it called without a word', async () => {
    const [search] = toolEntries.filter(({ type }) => type === 'tool');
    const wordless = answer('2', '', { end: { isStep: true } });
    await panel.show({ entries: [user('1', 'Go'), wordless, search!, answer('3', 'Done.')] });
    await panel.conversation.getByText('Done.').waitFor();
    await eventuallyEqual(() => panel.entry('Claude Sonnet 5').count(), 2);
    assert.equal(await panel.conversation.getByText('Claude Sonnet 5', { exact: true }).count(), 1);
  });

  it('offer to put changed files back, once, when nothing runs', async () => {
    const changed = panel.page.getByRole('group', { name: 'Changed files' });
    await eventuallyEqual(() => changed.getByRole('button', { name: 'Revert' }).isDisabled(), true);
    await panel.say({ type: 'statusChanged', status: { type: 'idle' } });
    await changed.getByRole('button', { name: 'Revert' }).click();
    assert.equal((await panel.posted('revertEdits')).entryId, 'e1');
    await panel.say({ type: 'editsReverted', entryId: 'e1', note: 'Reverted: README.md' });
    await changed.getByText('Reverted: README.md').waitFor();
    await changed.getByRole('button', { name: 'Revert' }).waitFor({ state: 'detached' });
  });

  it('go on after a limit when the person says so', async () => {
    await panel.page.getByRole('note').getByRole('button', { name: 'Continue' }).click();
    assert.deepEqual(await panel.posted('applyRemedy'), {
      type: 'applyRemedy',
      remedy: 'continue',
      entryId: 'n1',
    });
  });
});
