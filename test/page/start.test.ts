import assert from 'node:assert/strict';
import { axeViolations } from '../support/axe.ts';
import { eventuallyEqual } from '../support/eventually.ts';
import { useBrowser } from './support/browserSuite.ts';
import type { PanelPage } from './support/panelPage.ts';
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
    // The main action has the focus, also when the host or the view asks for it.
    const connect = panel.button('Connect Relay…');
    await connect.and(panel.page.locator(':focus')).waitFor({ timeout: 5000 });
    await panel.button('Add Platform App…').focus();
    await panel.say({ type: 'messageBoxFocused' });
    await connect.and(panel.page.locator(':focus')).waitFor({ timeout: 5000 });
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
    // Only shown states are saved.
    assert.doesNotMatch(await panel.page.evaluate(() => sessionStorage.getItem('state') ?? ''), /not yet/);
  });

  it('has its message box before its script, which goes on from there', async () => {
    const box = { html: '', selection: [0, 0] };
    const panel = await suite.open({
      draft: 'Is <b>high</b> tide\nat',
      async beforeScript({ page, messageBox }) {
        await messageBox.press('Control+End');
        await messageBox.pressSequentially(' noon?');
        await messageBox.press('Control+Home');
        await messageBox.press('Shift+End');
        box.html = await page.locator('#root').innerHTML();
      },
    });
    const { page, messageBox } = panel;
    // The components draw the HTML of the build, which had the draft in it.
    assert.equal(await page.locator('#root').innerHTML(), box.html.replace(/(<textarea[^>]*>)[^<]*/, '$1'));
    assert.equal((await panel.posted('changeDraft')).text, 'Is <b>high</b> tide\nat noon?');
    const selected = await messageBox.evaluate((element: HTMLTextAreaElement) => [
      element === document.activeElement,
      element.value.slice(element.selectionStart, element.selectionEnd),
    ]);
    assert.deepEqual(selected, [true, 'Is <b>high</b> tide']);
    // The host sent this before it got the typed text.
    await panel.show({ draft: 'Is <b>high</b> tide\nat' });
    await panel.button('Knowledge').waitFor();
    assert.equal(await messageBox.inputValue(), 'Is <b>high</b> tide\nat noon?');
    assert.ok(await panel.button('Send').isEnabled());
  });

  it('takes what the host has for the draft where nothing was typed', async () => {
    const panel = await suite.open({ draft: 'As it was when the page was hidden' });
    await panel.show({ draft: 'As it is' });
    await eventuallyEqual(() => panel.messageBox.inputValue(), 'As it is');
    await panel.page.keyboard.type(' now');
    assert.equal(await panel.messageBox.inputValue(), 'As it is now');
  });

  it('sends when the conversation is there what the user sent before', async () => {
    const panel = await suite.open({ draft: '' });
    await panel.messageBox.fill('Hello');
    await panel.messageBox.press('Enter');
    await panel.show({ isOpening: true });
    assert.deepEqual(await panel.posts('sendMessage'), []);
    await panel.show();
    assert.equal((await panel.posted('sendMessage')).text, 'Hello');
    assert.deepEqual(await panel.posts('applyRemedy'), []);
  });

  it('moves nothing when the host has said what there is, at any width', async () => {
    for (const width of [225, 300, 420]) {
      const places: unknown[] = [];
      const note = async (page: PanelPage) => {
        for (const each of [page.messageBox, page.button('Attach'), page.button('Send')])
          places.push(await each.boundingBox());
      };
      const panel = await suite.open({ width, draft: 'Where?', beforeScript: (early) => note(early) });
      await panel.show({ draft: 'Where?' });
      await panel.button(/^Model: /).waitFor();
      await note(panel);
      assert.deepEqual(places.slice(3), places.slice(0, 3), `${width} px`);
    }
  });

  it('gives the focus back to what had it before a dialog of the editor', async () => {
    const panel = await suite.open({ draft: '' });
    await panel.show();
    const focused = panel.page.locator(':focus');
    const comeBack = async () => {
      assert.equal(await focused.count(), 0);
      await panel.page.evaluate(() => window.dispatchEvent(new FocusEvent('focus')));
    };
    await panel.button('Attach').focus();
    await panel.page.evaluate(() => {
      (document.activeElement as HTMLElement).blur();
      window.dispatchEvent(new FocusEvent('blur'));
    });
    await comeBack();
    await panel.button('Attach').and(focused).waitFor({ timeout: 5000 });
    // The focused element disappears with the dialog.
    await panel.page.evaluate(() => {
      const asked = document.activeElement as HTMLElement;
      asked.blur();
      window.dispatchEvent(new FocusEvent('blur'));
      asked.remove();
    });
    await comeBack();
    await panel.messageBox.and(focused).waitFor({ timeout: 5000 });
  });

  it('can be read by everyone before its script is there, in each language', async () => {
    for (const language of [undefined, 'zh-cn'] as const) {
      const panel = await suite.open({
        ...{ language, draft: '' },
        async beforeScript({ page }) {
          assert.deepEqual(await axeViolations(page.locator('html')), []);
          await page.getByRole('textbox', { name: language ? '消息' : 'Message' }).waitFor();
        },
      });
      assert.equal(await panel.page.getByRole('textbox').count(), 1);
    }
  });
});
