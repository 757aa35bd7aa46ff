import { useBrowser } from './support/browserSuite.ts';
import { models, withApp } from './support/states.ts';

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
});
