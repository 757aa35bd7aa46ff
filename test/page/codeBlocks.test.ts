import assert from 'node:assert/strict';
import type { ToHost } from '../../src/shared/protocol.ts';
import { axeViolations } from '../support/axe.ts';
import { eventually, eventuallyEqual } from '../support/eventually.ts';
import type { PanelPage } from './support/panelPage.ts';
import { useBrowser } from './support/browserSuite.ts';
import { answer } from './support/states.ts';

describe('code blocks, paths and HTML in the page', () => {
  const suite = useBrowser();
  let panel: PanelPage;
  beforeEach(async () => {
    panel = await suite.open();
  });

  const running = { status: { type: 'answering' as const } };
  const code = () => panel.page.getByRole('group', { name: 'Code, ts' });
  const names = (within = code()) =>
    within.getByRole('button').evaluateAll((all) => all.map((each) => each.getAttribute('aria-label')));

  it('apply code, create a file with it, and run commands, each named', async () => {
    const text = '```ts title="a.ts"\nconst a = 1;\n```\n\n- Run\n  ```bash\n  npm test\n  ```';
    await panel.show({ entries: [answer('2', text)] });
    assert.deepEqual(await names(), ['Apply', 'Insert at Cursor', 'Copy', 'Create File…', 'Wrap Lines']);
    const shell = panel.page.getByRole('group', { name: 'Code, bash' });
    assert.deepEqual(await names(shell), [
      ...['Run in Terminal', 'Apply', 'Insert at Cursor', 'Copy', 'Create File…', 'Wrap Lines'],
    ]);
    const used = { type: 'useCode' as const, id: '2', code: 'const a = 1;', language: 'ts' };
    await code().getByRole('button', { name: 'Apply' }).press('Enter');
    await eventuallyEqual(async () => (await panel.posts('useCode')).at(-1), { ...used, action: 'apply' });
    await code().getByRole('button', { name: 'Create File…' }).click();
    await eventuallyEqual(async () => (await panel.posts('useCode')).at(-1), { ...used, action: 'create' });
    await shell.getByRole('button', { name: 'Run in Terminal' }).click();
    await eventuallyEqual(async () => (await panel.posts('useCode')).at(-1), {
      ...{ type: 'useCode', id: '2', action: 'run', code: 'npm test', language: 'bash' },
    });
  });

  it('offer to use code only once it is complete', async () => {
    const text = '```ts\nconst a = 1;';
    await panel.show({ entries: [answer('1', text, { end: null })], ...running });
    await code().waitFor();
    const unfinished = ['Insert at Cursor', 'Copy', 'Wrap Lines'];
    assert.deepEqual(await names(), unfinished);
    await panel.say({ type: 'entryEnded', id: '1', end: {} });
    await panel.frame();
    // A block that was cut off stays incomplete.
    assert.deepEqual(await names(), unfinished);
    await panel.show({
      entries: [answer('2', `${text}\n\`\`\`\n\n- x\n  \`\`\`js\n  b();`, { end: null })],
      ...running,
    });
    await eventuallyEqual(names, ['Apply', 'Insert at Cursor', 'Copy', 'Create File…', 'Wrap Lines']);
    const inner = panel.page.getByRole('group', { name: 'Code, js' });
    assert.deepEqual(await names(inner), unfinished);
    await panel.say({ type: 'entryEnded', id: '2', end: {} });
    await eventually(async () => assert.ok((await names(inner)).includes('Apply')));
  });

  it('have a menu for what has no room in a narrow panel, by keyboard too', async () => {
    await panel.show({ entries: [answer('2', '```ts\nconst a = 1;\n```')] });
    for (const width of [225, 260]) {
      await panel.resize({ width });
      assert.deepEqual(await names(), ['Apply', 'Insert at Cursor', 'Copy', 'More']);
      const [head, last] = await Promise.all([
        code().boundingBox(),
        code().getByRole('button', { name: 'More' }).boundingBox(),
      ]);
      assert.ok(head && last && last.x + last.width <= head.x + head.width);
    }
    const more = code().getByRole('button', { name: 'More' });
    await more.press('Enter');
    const menu = panel.page.getByRole('menu', { name: 'More' });
    const focused = () => panel.page.evaluate(() => document.activeElement?.textContent);
    await eventuallyEqual(focused, 'Create File…');
    assert.deepEqual(await axeViolations(menu), []);
    await panel.page.keyboard.press('ArrowDown');
    assert.equal(await focused(), 'Wrap Lines');
    await panel.page.keyboard.press('ArrowDown');
    assert.equal(await focused(), 'Create File…');
    await panel.page.keyboard.press('Escape');
    await menu.waitFor({ state: 'detached' });
    await more.and(panel.page.locator(':focus')).waitFor();
    assert.deepEqual(await panel.posts('stopTurn'), []);
    await more.press('Enter');
    await panel.page.getByRole('menuitem', { name: 'Create File…' }).press('Enter');
    assert.equal((await panel.posted('useCode')).action, 'create');
    await menu.waitFor({ state: 'detached' });
    await more.click();
    const wrap = panel.page.getByRole('menuitemcheckbox', { name: 'Wrap Lines' });
    assert.equal(await wrap.getAttribute('aria-checked'), 'false');
    await wrap.click();
    await code().and(panel.page.locator('.wrapped')).waitFor();
    await more.click();
    assert.equal(await wrap.getAttribute('aria-checked'), 'true');
  });

  it('wrap their lines on request, and still do when the panel comes back or gets wider', async () => {
    const line = `const a = ${'1 + '.repeat(80)}1;`;
    const entries = [answer('2', `\`\`\`ts\n${line}\n\`\`\`\n\n\`\`\`js\nb();\n\`\`\``)];
    await panel.show({ entries });
    const overflow = () =>
      code()
        .locator('pre')
        .evaluate((pre) => pre.scrollWidth - pre.clientWidth);
    assert.ok((await overflow()) > 0);
    const wrap = code().getByRole('button', { name: 'Wrap Lines' });
    await wrap.click();
    await eventuallyEqual(overflow, 0);
    assert.equal(await wrap.getAttribute('aria-pressed'), 'true');
    await panel.resize({ width: 800 });
    assert.equal(await overflow(), 0);
    await panel.reopen();
    await panel.show({ entries });
    await eventuallyEqual(overflow, 0);
    assert.equal(await wrap.getAttribute('aria-pressed'), 'true');
    assert.equal(await panel.page.locator('.wrapped').count(), 1);
    await wrap.click();
    await eventually(async () => assert.ok((await overflow()) > 0));
  });

  describe('paths', () => {
    const there = new Set(['src/cart.js', 'src/money.js', './README.md']);
    const asked: string[][] = [];
    const serve = () => {
      asked.length = 0;
      return panel.serve(async (message: ToHost) => {
        if (message.type !== 'findPaths') return [];
        asked.push(message.paths);
        const found = message.paths.filter((path) => there.has(path));
        return [{ type: 'pathsFound', found, missing: message.paths.filter((path) => !there.has(path)) }];
      });
    };
    const links = () => panel.page.locator('button.place').allInnerTexts();

    it('are links where they are meant as such and their file is there, else text', async () => {
      await serve();
      const text = [
        'See `src/cart.js`, `src/cart.js:12`, `src/cart.js:12:5`, src/money.js#L3-L4, [the price](src/money.js#L12)',
        'and [`README.md`](./README.md), not `console.log`, `gone.js`, gone.js:3, [gone](src/gone.js),',
        '[home](#top), [x](javascript:alert), `npm test` or README.md.',
      ].join('\n');
      await panel.show({ entries: [answer('1', text)] });
      const expected = [
        ...['src/cart.js', 'src/cart.js:12', 'src/cart.js:12:5', 'src/money.js#L3-L4', 'the price'],
        'README.md',
      ];
      await eventuallyEqual(links, expected);
      assert.equal(asked.length, 1);
      assert.equal(new Set(asked[0]).size, asked[0]?.length);
      const opened: unknown[] = [];
      for (const place of await panel.page.locator('button.place').all()) {
        await place.click();
        opened.push((await panel.posts('openLocation')).at(-1)?.location);
      }
      assert.deepEqual(opened, [
        { path: 'src/cart.js' },
        { path: 'src/cart.js', line: 12 },
        { path: 'src/cart.js', line: 12, column: 5 },
        { path: 'src/money.js', line: 3, endLine: 4 },
        { path: 'src/money.js', line: 12 },
        { path: './README.md' },
      ]);
    });

    it('are asked about once, in pieces, and missing ones again after the next answer', async () => {
      await serve();
      const many = Array.from({ length: 250 }, (_, n) => `\`src/f${n}.ts\``).join(' ');
      await panel.show({ entries: [answer('1', `${many} \`src/late.ts\``)] });
      await eventuallyEqual(() => asked.map(({ length }) => length), [100, 100, 51]);
      there.add('src/late.ts');
      await panel.say(
        { type: 'entryAdded', entry: answer('2', '`src/late.ts`', { end: null }), index: 1, total: 2 },
        { type: 'entryEnded', id: '2', end: {} },
      );
      await eventuallyEqual(links, ['src/late.ts', 'src/late.ts']);
      there.delete('src/late.ts');
    });
  });

  it('draw folds, which stay open while more comes, and a few elements without attributes', async () => {
    const start = '<details>\n<summary>Why <b>so</b></summary>\n\n- one\n';
    await panel.show({ entries: [answer('1', start, { end: null })], ...running });
    await panel.page.locator('summary').click();
    await panel.page.getByText('one', { exact: true }).waitFor();
    await panel.say({ type: 'textAdded', id: '1', text: '- two\n\n```ts\n</details>\n```\n' });
    await panel.page.getByText('two', { exact: true }).waitFor();
    const rest =
      '\n</details>\n\nH<sub>2</sub>O <kbd>Ctrl</kbd> a<br>b <i>c</i> <b onclick="x">d</b> <u>e</u> <b>f';
    await panel.say({ type: 'textAdded', id: '1', text: rest }, { type: 'entryEnded', id: '1', end: {} });
    const last = panel.page.locator('.markdown > p').last();
    await eventuallyEqual(() => last.innerText(), 'H2O Ctrl a\nb c <b onclick="x">d</b> <u>e</u> <b>f');
    assert.deepEqual(await last.locator('*').evaluateAll((all) => all.map(({ outerHTML }) => outerHTML)), [
      '<sub>2</sub>',
      '<kbd>Ctrl</kbd>',
      '<br>',
      '<i>c</i>',
    ]);
    assert.equal(await panel.page.locator('details[open] li').count(), 2);
  });
});
