import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { eventuallyEqual } from '../support/eventually.ts';
import { useBrowser } from './support/browserSuite.ts';
import type { PanelPage } from './support/panelPage.ts';

describe('the parameters of a conversation', () => {
  const suite = useBrowser();
  let panel: PanelPage;
  let sheet: Locator;
  const loaded = {
    ...{ type: 'parametersLoaded' as const, chosen: {}, defaults: { temperature: 0.5 } },
    ...{ refused: [] as string[], model: 'GPT-5.5' },
  };
  beforeEach(async () => {
    panel = await suite.open();
    await panel.show();
    sheet = panel.page.getByRole('dialog', { name: 'Parameters' });
    await panel.button(/^Model: /).click();
    await panel.page.getByRole('searchbox', { name: 'Filter models' }).waitFor();
    const { keyboard } = panel.page;
    // Tab stops before it: the favourite's star and the model's details.
    for (let tab = 0; tab < 3; tab++) await keyboard.press('Tab');
    await keyboard.press('Enter');
    await panel.posted('loadParameters');
    await panel.say(loaded);
  });
  const isFocused = (element: Locator) => element.evaluate((one) => one === document.activeElement);

  it('are set by keyboard alone, beginning at the first, and go back to the settings', async () => {
    const temperature = sheet.getByRole('spinbutton', { name: 'Temperature' });
    await eventuallyEqual(() => isFocused(temperature), true);
    assert.equal(await temperature.getAttribute('placeholder'), '0.5, from the settings');
    const { keyboard } = panel.page;
    await keyboard.type('3');
    await keyboard.press('Enter');
    await eventuallyEqual(() => temperature.getAttribute('aria-invalid'), 'true');
    await temperature.fill('0.2');
    await keyboard.press('Tab');
    assert.deepEqual((await panel.posted('chooseParameters')).parameters, { temperature: 0.2 });
    await panel.say({ ...loaded, chosen: { temperature: 0.2 } });
    await sheet.getByRole('button', { name: 'Reset' }).press('Enter');
    await eventuallyEqual(async () => (await panel.posts('chooseParameters')).at(-1)?.parameters, {});
    await keyboard.press('Escape');
    await sheet.waitFor({ state: 'detached' });
    await eventuallyEqual(() => isFocused(panel.button(/^Model: /)), true);
  });

  it('offer nothing that the model refused', async () => {
    await panel.say({ ...loaded, refused: ['temperature', 'reasoningEffort=max'] });
    await sheet.getByText('Not supported by GPT-5.5').waitFor();
    assert.equal(await sheet.getByRole('spinbutton', { name: 'Temperature' }).count(), 0);
    const effort = sheet.getByRole('combobox', { name: 'Reasoning effort' });
    const offered = await effort.getByRole('option').allInnerTexts();
    assert.deepEqual(offered, ["the model's default", 'none', 'minimal', 'low', 'medium', 'high', 'xhigh']);
    await effort.selectOption('high');
    assert.deepEqual((await panel.posted('chooseParameters')).parameters, { reasoningEffort: 'high' });
  });
});
