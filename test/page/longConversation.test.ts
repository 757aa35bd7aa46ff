import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { Deferred } from '../../src/base/async/promises.ts';
import { axeViolations } from '../support/axe.ts';
import { eventually, eventuallyEqual } from '../support/eventually.ts';
import { useBrowser } from './support/browserSuite.ts';
import { LongChat } from './support/longChat.ts';
import type { PanelPage } from './support/panelPage.ts';

const turns = 5000;

describe('a conversation of 5,000 turns in the page', () => {
  const suite = useBrowser();
  let panel: PanelPage;
  let chat: LongChat;
  beforeEach(async () => {
    panel = await suite.open();
    chat = new LongChat(turns);
  });

  const scroller = () => panel.page.locator('.scroller');
  const distance = () => scroller().evaluate((el) => el.scrollHeight - el.scrollTop - el.clientHeight);
  const atTheEnd = () => eventually(async () => assert.ok((await distance()) <= 1, 'it is at the end'));
  const entries = () => panel.page.locator('.entries > [data-entry-id]');
  /** Waits for lazily loaded parts, which move whatever is below them. */
  const drawn = () =>
    eventually(async () => {
      const look = () =>
        scroller().evaluate((el) => ({
          height: el.scrollHeight,
          empty: [...el.querySelectorAll<HTMLElement>('.entries > [data-entry-id]')]
            .filter((entry) => entry.textContent === '')
            .map((entry) => entry.dataset['entryId']),
        }));
      const before = await look();
      await panel.frame();
      assert.deepEqual([await look(), before.empty], [before, []]);
    });
  const question = (turn: number) => panel.page.getByText(`Question ${turn}`, { exact: true });
  const isSeen = (turn: number) =>
    question(turn).evaluate((element) => {
      const { top, bottom } = element.getBoundingClientRect();
      const view = element.closest('.scroller')!.getBoundingClientRect();
      return top >= view.top && bottom <= view.bottom;
    });
  const seen = (turn: number) =>
    eventually(async () => assert.ok(await isSeen(turn), `question ${turn} is seen`));
  const scrollBy = (delta: number) => scroller().evaluate((el, by) => el.scrollBy(0, by), delta);
  const topOf = (turn: number) => question(turn).evaluate((element) => element.getBoundingClientRect().top);

  it('opens at its end, and Home leads to its beginning', async () => {
    await chat.show(panel);
    await atTheEnd();
    await seen(turns - 1);
    await scroller().focus();
    await panel.page.keyboard.press('Home');
    await seen(0);
    assert.equal(await panel.button('Load Earlier Messages').count(), 0);
    await panel.button('Load Later Messages').waitFor();
    await panel.page.keyboard.press('End');
    await seen(turns - 1);
    await atTheEnd();
    await panel.button('Jump to the End').waitFor({ state: 'detached' });
  });

  it('keeps few entries however far the user scrolls, and the room of those that it dropped', async () => {
    await chat.show(panel);
    await atTheEnd();
    let most = 0;
    for (let step = 0; step < 60; step++) {
      await scrollBy(-400);
      await panel.frame();
      most = Math.max(most, await entries().count());
    }
    const oldest = await entries().first().getAttribute('data-entry-id');
    assert.ok(Number(oldest?.slice(1)) < turns - 60, `the view went up to ${oldest}`);
    assert.ok(most <= 150, `${most} entries`);
    const height = await scroller().evaluate((el) => el.scrollHeight);
    for (let step = 0; step < 100 && (await distance()) > 1; step++) {
      await scrollBy(400);
      await panel.frame();
    }
    await seen(turns - 1);
    const now = await scroller().evaluate((el) => el.scrollHeight);
    assert.ok(Math.abs(now - height) < height * 0.02, `${height} became ${now}`);
  });

  it('keeps what is seen still to the pixel while entries come and go above and below', async () => {
    await chat.show(panel);
    await drawn();
    await atTheEnd();
    for (let step = 0; step < 40; step++) {
      await scrollBy(-300);
      // The position of the middle entry, now and after everything requested has arrived.
      const { id, top } = await scroller().evaluate((el) => {
        const { left, top: edge, width, height } = el.getBoundingClientRect();
        const entry = document
          .elementFromPoint(left + width / 2, edge + height / 2)!
          .closest('[data-entry-id]')!;
        return { id: entry.getAttribute('data-entry-id'), top: entry.getBoundingClientRect().top };
      });
      await panel.frame();
      await panel.frame();
      const now = await panel.page
        .locator(`[data-entry-id="${id}"]`)
        .evaluate((el) => el.getBoundingClientRect().top);
      assert.ok(Math.abs(now - top) < 1, `step ${step}: ${id} moved from ${top} to ${now}`);
    }
  });

  const styleEntries = (style: string) =>
    panel.page.evaluate((declarations) => {
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(`.entries > [data-entry-id] { ${declarations}; }`);
      document.adoptedStyleSheets.push(sheet);
    }, style);
  const isHalfway = () =>
    eventually(async () => {
      const text = await panel.page
        .getByText(/^Question \d+$/)
        .first()
        .textContent();
      const turn = Number(text?.split(' ')[1]);
      assert.ok(turn > turns * 0.4 && turn < turns * 0.6, `question ${turn}`);
    });

  it('shows what belongs to where the scroll bar is dragged', async () => {
    await chat.show(panel);
    await drawn();
    await atTheEnd();
    await scroller().evaluate((el) => el.scrollTo(0, el.scrollHeight / 2));
    await isHalfway();
    assert.ok((await entries().count()) <= 150);
  });

  it('does so, too, before the heights of entries are known', async () => {
    // Much less than is assumed.
    await styleEntries('max-height: 40px; overflow: hidden');
    const held = new Deferred();
    await chat.show(panel, held.promise);
    await atTheEnd();
    await scroller().evaluate((el) => el.scrollTo(0, el.scrollHeight / 2));
    await panel.frame();
    held.resolve();
    await isHalfway();
  });

  it('is shown from end to beginning, also where all of it is higher than a page can be', async () => {
    // 90 million pixels.
    await styleEntries('min-height: 6000px');
    await chat.show(panel);
    await atTheEnd();
    const inView = () =>
      scroller().evaluate((el) => {
        const { left, top, width, height } = el.getBoundingClientRect();
        const entry = document
          .elementFromPoint(left + width / 2, top + height / 2)
          ?.closest('[data-entry-id]');
        return Number(entry?.getAttribute('data-entry-id')?.slice(1));
      });
    let last = await inView();
    assert.equal(last, turns - 1);
    for (let step = 0; step < 16; step++) {
      await scrollBy(-3000);
      await panel.frame();
      const now = await inView();
      assert.ok(now <= last && last - now <= 1, `step ${step}: ${last}, then ${now}`);
      last = now;
    }
    assert.ok(last < turns - 2 && (await entries().count()) <= 150);
    await scroller().evaluate((el) => el.scrollTo(0, el.scrollHeight / 2));
    await eventually(async () => {
      const turn = await inView();
      assert.ok(turn > turns * 0.4 && turn < turns * 0.6, `turn ${turn}`);
    });
    await scroller().evaluate((el) => el.scrollTo(0, el.scrollHeight * 0.9));
    await eventually(async () => {
      const turn = await inView();
      assert.ok(turn > turns * 0.8 && turn < turns, `turn ${turn}`);
    });
    await scroller().focus();
    await panel.page.keyboard.press('Home');
    await seen(0);
    await panel.page.keyboard.press('End');
    await atTheEnd();
    await eventuallyEqual(inView, turns - 1);
    // Old entries are dropped for the new ones and take less room: the view moves up, and stays at the end.
    const id = 'new';
    await chat.apply(panel, { type: 'userMessageAdded', id: 'mine', text: 'One more question' });
    await chat.apply(panel, { type: 'answerStarted', id, model: 'm' });
    for (let n = 0; n < 20; n++) {
      await chat.apply(panel, { type: 'textAdded', id, text: 'Line of the new answer.\n\n'.repeat(40) });
    }
    await panel.frame();
    await panel.frame();
    assert.ok((await entries().count()) < 30);
    assert.equal(await panel.button('Jump to the End').count(), 0);
    assert.ok((await distance()) <= 1);
  });

  it('takes in an answer while its beginning is read, and goes to what the user sends', async () => {
    await chat.show(panel);
    await atTheEnd();
    await scroller().focus();
    await panel.page.keyboard.press('Home');
    await seen(0);
    const before = await topOf(0);
    const id = 'new';
    await chat.apply(panel, { type: 'answerStarted', id, model: 'm' });
    for (let n = 0; n < 20; n++) {
      await chat.apply(panel, { type: 'textAdded', id, text: `Line ${n} of the new answer.\n\n` });
    }
    await chat.apply(panel, { type: 'answerEnded', id, end: { reason: 'answered' } });
    assert.equal(await topOf(0), before);
    const read = panel.page.locator('.sr-only[aria-live="polite"]');
    await eventually(async () => assert.match((await read.textContent()) ?? '', /Line 19 of the new/));
    await panel.button('Jump to the End').click();
    await panel.page.getByText('Line 19 of the new answer.', { exact: true }).waitFor();
    await atTheEnd();
    await scroller().focus();
    await panel.page.keyboard.press('Home');
    await seen(0);
    await chat.apply(panel, { type: 'userMessageAdded', id: 'mine', text: 'One more question' });
    await panel.page.getByText('One more question').waitFor();
    await atTheEnd();
  });

  for (const [kind, letter] of [
    ['a question', 'u'],
    ['a search, which is drawn when its part has been loaded', 's'],
    ['an answer', 'a'],
  ] as const) {
    it(`stands where it stood when it was hidden, at ${kind}`, () => isKept(letter));
  }

  async function isKept(letter: string): Promise<void> {
    await chat.show(panel);
    await atTheEnd();
    await scroller().evaluate((el) => el.scrollTo(0, el.scrollHeight / 3));
    await eventually(async () => {
      const ids = await entries().evaluateAll((all) => all.map((each) => each.getAttribute('data-entry-id')));
      assert.ok(ids.some((id) => Number(id?.slice(1)) < turns / 2));
    });
    const wanted = entries()
      .and(panel.page.locator(`[data-entry-id^="${letter}"]`))
      .nth(4);
    await wanted.evaluate((element) => element.scrollIntoView());
    const middle = () =>
      scroller().evaluate((el) => {
        const { left, top, width } = el.getBoundingClientRect();
        const entry = document.elementFromPoint(left + width / 2, top + 4)?.closest('[data-entry-id]');
        return entry && { id: entry.getAttribute('data-entry-id'), top: entry.getBoundingClientRect().top };
      });
    const kept = () => panel.page.evaluate(() => sessionStorage.getItem('state') ?? '');
    const before = await eventually(async () => {
      await panel.frame();
      const at = await middle();
      assert.equal(at?.id?.[0], letter);
      assert.match(await kept(), new RegExp(`"position":\\{"id":"${at.id}"`));
      return at;
    });
    await panel.reopen();
    const { position } = await panel.posted('ready');
    assert.equal(position?.id, before.id);
    await panel.say({ type: 'stateReplaced', state: chat.state(position) });
    await eventually(async () => {
      const now = await panel.page
        .locator(`[data-entry-id="${before.id}"]`)
        .evaluate((el) => el.getBoundingClientRect().top);
      assert.ok(Math.abs(now - before.top) < 2, `${now}, ${before.top}`);
    });
  }

  it('keeps what is selected across entries while the user scrolls on', async () => {
    await chat.show(panel);
    await atTheEnd();
    await panel.page.evaluate(
      ([from, to]) => {
        const texts = [...document.querySelectorAll('.user-text')];
        const find = (text: string) => texts.find((element) => element.textContent === text)!;
        const selection = getSelection()!;
        selection.setBaseAndExtent(find(from!), 0, find(to!), 1);
      },
      [`Question ${turns - 3}`, `Question ${turns - 1}`],
    );
    const selected = () => panel.page.evaluate(() => getSelection()?.toString() ?? '');
    // Not literally: sources are drawn when their part has been loaded.
    const whole = new RegExp(
      `^Question ${turns - 3}\\n[^]*Answer ${turns - 3}[^]*Question ${turns - 2}[^]*Answer ${turns - 2}[^]*Question ${turns - 1}$`,
    );
    assert.match(await selected(), whole);
    for (let step = 0; step < 25; step++) {
      await scrollBy(-400);
      await panel.frame();
    }
    assert.match(await selected(), whole);
  });

  it('is reached by the keyboard and read by screen readers at both ends of the window', async () => {
    await chat.show(panel);
    await atTheEnd();
    assert.deepEqual(await axeViolations(panel.page.locator('html')), []);
    const placeOf = async (entry: Locator) => {
      const id = (await entry.getAttribute('data-entry-id')) ?? '';
      return Number(id.slice(1)) * 3 + 'usa'.indexOf(id.slice(0, 1));
    };
    const focused = () => placeOf(panel.page.locator(':focus'));
    const first = await placeOf(entries().first());
    await panel.button('Load Earlier Messages').press('Enter');
    await eventually(async () => assert.ok((await focused()) < first, `${await focused()} < ${first}`));
    await scroller().focus();
    await panel.page.keyboard.press('Home');
    await seen(0);
    await panel.page.keyboard.press('ArrowDown');
    assert.deepEqual(await axeViolations(panel.page.locator('html')), []);
    const last = () => placeOf(entries().last());
    const before = await last();
    await panel.button('Load Later Messages').press('Enter');
    await eventually(async () =>
      assert.ok((await focused()) >= before, 'the keyboard goes on at what has come'),
    );
    await eventually(async () => assert.ok((await last()) > before));
  });

  it('stays where the focus led when the room of unseen entries is estimated anew', async () => {
    // The first entries fill the kept views, and are lower than those that nobody has measured.
    await panel.resize({ width: 380, height: 400 });
    await styleEntries('height: 90px; overflow: hidden');
    await chat.show(panel);
    await drawn();
    await atTheEnd();
    await scroller().dispatchEvent('scroll');
    await panel.frame();
    assert.equal((await panel.posts('loadEntries')).length, 0);
    await panel.button('Load Earlier Messages').focus();
    await panel.posted('loadEntries');
    await panel.frame();
    await seen(turns - 10);
  });

  const find = () => panel.page.getByRole('textbox', { name: 'Find in conversation' });
  const count = () => panel.page.getByRole('search').getByRole('status').innerText();
  const marked = () =>
    panel.page.evaluate(() => {
      const [range] = CSS.highlights.get('found') ?? [];
      if (!(range instanceof Range)) return undefined;
      const { top } = range.getBoundingClientRect();
      const view = document.querySelector('.scroller')!.getBoundingClientRect();
      const entry = range.startContainer.parentElement?.closest('[data-entry-id]');
      return top > view.top && top < view.bottom
        ? `${range.toString()} in ${entry?.getAttribute('data-entry-id')}`
        : '';
    });

  it('is searched as a whole, and each place that was found is shown', async () => {
    await chat.show(panel);
    await atTheEnd();
    await panel.messageBox.press('Control+f');
    await find().fill('question 12');
    await eventuallyEqual(count, '1 of 111');
    await eventuallyEqual(marked, 'Question 12 in u12');
    assert.ok((await entries().count()) <= 150);
    await find().press('Enter');
    await eventuallyEqual(count, '2 of 111');
    await eventuallyEqual(marked, 'Question 12 in u120');
    await panel.button('Previous Match').click();
    await find().press('Shift+Enter');
    await eventuallyEqual(count, '111 of 111');
    await eventuallyEqual(marked, 'Question 12 in u1299');
    // Also finds words that are rendered differently from their source.
    await find().fill('berth3210 = 3210');
    await eventuallyEqual(count, '1 of 1');
    await eventuallyEqual(marked, 'berth3210 = 3210 in a3210');
    assert.deepEqual(await axeViolations(panel.page.locator('html')), []);
    // Colors that arrive late redraw the code.
    await panel.page.evaluate(() => {
      const [range] = CSS.highlights.get('found') ?? [];
      const code = (range as Range).startContainer.parentElement!.closest('code')!;
      code.replaceChildren(...code.cloneNode(true).childNodes);
    });
    await eventuallyEqual(marked, 'berth3210 = 3210 in a3210');
    await find().fill('nobody said this');
    await eventuallyEqual(count, 'No results');
    assert.equal(await marked(), undefined);
    await find().press('Escape');
    await find().waitFor({ state: 'detached' });
    await eventuallyEqual(() => panel.page.locator(':focus').getAttribute('aria-label'), 'Message');
    // A search opened from History begins at its match.
    await panel.say({ type: 'findOpened', query: 'question 12', id: 'u121' });
    await eventuallyEqual(count, '3 of 111');
    await eventuallyEqual(marked, 'Question 12 in u121');
    assert.equal(await find().inputValue(), 'question 12');
  });

  it('leads from message to message by key, beyond the window, too', async () => {
    await chat.show(panel);
    await atTheEnd();
    const focused = () => panel.page.locator(':focus').getAttribute('data-entry-id');
    // The editor's frame around the page has a few pixels of room, too.
    await panel.page.locator('body').evaluate((body) => (body.style.height = 'calc(100% + 5px)'));
    await panel.messageBox.focus();
    for (let turn = turns - 1; turn >= turns - 40; turn--) {
      await panel.page.keyboard.press('Control+Alt+ArrowUp');
      await eventuallyEqual(focused, `u${turn}`);
      assert.equal(await panel.page.evaluate(() => document.scrollingElement?.scrollTop), 0);
    }
    await panel.page.keyboard.press('Control+Alt+ArrowDown');
    await eventuallyEqual(focused, `u${turns - 39}`);
    await seen(turns - 39);
  });

  it('gives back what the user wrote, by the arrow keys in an empty message box', async () => {
    await chat.show(panel);
    await panel.messageBox.press('ArrowUp');
    const text = () => panel.messageBox.inputValue();
    await eventuallyEqual(text, `Question ${turns - 1}`);
    await panel.messageBox.press('ArrowUp');
    await eventuallyEqual(text, `Question ${turns - 2}`);
    await panel.messageBox.press('ArrowDown');
    await eventuallyEqual(text, `Question ${turns - 1}`);
    await panel.messageBox.press('ArrowDown');
    await eventuallyEqual(text, '');
    await panel.messageBox.fill('something of my own');
    await panel.messageBox.press('ArrowUp');
    await panel.frame();
    assert.equal(await text(), 'something of my own');
    assert.equal((await panel.posts('recallMessage')).length, 3);
  });
});
