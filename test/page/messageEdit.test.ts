import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { axeViolations } from '../support/axe.ts';
import { eventually, eventuallyEqual } from '../support/eventually.ts';
import { useBrowser } from './support/browserSuite.ts';
import { LongChat } from './support/longChat.ts';
import type { PanelPage } from './support/panelPage.ts';
import { answer, mentionOptions, models, richChips, user } from './support/states.ts';

describe('a message being edited in the page', () => {
  const suite = useBrowser();
  let panel: PanelPage;
  beforeEach(async () => {
    panel = await suite.open();
  });

  const entries = [user('1', 'First'), answer('2', 'One'), user('3', 'Second'), answer('4', 'Two')];
  const edit = { id: '1', index: 0, text: 'First', attachments: richChips.slice(0, 2) };
  const field = () => panel.page.getByRole('textbox', { name: 'Edit Message' });
  const editor = () => panel.page.locator('.message-edit');
  const button = (name: string) => editor().getByRole('button', { name, exact: true });
  const isFocused = (element: Locator) => element.and(panel.page.locator(':focus')).waitFor();
  const isSeen = (element: Locator) =>
    element.evaluate((each) => {
      const { top, bottom } = each.getBoundingClientRect();
      const view = each.closest('.scroller')!.getBoundingClientRect();
      return top >= view.top - 1 && bottom <= view.bottom + 1;
    });
  const begin = async (parts: Parameters<PanelPage['show']>[0] = {}) => {
    await panel.show({ entries, draft: 'half a thought', ...parts });
    await panel.say({ type: 'editChanged', edit, isNew: true });
    await isFocused(field());
  };

  it('stands in its place with what it has attached, and says what happens to what follows', async () => {
    await panel.show({ entries, draft: 'half a thought' });
    await panel.entry('You').first().getByRole('button', { name: 'Edit' }).press('Enter');
    assert.equal((await panel.posted('editMessage')).id, '1');
    await panel.say({ type: 'editChanged', edit, isNew: true });
    await isFocused(field());
    assert.equal(await field().inputValue(), 'First');
    await panel.entry('You').first().locator(field()).waitFor();
    assert.match(
      await field().evaluate(
        (box) => document.getElementById(box.getAttribute('aria-describedby')!)!.innerText,
      ),
      /another version.*all that follows.*Files are only changed back if you choose to/,
    );
    await eventuallyEqual(() => editor().locator('.chip').count(), 2);
    assert.equal(await panel.entry('You').last().innerText(), 'Second');
    assert.deepEqual(await axeViolations(panel.page.locator('html')), []);
    for (const width of [225, 290, 400]) {
      await panel.resize({ width, height: 600 });
      const { right, send, cancel } = await editor().evaluate((element) => {
        const [first, second] = element.querySelectorAll('.buttons .button');
        const bounds = (each: Element) => each.getBoundingClientRect().right;
        return { right: bounds(element), send: bounds(first!), cancel: bounds(second!) };
      });
      assert.ok(right <= width && send < cancel && cancel <= right, `${width}: ${right} ${send} ${cancel}`);
    }
  });

  it('is sent by Enter with what was typed, which the host knows at each step, and Shift+Enter breaks the line', async () => {
    await begin();
    await panel.page.keyboard.press('End');
    await panel.page.keyboard.type(' of all');
    await panel.page.keyboard.press('Shift+Enter');
    await panel.page.keyboard.type('and last');
    await panel.page.keyboard.press('Enter');
    const text = 'First of all\nand last';
    assert.deepEqual(await panel.posted('sendMessage'), { type: 'sendMessage', text, box: '1' });
    const drafts = await panel.posts('changeDraft');
    assert.deepEqual(drafts.at(-1), { type: 'changeDraft', text, box: '1' });
    assert.ok(drafts.every(({ box }) => box === '1'));
    assert.equal(await panel.messageBox.inputValue(), 'half a thought');
    await panel.say({ type: 'editChanged' });
    await field().waitFor({ state: 'detached' });
    await isFocused(panel.messageBox);
  });

  it('is left as it was by Escape or Cancel, which lead back to Edit', async () => {
    await begin({ status: { type: 'idle' } });
    const isBack = async (times: number) => {
      await eventuallyEqual(async () => (await panel.posts('cancelEdit')).length, times);
      await panel.say({ type: 'editChanged' });
      await field().waitFor({ state: 'detached' });
      await isFocused(panel.entry('You').first().getByRole('button', { name: 'Edit' }));
      assert.match(await panel.entry('You').first().innerText(), /^First/);
    };
    await panel.page.keyboard.type('x');
    await panel.page.keyboard.press('Escape');
    await isBack(1);
    await panel.say({ type: 'editChanged', edit, isNew: true });
    await isFocused(field());
    assert.equal(await field().inputValue(), 'First');
    await button('Cancel').press('Enter');
    await isBack(2);
    assert.deepEqual(await panel.posts('stopTurn'), []);
  });

  it('takes attachments and mentions apart from the message box', async () => {
    await begin();
    await field().fill('');
    await field().pressSequentially('see @');
    const { requestId, box } = await panel.posted('findMentions');
    assert.equal(box, '1');
    await panel.say({ type: 'mentionsFound', requestId, options: mentionOptions, isComplete: true });
    await panel.page.getByRole('listbox', { name: 'Mentions' }).waitFor();
    assert.equal(await panel.messageBox.getAttribute('aria-controls'), null);
    await panel.page.keyboard.press('Escape');
    await panel.page.getByRole('listbox', { name: 'Mentions' }).waitFor({ state: 'detached' });
    assert.equal((await panel.posts('cancelEdit')).length, 0, 'Escape closed the list');
    await panel.page.keyboard.press('Backspace');
    await panel.page.keyboard.type('@');
    const again = await eventually(async () => {
      const asked = (await panel.posts('findMentions')).at(-1)!;
      assert.ok(asked.requestId > requestId);
      return asked.requestId;
    });
    await panel.say({ type: 'mentionsFound', requestId: again, options: mentionOptions, isComplete: true });
    await panel.page.keyboard.press('Enter');
    assert.equal((await panel.posted('attachMention')).box, '1');
    await eventuallyEqual(() => field().inputValue(), `see @${mentionOptions[0]!.label} `);

    await panel.say({ type: 'attachmentsChanged', attachments: richChips.slice(0, 1), box: '1' });
    await eventuallyEqual(() => editor().locator('.chip').count(), 1);
    await panel.say({ type: 'attachmentsChanged', attachments: richChips.slice(0, 3) });
    await panel.say({ type: 'attachmentsChanged', attachments: richChips, box: 'another' });
    await eventuallyEqual(() => panel.page.locator('.composer .chip').count(), 3);
    assert.equal(await editor().locator('.chip').count(), 1);
    await editor()
      .getByRole('button', { name: /^Remove / })
      .press('Delete');
    const { id, box: removedIn } = await panel.posted('removeAttachment');
    assert.deepEqual([id, removedIn], [richChips[0]!.id, '1']);
    await panel.say({ type: 'attachmentsChanged', attachments: [], box: '1' });
    await isFocused(field());
  });

  it('stays in view while it grows, though the conversation is followed to its end', async () => {
    await panel.resize({ width: 290, height: 420 });
    const before = answer('2', 'The tide turns at the harbour wall.\n\n'.repeat(40));
    await panel.show({ entries: [user('1', 'First'), before, user('3', 'Second'), answer('4', 'Two')] });
    const last = { id: '3', index: 2, text: 'Second', attachments: [] };
    await panel.say({ type: 'editChanged', edit: last, isNew: true });
    await isFocused(field());
    await panel.page.keyboard.type(' @');
    const { requestId } = await panel.posted('findMentions');
    await panel.say({ type: 'mentionsFound', requestId, options: mentionOptions, isComplete: true });
    const option = panel.page.getByRole('option').first();
    await eventually(async () => assert.ok((await isSeen(field())) && (await isSeen(option))));
    await panel.page.keyboard.press('ArrowUp');
    await eventually(async () => assert.ok(await isSeen(panel.page.getByRole('option').last())));
    await panel.page.keyboard.type('x');
    await eventually(async () => assert.ok(await isSeen(field())));
  });

  it('waits for the end of an answer, and for a model', async () => {
    await begin();
    await panel.say({ type: 'statusChanged', status: { type: 'answering' } });
    assert.ok(await button('Send').isDisabled());
    await field().press('Enter');
    await panel.say({ type: 'statusChanged', status: { type: 'idle' } });
    await panel.say({ type: 'modelsChanged', models: models({ selected: undefined }) });
    await field().press('Enter');
    await panel.page.getByRole('listbox', { name: 'Models' }).waitFor();
    await panel.page.keyboard.press('Escape');
    assert.deepEqual(await panel.posts('sendMessage'), []);
    await panel.say({ type: 'modelsChanged', models: models() });
    await field().fill('');
    await panel.say({ type: 'attachmentsChanged', attachments: [], box: '1' });
    assert.ok(await button('Send').isDisabled(), 'nothing to send');
    await field().fill('Again');
    await button('Send').click();
    assert.equal((await panel.posted('sendMessage')).text, 'Again');
  });

  it('is there again when the panel was hidden, and keeps what is typed while the host shows all anew', async () => {
    await begin();
    await field().fill('Erst');
    await panel.show({ entries, edit: { ...edit, text: 'Er' } });
    assert.equal(await field().inputValue(), 'Erst');
    await isFocused(field());
    await panel.reopen();
    await panel.show({ entries, draft: 'half a thought', edit: { ...edit, text: 'Erst' } });
    await eventuallyEqual(() => field().inputValue(), 'Erst');
    await panel.say({ type: 'draftReplaced', text: 'Erst\npasted', box: '1' });
    await eventuallyEqual(() => field().inputValue(), 'Erst\npasted');
    assert.equal(await panel.messageBox.inputValue(), 'half a thought');
    await panel.show({ entries: [user('9', 'Elsewhere')], chatId: 'other' });
    await field().waitFor({ state: 'detached' });
  });

  it('tells the host the last letter when the page goes away', async () => {
    await begin();
    await field().fill('Erst');
    await panel.page.evaluate(() => {
      window.posts = [];
      const box = document.querySelector<HTMLTextAreaElement>('.message-edit textarea')!;
      box.value = 'Erste';
      box.dispatchEvent(new InputEvent('input', { bubbles: true }));
      window.dispatchEvent(new Event('pagehide'));
    });
    assert.deepEqual(await panel.posts('changeDraft'), [{ type: 'changeDraft', text: 'Erste', box: '1' }]);
  });

  describe('among 5,000 turns', () => {
    const turns = 5000;
    const far = turns - 4;
    const scroller = () => panel.page.locator('.scroller');
    const entry = (turn: number) => panel.page.locator(`[data-entry-id="u${turn}"]`);

    const open = async (turn: number, answerOf?: (turn: number) => string) => {
      const chat = new LongChat(turns, answerOf);
      await chat.show(panel);
      const id = `u${turn}`;
      const index = chat.conversation.all.findIndex((item) => item.id === id);
      await panel.say({
        ...{ type: 'editChanged', isNew: true },
        edit: { id, index, text: 'Edited', attachments: [] },
      });
      await isFocused(field());
    };

    it('stays with its focus, text and place however far the user scrolls', async () => {
      await open(far);
      await entry(far).waitFor();
      await field().pressSequentially(' more');
      await panel.page.evaluate(() => Object.assign(window, { kept: document.activeElement }));
      const height = () => scroller().evaluate((el) => el.scrollHeight);
      const isKept = () =>
        panel.page.evaluate(() => document.activeElement === (window as { kept?: Element }).kept);
      for (let step = 0; step < 60; step++) {
        await scroller().evaluate((el) => el.scrollBy(0, -400));
        await panel.frame();
      }
      const whole = await height();
      assert.equal(await entry(far).getAttribute('data-far'), 'true');
      assert.ok(await isKept(), 'scrolled away');
      await scroller().evaluate((el) => el.scrollTo(0, el.scrollHeight / 2));
      await eventually(async () => {
        const first = await panel.page
          .locator('.entries > [data-entry-id]')
          .first()
          .getAttribute('data-entry-id');
        assert.ok(Number(first?.slice(1)) < turns * 0.6, `${first}`);
      });
      assert.ok(await isKept(), 'dragged away');
      const now = await height();
      assert.ok(Math.abs(now - whole) < whole * 0.02, `${whole} became ${now}`);
      assert.ok((await panel.page.locator('.entries > [data-entry-id]').count()) <= 150);
      // Typing leads back to it.
      await panel.page.keyboard.type('!');
      await eventually(async () => assert.equal(await entry(far).getAttribute('data-far'), null));
      await panel.page.getByText(`Question ${far + 1}`, { exact: true }).waitFor();
      assert.ok(await isKept(), 'back');
      assert.equal(await field().inputValue(), 'Edited more!');
      assert.ok(await isSeen(field()), 'it is in view');
    });

    it('is drawn in its place though nothing around it is loaded', async () => {
      await open(100);
      const shown = entry(100);
      await eventually(async () => assert.equal(await shown.getAttribute('data-far'), null));
      await panel.page.getByText('Question 101', { exact: true }).waitFor();
      await isFocused(field());
      await field().press('Escape');
      await panel.posted('cancelEdit');
      await panel.say({ type: 'editChanged' });
      await isFocused(shown.getByRole('button', { name: 'Edit' }));
    });

    it('is drawn in its place among entries that are far higher than the ones seen before', async () => {
      const long = 'The tide turns at the harbour wall.\n\n'.repeat(120);
      await open(100, (turn) => (turn < turns / 2 ? long : 'The tide turns.'));
      await eventually(async () => assert.equal(await entry(100).getAttribute('data-far'), null));
      await eventually(async () => assert.ok(await isSeen(field())));
    });
  });
});
