import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { screenshot } from '../host/screen.ts';
import { quickInput, quickInputItem } from '../host/workbench.ts';
import { type Panel, setUpStage, type Stage, useStage } from './support.ts';
import { walk } from './walk.ts';

interface Sent {
  model: string;
}

describe('a change of the model', () => {
  let stage: Stage;
  let page: Page;
  let panel: Panel;

  useStage(
    () =>
      setUpStage({
        connected: true,
        sandbox: { knowsEndpoints: true },
        settings: {
          'switchboard.chat.reasoningEffort': 'high',
          'switchboard.chat.fallbackModels': ['scripted-echo'],
        },
      }),
    async (fresh) => {
      stage = fresh;
      ({ page, panel } = await stage.open());
      await panel.modelButton.waitFor();
    },
  );

  const pathsOf = (model: string) =>
    stage.sandbox.relay.requests
      .filter(({ json }) => (json as Sent | undefined)?.model === model)
      .map(({ path }) => path);
  const ask = async (model: string, text: string) => {
    await panel.selectModel(model);
    const before = await panel.entries.count();
    await panel.send(text);
    await panel.settled();
    const names = await panel.entries.evaluateAll(
      (all, from) => all.slice(from).map((one) => one.getAttribute('aria-label')),
      before + 1,
    );
    assert.equal(await panel.alert.count(), 0);
    return [...new Set(names)];
  };

  const step = walk('teaches what its details tell and forget, and leads out of refusals');

  step('teaches what the details of the model tell and forget, by the keyboard alone', async () => {
    await ask('vendor/claude-thinking', 'Read src/tides.ts');
    await ask('vendor/deepseek-v4', 'Hello');
    const openDetails = async () => {
      await panel.modelButton.press('Enter');
      const filter = panel.frame.getByRole('searchbox', { name: 'Filter models' });
      await filter.and(panel.frame.locator(':focus')).waitFor();
      await page.keyboard.type('vendor/deepseek-v4');
      const button = panel.button('Model Details: vendor/deepseek-v4');
      await page.keyboard.press('Tab');
      await page.keyboard.press('Tab');
      await button.and(panel.frame.locator(':focus')).waitFor();
      await page.keyboard.press('Enter');
      await quickInput(page).getByText('Model Details: vendor/deepseek-v4').waitFor();
    };
    const fact = quickInputItem(page, 'Every answer is sent back with reasoning');
    const forget = quickInput(page).getByRole('option', { name: 'Clear Detected Details' });
    await openDetails();
    await fact.getByText(/^a refusal, /).waitFor();
    await screenshot(page, 'model-details');
    await page.keyboard.type('Clear Det');
    await fact.waitFor({ state: 'detached' });
    await page.keyboard.press('Enter');
    await panel.focused();
    await openDetails();
    await quickInputItem(page, 'Nothing is known about this model yet.').waitFor();
    assert.deepEqual([await fact.count(), await forget.count()], [0, 0]);
    await screenshot(page, 'model-details-forgotten');
    await page.keyboard.press('Escape');
    await panel.focused();
  });

  step('leads out of refusals: of calls, of words, and of a relay that fails', async () => {
    await panel.newChat();
    const plain = panel.frame.getByText("fault/refuses-foreign-calls rejected the conversation's history");
    await ask('vendor/claude-thinking', 'Read src/tides.ts');
    await ask('fault/refuses-foreign-calls', 'And now?');
    assert.equal(await plain.count(), 1);
    await screenshot(page, 'plain-form');
    await ask('fault/refuses-foreign-calls', 'And then?');
    assert.equal(await plain.count(), 1);
    assert.equal(pathsOf('fault/refuses-foreign-calls').length, 3);

    await ask('fault/vendor-401', 'Is anybody there?');
    await panel.frame.getByText('fault/vendor-401 failed, so another model answers.').waitFor();
    await screenshot(page, 'fallback');
    const fallback = panel.frame.getByRole('article', { name: 'scripted-echo' });
    await fallback.getByText('Is anybody there?').waitFor();
    assert.equal(await fallback.getAttribute('aria-busy'), 'false');

    await panel.selectModel('fault/refuses-tomatoes');
    await panel.send('Is it a tomato?');
    await panel.alert.getByText('This message is left out of later requests.').waitFor();
    await screenshot(page, 'left-out');
    await panel.settled();
    await panel.send('Is it a potato?');
    await panel.settled();
    await panel.entries.last().getByText('Is it a potato?').waitFor();
    assert.equal(await panel.alert.count(), 1);
    await screenshot(page, 'left-out-then-answered');
  });
});
