import assert from 'node:assert/strict';
import { eventually, eventuallyEqual } from '../support/eventually.ts';
import type { PanelPage } from './support/panelPage.ts';
import { useBrowser } from './support/browserSuite.ts';
import { answer, models, panelNotices, user } from './support/states.ts';

describe('the composer', () => {
  const suite = useBrowser();
  let panel: PanelPage;
  beforeEach(async () => {
    panel = await suite.open();
    await panel.show();
  });
  const value = () => panel.messageBox.inputValue();
  /** The count once every key press has been handled. */
  const count = async (type: 'sendMessage' | 'stopTurn') => {
    await panel.frame();
    return (await panel.posts(type)).length;
  };
  const busy = () => panel.say({ type: 'statusChanged', status: { type: 'answering' } });

  it('sends with Enter and keeps the text until the host has taken it over', async () => {
    // After a second without an answer it could be sent again.
    await panel.spend().clock.setFixedTime(Date.now());
    await panel.messageBox.fill('Hello');
    await panel.messageBox.press('Enter');
    assert.deepEqual(await panel.posted('sendMessage'), { type: 'sendMessage', text: 'Hello' });
    await panel.frame();
    assert.equal(await value(), 'Hello');
    await panel.messageBox.press('Enter');
    assert.equal(await count('sendMessage'), 1);
    await panel.say({ type: 'draftReplaced', text: '' });
    await eventuallyEqual(value, '');
    assert.equal(await count('sendMessage'), 1);
  });

  it('keeps what was typed while the message was on its way, and tells the host of it', async () => {
    await panel.messageBox.fill('Hello');
    await panel.messageBox.press('Enter');
    await panel.posted('sendMessage');
    await panel.messageBox.pressSequentially('x');
    await eventuallyEqual(value, 'Hellox');
    await panel.say({ type: 'draftReplaced', text: '' });
    await eventuallyEqual(value, 'x');
    await eventuallyEqual(async () => (await panel.posts('changeDraft')).at(-1)?.text, 'x');
  });

  it('breaks the line with Shift+Enter', async () => {
    await panel.messageBox.pressSequentially('a');
    await panel.messageBox.press('Shift+Enter');
    await panel.messageBox.pressSequentially('b');
    await eventuallyEqual(value, 'a\nb');
    assert.equal(await count('sendMessage'), 0);
  });

  it('leaves Enter to an input method while it composes', async () => {
    await panel.messageBox.focus();
    const session = await panel.page.context().newCDPSession(panel.spend());
    await session.send('Input.imeSetComposition', { text: 'にほん', selectionStart: 3, selectionEnd: 3 });
    await panel.messageBox.dispatchEvent('keydown', { key: 'Enter', isComposing: true, bubbles: true });
    await panel.messageBox.dispatchEvent('keydown', { key: 'Enter', keyCode: 229, bubbles: true });
    assert.equal(await count('sendMessage'), 0);
    await session.send('Input.insertText', { text: '日本' });
    await eventuallyEqual(value, '日本');
    await panel.messageBox.press('Enter');
    assert.equal((await panel.posted('sendMessage')).text, '日本');
  });

  it('does not send what is empty', async () => {
    assert.equal(await panel.button('Send').isDisabled(), true);
    await panel.messageBox.fill(' \n ');
    await panel.messageBox.press('Enter');
    assert.equal(await count('sendMessage'), 0);
  });

  it('stops a running turn with the button or Escape, and lets the next message be written', async () => {
    await busy();
    await panel.button('Stop').waitFor();
    assert.equal(await panel.button('Send').count(), 0);
    await panel.button('Stop').click();
    await eventuallyEqual(() => count('stopTurn'), 1);
    await panel.messageBox.and(panel.page.locator(':focus')).waitFor();
    await panel.messageBox.press('Enter');
    assert.equal(await count('sendMessage'), 0);
    await panel.messageBox.fill('Next');
    await panel.button('Send').waitFor();
    await panel.messageBox.press('Escape');
    await eventuallyEqual(() => count('stopTurn'), 2);
    await panel.say({ type: 'statusChanged', status: { type: 'idle' } });
    await panel.button('Send').waitFor();
    assert.equal(await value(), 'Next');
    await panel.messageBox.press('Escape');
    assert.equal(await count('stopTurn'), 2);
    await panel.messageBox.press('Enter');
    await panel.posted('sendMessage');
  });

  it('does not take the second click of a double click on Send for Stop', async () => {
    await panel.messageBox.fill('Hello');
    await panel.button('Send').click();
    await panel.posted('sendMessage');
    await busy();
    await panel.button('Stop').dispatchEvent('click', { detail: 2 });
    assert.equal(await count('stopTurn'), 0);
  });

  it('keeps a message that is sent while an answer comes in the queue, which leads back from there', async () => {
    await busy();
    await panel.messageBox.fill('Next');
    await panel.messageBox.press('Enter');
    assert.equal((await panel.posted('sendMessage')).text, 'Next');
    const queue = [
      { id: 'q1', text: 'Next', attachments: 0 },
      { id: 'q2', text: ' ', attachments: 2 },
    ];
    await panel.say({ type: 'draftReplaced', text: '' }, { type: 'queueChanged', queue });
    await eventuallyEqual(value, '');
    const items = panel.page.getByRole('list', { name: 'Queued messages' }).getByRole('listitem');
    await eventuallyEqual(
      async () => (await items.allInnerTexts()).map((text) => text.trim()),
      ['Next\nLater', '2 attachments\nLater'],
    );
    await items.first().getByRole('button', { name: 'Send Now' }).click();
    assert.equal((await panel.posted('sendQueued')).id, 'q1');
    await items.last().getByRole('button', { name: 'Edit' }).click();
    assert.equal((await panel.posted('editQueued')).id, 'q2');
    const paused = panel.page.getByText('The queue is paused.');
    assert.equal(await paused.count(), 0);
    await panel.say({ type: 'statusChanged', status: { type: 'idle' } });
    await paused.waitFor();
    await panel.button('Resume').click();
    assert.equal((await panel.posts('sendQueued')).at(-1)?.id, 'q1');
    await panel.messageBox.and(panel.page.locator(':focus')).waitFor();
    await items.first().getByRole('button', { name: 'Remove' }).press('Enter');
    assert.equal((await panel.posted('removeQueued')).id, 'q1');
    await panel.say({ type: 'queueChanged', queue: queue.slice(1) });
    const focused = panel.page.locator(':focus');
    await eventuallyEqual(() => focused.getAttribute('aria-label'), 'Remove');
    await panel.say({ type: 'queueChanged', queue: [] });
    await items.first().waitFor({ state: 'detached' });
  });

  it('hands a message in with Enter and keeps it for later with Alt+Enter, and says which is which', async () => {
    await busy();
    for (const key of ['Enter', 'Alt+Enter']) {
      await panel.messageBox.fill(`With ${key}`);
      await panel.messageBox.press(key);
      await panel.say({ type: 'draftReplaced', text: '' });
      await eventuallyEqual(value, '');
    }
    await panel.messageBox.fill('With Alt and a click');
    await panel.button('Send').click({ modifiers: ['Alt'] });
    assert.deepEqual(
      (await panel.posts('sendMessage')).map(({ text, later }) => [text, later]),
      [
        ['With Enter', undefined],
        ['With Alt+Enter', true],
        ['With Alt and a click', true],
      ],
    );
    const queue = [
      { id: 'q1', text: 'One', attachments: 0, steers: true as const },
      { id: 'q2', text: 'Two', attachments: 0 },
    ];
    await panel.say({ type: 'queueChanged', queue });
    const items = panel.page.getByRole('list', { name: 'Queued messages' }).getByRole('listitem');
    const texts = async () => (await items.allInnerTexts()).map((text) => text.trim().split(/\s*\n\s*/));
    await eventuallyEqual(texts, [
      ['One', 'After this step'],
      ['Two', 'Later'],
    ]);
    await panel.say({ type: 'statusChanged', status: { type: 'idle' } });
    await eventuallyEqual(texts, [['One'], ['Two']]);
    // A turn of another window can't be stopped here, nor can anything be queued before it.
    await panel.say({ type: 'statusChanged', status: { type: 'runningElsewhere' } });
    await panel.page.getByRole('status').getByText('Running in another window…').waitFor();
    await eventuallyEqual(texts, [
      ['One', 'After this step'],
      ['Two', 'Later'],
    ]);
    assert.equal(await panel.button('Stop').count(), 0);
    assert.equal(await panel.button('Send Now').count(), 0);
    await panel.messageBox.fill('Mine');
    await panel.button('Send').and(panel.page.getByTitle('Send when this answer finishes')).click();
    assert.equal((await panel.posts('sendMessage')).at(-1)?.text, 'Mine');
  });

  it('tells of typing once per frame, and at once when it is sent or the page goes', async () => {
    await panel.messageBox.evaluate((box: HTMLTextAreaElement) => {
      for (const text of ['a', 'ab', 'abc']) {
        box.value = text;
        box.dispatchEvent(new InputEvent('input', { bubbles: true }));
      }
    });
    await eventuallyEqual(async () => (await panel.posts('changeDraft')).map(({ text }) => text), ['abc']);
    const atOnce = await panel.messageBox.evaluate((box: HTMLTextAreaElement) => {
      box.value = 'abcd';
      box.dispatchEvent(new InputEvent('input', { bubbles: true }));
      window.dispatchEvent(new PageTransitionEvent('pagehide'));
      return window.posts.at(-1);
    });
    assert.deepEqual(atOnce, { type: 'changeDraft', text: 'abcd' });
    const sent = await panel.messageBox.evaluate((box: HTMLTextAreaElement) => {
      box.value = 'abcde';
      box.dispatchEvent(new InputEvent('input', { bubbles: true }));
      box.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }));
      return window.posts.slice(-2);
    });
    assert.deepEqual(sent, [
      { type: 'changeDraft', text: 'abcde' },
      { type: 'sendMessage', text: 'abcde' },
    ]);
    await panel.frame();
    assert.equal((await panel.posts('changeDraft')).length, 3);
  });

  it('tells of a long text when typing pauses, and not with each key', async () => {
    const long = 'tide '.repeat(10_000);
    await panel.messageBox.evaluate(async (box: HTMLTextAreaElement, text) => {
      for (let key = 0; key < 10; key++) {
        box.value = text + key;
        box.dispatchEvent(new InputEvent('input', { bubbles: true }));
        await new Promise(requestAnimationFrame);
      }
    }, long);
    const texts = async () => (await panel.posts('changeDraft')).map(({ text }) => text);
    await eventuallyEqual(async () => (await texts()).at(-1), `${long}9`);
    assert.ok((await texts()).length < 5, `${(await texts()).length} were sent`);
  });

  it('shows the draft of the host', async () => {
    await panel.show({ draft: 'Half a thought' });
    await eventuallyEqual(value, 'Half a thought');
    await panel.say({ type: 'draftReplaced', text: 'Explain this' });
    await eventuallyEqual(value, 'Explain this');
  });

  it('asks for a model first when none is selected', async () => {
    await panel.say({ type: 'modelsChanged', models: { ...models(), selected: undefined } });
    await panel.button('Model: none').waitFor();
    await panel.messageBox.fill('Hello');
    await panel.button('Send').click();
    await panel.page.getByRole('listbox', { name: 'Models' }).waitFor();
    assert.equal(await count('sendMessage'), 0);
    assert.equal(await value(), 'Hello');
  });

  it('says at the tools button how many are on', async () => {
    const button = panel.button('Tools');
    assert.equal(await button.getAttribute('aria-description'), 'Tools on: 10 of 12');
    assert.equal(await button.getAttribute('data-count'), '10');
    await panel.say({ type: 'toolsChanged', tools: { on: 1, total: 11, mcpToStart: 2 } });
    assert.equal(await button.getAttribute('title'), 'Tools on: 1 of 11. MCP servers not started: 2');
    await button.click();
    await panel.posted('chooseTools');
  });

  it('focuses the box when the host asks for it', async () => {
    await panel.show({ entries: [user('1', 'a'), answer('2', 'b')] });
    await panel.button(/^Model: /).focus();
    await panel.say({ type: 'messageBoxFocused' });
    await eventuallyEqual(() => panel.messageBox.evaluate((box) => box === document.activeElement), true);
  });

  it('grows with its text to at most two fifths of the panel', async () => {
    const height = async () => (await panel.messageBox.boundingBox())?.height ?? 0;
    const one = await height();
    await panel.messageBox.fill('a\nb\nc');
    await eventually(async () => assert.ok((await height()) > one + 20));
    await panel.messageBox.fill('line\n'.repeat(100));
    await eventually(async () => assert.ok((await height()) > 0.3 * 700));
    await panel.frame();
    assert.ok((await height()) <= 0.4 * 700 + 1);
  });

  it('has one notice above the box, the newest, and its buttons give the focus to the box', async () => {
    await panel.show();
    const area = panel.page.locator('.panel-notices');
    const hasFocus = () => panel.messageBox.evaluate((box) => box === document.activeElement);
    assert.equal(await area.getAttribute('aria-live'), 'polite');
    assert.equal(await area.innerText(), '');
    await panel.say({ type: 'noticesChanged', notices: panelNotices });
    const shown = async () => (await area.innerText()).split('\n')[0];
    await eventuallyEqual(shown, "Couldn't save the conversation: no space is left.");
    for (const width of [225, 290, 400]) {
      await panel.resize({ width });
      const { height = 0 } = (await area.boundingBox()) ?? {};
      assert.ok(height > 0 && height < 70, `${height} px`);
    }
    await panel.button('Next Notice').press('Enter');
    await eventuallyEqual(shown, 'Added app "Harbour guide" (chatflow).');
    const middleOf = async (name: string) => {
      const { y = 0, height = 0 } = (await panel.button(name).boundingBox()) ?? {};
      return y + height / 2;
    };
    assert.ok(Math.abs((await middleOf('Open in Chat')) - (await middleOf('Dismiss'))) < 4, 'in one row');
    await panel.button('Next Notice').press('Enter');
    await panel.button('Retry Failed').click();
    assert.deepEqual(await panel.posted('answerNotice'), {
      ...{ type: 'answerNotice', id: '1', action: 'Retry Failed' },
    });
    await eventuallyEqual(hasFocus, true);
    await panel.say({ type: 'noticesChanged', notices: panelNotices.slice(1) });
    await eventuallyEqual(shown, "Couldn't save the conversation: no space is left.");
    await panel.button('Dismiss').click();
    await eventually(async () =>
      assert.deepEqual((await panel.posts('answerNotice')).at(-1), { type: 'answerNotice', id: '3' }),
    );
    await eventuallyEqual(hasFocus, true);
    await panel.say({ type: 'noticesChanged', notices: [] });
    await eventuallyEqual(() => area.innerText(), '');
  });

  it('says in one line that the workspace is not trusted, with the button that leads to its trust', async () => {
    await panel.show({ tools: { on: 2, total: 2, isRestricted: true } });
    const line = panel.page.locator('.composer-notice');
    await line.getByText('Restricted Mode: models read only what you attach.').waitFor();
    await panel.button('Trust…').press('Enter');
    await panel.posted('trustWorkspace');
    await panel.say({ type: 'toolsChanged', tools: { on: 12, total: 13 } });
    await eventuallyEqual(() => line.count(), 0);
  });

  it('lets news go after a while, but no error, nothing with a button, and nothing under the pointer', async () => {
    await panel.spend().clock.install();
    await panel.show();
    const news = { ...{ id: '9', severity: 'information' as const }, text: 'Connected.', actions: [] };
    await panel.say({ type: 'noticesChanged', notices: [panelNotices[1]!] });
    await panel.button('Open in Chat').waitFor();
    await panel.page.clock.runFor(60_000);
    await panel.say({ type: 'noticesChanged', notices: [news] });
    const notice = panel.page.getByText('Connected.');
    await notice.hover();
    await panel.page.clock.runFor(60_000);
    assert.deepEqual(await panel.posts('answerNotice'), []);
    await panel.messageBox.hover();
    await panel.page.clock.runFor(9000);
    assert.deepEqual(await panel.posts('answerNotice'), []);
    await panel.page.clock.runFor(1500);
    assert.deepEqual(await panel.posted('answerNotice'), { type: 'answerNotice', id: '9' });
    await panel.say({ type: 'noticesChanged', notices: [{ ...news, id: '10', severity: 'error' }] });
    await panel.page.clock.runFor(60_000);
    await panel.say({ type: 'noticesChanged', notices: [{ ...news, id: '11', severity: 'warning' }] });
    await panel.page.clock.runFor(19_000);
    assert.equal((await panel.posts('answerNotice')).length, 1);
    await panel.page.clock.runFor(1500);
    assert.deepEqual((await panel.posts('answerNotice')).at(-1), { type: 'answerNotice', id: '11' });
  });

  it('has the notices also where nothing is connected, and again in a new page', async () => {
    const state = { connection: { state: 'none' as const }, models: models({ options: [] }) };
    await panel.show({ ...state, notices: panelNotices });
    await panel.button('Connect Relay…').waitFor();
    await panel.page.getByText("Couldn't save the conversation: no space is left.").waitFor();
    await panel.reopen();
    await panel.show({ notices: panelNotices });
    await panel.messageBox.waitFor();
    await panel.button('Next Notice').waitFor();
  });
});
