import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import type { ModelOption, Models } from '../../src/shared/transcript.ts';
import { eventuallyEqual } from '../support/eventually.ts';
import type { PanelPage } from './support/panelPage.ts';
import { useBrowser } from './support/browserSuite.ts';
import { answer, failure, models, otherOptions, twoRelays } from './support/states.ts';

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
  const isFocused = (element: Locator) => element.evaluate((one) => one === document.activeElement);
  const isMessageBoxFocused = () => isFocused(panel.messageBox);
  const open = () => panel.button(/^Model: /).click();
  /** The options' texts. Not innerText, which is empty before an option is first drawn. */
  const names = () =>
    list
      .getByRole('option')
      .evaluateAll((all) => all.map((one) => one.querySelector('.option-name')?.textContent));
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
      ['Favorites', 'Anthropic', 'OpenAI', 'Google', 'DeepSeek', 'Other models'],
    );
    const selected = list.getByRole('option', { name: 'Claude Sonnet 5' });
    assert.equal(await selected.getAttribute('aria-selected'), 'true');
    assert.equal(await selected.getAttribute('aria-description'), '200K context, capabilities unknown');
    const unknown = list.getByRole('option', { name: 'my-finetune' });
    assert.equal(await unknown.getAttribute('aria-description'), 'context unknown, capabilities unknown');
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
    await eventuallyEqual(isMessageBoxFocused, true);
    await open();
    await filter.press('Escape');
    await eventuallyEqual(isMessageBoxFocused, true);
  });

  it('filters while typing, the best match first, which Enter takes', async () => {
    await open();
    await filter.press('End');
    await filter.pressSequentially('mini');
    await eventuallyEqual(names, ['GPT-5.5 mini', 'Gemini 3 Pro', 'Use "mini"']);
    await eventuallyEqual(active, 'GPT-5.5 mini');
    await filter.press('Enter');
    assert.equal((await panel.posted('selectModel')).modelId, 'gpt-5.5-mini');
  });

  it('takes the exact name rather than the one that was active, and says unknown windows in the tooltip only', async () => {
    const options = ['vendor/long-model-name-20251101-preview', 'gpt-4o-mini', 'gpt-4o'].map((id) => ({
      ...{ id, name: id },
      vendor: id.startsWith('v') ? 'vendor' : 'gpt-proxy',
    }));
    await panel.say({ type: 'modelsChanged', models: models({ options, favourites: [] }) });
    await open();
    await list.getByRole('option', { name: 'gpt-4o', exact: true }).waitFor();
    await eventuallyEqual(names, ['long-model-name-20251101-preview', 'gpt-4o-mini', 'gpt-4o']);
    assert.doesNotMatch(await list.innerText(), /unknown/);
    const title = await list.getByRole('option', { name: 'gpt-4o', exact: true }).getAttribute('title');
    assert.equal(title, 'gpt-4o, context unknown, capabilities unknown');
    await filter.fill('GPT-4o');
    await eventuallyEqual(names, ['gpt-4o', 'gpt-4o-mini', 'Use "GPT-4o"']);
    await filter.press('Enter');
    assert.equal((await panel.posted('selectModel')).modelId, 'gpt-4o');
  });

  it('shows both ends of a long name where there is little room', async () => {
    const narrow = await suite.open({ width: 250 });
    const name = 'claude-opus-4.5-20251101-extended-thinking';
    const option = { id: name, name };
    await narrow.show({
      models: models({ options: [option], selected: option, favourites: [] }),
      entries: [answer('1', 'Yes.', { model: name })],
    });
    const shown = () =>
      narrow.page.locator('.middle-truncated', { hasText: /^claude/ }).evaluateAll((all) =>
        all.map((each) => {
          const [head, tail] = each.children as unknown as HTMLElement[];
          const isCut = Boolean(head && head.scrollWidth > head.clientWidth && head.clientWidth > 20);
          const fits = Boolean(
            tail && tail.getBoundingClientRect().right <= each.getBoundingClientRect().right + 1,
          );
          return { isCut, fits, tail: tail?.textContent };
        }),
      );
    await narrow.button(`Model: ${name}`).click();
    const cut = { isCut: true, fits: true, tail: '-thinking' };
    await eventuallyEqual(shown, [cut, cut, cut]);
    assert.equal(await narrow.entry(name).isVisible(), true);
  });

  it("leaves room for a dozen letters of the model's name in the narrowest panel", async () => {
    const name = 'claude-opus-4.5-20251101-extended-thinking';
    const option = { id: name, name };
    const narrow = await suite.open({ width: 225 });
    await narrow.show({
      ...{ models: models({ options: [option], selected: option, favourites: [] }), entries: [] },
      tools: { on: 12, total: 13 },
    });
    await narrow.say({ type: 'contextUseChanged', use: { tokens: 128_400, isCounted: true } });
    const head = narrow.page.locator('.model-button .middle-truncated');
    await narrow.button(/^Context: /).waitFor();
    const letters = await head.evaluate((element) => {
      const pen = document.createElement('canvas').getContext('2d')!;
      pen.font = getComputedStyle(element).font;
      return element.clientWidth / pen.measureText('n').width;
    });
    assert.ok(letters >= 12, `room for ${letters} letters`);
    const top = async (button: string | RegExp) => (await narrow.button(button).boundingBox())?.y;
    const mode = narrow.button(/^Mode: /).locator('.choice-text');
    assert.ok(await mode.evaluate((text) => text.scrollWidth <= text.clientWidth));
    // The mode, the approvals and the context share a line; the rest has another.
    assert.equal(await top(/^Approvals: /), await top(/^Mode: /));
    assert.equal(await top('Attach'), await top('Send'));
  });

  it('is opened by the host, and says at the button and over the box that a model is no longer listed', async () => {
    await panel.say({ type: 'messageBoxFocused' }, { type: 'modelPickerOpened' });
    await list.waitFor();
    assert.equal(await filter.evaluate((input) => input === document.activeElement), true);
    await filter.press('Escape');
    const gone = { id: 'gone', name: 'gone' };
    const unlisted = models({ selected: gone, isSelectedUnlisted: true });
    await panel.say({ type: 'modelsChanged', models: unlisted });
    const button = panel.button('Model: gone');
    assert.equal(await button.getAttribute('aria-description'), 'Not listed for your key');
    const notice = panel.page.getByRole('alert');
    await notice.getByText('"gone" is no longer listed for your key.').waitFor();
    await panel.messageBox.fill('Hello');
    await panel.messageBox.press('Enter');
    await list.waitFor();
    assert.equal(await panel.messageBox.inputValue(), 'Hello');
    assert.deepEqual(await panel.posts('sendMessage'), []);
    await filter.press('Escape');
    await notice.getByRole('button', { name: 'Choose Another Model' }).click();
    await list.waitFor();
    await filter.press('Escape');
    await notice.getByRole('button', { name: 'Use Anyway' }).click();
    assert.equal((await panel.posted('selectModel')).modelId, 'gone');
  });

  it('selects with the mouse', async () => {
    await open();
    await list.getByRole('option', { name: 'DeepSeek V4' }).click();
    assert.equal((await panel.posted('selectModel')).modelId, 'deepseek-v4');
  });

  it('lets the id of a model be typed that is not listed', async () => {
    await open();
    await filter.fill('vendor/new model:free');
    await list.getByRole('option', { name: 'Use "vendor/new model:free"' }).waitFor();
    await filter.press('Enter');
    assert.equal((await panel.posted('selectModel')).modelId, 'vendor/new model:free');
  });

  it('lets an id be typed that is part of a listed one, after those that match', async () => {
    await open();
    await filter.fill('gpt-5');
    await eventuallyEqual(async () => (await names()).at(-1), 'Use "gpt-5"');
    await filter.press('End');
    await eventuallyEqual(active, 'Use "gpt-5"');
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
    const button = panel.page.getByRole('button', { name: 'Favorite: Claude Sonnet 5' });
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

  it('opens the details of the active model by keyboard, and of no app', async () => {
    await open();
    await filter.press('ArrowDown');
    await eventuallyEqual(active, 'Claude Haiku 5');
    await filter.press('Tab');
    await panel.page.keyboard.press('Tab');
    const button = panel.page.getByRole('button', { name: /^Model Details: / });
    assert.ok(await button.evaluate((each) => each === document.activeElement));
    await panel.page.keyboard.press('Enter');
    assert.equal((await panel.posted('showModelDetails')).modelId, 'claude-haiku-5');
    await list.waitFor({ state: 'detached' });
    const app = { id: 'app:1', name: 'Tides', app: 'Chatbot' };
    await panel.say({ type: 'modelsChanged', models: models({ options: [app], selected: app }) });
    await panel.button(/^Model: /).click();
    await list.getByRole('option', { name: 'Tides' }).waitFor();
    assert.equal(await button.count(), 0);
  });

  it('loads models when there are none yet, and again on request', async () => {
    await panel.say({ type: 'modelsChanged', models: models({ state: 'none', options: [] }) });
    await open();
    await panel.posted('loadModels');
    await panel.say({ type: 'modelsChanged', models: models({ state: 'loading', options: [] }) });
    await panel.page.getByText('Loading models…').waitFor();
    await panel.say({ type: 'modelsChanged', models: models() });
    await panel.button('Refresh Models').click();
    await eventuallyEqual(async () => (await panel.posts('loadModels')).length, 2);
  });

  it('says why models could not be loaded, and that there are none', async () => {
    await panel.say({ type: 'modelsChanged', models: models({ state: 'failed', options: [], failure }) });
    await open();
    await panel.page.getByRole('alert').getByRole('button', { name: 'Retry' }).click();
    assert.deepEqual(await panel.posted('applyRemedy'), { type: 'applyRemedy', remedy: 'retry' });
    await panel.say({ type: 'modelsChanged', models: models({ options: [] }) });
    await panel.page.getByText('The relay lists no models. Type a model ID.').waitFor();
  });

  it('draws what is seen of 5,000 models, and leads to all of them', async () => {
    const many: ModelOption[] = Array.from({ length: 5000 }, (_, i) => ({
      ...{ id: `vendor-${i % 20}/model-${i}`, name: `Model ${i}`, vendor: `Vendor ${i % 20}` },
      ...(i === 4999 && { tools: true, images: false }),
    }));
    await panel.say({
      type: 'modelsChanged',
      models: models({ options: many, favourites: [], recent: [many[27]!.id] }),
    });
    await open();
    const drawn = () => list.getByRole('option').count();
    const nodes = () => list.evaluate((box) => box.querySelectorAll('*').length);
    await list.getByRole('option').first().waitFor();
    const size = () => list.getByRole('option').first().getAttribute('aria-setsize');
    await eventuallyEqual(size, '5000');
    assert.ok((await drawn()) < 40, `${await drawn()} options are drawn`);
    assert.ok((await nodes()) < 600, `${await nodes()} nodes`);
    assert.equal(await list.getByRole('group').first().getAttribute('aria-label'), 'Recent');
    await filter.press('End');
    await eventuallyEqual(active, 'Model 4999');
    const last = list.getByRole('option', { name: 'Model 4999' });
    assert.equal(await last.getAttribute('aria-posinset'), '5000');
    assert.equal(
      await last.getAttribute('aria-description'),
      'context unknown, tools, no images, reasoning unknown',
    );
    assert.ok((await drawn()) < 40);
    await list.evaluate((box) => (box.parentElement!.scrollTop = 60_000));
    const position = () => list.getByRole('option').first().getAttribute('aria-posinset');
    await eventuallyEqual(async () => Math.round(Number(await position()) / 100), 25);
    await eventuallyEqual(async () => (await drawn()) > 20 && (await drawn()) < 40, true);
    await filter.fill('model-49');
    await eventuallyEqual(size, '112');
    assert.ok((await drawn()) < 40);
    await filter.press('End');
    await filter.press('Enter');
    assert.equal((await panel.posted('selectModel')).modelId, 'model-49');
  });

  describe('what is not for chat', () => {
    let fold: Locator;
    const isOpen = () => fold.getAttribute('aria-expanded');
    const show = async (parts: Partial<Models> = {}) => {
      fold = panel.button('Not for chat');
      const options = [...models().options, ...otherOptions];
      await panel.say({ type: 'modelsChanged', models: models({ options, ...parts }) });
      await open();
      await fold.waitFor();
    };
    const others = ['whisper-1', 'text-embedding-3-large', 'gpt-image-1'];
    const group = () =>
      list
        .getByRole('group', { name: 'Not for chat' })
        .getByRole('option')
        .evaluateAll((all) => all.map((one) => one.querySelector('.option-name')?.textContent));

    it('is folded at the end, and opens, closes and is chosen with the mouse', async () => {
      await show();
      assert.equal(await isOpen(), 'false');
      assert.equal(await fold.getAttribute('aria-description'), '3 models');
      assert.deepEqual((await names()).at(-1), 'my-finetune');
      assert.equal(await list.getByRole('group', { name: 'Not for chat' }).count(), 0);
      assert.equal(await list.getByRole('option').first().getAttribute('aria-setsize'), '8');
      await fold.click();
      await eventuallyEqual(group, others);
      assert.equal(await isOpen(), 'true');
      assert.equal(await isFocused(filter), true);
      await fold.click();
      await eventuallyEqual(async () => (await names()).length, 8);
      await fold.click();
      await list.getByRole('option', { name: 'gpt-image-1' }).click();
      assert.equal((await panel.posted('selectModel')).modelId, 'gpt-image-1');
      await open();
      await eventuallyEqual(isOpen, 'false');
    });

    it('opens and is reached with the keys', async () => {
      await show();
      await filter.press('End');
      await eventuallyEqual(active, 'my-finetune');
      await filter.press('ArrowDown');
      assert.equal(await isFocused(fold), true);
      await fold.press('ArrowDown');
      assert.equal(await isFocused(fold), true);
      await fold.press('ArrowUp');
      assert.equal(await isFocused(filter), true);
      await eventuallyEqual(active, 'my-finetune');
      for (let tab = 0; tab < 5; tab++) await panel.page.keyboard.press('Tab');
      assert.equal(await isFocused(fold), true);
      await fold.press('Enter');
      await eventuallyEqual(isOpen, 'true');
      assert.equal(await isFocused(fold), true);
      await fold.press('ArrowDown');
      assert.equal(await isFocused(filter), true);
      await eventuallyEqual(active, 'whisper-1');
      await filter.press('ArrowUp');
      assert.equal(await isFocused(fold), true);
      await fold.press('Space');
      await eventuallyEqual(isOpen, 'false');
      await fold.press('Space');
      await fold.press('ArrowDown');
      await filter.press('ArrowDown');
      await eventuallyEqual(active, 'text-embedding-3-large');
      await filter.press('Enter');
      assert.equal((await panel.posted('selectModel')).modelId, 'text-embedding-3-large');
    });

    it('is found by the filter while it is folded', async () => {
      await show();
      await filter.fill('gpt');
      await eventuallyEqual(group, ['gpt-image-1']);
      await eventuallyEqual(names, ['GPT-5.5', 'GPT-5.5 mini', 'gpt-image-1', 'Use "gpt"']);
      assert.equal(await fold.count(), 0);
      await filter.fill('whisper-1');
      await eventuallyEqual(names, ['whisper-1']);
      await filter.press('Enter');
      assert.equal((await panel.posted('selectModel')).modelId, 'whisper-1');
    });

    it('is open where the selected model is in it', async () => {
      await show({ selected: otherOptions[1]! });
      assert.equal(await isOpen(), 'true');
      await eventuallyEqual(active, 'text-embedding-3-large');
    });

    it('is reached from the top of 2,000 models, and shown when it is opened', async () => {
      const many: ModelOption[] = Array.from({ length: 2000 }, (_, i) => ({
        ...{ id: `m-${i}`, name: `m-${i}` },
        ...(i % 10 === 0 && { kind: 'other' as const }),
      }));
      await show({ options: many, favourites: [], selected: many[1]! });
      for (let tab = 0; tab < 5; tab++) await panel.page.keyboard.press('Tab');
      assert.equal(await isFocused(fold), true);
      await fold.press('Enter');
      await eventuallyEqual(async () => (await group()).slice(0, 3), ['m-0', 'm-10', 'm-20']);
      const tops = () =>
        Promise.all(
          [fold, list.locator('..'), list.getByRole('option', { name: 'm-10', exact: true })].map(
            async (one) => Math.round((await one.boundingBox())?.y ?? 0),
          ),
        );
      const [heading = 0, box = 0, second = 0] = await tops();
      assert.deepEqual([heading - box, second - heading], [0, 48]);
      assert.ok((await list.getByRole('option').count()) < 40);
      await fold.press('Enter');
      await fold.press('ArrowUp');
      await eventuallyEqual(active, 'm-1999');
    });
  });

  it('groups by relay where there are several, and says of what is typed which relay is asked', async () => {
    const b = 'relay:https://b.example/';
    const options: ModelOption[] = [
      { id: 'gpt-4o', name: 'gpt-4o', vendor: 'openai', relay: 'First' },
      {
        id: `${b}openai/gpt-4o`,
        plainId: 'openai/gpt-4o',
        name: 'GPT-4o',
        vendor: 'openai',
        relay: 'Second',
      },
      { id: `${b}own`, plainId: 'own', name: 'own', relay: 'Second' },
    ];
    const relays = [
      { name: 'First', prefix: '' },
      { name: 'Second', prefix: b },
    ];
    await panel.say({
      type: 'modelsChanged',
      models: models({ options, relays, favourites: [], failure, selected: options[1]! }),
    });
    await open();
    await eventuallyEqual(
      () =>
        list.getByRole('group').evaluateAll((all) => all.map((group) => group.getAttribute('aria-label'))),
      ['First · openai', 'Second · openai', 'Second · Other models'],
    );
    await panel.page.getByRole('dialog').getByRole('alert').waitFor();
    await filter.fill('openai/gpt-4o');
    await eventuallyEqual(names, ['GPT-4o']);
    const found = list.getByRole('option', { name: 'GPT-4o' });
    assert.match((await found.getAttribute('aria-description')) ?? '', /^context unknown, /);
    const groups = list.getByRole('group');
    assert.equal(await groups.getAttribute('aria-label'), 'Second · Matching models');
    await filter.fill('new');
    await eventuallyEqual(names, ['Use "new"', 'Use "new"']);
    assert.equal(await list.getByRole('option').nth(1).getAttribute('aria-description'), 'Second');
    // Rows have a fixed height, whatever is typed.
    await filter.fill('a-long-id '.repeat(12));
    await eventuallyEqual(
      () => list.getByRole('option').evaluateAll((all) => all.map((one) => one.scrollHeight <= 24)),
      [true, true],
    );
    await filter.fill('new');
    await filter.press('End');
    await filter.press('Enter');
    assert.equal((await panel.posted('selectModel')).modelId, `${b}new`);
  });

  it('shows names whole where several relays have models, before icons and sizes', async () => {
    await panel.say({ type: 'modelsChanged', models: twoRelays() });
    const cut = () =>
      list
        .locator('.option-name')
        .evaluateAll((all) =>
          all
            .filter((name) => [...name.children].some((part) => part.scrollWidth > part.clientWidth))
            .map((name) => name.textContent),
        );
    const visible = (part: string) =>
      list
        .getByRole('option', { name: 'acme/large-coder-20251101' })
        .first()
        .evaluate((row, selector) => {
          const one = row.querySelector(selector)!.getBoundingClientRect();
          const room = row.querySelector('.option-facts')!.getBoundingClientRect();
          return one.left >= room.left && one.top < room.bottom;
        }, part);
    const seen: unknown[] = [];
    for (const width of [290, 330, 400]) {
      await panel.resize({ width });
      await open();
      await list.getByRole('group', { name: 'Second · Favorites' }).waitFor();
      seen.push([
        width,
        await cut(),
        await visible('.option-context'),
        await visible('.option-capabilities'),
      ]);
      await filter.press('Escape');
    }
    assert.deepEqual(seen, [
      [290, [], false, false],
      [330, [], true, false],
      [400, [], true, true],
    ]);
  });

  it('never shows less of the buttons below the message box in a wider panel', async () => {
    await panel.show({ ...{ models: twoRelays(), entries: [] }, tools: { on: 12, total: 13 } });
    await panel.say({ type: 'contextUseChanged', use: { tokens: 128_400, isCounted: true } });
    await panel.button(/^Context: /).waitFor();
    let before: number[] = [];
    for (let width = 225; width <= 700; width += 5) {
      await panel.resize({ width });
      const now = await panel.page
        .locator('.composer-bar .choice-text, .composer-bar .model-button-name, .context-button')
        .evaluateAll((all) => all.map((each) => each.clientWidth));
      assert.equal(now.length, 4);
      for (const [at, room] of now.entries())
        assert.ok(room >= (before[at] ?? 0), `${width}: ${now.join()} after ${before.join()}`);
      before = now;
    }
    assert.equal(
      await panel
        .button('Attach')
        .boundingBox()
        .then((box) => box?.y),
      await panel
        .button(/^Mode: /)
        .boundingBox()
        .then((box) => box?.y),
    );
  });

  it('says that the relay of a model is not connected, with the button that connects it', async () => {
    const gone = { id: 'relay:https://b.example/m', name: 'm' };
    await panel.say({
      type: 'modelsChanged',
      models: models({ selected: gone, missingRelay: 'b.example' }),
    });
    const notice = panel.page.getByRole('alert');
    await notice.getByText("The relay b.example isn't connected.").waitFor();
    await notice.getByRole('button', { name: 'Connect Relay…' }).click();
    assert.equal((await panel.posted('applyRemedy')).remedy, 'connectRelay');
  });
});
