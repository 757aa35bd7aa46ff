import assert from 'node:assert/strict';
import { axeViolations } from '../support/axe.ts';
import { eventuallyEqual } from '../support/eventually.ts';
import { useBrowser } from './support/browserSuite.ts';
import type { PanelPage } from './support/panelPage.ts';
import { user } from './support/states.ts';

describe('the plan above the message box', () => {
  const suite = useBrowser();
  let panel: PanelPage;
  beforeEach(async () => {
    panel = await suite.open();
    await panel.show({ entries: [user('u1', 'Work')] });
  });

  it('is folded to the step that is worked on, and opens its steps with their states in words', async () => {
    const steps = [
      { text: 'Read the code', state: 'done' as const },
      { text: 'Run the tests', state: 'doing' as const },
      { text: 'Fix what fails', state: 'open' as const },
    ];
    await panel.say({ type: 'planChanged', plan: { line: '2 of 3: Run the tests', steps } });
    const group = panel.page.getByRole('group', { name: 'Plan' });
    await group.getByText('2 of 3: Run the tests').waitFor();
    const items = group.getByRole('listitem');
    assert.equal(await items.count(), 0, 'folded');
    await group.getByText('2 of 3: Run the tests').click();
    await eventuallyEqual(
      () => items.allTextContents(),
      ['Read the codedone', 'Run the testsin progress', 'Fix what failsnot started'],
    );
    assert.deepEqual(await axeViolations(panel.page.locator('#root')), []);
    await panel.say({ type: 'planChanged', plan: { line: '3 of 3: Fix what fails', steps } });
    await group.getByText('3 of 3: Fix what fails').waitFor();
    assert.equal(await items.count(), 3, 'still open');
    await panel.say({ type: 'planChanged' });
    await eventuallyEqual(() => group.count(), 0);
  });
});
