import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { useBrowser } from './support/browserSuite.ts';
import type { PanelPage } from './support/panelPage.ts';
import { answer, askingEdit, failure, models, user } from './support/states.ts';

describe('the focus of the panel', () => {
  const suite = useBrowser();
  let panel: PanelPage;

  const isFocused = (element: Locator) =>
    element.and(panel.page.locator(':focus')).waitFor({ timeout: 5000 });
  /** A dialog of the editor takes the focus; the element loses it before the page does. */
  const leave = () =>
    panel.page.evaluate(() => {
      (document.activeElement as HTMLElement).blur();
      window.dispatchEvent(new FocusEvent('blur'));
    });
  const comeBack = () => panel.page.evaluate(() => window.dispatchEvent(new FocusEvent('focus')));
  const scroller = () => panel.page.locator('.scroller');
  const long = (id: string) => answer(id, 'The tide turns at the harbour wall.\n\n'.repeat(40));

  it('is where it was, as is the conversation, when History is dismissed', async () => {
    panel = await suite.open();
    await panel.show({ entries: [user('u1', 'When?'), long('a1'), user('u2', 'Where?'), long('a2')] });
    const copy = panel.entry('Claude Sonnet 5').first().getByRole('button', { name: 'Copy' });
    await copy.focus();
    await scroller().evaluate((element) => element.scrollTo(0, 300));
    await panel.frame();
    const top = await scroller().evaluate((element) => element.scrollTop);
    assert.ok(top > 0);
    await leave();
    await comeBack();
    await isFocused(copy);
    assert.equal(await scroller().evaluate((element) => element.scrollTop), top);
    // A list that was opened without the focus leads nowhere else.
    await panel.messageBox.focus();
    await leave();
    await comeBack();
    await isFocused(panel.messageBox);
  });

  it('goes to the message box from Allow, and stays there when the call ends', async () => {
    panel = await suite.open();
    await panel.show({ entries: [user('u1', 'Edit it'), askingEdit], status: { type: 'asking' } });
    await panel.button('Allow').press('Enter');
    await panel.posted('answerTool');
    await isFocused(panel.messageBox);
    const { question: _question, ...call } = askingEdit;
    await panel.say({ type: 'entryChanged', entry: { ...call, state: 'running' } });
    await panel.button('Allow').waitFor({ state: 'detached' });
    await isFocused(panel.messageBox);
  });

  it('is on the call that is shown once the panel has the focus', async () => {
    panel = await suite.open();
    await panel.show({ entries: [user('u1', 'Edit it'), askingEdit], status: { type: 'asking' } });
    await panel.say({ type: 'messageBoxFocused' }, { type: 'messageFound', index: 1, id: askingEdit.id });
    await panel.frame();
    await isFocused(panel.page.getByRole('group', { name: 'Tool edit_file' }));
  });

  it('is in the message box after Change Key…, whatever becomes of the failure', async () => {
    panel = await suite.open();
    const remedy = { type: 'changeAppKey' as const, label: 'Change Key…' };
    const entries = [user('u1', 'Hi'), answer('a1', '', { end: { failure: { ...failure, remedy } } })];
    await panel.show({ entries });
    await panel.button('Change Key…').press('Enter');
    await isFocused(panel.messageBox);
    await leave();
    await panel.show({ entries: entries.slice(0, 1) });
    await comeBack();
    await isFocused(panel.messageBox);
  });

  it('is on Restore again when that is dismissed, and in the message box once it was done', async () => {
    panel = await suite.open();
    const entries = [user('u1', 'Edit them'), answer('a1', 'Done.')];
    await panel.show({ entries });
    const restore = panel.entry('You').getByRole('button', { name: 'Restore', exact: true });
    await restore.press('Enter');
    await panel.posted('restoreCheckpoint');
    await leave();
    await comeBack();
    await isFocused(restore);
    await restore.press('Enter');
    await leave();
    await comeBack();
    await panel.show({ entries: [] });
    await panel.say({ type: 'messageBoxFocused' });
    await isFocused(panel.messageBox);
  });

  it('goes to what is left when the last conversation was deleted in History', async () => {
    panel = await suite.open();
    const open = async () => {
      await panel.show({ entries: [user('u1', 'When?'), answer('a1', 'Now.')] });
      await panel.entry('Claude Sonnet 5').getByRole('button', { name: 'Copy' }).focus();
      await leave();
    };
    await open();
    await panel.show({ chatId: 'new' });
    await comeBack();
    await isFocused(panel.messageBox);
    await open();
    const none = models({ state: 'none', options: [], selected: undefined });
    await panel.show({ chatId: 'newer', connection: { state: 'none' }, models: none });
    await comeBack();
    await isFocused(panel.button('Connect Relay…'));
  });
});
