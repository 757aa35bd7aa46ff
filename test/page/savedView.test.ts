import assert from 'node:assert/strict';
import { Deferred } from '../../src/base/async/promises.ts';
import type { Entry } from '../../src/shared/transcript.ts';
import { eventually, eventuallyEqual } from '../support/eventually.ts';
import type { PanelPage } from './support/panelPage.ts';
import { useBrowser } from './support/browserSuite.ts';
import { answer, failure, groundedEntries, look, toolArguments, user } from './support/states.ts';

describe('a page that was hidden and is shown again', () => {
  const suite = useBrowser();
  let panel: PanelPage;
  beforeEach(async () => {
    panel = await suite.open();
  });

  const long: Entry[] = Array.from({ length: 20 }, (_, index) =>
    index % 2
      ? answer(`${index}`, `Answer ${index}. ${'Some words. '.repeat(60)}\n\n\`\`\`ts\nconst a = 1;\n\`\`\``)
      : user(`${index}`, `Question ${index}`),
  );
  const scroller = () => panel.page.locator('.scroller');
  const distance = () => scroller().evaluate((el) => el.scrollHeight - el.scrollTop - el.clientHeight);
  const topOf = (id: string) =>
    panel.page.locator(`[data-entry-id="${id}"]`).evaluate((el) => el.getBoundingClientRect().top);
  const kept = (): Promise<{ chats: { chatId: string; position?: { id: string; offset: number } }[] }> =>
    panel.page.evaluate(() => JSON.parse(sessionStorage.getItem('state') ?? '{"chats":[]}'));
  const scrollTo = async (id: string, chatId = 'chat') => {
    await panel.page.locator(`[data-entry-id="${id}"]`).evaluate((el) => el.scrollIntoView());
    await scroller().evaluate((el) => el.scrollBy(0, 30));
    await eventually(async () => {
      const chat = (await kept()).chats.find((each) => each.chatId === chatId);
      assert.equal(chat?.position?.id, id);
      const top = await scroller().evaluate((el) => el.getBoundingClientRect().top);
      assert.ok(Math.abs(chat.position.offset - ((await topOf(id)) - top)) < 1);
    });
  };

  it('stands where it stood, and asks for the entries up to there', async () => {
    await panel.show({ entries: long });
    await scrollTo('7');
    const before = await topOf('7');
    await panel.reopen();
    const { position } = await panel.posted('ready');
    assert.deepEqual(position, { chatId: 'chat', id: '7' });
    await panel.show({ entries: long });
    await eventually(async () => assert.ok(Math.abs((await topOf('7')) - before) < 2, `${await topOf('7')}`));
    await panel.button('Jump to the End').waitFor();
  });

  it('stands where it stood although parts above it are loaded late', async () => {
    const read: Entry = {
      ...look('t1', 'read_file', 'Read README.md', { arguments: toolArguments({ path: 'README.md' }) }),
      end: { durationMs: 3, result: 'A line.\n'.repeat(60), locations: [], withheld: [] },
    };
    const entries = [user('a', 'Read it.'), read, ...long];
    await panel.show({ entries });
    await panel.page.getByText('Read README.md').click();
    const argument = panel.page
      .getByRole('group', { name: 'Tool read_file' })
      .getByText('path', { exact: true });
    await argument.waitFor();
    await scrollTo('t1');
    await scroller().evaluate((el) => el.scrollBy(0, 100));
    const before = await eventually(async () => {
      const top = await topOf('0');
      const scrollerTop = await scroller().evaluate((el) => el.getBoundingClientRect().top);
      const position = (await kept()).chats[0]?.position;
      assert.ok(position && Math.abs(position.offset + scrollerTop - (await topOf('t1'))) < 1);
      return top;
    });
    const parts = new Deferred();
    // The Markdown script is loaded before the page asks for the conversation.
    await panel
      .spend()
      .route(/chunks\/(?!chunk|markdown)/, (route) => parts.promise.then(() => route.continue()));
    await panel.reopen();
    await panel.show({ entries });
    await panel.frame();
    assert.equal(await argument.count(), 0);
    parts.resolve();
    await argument.waitFor();
    await eventually(async () => assert.ok(Math.abs((await topOf('0')) - before) < 2, `${await topOf('0')}`));
  });

  it('follows the end if it did', async () => {
    await panel.show({ entries: long });
    await eventually(async () => assert.ok((await distance()) <= 1));
    await scrollTo('7');
    await panel.button('Jump to the End').click();
    await eventually(async () => assert.equal((await kept()).chats[0]?.position, undefined));
    await panel.reopen();
    assert.equal((await panel.posted('ready')).position, undefined);
    await panel.show({ entries: long });
    await eventually(async () => assert.ok((await distance()) <= 1));
  });

  it('keeps each conversation in its place', async () => {
    await panel.show({ entries: long });
    await scrollTo('7');
    const before = await topOf('7');
    await panel.show({ chatId: 'other', entries: long });
    await eventually(async () => assert.ok((await distance()) <= 1, 'a conversation opens at its end'));
    await scrollTo('3', 'other');
    await panel.show({ entries: long });
    await eventually(async () => assert.ok(Math.abs((await topOf('7')) - before) < 2));
    await panel.reopen();
    assert.deepEqual((await panel.posted('ready')).position, { chatId: 'chat', id: '7' });
  });

  it('has unfolded what was unfolded', async () => {
    const call = look('t1', 'read_file', 'Read README.md', { look: 'file' });
    const notice: Entry = { type: 'notice', id: 'n9', text: 'Inputs: Dione', detail: 'Name: Dione' };
    const entries = [
      user('0', 'A long message.\n'.repeat(60)),
      ...groundedEntries,
      call,
      look('t2', 'read_file', 'Read other.md'),
      answer('9', `So.\n\n\`\`\`ts\n${'x();\n'.repeat(50)}\`\`\``, { reasoning: 'Hm, tides.' }),
      notice,
      answer('10', '', { end: { failure: { ...failure, details: 'status 429' } } }),
    ];
    const unfolded = () => [
      panel.page.getByRole('group', { name: 'Tool read_file' }).getByRole('group', { name: 'Result' }),
      panel.page.getByText('Hm, tides.'),
      panel.page.getByText('Name: Dione'),
      panel.page.getByText('status 429'),
      panel.button('Show Less').first(),
      panel.page.getByRole('group', { name: 'Code, ts' }).getByRole('button', { name: 'Show Less' }),
      panel.page.getByRole('group', { name: 'Segment of source 1' }),
      panel.page.getByRole('group', { name: 'Sent with the question' }),
    ];
    await panel.show({ entries });
    await panel.page.getByText('Read README.md').click();
    await panel.page.getByText('Thought', { exact: true }).click();
    await panel.button('Show All 50 Lines').click();
    await panel.page.getByText('Inputs: Dione').click();
    await panel.page.getByText('Details', { exact: true }).click();
    await panel.button('Show More').click();
    await panel.button('Segment of source 1').click();
    await panel.page.getByText('Searched knowledge bases').click();
    for (const part of unfolded()) await part.waitFor();
    await panel.reopen();
    await panel.show({ entries });
    for (const part of unfolded()) await part.waitFor();
    await panel.page.getByText('Thought', { exact: true }).click();
    await panel.page.getByText('Hm, tides.').waitFor({ state: 'detached' });
    await panel.reopen();
    await panel.show({ entries });
    await unfolded()[0]!.waitFor();
    assert.equal(await panel.page.getByText('Hm, tides.').count(), 0);
    await panel.show({ chatId: 'other', entries });
    await unfolded()[0]!.waitFor({ state: 'detached' });
  });

  it('has selected what was selected', async () => {
    await panel.show({ entries: long });
    await panel.page.locator('[data-entry-id="19"] p').first().selectText();
    const selected = () => panel.page.evaluate(() => document.getSelection()?.toString().trim() ?? '');
    const before = await selected();
    assert.match(before, /^Answer 19/);
    await eventually(async () => assert.match(JSON.stringify(await kept()), /"selection"/));
    await panel.reopen();
    await panel.show({ entries: long });
    await eventuallyEqual(selected, before);
    await panel.page.evaluate(() => document.getSelection()?.removeAllRanges());
    await eventually(async () => assert.doesNotMatch(JSON.stringify(await kept()), /"selection"/));
  });

  it('keeps a bounded number of conversations, and survives a state it cannot read', async () => {
    for (let n = 0; n < 40; n++) await panel.show({ chatId: `chat ${n}`, entries: [user('1', 'Hi')] });
    await eventually(async () => assert.equal((await kept()).chats.length, 30));
    assert.equal((await kept()).chats.at(-1)?.chatId, 'chat 39');
    await panel.page.evaluate(() => sessionStorage.setItem('state', '{"chats":7}'));
    await panel.reopen();
    await panel.show({ entries: long });
    await eventually(async () => assert.ok((await distance()) <= 1));
  });
});
