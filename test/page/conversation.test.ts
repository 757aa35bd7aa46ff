import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import type { ToHost } from '../../src/shared/protocol.ts';
import { axeViolations } from '../support/axe.ts';
import { eventually, eventuallyEqual } from '../support/eventually.ts';
import type { PanelPage } from './support/panelPage.ts';
import { useBrowser } from './support/browserSuite.ts';
import { added, answer, failure, richAnswer, richEntries, twoRelays, user } from './support/states.ts';

describe('the conversation in the page', () => {
  const suite = useBrowser();
  let panel: PanelPage;
  beforeEach(async () => {
    panel = await suite.open();
  });

  const running = { status: { type: 'answering' as const } };
  const long = (count: number, from = 1) =>
    Array.from({ length: count }, (_, i) =>
      i % 2
        ? answer(`${from + i}`, `Answer ${from + i}. ${'Some words. '.repeat(40)}`)
        : user(`${from + i}`, `Question ${from + i}`),
    );
  const scroller = () => panel.page.locator('.scroller');
  const distance = () => scroller().evaluate((el) => el.scrollHeight - el.scrollTop - el.clientHeight);
  const atTheEnd = () => eventually(async () => assert.ok((await distance()) <= 1, 'it is at the end'));
  const postedTimes = (type: ToHost['type'], times: number) =>
    eventuallyEqual(async () => (await panel.posts(type)).length, times);

  it('says that it loads and ignores everything before the first state', async () => {
    await panel.say(added(user('1', 'Hello'), 0));
    await panel.page.evaluate(
      () =>
        new Promise((resolve) => {
          window.addEventListener('message', resolve, { once: true });
          window.postMessage({ type: 'nonsense' });
        }),
    );
    await panel.frame();
    assert.equal(await panel.page.locator('#root').innerText(), 'Loading…');
    await panel.show();
    await panel.messageBox.waitFor();
  });

  it('names entries after who speaks, and shows what the user wrote as plain text', async () => {
    await panel.show({ entries: [user('1', '**not bold**\n  <b>kept</b>'), answer('2', 'Yes, **bold**')] });
    await eventuallyEqual(() => panel.entry('You').innerText(), '**not bold**\n  <b>kept</b>');
    await eventuallyEqual(() => panel.entry('Claude Sonnet 5').locator('strong').innerText(), 'bold');
  });

  it('offers no way to the end where a message is gone to and all is in view', async () => {
    await panel.show({ entries: [user('1', 'Hello'), answer('2', 'Yes')] });
    await panel.say({ type: 'messageFound', index: 0, id: '1' });
    await panel.entry('You').and(panel.page.locator(':focus')).waitFor();
    await panel.frame();
    assert.equal(await panel.button('Jump to the End').count(), 0);
  });

  it('folds a long message of the user, and unfolds it', async () => {
    const lines = Array.from({ length: 30 }, (_, n) => `Line ${n + 1}`).join('\n');
    const short = Array.from({ length: 12 }, (_, n) => `Line ${n + 1}`).join('\n');
    await panel.show({ entries: [user('1', short), user('2', lines), user('3', 'many words '.repeat(200))] });
    const more = panel.page.getByRole('button', { name: 'Show More' });
    await eventuallyEqual(() => more.count(), 2);
    const text = panel.entry('You').nth(1).locator('.user-text');
    const height = () => text.evaluate((element) => element.clientHeight);
    const whole = await text.evaluate((element) => element.scrollHeight);
    const folded = await height();
    assert.ok(folded < whole / 2);
    assert.equal(await more.first().getAttribute('aria-expanded'), 'false');
    await more.first().press('Enter');
    const less = panel.page.getByRole('button', { name: 'Show Less' });
    assert.equal(await less.getAttribute('aria-expanded'), 'true');
    await eventuallyEqual(height, whole);
    await less.press('Enter');
    await eventuallyEqual(height, folded);
  });

  it('offers what can be done at a message and at an answer, but not while one comes', async () => {
    const entries = [user('1', 'First'), answer('2', 'One'), user('3', 'Second'), answer('4', 'Two')];
    await panel.show({ entries });
    const first = panel.entry('You').first();
    const [earlier, newest] = [panel.entry('Claude Sonnet 5').first(), panel.entry('Claude Sonnet 5').last()];
    const press = (entry: typeof first, name: string) =>
      entry.getByRole('button', { name, exact: true }).press('Enter');
    await press(first, 'Edit');
    await press(first, 'Copy');
    await press(first, 'Delete From Here');
    await panel.messageBox.and(panel.page.locator(':focus')).waitFor();
    await press(earlier, 'Branch From Here');
    await press(earlier, 'Retry with Another Model…');
    await panel.messageBox.and(panel.page.locator(':focus')).waitFor();
    const changes: ToHost['type'][] = [
      'editMessage',
      'copyText',
      'deleteFrom',
      'branchFrom',
      'retryWithModel',
    ];
    for (const type of changes) await postedTimes(type, 1);
    assert.equal(await newest.getByRole('button', { name: 'Branch From Here' }).count(), 0);
    await panel.show({ entries, ...running });
    for (const name of ['Edit', 'Restore', 'Delete From Here'])
      assert.ok(await first.getByRole('button', { name, exact: true }).isDisabled(), name);
    for (const name of ['Retry', 'Retry with Another Model…', 'Branch From Here'])
      assert.ok(await earlier.getByRole('button', { name, exact: true }).isDisabled(), name);
    assert.ok(await earlier.getByRole('button', { name: 'Copy' }).isEnabled());
  });

  it('says that a message starts a branch, and lets it go to the end with Escape', async () => {
    await panel.show({ entries: [user('1', 'First'), answer('2', 'One')], draft: 'First' });
    await panel.say({ type: 'branchTargetChanged', target: { id: '2' } }, { type: 'messageBoxFocused' });
    const bar = panel.page.getByText('Your message starts a branch.');
    await bar.waitFor();
    await panel.messageBox.press('Escape');
    await postedTimes('cancelBranch', 1);
    await panel.page.getByRole('button', { name: 'Cancel' }).press('Enter');
    await postedTimes('cancelBranch', 2);
    await panel.say({ type: 'branchTargetChanged' });
    await bar.waitFor({ state: 'detached' });
    await panel.messageBox.press('Escape');
    await postedTimes('cancelBranch', 2);
  });

  it('offers what fits the workspace while it is empty, and one address', async () => {
    const group = panel.page.getByRole('group', { name: 'Suggestions' });
    await panel.show();
    await panel.page.getByText('https://relay.example.com/v1').waitFor();
    assert.equal(await group.count(), 0);
    await panel.say({
      type: 'startersChanged',
      starters: ['explainProject', 'reviewChanges', 'askKnowledge'],
    });
    const names = ['Explain This Project', 'Review My Changes', 'Ask a Knowledge Base…'];
    await eventuallyEqual(() => group.getByRole('button').allInnerTexts(), names);
    assert.deepEqual(await axeViolations(panel.page.locator('html')), []);
    await panel.button('Ask a Knowledge Base…').press('Enter');
    await postedTimes('chooseKnowledge', 1);
    await panel.button('Review My Changes').press('Enter');
    assert.equal((await panel.posted('useStarter')).starter, 'reviewChanges');
    await panel.messageBox.and(panel.page.locator(':focus')).waitFor();
    for (const width of [225, 290, 400]) {
      await panel.resize({ width, height: 600 });
      const hint = await panel.page.locator('.empty-hint').boundingBox();
      assert.ok(hint && hint.x >= 0 && hint.x + hint.width <= width);
      assert.ok(await panel.button('Explain This Project').isVisible());
    }

    await panel.show({ starters: ['explainProject'], models: twoRelays() });
    await eventuallyEqual(() => group.getByRole('button').count(), 1);
    await eventuallyEqual(
      () => panel.page.locator('.empty-address').allInnerTexts(),
      ['relay-of-the-harbour.example.com'],
    );
    await panel.show({ starters: ['explainProject'], models: twoRelays({ selected: undefined }) });
    await panel.button('Choose Model…').waitFor();
    assert.deepEqual([await group.count(), await panel.page.locator('.empty-address').count()], [0, 0]);
    await panel.show({ starters: ['explainProject'], entries: [user('1', 'Hello')] });
    await panel.entry('You').waitFor();
    assert.equal(await group.count(), 0);
  });

  it('quotes a message or what is selected of it below what was typed', async () => {
    await panel.show({
      entries: [user('1', 'First\nline'), answer('2', 'One **and** two')],
      draft: 'About this:',
    });
    const quote = async (entry: ReturnType<typeof panel.entry>) => {
      await entry.getByRole('button', { name: 'Quote' }).click();
      await panel.messageBox.and(panel.page.locator(':focus')).waitFor();
    };
    await quote(panel.entry('You'));
    await eventuallyEqual(() => panel.messageBox.inputValue(), 'About this:\n\n> First\n> line\n\n');
    await panel.page.keyboard.type('x');
    await eventuallyEqual(() => panel.messageBox.inputValue(), 'About this:\n\n> First\n> line\n\nx');
    await panel.entry('Claude Sonnet 5').locator('strong').dblclick();
    await quote(panel.entry('Claude Sonnet 5'));
    await eventuallyEqual(
      () => panel.messageBox.inputValue(),
      'About this:\n\n> First\n> line\n\nx\n\n> and\n\n',
    );
  });

  it('opens places that an answer names, and draws its mathematics', async () => {
    const text = [
      'See `src/tides.ts:12:5` and docs/heights.md:3, not https://example.com:80 [a.ts:9](https://example.com).',
      'With \\(a_1 * b_2 * c\\):',
      '',
      '$$',
      'x_1 \\\\',
      '$$',
    ].join('\n');
    await panel.serve(async (message) =>
      message.type === 'findPaths' ? [{ type: 'pathsFound', found: message.paths, missing: [] }] : [],
    );
    await panel.show({ entries: [answer('1', text)] });
    const places = panel.entry('Claude Sonnet 5').locator('button.place');
    await eventuallyEqual(() => places.allInnerTexts(), ['src/tides.ts:12:5', 'docs/heights.md:3']);
    await panel.button('src/tides.ts:12:5').click();
    assert.deepEqual((await panel.posted('openLocation')).location, {
      path: 'src/tides.ts',
      line: 12,
      column: 5,
    });
    await panel.button('docs/heights.md:3').press('Enter');
    await postedTimes('openLocation', 2);
    const maths = panel.entry('Claude Sonnet 5').locator('.math math');
    const letters = async () => (await maths.allTextContents()).map((each) => each.normalize('NFKC'));
    await eventuallyEqual(letters, ['a1∗b2∗c', 'x1']);
  });

  it('scrolls a wide table by itself, with the keyboard too', async () => {
    const row = (cell: string) => `| ${Array.from({ length: 12 }, (_, n) => `${cell}${n}`).join(' | ')} |`;
    await panel.show({
      entries: [answer('1', [row('column'), row('--').replace(/--\d+/g, '--'), row('value')].join('\n'))],
    });
    const table = panel.page.getByRole('region', { name: 'Table' });
    const overflow = (element: Element) => element.scrollWidth - element.clientWidth;
    assert.ok((await table.evaluate(overflow)) > 100);
    assert.ok((await scroller().evaluate(overflow)) <= 0, 'the conversation itself does not scroll sideways');
    await table.focus();
    await panel.page.keyboard.press('ArrowRight');
    await eventually(async () => assert.ok((await table.evaluate((element) => element.scrollLeft)) > 0));
  });

  it('streams an answer to the same end as it would be shown at once', async () => {
    const markdown = panel.entry('Claude Sonnet 5').locator('.markdown');
    await panel.show({ entries: [user('1', 'Why?'), answer('3', richAnswer)] });
    await panel.page.locator('.hljs-keyword').first().waitFor();
    // Code is highlighted block by block, when the page is idle.
    const unseen = panel.page.locator('[data-highlighted=waiting]');
    const showAll = () =>
      eventually(async () => {
        if ((await unseen.count()) > 0) await unseen.first().scrollIntoViewIfNeeded();
        assert.equal(await unseen.count(), 0);
      });
    await showAll();
    const atOnce = await markdown.innerHTML();
    await panel.show({ entries: [user('1', 'Why?'), answer('2', '', { end: null })], ...running });
    await markdown.waitFor({ state: 'detached' });
    for (const piece of richAnswer.match(/[^]{1,40}/g) ?? []) {
      await panel.say({ type: 'textAdded', id: '2', text: piece });
    }
    await panel.say({ type: 'entryEnded', id: '2', end: {} });
    await eventually(async () => {
      await showAll();
      assert.equal(await markdown.innerHTML(), atOnce);
    });
  });

  it('gives code its colours without moving what is below it', async () => {
    const lines = 'const tide = 4;\n'.repeat(12);
    await panel.show({
      entries: [user('1', 'Why?'), answer('2', `\`\`\`ts\n${lines}\`\`\`\n\n\`\`\`\n${lines}\`\`\``)],
    });
    await panel.page.locator('.hljs-keyword').first().waitFor();
    // Without a language there is nothing to highlight: the code keeps its plain look.
    const heights = await panel.page
      .locator('pre')
      .evaluateAll((blocks) => blocks.map((block) => block.getBoundingClientRect().height));
    assert.equal(heights.length, 2);
    assert.equal(heights[0], heights[1]);
  });

  it('leaves code plain whose colours take too long, and gives them to what comes after it', async () => {
    const slow = 'int a '.repeat(3300);
    await panel.show({
      entries: [
        user('1', 'Why?'),
        answer('2', `\`\`\`ts\nconst tide = 4;\n\`\`\`\n\n\`\`\`csharp\n${slow}\n\`\`\``),
      ],
    });
    // The block that came into view last is first.
    await panel.page.locator('.language-csharp[data-highlighted=done]').waitFor();
    await panel.page.locator('.language-ts .hljs-keyword').waitFor();
    assert.equal(await panel.page.locator('.language-csharp span[class^=hljs]').count(), 0);
    assert.equal(await panel.page.locator('.language-csharp').textContent(), slow);
  });

  it('keeps what grows in groups, so that a drawing takes a look at few of them', async () => {
    const rows = '| 1 | 2 | 3 | 4 |\n'.repeat(4000);
    await panel.show({
      entries: [
        user('1', 'Why?'),
        answer(
          '2',
          `\`\`\`\n${'line\n'.repeat(4000)}\`\`\`\n\n| a | b | c | d |\n|--|--|--|--|\n${rows}\n## End`,
        ),
      ],
    });
    const most = (selector: string) =>
      panel.page
        .locator(selector)
        .evaluateAll((all) => Math.max(...all.map((each) => each.childElementCount)));
    // Counting the rows again and again would hold up their drawing.
    await panel.page.locator('.markdown h2').waitFor();
    assert.equal(await panel.page.locator('.markdown tr').count(), 4000 + 20);
    assert.equal(await most('.code-group'), 20);
    assert.equal(await most('.markdown > .section'), 16);
    assert.ok((await most('.markdown')) <= 8);
  });

  it('shows the answer of another model that takes over the entry of one that failed', async () => {
    await panel.show({ entries: [user('1', 'Why?'), answer('2', '', { end: null })], ...running });
    await panel.say(added(answer('2', '', { model: 'GPT-5.5', end: null }), 1));
    await panel.say({ type: 'textAdded', id: '2', text: 'Because.' });
    await panel.entry('GPT-5.5').getByText('Because.').waitFor();
    await panel.say({ type: 'entryEnded', id: '2', end: {} });
    await eventuallyEqual(() => panel.entry('GPT-5.5').getAttribute('aria-busy'), 'false');
    assert.equal(await panel.conversation.getByRole('article').count(), 2);
  });

  it('marks where a summary stands for what is above, to unfold', async () => {
    const text = 'Earlier messages are sent as a summary.';
    const marker = { type: 'notice', id: 's', text, detail: 'They spoke\nof tides.' } as const;
    await panel.show({ entries: [user('1', 'Hi'), answer('2', 'Hello'), user('3', 'More?')] });
    await panel.say({ type: 'entryAdded', entry: marker, index: 2, total: 4 });
    const note = panel.page.getByRole('note');
    const detail = note.getByText('of tides');
    await note.getByText(text).waitFor();
    assert.equal(await detail.isVisible(), false);
    await note.getByText(text).click();
    await eventuallyEqual(() => detail.innerText(), 'They spoke\nof tides.');
    await eventually(async () => {
      const above = await panel.entry('Claude Sonnet 5').boundingBox();
      const box = await note.boundingBox();
      assert.ok(above && box && above.y < box.y);
    });
    await panel.show({ status: { type: 'summarising' } });
    await eventuallyEqual(() => panel.status.innerText(), 'Summarizing earlier messages…');
  });

  it('reads a finished answer out once, and is silent while it grows', async () => {
    await panel.show({ entries: [answer('1', '', { end: null })], ...running });
    await panel.say({ type: 'textAdded', id: '1', text: 'Forty-two, **surely**.' });
    await panel.conversation.getByText('surely').waitFor();
    const announcement = panel.page.locator('main > .sr-only[aria-live=polite]');
    assert.equal(await announcement.innerText(), '');
    assert.equal(await panel.conversation.getAttribute('aria-live'), 'off');
    await panel.say({ type: 'entryEnded', id: '1', end: {} });
    await eventuallyEqual(() => announcement.innerText(), 'Claude Sonnet 5 answered: Forty-two, surely.');
  });

  it('keeps thoughts folded, and streams them while they are open', async () => {
    await panel.show({ entries: [answer('1', '', { reasoning: 'First', end: null })], ...running });
    const summary = panel.conversation.getByText('Thinking…');
    await summary.waitFor();
    assert.equal(await panel.conversation.getByText('First').isVisible(), false);
    await summary.click();
    await panel.say({ type: 'reasoningAdded', id: '1', text: ', then' });
    await panel.conversation.getByText('First, then').waitFor();
    await panel.say({ type: 'textAdded', id: '1', text: 'So.' });
    await panel.conversation.getByText('Thought', { exact: true }).waitFor();
    await panel.say({ type: 'reasoningEnded', id: '1', durationMs: 8400 });
    await panel.conversation.getByText('Thought for 8 s', { exact: true }).waitFor();
    const again = Object.assign(answer('1', 'So.', { reasoning: 'First' }), { reasoningMs: 75 });
    await panel.show({ entries: [again] });
    await panel.conversation.getByText('Thought for 1 s', { exact: true }).waitFor();
  });

  it('copies and inserts code, copies and retries answers', async () => {
    await panel.show({ entries: [answer('2', 'See\n\n```ts\nconst a = 1;\n\nconst b = 2;\n```')] });
    const code = panel.page.getByRole('group', { name: 'Code, ts' });
    await code.getByRole('button', { name: 'Copy' }).click();
    assert.equal((await panel.posted('copyText')).text, 'const a = 1;\n\nconst b = 2;');
    await code.getByRole('button', { name: 'Insert at Cursor' }).click();
    assert.equal((await panel.posted('insertText')).text, 'const a = 1;\n\nconst b = 2;');
    await panel.button('Copy').last().press('Enter');
    await postedTimes('copyText', 2);
    assert.match((await panel.posted('copyText')).text, /^See\n/);
    await panel.button('Retry').click();
    assert.deepEqual(await panel.posted('retryTurn'), { type: 'retryTurn', id: '2' });
  });

  it('folds long code while it comes, copies all of it, and unfolds it for what is found in it', async () => {
    const lines = Array.from({ length: 60 }, (_, line) => `const value${line} = ${line};`);
    const frame = panel.page.getByRole('group', { name: 'Code, ts' });
    const preHeight = () => frame.locator('pre').evaluate((pre) => pre.clientHeight);
    await panel.show({ entries: [user('1', 'Write'), answer('2', '', { end: null })], ...running });
    await panel.say({ type: 'textAdded', id: '2', text: `\`\`\`ts\n${lines.slice(0, 40).join('\n')}` });
    await frame.getByText('const value39 = 39;').waitFor();
    assert.equal(await frame.getByRole('button', { expanded: false }).count(), 0);
    const before = await preHeight();
    await panel.say({
      type: 'textAdded',
      id: '2',
      text: `\n${lines.slice(40).join('\n')}\n\`\`\`\n\n| a | b |\n|:-:|---|\n| $x$ | \`1\\|2\` |`,
    });
    await panel.say({ type: 'entryEnded', id: '2', end: {} });
    const more = frame.getByRole('button', { name: 'Show All 60 Lines' });
    await more.waitFor();
    await eventually(async () => assert.ok((await preHeight()) < before * 0.8, 'it is folded'));
    await frame.getByRole('button', { name: 'Copy' }).click();
    assert.equal((await panel.posted('copyText')).text, lines.join('\n'));
    await panel.page.locator('.math.drawn').waitFor();
    await panel.button('Copy as Markdown').click();
    assert.equal((await panel.posted('copyText')).text, '| a | b |\n| :-: | --- |\n| $x$ | `1\\|2` |\n');
    await panel.button('Copy for Spreadsheet').click();
    assert.equal((await panel.posted('copyText')).text, 'a\tb\n$x$\t1|2');

    await more.focus();
    const top = async () => (await frame.boundingBox())?.y ?? NaN;
    const wasAt = await top();
    await panel.page.keyboard.press('Enter');
    const less = frame.getByRole('button', { name: 'Show Less' });
    await less.and(panel.page.getByRole('button', { expanded: true })).waitFor();
    await panel.frame();
    assert.ok(Math.abs((await top()) - wasAt) < 1, 'it is read from where it was');
    assert.ok((await preHeight()) > before, 'it is unfolded');
    await panel.page.keyboard.press('Enter');
    await more.waitFor();

    await panel.page.keyboard.press('Control+f');
    await panel.page.getByRole('textbox', { name: 'Find in conversation' }).fill('value55');
    const { requestId } = await panel.posted('findText');
    const found = { id: '2', index: 1, nth: 0, number: 1 };
    await panel.say({ type: 'textFound', requestId, total: 1, found });
    await less.waitFor();
    const isSeen = () =>
      panel.page.evaluate(() => {
        const [range] = CSS.highlights.get('found') ?? [];
        const { top: at = -1 } = range instanceof Range ? range.getBoundingClientRect() : {};
        return at > 0 && at < innerHeight;
      });
    await eventually(async () => assert.ok(await isSeen()));
  });

  it('draws hostile diagrams without a single attempt to load something', async () => {
    const at = 'https://tide.invalid/x.png';
    const hostile = [
      `%%{init: {"themeCSS": ".node rect { background-image: url(${at}); fill: url(${at}#a); }"}}%%\nflowchart LR\n A-->B`,
      `%%{init: {"themeCSS": "@import url(${at}); @font-face { font-family: f; src: url(${at}) } * { font-family: f }"}}%%\nflowchart LR\n A-->B`,
      `---\nconfig:\n  themeCSS: "* { cursor: url(${at}), auto; background: \\\\75rl(${at}) }"\n---\nflowchart LR\n A-->B`,
      `%%{init: {"fontFamily": "x; background: url(${at})", "themeVariables": {"fontFamily": "x; background: url(y.png)"}}}%%\nflowchart LR\n A-->B`,
      '%%{init: {"theme":"base","themeVariables": {"nodeTextColor": "url(y.png)", "fontFamily": "src(y)"}}}%%\nflowchart LR\n A-->B',
      '%%{init: {"theme":"base","themeVariables": {"primaryColor": "url(y.png)"}}}%%\nflowchart LR\n A-->B',
      `flowchart LR\n A@{ img: "${at}", label: "A", w: 60, h: 60, constraint: "on" } --> B`,
      'flowchart LR\n A@{ img: "data:image/png;base64,iVBORw0KGgo=", label: "A" } --> B',
      `flowchart LR\n A@{ icon: "fa:user", form: "square", label: "A" } --> B`,
      `flowchart LR\n A["<img src='${at}'/><image href='${at}'/>A"] --> B\n A["\`![a](${at})\`"]`,
      `%%{init: {"htmlLabels": true, "flowchart": {"htmlLabels": true}, "securityLevel": "loose"}}%%\nflowchart LR\n A["<img src='${at}'> <b style='background:url(${at})'>A</b>"] --> B`,
      `stateDiagram-v2\n classDef evil fill:url(${at}),cursor:url(${at}),background:image-set("${at}" 1x),mask:u\\72l(${at})\n A --> B:::evil`,
      `stateDiagram-v2\n classDef evil background:url(${at}),mask-image:url(${at})\n [*] --> A:::evil`,
      `classDiagram\n class A\n click A href "${at}"`,
      `sequenceDiagram\n participant A\n links A: {"x": "${at}"}\n properties A: {"class": "x", "icon": "${at}"}\n A->>B: <img src=${at}>`,
      `C4Context\n Person(a, "A", "B", $sprite="${at}")\n System(b, "<img src=${at}>")\n UpdateElementStyle(a, $bgColor="url(${at})", $fontColor="url(${at})")`,
      `mindmap\n root((A))\n  B\n   ::icon(${at})\n  C["<img src='${at}'>"]`,
      `journey\n title <img src=y.png>\n section S\n  A: 5: Me`,
      `gantt\n title url(${at})\n section A\n B :a1, 2024-01-01, 3d\n click a1 href "${at}"`,
      `block-beta\n a["<img src='${at}'>"]\n style a fill:url(${at})`,
      `pie title <img src=${at}>\n "url(${at})" : 1`,
      `kanban\n A[<img src='${at}'>]\n  b[B]@{ ticket: x, icon: "${at}" }`,
      `erDiagram\n A ||--o{ B : "<img src=${at}>"`,
      `timeline\n title <img src=${at}>\n 2024 : url(${at})`,
    ];
    const requests: string[] = [];
    panel.page.on('request', (request) => requests.push(request.url()));
    const block = (text: string) => `\`\`\`mermaid\n${text}\n\`\`\``;
    await panel.show({ entries: [answer('2', block('flowchart LR\n  Calm --> Sea'))] });
    await panel.page.getByRole('img', { name: /^Diagram, flowchart/ }).waitFor();
    const [, frame] = panel.page.frames();
    await frame!.evaluate(() => {
      const tried: string[] = [];
      Object.assign(globalThis, { tried });
      const note = ({ violatedDirective, blockedURI }: SecurityPolicyViolationEvent) => {
        // Parsed markup with a style is no request.
        if (blockedURI !== 'inline') tried.push(`${violatedDirective} ${blockedURI}`);
      };
      document.addEventListener('securitypolicyviolation', note);
    });
    const tried = () => frame!.evaluate(() => (globalThis as unknown as { tried: string[] }).tried.splice(0));
    // Proves that an attempt would be seen.
    await frame!.evaluate((url) => {
      const image = document.createElementNS('http://www.w3.org/2000/svg', 'image');
      image.href.baseVal = url;
      const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
      svg.append(image);
      document.body.append(svg);
    }, at);
    await eventually(async () => {
      const [first] = await tried();
      assert.match(String(first), /^img-src https:\/\/tide\.invalid/);
    });
    // Each diagram type has its own code paths.
    await frame!.evaluate((url) => {
      const [part, other] = [document.createElement('div'), document.createElement('div')];
      for (const each of [part, other]) each.textContent = 'A';
      document.body.append(part, other);
      part.setAttribute('style', `background:u\\72l(${url}); cursor: url(${url}), auto`);
      other.style.setProperty('mask-image', `image-set("${url}" 1x)`);
      const shape = document.createElementNS('http://www.w3.org/2000/svg', 'use');
      for (const name of ['href', 'xlink:href', 'fill', 'filter']) shape.setAttribute(name, `url(${url})`);
      shape.setAttributeNS('http://www.w3.org/1999/xlink', 'xlink:href', `${url}#a`);
      document.querySelector('svg')?.append(shape);
      part.getBoundingClientRect();
    }, at);
    const undrawn: string[] = [];
    for (const text of hostile) {
      const drawn = panel.page.locator('.diagram img, .diagram-note');
      await panel.show({ entries: [] });
      await drawn.first().waitFor({ state: 'detached' });
      await panel.show({ entries: [answer('3', block(text))] });
      await drawn.first().waitFor();
      // Failed attempts are reported with the frame's next picture at the latest.
      await frame!.evaluate(async () => {
        await new Promise(requestAnimationFrame);
        await new Promise((resolve) => setTimeout(resolve));
      });
      assert.deepEqual(await tried(), [], text);
      if ((await panel.page.locator('.diagram img').count()) === 0)
        undrawn.push(text.split('\n', 2).join(' '));
    }
    // No color, and the size of a picture that isn't loaded.
    assert.deepEqual(
      undrawn,
      hostile
        .filter((text) => /@\{ img|primaryColor/.test(text))
        .map((text) => text.split('\n', 2).join(' ')),
    );
    assert.deepEqual(
      requests.filter((url) => /tide\.invalid|y\.png/.test(url)),
      [at],
    );
  });

  it('draws diagrams in a frame without an origin, again in another theme, and keeps their source', async () => {
    const text = 'flowchart LR\n  A[<img src=x onerror=parent.hacked=1>Tide] --> B';
    const wrong = 'flowchart LR\n  A -->';
    const large = `pie\n${Array.from({ length: 110 }, (_, n) => `  "${n}" : 1`).join('\n')}`;
    await panel.show({
      entries: [
        answer('2', [large, text, wrong].map((each) => `\`\`\`mermaid\n${each}\n\`\`\``).join('\n\n')),
      ],
    });
    const diagram = panel.page.getByRole('img', { name: /^Diagram, flowchart/ });
    await diagram.waitFor();
    assert.ok((await diagram.evaluate((img: HTMLImageElement) => img.naturalHeight)) > 20, 'it has a size');
    await panel.page.getByText("Couldn't draw the diagram.").waitFor();
    await panel.page.getByText('A -->', { exact: false }).last().waitFor();
    const [, frame] = panel.page.frames();
    // Neither the page nor a server can be reached from there.
    assert.equal(await frame!.evaluate(() => origin), 'null');
    assert.equal(
      await frame!.evaluate(
        async (url) =>
          fetch(url).then(
            () => 'sent',
            () => 'blocked',
          ),
        new URL('/page/style.css', panel.page.url()).href,
      ),
      'blocked',
    );
    assert.equal(await panel.page.evaluate(() => 'hacked' in window), false);
    // The frame cannot pose as the host.
    await frame!.evaluate(() =>
      parent.postMessage({ type: 'textAdded', id: '2', text: 'I am the host.' }, '*'),
    );
    const source = panel.button('Show Source');
    assert.equal(await panel.page.locator('pre').nth(1).isVisible(), false);
    await source.press('Enter');
    await panel.page.locator('pre').nth(1).waitFor();
    assert.equal(await panel.page.getByText('I am the host.').count(), 0);
    await panel.page.locator('.code-head').nth(1).getByRole('button', { name: 'Copy' }).click();
    assert.equal((await panel.posted('copyText')).text, text);
    await source.press('Enter');
    // A diagram that may be slow is drawn on request.
    assert.equal(await panel.page.getByRole('img', { name: /^Diagram, pie/ }).count(), 0);
    await panel.button('Draw Diagram').press('Enter');
    await panel.page.getByRole('img', { name: /^Diagram, pie/ }).waitFor();
    const address = () => diagram.getAttribute('src');
    const before = await address();
    await panel.changeTheme('light');
    await eventually(async () => assert.notEqual(await address(), before));
    assert.deepEqual(await axeViolations(panel.page.locator('.entries')), []);
  });

  it('runs texts from right to left as their letters do, and code never', async () => {
    const arabic = '\u0627\u0644\u0645\u062f \u0648\u0627\u0644\u062c\u0632\u0631';
    await panel.show({
      entries: [user('1', arabic), answer('2', `- ${arabic}\n\n\`\`\`\nx\n\`\`\``)],
      draft: arabic,
    });
    const directionOf = (locator: Locator) =>
      locator.evaluate((element) => getComputedStyle(element).direction);
    assert.equal(await directionOf(panel.page.locator('.user-text')), 'rtl');
    assert.equal(await directionOf(panel.page.locator('.markdown li')), 'rtl');
    assert.equal(await directionOf(panel.messageBox), 'rtl');
    assert.equal(await directionOf(panel.page.locator('pre code')), 'ltr');
  });

  it('asks the host to open links, and leaves other schemes as text', async () => {
    const text =
      '[web](https://example.com/a?b=c&d) [mail](mailto:a@example.com) [run](command:x) ![pic](https://example.com/p.png)';
    await panel.show({ entries: [answer('1', text)] });
    await panel.page.getByRole('link', { name: 'web' }).click();
    assert.equal((await panel.posted('openLink')).href, 'https://example.com/a?b=c&d');
    await eventuallyEqual(() => panel.page.getByRole('link').count(), 3);
    assert.equal(await panel.page.locator('img').count(), 0);
    await panel.page.getByRole('link', { name: 'pic' }).click({ button: 'middle' });
    await postedTimes('openLink', 2);
    await panel.frame();
    assert.equal(panel.page.context().pages().length, 1);
  });

  it('says what failed and why, and does the one thing that helps', async () => {
    await panel.show({ entries: [user('1', 'Hi'), answer('2', '', { end: { failure } })] });
    const alert = panel.page.getByRole('alert');
    await eventuallyEqual(() => alert.locator('strong').innerText(), 'Rate limit reached.');
    await alert.getByText('Try again in about an hour.').waitFor();
    await alert.getByText('Please try again in 58m12s.').first().waitFor();
    const facts = alert.getByText('Request ID: 94cd0955');
    assert.equal(await facts.isVisible(), false);
    await alert.getByText('Details', { exact: true }).press('Enter');
    await facts.waitFor();
    // A second button for the same action would leave the user wondering about the difference.
    await panel.button('Retry').click();
    assert.deepEqual(await panel.posted('applyRemedy'), {
      type: 'applyRemedy',
      remedy: 'retry',
      id: '2',
    });
  });

  it('keeps why an answer was going to be asked again that was stopped meanwhile', async () => {
    await panel.show({ entries: [answer('2', '', { end: { note: 'You stopped this answer.', failure } })] });
    await panel.entry('Claude Sonnet 5').getByText('You stopped this answer.').waitFor();
    await panel.page.getByRole('alert').getByText('Rate limit reached.', { exact: true }).waitFor();
  });

  it('opens the picker when another model is what helps', async () => {
    const other = { ...failure, remedy: { type: 'selectModel' as const, label: 'Choose Another Model' } };
    await panel.show({ entries: [answer('2', '', { end: { failure: other } })] });
    await panel.button('Choose Another Model').click();
    await panel.page.getByRole('searchbox', { name: 'Filter models' }).waitFor();
  });

  it('offers to find out more beside what helps', async () => {
    const second = { type: 'diagnoseConnection' as const, label: 'Diagnose Connection…' };
    await panel.show({ entries: [answer('2', '', { end: { failure: { ...failure, second } } })] });
    await panel.button('Retry').waitFor();
    await panel.button('Diagnose Connection…').click();
    assert.equal((await panel.posted('applyRemedy')).remedy, 'diagnoseConnection');
  });

  it('says quietly how an answer ended and what it cost', async () => {
    await panel.show({ entries: richEntries.slice(0, 4) });
    await panel.page.getByText('312 in · 42 out · 256 cached').waitFor();
    await panel.page.getByText('You stopped this answer.').waitFor();
  });

  it('unfolds what a turn of several requests cost into each of them', async () => {
    const requests = [
      { promptTokens: 500, completionTokens: 20, isSummary: true },
      { promptTokens: 508, completionTokens: 30, cachedTokens: 400 },
    ];
    const total = { promptTokens: 1008, completionTokens: 50, cachedTokens: 400 };
    await panel.show({
      entries: [user('1', 'Ask'), answer('2', 'Told.', { end: { usage: { total, requests } } })],
    });
    const figure = panel.button('1,008 in · 50 out · 400 cached');
    assert.equal(await panel.page.getByRole('list', { name: 'Requests of this turn' }).count(), 0);
    await figure.click();
    const rows = panel.page.getByRole('list', { name: 'Requests of this turn' }).getByRole('listitem');
    await eventuallyEqual(
      () => rows.allInnerTexts(),
      ['1. Summary\n500 in · 20 out', '2. Request\n508 in · 30 out · 400 cached'],
    );
    await figure.press('Enter');
    await eventuallyEqual(() => rows.count(), 0);
  });

  it('goes on with a cut answer in the same entry', async () => {
    const note = 'The answer reached the output limit.';
    const before = 'It begins\n\n```ts\nconst a';
    await panel.show({
      entries: [user('1', 'Ask'), answer('2', before, { end: { note, canContinue: true } })],
    });
    await panel.button('Retry').waitFor();
    await panel.button('Continue').click();
    assert.deepEqual(await panel.posted('continueAnswer'), { type: 'continueAnswer', id: '2' });
    await panel.say({ type: 'answerContinued', id: '2' });
    await eventuallyEqual(() => panel.button('Continue').count(), 0);
    assert.equal(await panel.page.getByText(note).count(), 0);
    await panel.say(
      { type: 'textAdded', id: '2', text: ' = 1;\n```\n\nand ends.' },
      { type: 'entryEnded', id: '2', end: {} },
    );
    await eventuallyEqual(() => panel.page.locator('pre code').innerText(), 'const a = 1;');
    await panel.entry('Claude Sonnet 5').getByText('and ends.').waitFor();
    assert.equal(await panel.page.getByRole('article').count(), 2);
  });

  it('offers to go on beside what helps with the failure, at the newest answer only', async () => {
    const cut = { end: { failure, canContinue: true } };
    await panel.show({ entries: [user('1', 'Ask'), answer('2', 'Half', cut)] });
    const alert = panel.page.getByRole('alert');
    await eventuallyEqual(
      () => alert.getByRole('button').allInnerTexts(),
      ['Continue', failure.remedy.label],
    );
    await panel.say(added(answer('3', 'Whole'), 2));
    await eventuallyEqual(() => panel.button('Continue').count(), 0);
  });

  it('leads from version to version, at messages and answers', async () => {
    const second = { ...answer('2', 'Second answer.'), version: { number: 2, count: 2 } };
    await panel.show({ entries: [user('1', 'Ask'), second, user('3', 'More'), answer('4', 'Last.')] });
    await panel.page.getByText('2 of 2').waitFor();
    assert.equal(await panel.button('Next version').isDisabled(), true);
    await panel.button('Previous version').click();
    assert.deepEqual(await panel.posted('chooseVersion'), {
      type: 'chooseVersion',
      id: '2',
      direction: 'previous',
    });
    const first = { ...answer('5', 'First answer.'), version: { number: 1, count: 2 } };
    const edited = { ...user('6', 'Other'), version: { number: 1, count: 3 } };
    await panel.say({ type: 'entriesReplaced', from: 1, entries: [first, edited] });
    await panel.page.getByText('1 of 2').waitFor();
    await eventuallyEqual(() => panel.page.getByRole('article').count(), 3);
    // The pressed button is disabled now, so the other one has the focus.
    const focused = panel.page.locator(':focus');
    await eventuallyEqual(() => focused.getAttribute('aria-label'), 'Next version');
    await panel.say({ type: 'statusChanged', status: { type: 'answering' } });
    assert.equal(await panel.button('Next version').first().isDisabled(), true);
    assert.equal(await panel.entry('You').last().getByText('1 of 3').count(), 1);
  });

  it('follows the end until the reader goes up, and again from there', async () => {
    await panel.show({ entries: [...long(12), answer('last', '', { end: null })], ...running });
    await atTheEnd();
    let lines = 0;
    const grow = async () => {
      await panel.say({ type: 'textAdded', id: 'last', text: 'A line of the answer.\n\n'.repeat(10) });
      lines += 10;
      await eventuallyEqual(() => panel.entry('Claude Sonnet 5').last().locator('p').count(), lines);
      await panel.frame();
    };
    await grow();
    await atTheEnd();
    // Something above gets lower while the end grows: the browser moves the view, the reader didn't.
    await scroller().evaluate((el) => {
      el.querySelector('article')!.style.marginBottom = '-13px';
      el.querySelector<HTMLElement>('[data-entry-id="last"]')!.style.marginBottom = '24px';
    });
    await panel.frame();
    await atTheEnd();
    assert.equal(await panel.button('Jump to the End').count(), 0);
    const middle = await scroller().boundingBox();
    await panel.page.mouse.move((middle?.x ?? 0) + 50, (middle?.y ?? 0) + 200);
    await panel.page.mouse.wheel(0, -30);
    await panel.button('Jump to the End').waitFor();
    await eventuallyEqual(async () => Math.round(await distance()), 30);
    await panel.frame();
    const top = await scroller().evaluate((el) => el.scrollTop);
    await grow();
    await grow();
    assert.equal(await scroller().evaluate((el) => el.scrollTop), top, 'it stays where the reader is');
    await panel.button('Jump to the End').click();
    await atTheEnd();
    await grow();
    await atTheEnd();
    await panel.button('Jump to the End').waitFor({ state: 'detached' });
  });

  it('loads earlier entries near the top and keeps what is in view in its place', async () => {
    await panel.show({ entries: long(30, 31), first: 30 });
    await atTheEnd();
    await panel.frame();
    assert.equal((await panel.posts('loadEntries')).length, 0);
    await scroller().evaluate((el) => el.scrollBy(0, -50));
    await panel.button('Jump to the End').waitFor();
    await panel.button('Load Earlier Messages').evaluate((el) => el.scrollIntoView());
    const { requestId } = await panel.posted('loadEntries');
    const first = panel.page.getByText('Question 31', { exact: true });
    await panel.frame();
    const before = await first.boundingBox();
    await panel.say({ type: 'entriesLoaded', requestId, first: 0, entries: long(30), total: 60 });
    await eventuallyEqual(() => panel.page.getByRole('article').count(), 60);
    await panel.frame();
    const after = await first.boundingBox();
    // The button that was above the view is gone, which must not show.
    assert.ok(Math.abs((after?.y ?? 0) - (before?.y ?? 1e9)) < 2, `${before?.y} became ${after?.y}`);
    assert.equal((await panel.posts('loadEntries')).length, 1);
  });

  it('asks for more where the view has room for it', async () => {
    await panel.show({ entries: long(4, 5), first: 4 });
    const { requestId, from, to } = await panel.posted('loadEntries');
    assert.deepEqual([from, to], [0, 4]);
    await panel.say({ type: 'entriesLoaded', requestId, first: 0, entries: long(4), total: 8 });
    await eventuallyEqual(() => panel.page.getByRole('article').count(), 8);
    await eventuallyEqual(() => panel.button('Load Earlier Messages').count(), 0);
    assert.equal((await panel.posts('loadEntries')).length, 1);
  });
});
