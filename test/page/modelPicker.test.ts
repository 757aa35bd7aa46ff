import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import type { ModelOption } from '../../src/shared/transcript.ts';
import { eventuallyEqual } from '../support/eventually.ts';
import type { PanelPage } from './support/panelPage.ts';
import { useBrowser } from './support/browserSuite.ts';
import { failure, models } from './support/states.ts';

describe('the model picker', () => {
  const suite = useBrowser();
  let panel: PanelPage;
  let filter: Locator;
  let list: Locator;
  beforeEach(async () => {
    panel = await suite.open();
    await panel.show();
    filter = panel.page.getByRole('searchbox', { name: 'Filter models' });
    list = panel.page.getByRole('listbox', { name: 'Models' });
  });
  const open = () => panel.button(/^Model: /).click();
  /** The names of the options. Not their innerText, which is empty before an option is first drawn. */
  const names = () =>
    list
      .getByRole('option')
      .evaluateAll((all) => all.map((one) => one.querySelector('.option-name')?.textContent));
  /** The option that Enter would choose, as the filter names it. */
  const active = () =>
    filter.evaluate(
      (input) =>
        document
          .getElementById(input.getAttribute('aria-activedescendant') ?? '')
          ?.querySelector('.option-name')?.textContent,
    );

  it('groups models by vendor, favourites first, and says what is known of them', async () => {
    await open();
    await eventuallyEqual(
      () =>
        list.getByRole('group').evaluateAll((all) => all.map((group) => group.getAttribute('aria-label'))),
      ['Favourites', 'Anthropic', 'OpenAI', 'Google', 'DeepSeek', 'Other models'],
    );
    const selected = list.getByRole('option', { name: 'Claude Sonnet 5' });
    assert.equal(await selected.getAttribute('aria-selected'), 'true');
    assert.equal(await selected.getAttribute('aria-description'), '200K context');
    const unknown = list.getByRole('option', { name: 'my-finetune' });
    assert.equal(await unknown.getAttribute('aria-description'), 'context unknown');
  });

  it('begins at the selected model and moves with the keys', async () => {
    await open();
    await eventuallyEqual(active, 'Claude Sonnet 5');
    for (const [key, name] of [
      ['ArrowDown', 'Claude Haiku 5'],
      ['End', 'my-finetune'],
      ['ArrowDown', 'my-finetune'],
      ['Home', 'GPT-5.5'],
      ['ArrowUp', 'GPT-5.5'],
      ['ArrowDown', 'Claude Sonnet 5'],
      ['ArrowDown', 'Claude Haiku 5'],
    ] as const) {
      await filter.press(key);
      await eventuallyEqual(active, name, key);
    }
    await filter.press('Enter');
    assert.equal((await panel.posted('selectModel')).modelId, 'claude-haiku-5');
    await list.waitFor({ state: 'detached' });
    await eventuallyEqual(
      () => panel.button(/^Model: /).evaluate((button) => button === document.activeElement),
      true,
    );
  });

  it('filters while typing', async () => {
    await open();
    await filter.pressSequentially('mini');
    await eventuallyEqual(names, ['GPT-5.5 mini', 'Gemini 3 Pro', 'Use “mini”']);
    await filter.press('Enter');
    await panel.posted('selectModel');
  });

  it('selects with the mouse', async () => {
    await open();
    await list.getByRole('option', { name: 'DeepSeek V4' }).click();
    assert.equal((await panel.posted('selectModel')).modelId, 'deepseek-v4');
  });

  it('lets the id of a model be typed that is not listed', async () => {
    await open();
    await filter.fill('vendor/new model:free');
    await list.getByRole('option', { name: 'Use “vendor/new model:free”' }).waitFor();
    await filter.press('Enter');
    assert.equal((await panel.posted('selectModel')).modelId, 'vendor/new model:free');
  });

  it('lets an id be typed that is part of a listed one, after those that match', async () => {
    await open();
    await filter.fill('gpt-5');
    await eventuallyEqual(async () => (await names()).at(-1), 'Use “gpt-5”');
    await filter.press('End');
    await eventuallyEqual(active, 'Use “gpt-5”');
    await filter.press('Enter');
    assert.equal((await panel.posted('selectModel')).modelId, 'gpt-5');
  });

  it('closes with Escape without stopping the turn, and by going elsewhere', async () => {
    await panel.say({ type: 'statusChanged', status: { type: 'answering' } });
    await open();
    await filter.press('Escape');
    await list.waitFor({ state: 'detached' });
    await panel.frame();
    assert.equal((await panel.posts('stopTurn')).length, 0);
    await open();
    await list.waitFor();
    await panel.page.mouse.click(100, 20);
    await list.waitFor({ state: 'detached' });
    await open();
    await list.waitFor();
    await open();
    await list.waitFor({ state: 'detached' });
  });

  it('marks favourites with the star and by keyboard', async () => {
    await open();
    await filter.press('Tab');
    await panel.page.keyboard.press('Enter');
    assert.equal((await panel.posted('toggleFavourite')).modelId, 'claude-sonnet-5');
    const button = panel.page.getByRole('button', { name: 'Favourite: Claude Sonnet 5' });
    const isPressed = () => button.getAttribute('aria-pressed');
    await eventuallyEqual(isPressed, 'false');
    await panel.say({ type: 'modelsChanged', models: models({ favourites: ['claude-sonnet-5'] }) });
    await eventuallyEqual(isPressed, 'true');
    await list.getByRole('option', { name: 'GPT-5.5 mini' }).hover();
    await list.getByRole('option', { name: 'GPT-5.5 mini' }).locator('.option-star').click();
    await panel.page.waitForFunction(() =>
      window.posts.some((p) => p.type === 'toggleFavourite' && p.modelId === 'gpt-5.5-mini'),
    );
    await panel.frame();
    assert.equal((await panel.posts('selectModel')).length, 0);
  });

  it('loads models when there are none yet, and again on request', async () => {
    await panel.say({ type: 'modelsChanged', models: models({ state: 'none', options: [] }) });
    await open();
    await panel.posted('loadModels');
    await panel.say({ type: 'modelsChanged', models: models({ state: 'loading', options: [] }) });
    await panel.page.getByText('Loading models…').waitFor();
    await panel.say({ type: 'modelsChanged', models: models() });
    await panel.button('Refresh models').click();
    await eventuallyEqual(async () => (await panel.posts('loadModels')).length, 2);
  });

  it('says why models could not be loaded, and that there are none', async () => {
    await panel.say({ type: 'modelsChanged', models: models({ state: 'failed', options: [], failure }) });
    await open();
    await panel.page.getByRole('alert').getByRole('button', { name: 'Retry' }).click();
    assert.deepEqual(await panel.posted('applyRemedy'), { type: 'applyRemedy', remedy: 'retry' });
    await panel.say({ type: 'modelsChanged', models: models({ options: [] }) });
    await panel.page.getByText('The relay lists no models. Type the id of one.').waitFor();
  });

  it('shows and filters 500 models', async () => {
    const many: ModelOption[] = Array.from({ length: 500 }, (_, i) => ({
      id: `vendor-${i % 20}/model-${i}`,
      name: `Model ${i}`,
      vendor: `Vendor ${i % 20}`,
    }));
    await panel.say({ type: 'modelsChanged', models: models({ options: many }) });
    await open();
    const count = () => list.getByRole('option').count();
    await eventuallyEqual(count, 500);
    await filter.fill('model-49');
    await list.getByRole('option', { name: 'Use “model-49”' }).waitFor();
    await eventuallyEqual(count, 12);
  });
});
