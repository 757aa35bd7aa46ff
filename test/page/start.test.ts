import assert from 'node:assert/strict';
import { eventuallyEqual } from '../support/eventually.ts';
import { useBrowser } from './support/browserSuite.ts';
import { answer, models, user, withApp } from './support/states.ts';

describe('the panel before the first message', () => {
  const suite = useBrowser();

  it('is never blank: while it loads, with apps alone, and with no model chosen', async () => {
    const panel = await suite.open();
    await panel.status.getByText('Loading…').waitFor();
    await panel.show({ models: models({ selected: undefined }) });
    await panel.page.getByText('Choose a model to start').waitFor();
    await panel.button('Choose Model…').click();
    await panel.page.getByRole('listbox', { name: 'Models' }).waitFor();
    await panel.page.keyboard.press('Escape');
    const { options } = withApp().models;
    const apps = options.filter(({ app }) => app);
    await panel.show({
      connection: { state: 'none' },
      models: { state: 'none', options: apps, favourites: [], recent: [] },
    });
    await panel.page.getByText('Choose an app to start').waitFor();
    await panel.page.getByText('No relay is connected.').waitFor();
    await panel.messageBox.fill('Hello');
    await panel.messageBox.press('Enter');
    await panel.page.getByRole('option', { name: 'Harbour guide' }).waitFor();
    await panel.show({
      connection: { state: 'none' },
      models: { state: 'none', options: [], favourites: [], recent: [] },
    });
    await panel.button('Connect Relay…').waitFor();
  });

  it('takes keys before the conversation is read, and keeps them when it comes', async () => {
    const panel = await suite.open();
    await panel.show({ isOpening: true, chatId: 'not yet', connection: { state: 'none' } });
    await panel.conversation.getByText('Loading conversation…').waitFor();
    assert.equal(await panel.page.getByText('Enter sends').count(), 0);
    await panel.messageBox.pressSequentially('And the');
    await panel.show({ entries: [user('1', 'Where is the harbour?'), answer('2', 'At the coast.')] });
    await panel.page.getByText('At the coast.').waitFor();
    await panel.page.keyboard.type(' tide?');
    await eventuallyEqual(() => panel.messageBox.inputValue(), 'And the tide?');
    assert.equal(await panel.conversation.getByText('Loading conversation…').count(), 0);
    // Only of what was shown something is kept.
    assert.doesNotMatch(await panel.page.evaluate(() => sessionStorage.getItem('state') ?? ''), /not yet/);
  });
});
