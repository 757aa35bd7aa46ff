import assert from 'node:assert/strict';
import { axeViolations } from '../support/axe.ts';
import { eventually, eventuallyEqual } from '../support/eventually.ts';
import { useBrowser } from './support/browserSuite.ts';
import type { PanelPage } from './support/panelPage.ts';
import { answer, user } from './support/states.ts';

const spent = { promptTokens: 25_300, completionTokens: 900, cachedTokens: 12_000, cost: '$0.0123' };
const parts = [
  { name: 'System prompt', tokens: 650 },
  { name: 'Messages', tokens: 12_000 },
];

describe('the context meter', () => {
  const suite = useBrowser();
  let panel: PanelPage;
  beforeEach(async () => {
    panel = await suite.open();
    await panel.show({ entries: [user('u1', 'Hello'), answer('a1', 'Hi')] });
    await panel.say({ type: 'contextUseChanged', use: { tokens: 12_650, isCounted: true, window: 100_000 } });
  });
  const dialog = () => panel.page.getByRole('dialog', { name: 'Context' });

  it('says how full it is, and opens what fills it, by keyboard alone', async () => {
    await panel.button('Context: 13 % of 100K').focus();
    await panel.page.keyboard.press('Enter');
    await dialog().getByText('Context: 12,650 of 100,000 tokens, reported by the server').waitFor();
    await panel.posted('loadContextParts');
    await panel.say({ type: 'contextPartsLoaded', parts, spent, canCompact: true });
    const items = dialog().getByRole('listitem');
    await eventuallyEqual(() => items.allTextContents(), ['System prompt650', 'Messages12,000']);
    await dialog().getByText('Conversation: 25,300 in · 900 out · 12,000 cached · $0.0123').waitFor();
    assert.deepEqual(await axeViolations(panel.page.locator('#root')), []);
    await panel.page.keyboard.press('Tab');
    await panel.page.keyboard.press('Enter');
    await panel.posted('compactConversation');
    await eventuallyEqual(() => dialog().count(), 0);
    await eventually(async () =>
      assert.ok(
        await panel.button('Context: 13 % of 100K').evaluate((button) => button === document.activeElement),
      ),
    );
  });

  it('shows of how much where it has room, and always says it', async () => {
    const button = panel.button('Context: 13 % of 100K');
    await eventuallyEqual(() => button.innerText(), '13 % of 100K');
    assert.equal(
      await button.getAttribute('title'),
      'Context: 13 % of 100K (12,650 of 100,000 tokens), reported by the server',
    );
    await panel.resize({ width: 270 });
    await eventuallyEqual(() => button.innerText(), '13 %');
    await panel.say({ type: 'contextUseChanged', use: { tokens: 4321, isCounted: false } });
    await eventuallyEqual(() => panel.button('Context: 4,321 tokens').innerText(), '4.3K');
  });

  it('compacts only where that frees something and nothing runs, and says so', async () => {
    await panel.button('Context: 13 % of 100K').click();
    await panel.say({ type: 'contextPartsLoaded', parts, spent, canCompact: false });
    await dialog().getByText('Compacting would free less than 20 %').waitFor();
    const compact = dialog().getByRole('button', { name: 'Compact' });
    assert.equal(await compact.getAttribute('aria-disabled'), 'true');
    await compact.click({ force: true });
    await panel.say({ type: 'contextPartsLoaded', parts, spent, canCompact: true });
    await eventuallyEqual(() => compact.getAttribute('aria-disabled'), 'false');
    await panel.say({ type: 'statusChanged', status: { type: 'answering' } });
    await eventuallyEqual(() => compact.getAttribute('aria-disabled'), 'true');
    await compact.click({ force: true });
    assert.equal((await panel.posts('compactConversation')).length, 0);
    await panel.page.keyboard.press('Escape');
    await eventuallyEqual(() => dialog().count(), 0);
  });

  it('says tokens where nobody knows the window, and is not there for an app or before an answer', async () => {
    await panel.say({ type: 'contextUseChanged', use: { tokens: 4321, isCounted: false } });
    await panel.button('Context: 4,321 tokens').click();
    await dialog().getByText('Context: 4,321 tokens, estimated').waitFor();
    await panel.page.keyboard.press('Escape');
    const app = { id: 'app:1', name: 'Planner', app: 'Chat app' };
    const models = { state: 'ready' as const, options: [app], selected: app, favourites: [], recent: [] };
    await panel.say({ type: 'modelsChanged', models });
    await eventuallyEqual(() => panel.button(/^Context: /).count(), 0);
    await panel.show();
    await panel.say({ type: 'contextUseChanged' });
    await eventuallyEqual(() => panel.button(/^Context: /).count(), 0);
  });
});
