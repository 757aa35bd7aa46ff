import assert from 'node:assert/strict';
import type { FormView } from '../../src/shared/apps.ts';
import { eventually, eventuallyEqual } from '../support/eventually.ts';
import { useBrowser } from './support/browserSuite.ts';
import type { PanelPage } from './support/panelPage.ts';
import { answer, askedForm, user } from './support/states.ts';

describe('a form that a command waits for', () => {
  const suite = useBrowser();
  let panel: PanelPage;
  beforeEach(async () => {
    panel = await suite.open();
    await panel.show({ entries: [user('1', 'First'), answer('2', 'One')], draft: 'half a thought' });
  });
  const dialog = () => panel.page.getByRole('dialog', { name: 'Moor the boat' });
  const button = (name: string) => dialog().getByRole('button', { name, exact: true });
  const text = (name: string) => dialog().getByRole('textbox', { name, exact: true });
  const ask = async (form: Partial<FormView> = {}) => {
    await panel.say({ type: 'formChanged', form: { ...askedForm, ...form } });
    await dialog().waitFor();
  };
  const answered = async () => (await panel.posts('answerForm')).map(({ form, action }) => [form, action]);
  const isFocused = (name: string) =>
    eventually(() => text(name).and(panel.page.locator(':focus')).waitFor());

  it('is in front of the conversation, is filled in by keyboard, and gives the focus back', async () => {
    await panel.messageBox.focus();
    await ask();
    await isFocused('Name of the boat');
    await panel.messageBox.evaluate((box) => box.focus());
    await isFocused('Name of the boat');
    await panel.page.keyboard.press('End');
    await panel.page.keyboard.type('!');
    await eventuallyEqual(async () => (await panel.posts('fillField')).at(-1), {
      ...{ type: 'fillField', form: 'f1', variable: 'boat', edit: { type: 'value', value: 'Dione!' } },
    });
    await panel.page.keyboard.press('Enter');
    await eventuallyEqual(answered, [['f1', 'run']]);
    await panel.say({ type: 'formChanged' });
    await dialog().waitFor({ state: 'detached' });
    await panel.messageBox.and(panel.page.locator(':focus')).waitFor();
    assert.equal(await panel.messageBox.inputValue(), 'half a thought');
  });

  it('is cancelled by Escape, which does not stop the answer behind it', async () => {
    await panel.say({ type: 'statusChanged', status: { type: 'answering' } });
    await ask();
    await text('Name of the boat').press('Escape');
    await eventuallyEqual(answered, [['f1', undefined]]);
    // It goes when the host has heard of it.
    await dialog().waitFor();
    await button('Cancel').click();
    await eventuallyEqual(answered, [
      ['f1', undefined],
      ['f1', undefined],
    ]);
    assert.deepEqual(await panel.posts('stopTurn'), []);
  });

  it('goes to what is wrong, and keeps what is typed', async () => {
    await ask();
    await text('Name of the boat').fill('Aurora');
    // A click would take the focus out of the field.
    await text('Name of the boat').press('Enter');
    const [boat, log] = askedForm.fields;
    await panel.say({
      type: 'formChanged',
      // The host has heard of a part so far.
      form: {
        ...askedForm,
        fields: [
          { ...boat!, value: 'Auro' },
          { ...log!, problem: 'Required' },
        ],
      },
    });
    await isFocused('Log');
    await dialog().getByText('Required', { exact: true }).waitFor();
    assert.equal(await text('Name of the boat').inputValue(), 'Aurora');
  });

  it('says what is required, and leaves the focus where the user is as problems come and go', async () => {
    await ask();
    await dialog().getByText('* Required', { exact: true }).waitFor();
    const [boat, log] = askedForm.fields;
    const show = (...problems: (string | undefined)[]) => {
      const fields = [boat!, log!].map((field, n) => ({
        ...field,
        ...(problems[n] && { problem: problems[n] }),
      }));
      return panel.say({ type: 'formChanged', form: { ...askedForm, fields } });
    };
    await text('Log').focus();
    await show('No such boat');
    await dialog().getByText('No such boat').waitFor();
    await isFocused('Log');
    await show('No such boat', 'Too short');
    await dialog().getByText('Too short').waitFor();
    await button('Cancel').focus();
    await show(undefined, 'Too short');
    await dialog().getByText('No such boat').waitFor({ state: 'detached' });
    await button('Cancel').and(panel.page.locator(':focus')).waitFor();
  });

  it('takes a text from the editor, and says from where', async () => {
    await ask();
    await text('Log').fill('Old');
    await button('Take Log from the Editor').click();
    await eventuallyEqual(async () => (await panel.posts('fillField')).at(-1), {
      ...{ type: 'fillField', form: 'f1', variable: 'log', edit: { type: 'editor' } },
    });
    const [boat, log] = askedForm.fields;
    const taken = { ...log!, value: 'High water.\nLow water.', origin: 'tide.md, lines 3 to 4' };
    await panel.say({ type: 'formChanged', form: { ...askedForm, fields: [boat!, taken] } });
    await eventuallyEqual(() => text('Log').inputValue(), 'High water.\nLow water.');
    await dialog().getByText('From tide.md, lines 3 to 4').waitFor();
  });

  it('runs by Ctrl+Enter from any field, though Enter begins a line there', async () => {
    await ask();
    await text('Log').press('Enter');
    assert.equal(await text('Log').inputValue(), '\n');
    await text('Log').press('Control+Enter');
    await eventuallyEqual(answered, [['f1', 'run']]);
  });

  it('shows lines that were put into a field of one line', async () => {
    const [boat, log] = askedForm.fields;
    await ask({ fields: [{ ...boat!, value: 'Dione\nAurora' }, log!] });
    assert.equal(await text('Name of the boat').inputValue(), 'Dione\nAurora');
  });

  it('has a button for each decision, none of them by Enter, with its text as the answers make it', async () => {
    const actions = [
      { id: 'yes', label: 'Approve' },
      { id: 'no', label: 'Reject' },
    ];
    const note = 'Until 30 November';
    await ask({ text: 'Moor **Dione** at [the quay](https://p.example/quay)?', note, actions });
    await dialog().getByText('Dione', { exact: true }).waitFor();
    await dialog().getByText(note, { exact: true }).waitFor();
    // The link comes before it.
    await isFocused('Name of the boat');
    await text('Name of the boat').press('Enter');
    await panel.say({ type: 'formChanged', form: { ...askedForm, text: 'Moor **Aurora**?', actions } });
    await dialog().getByText('Aurora', { exact: true }).waitFor();
    await panel.say({
      type: 'formChanged',
      form: { ...askedForm, text: 'Moor at [the quay](https://p.example/quay)?', actions },
    });
    await dialog().getByRole('link', { name: 'the quay' }).click();
    assert.equal((await panel.posted('openLink')).href, 'https://p.example/quay');
    assert.deepEqual(await answered(), []);
    await button('Reject').click();
    await eventuallyEqual(answered, [['f1', 'no']]);
  });

  it('shows the notices that come while it is open, and the next form after it', async () => {
    await ask();
    const notice = { id: 'n1', severity: 'warning', text: 'It was not added.', actions: [] } as const;
    await panel.say({ type: 'noticesChanged', notices: [{ ...notice, actions: [] }] });
    await dialog().getByText('It was not added.').waitFor();
    assert.equal(await panel.page.locator('.panel-notice').count(), 1);
    await panel.say({ type: 'formChanged', form: { ...askedForm, id: 'f2', title: 'Cast off' } });
    await panel.page.getByRole('dialog', { name: 'Cast off' }).waitFor();
    assert.equal(await panel.page.getByRole('dialog').count(), 1);
  });

  it('is there without a connection, too', async () => {
    await panel.show({ connection: { state: 'none' } });
    await ask();
    await button('Run').waitFor();
  });
});
