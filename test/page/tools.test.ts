import assert from 'node:assert/strict';
import type { ToHost } from '../../src/shared/protocol.ts';
import type { ToolEntry } from '../../src/shared/tools.ts';
import { eventually, eventuallyEqual } from '../support/eventually.ts';
import type { PanelPage } from './support/panelPage.ts';
import { useBrowser } from './support/browserSuite.ts';
import type { Question } from '../../src/chat/calls/toolBox.ts';
import {
  added,
  answer,
  asking,
  askingEdit,
  codeEdit,
  commandEntries,
  dangerousCommand,
  longCommand,
  look,
  toolArguments,
  toolEntries,
  user,
} from './support/states.ts';

describe('tool calls in the page', () => {
  const suite = useBrowser();
  let panel: PanelPage;
  beforeEach(async () => {
    panel = await suite.open();
    await panel.show({ entries: toolEntries, status: { type: 'runningTools' } });
  });

  const call = (name: string) => panel.page.getByRole('group', { name: `Tool ${name}` });
  const change = (entry: ToolEntry) => panel.say({ type: 'entryChanged', entry });

  it('are groups that say what they do in a sentence and their state in words', async () => {
    await call('search_text').getByText('Searched for "TODO" in src: 1 match').waitFor();
    await call('search_text').getByText('72 ms').waitFor();
    await call('read_file').getByText('failed', { exact: true }).waitFor();
    await call('edit_file').getByText('needs approval').waitFor();
    await call('list_files').getByText('running', { exact: true }).waitFor();
    await call('search_text').getByText('Withheld, environment files: 1').waitFor();
    const read = panel.page.locator('main > .sr-only[aria-live=polite]');
    await eventuallyEqual(() => read.innerText(), 'edit_file needs approval: Edit README.md');
  });

  it('unfold to the arguments and the result, with places that open', async () => {
    await call('search_text').waitFor();
    assert.equal(await call('search_text').getByRole('group', { name: 'Result' }).count(), 0);
    await call('search_text').getByText('Searched for').click();
    await call('search_text').getByRole('group', { name: 'Result' }).getByText('air pressure').waitFor();
    const given = call('search_text').getByRole('group', { name: 'Arguments' });
    await eventuallyEqual(() => given.getByRole('term').allInnerTexts(), ['query', 'path']);
    assert.deepEqual(await given.getByRole('definition').allInnerTexts(), ['TODO', 'src']);
    await call('search_text').getByRole('button', { name: 'src/tides.ts:21' }).click();
    const { location } = await panel.posted('openLocation');
    assert.deepEqual(location, { path: 'src/tides.ts', line: 21 });
  });

  for (const [button, decision] of [
    ['Allow', 'allow'],
    ['Always Allow', 'always'],
  ] as const) {
    it(`are answered with ${button}`, async () => {
      await call('edit_file').getByRole('button', { name: button, exact: true }).click();
      assert.deepEqual(await panel.posted('answerTool'), { type: 'answerTool', id: 't3', decision });
    });
  }

  it('ask in a page that can load nothing more', async () => {
    panel = await suite.open();
    const page = panel.spend();
    const parts = ['userActions', 'toolQuestion', 'arguments', 'failure'].map(async (name) => {
      const response = await page.waitForResponse((each) => each.url().includes(`/${name}-`));
      // With all that it imports, which is loaded after it.
      await page.evaluate((url) => import(url), response.url());
    });
    await panel.show({ entries: [user('u', 'Go on')], status: { type: 'answering' } });
    await Promise.all(parts);
    await page.context().setOffline(true);
    await panel.say({ type: 'entryAdded', entry: askingEdit, index: 1, total: 2 });
    await call('edit_file').getByRole('button', { name: 'Allow', exact: true }).waitFor();
    await page.context().setOffline(false);
  });

  it('ask for the reason once Deny is pressed, and are denied with it by Enter', async () => {
    const reason = call('edit_file').getByRole('textbox', { name: 'Reason for denying' });
    const deny = call('edit_file').getByRole('button', { name: 'Deny' });
    await deny.click();
    await reason.waitFor();
    assert.equal((await panel.posts('answerTool')).length, 0);
    assert.ok(await reason.evaluate((input) => input === document.activeElement));
    await reason.press('Escape');
    await reason.waitFor({ state: 'detached' });
    assert.equal((await panel.posts('stopTurn')).length, 0, 'Escape takes back the press of Deny alone');
    await deny.press('Enter');
    await reason.fill(' Not this file ');
    await reason.press('Enter');
    const order = await panel.posted('answerTool');
    assert.deepEqual([order.decision, order.reason], ['deny', 'Not this file']);
  });

  it('keep the half-typed reason while the panel is hidden, until it is sent or taken back', async () => {
    const reason = call('edit_file').getByRole('textbox', { name: 'Reason for denying' });
    const reopen = async () => {
      await panel.reopen();
      await panel.show({ entries: toolEntries, status: { type: 'runningTools' } });
    };
    await call('edit_file').getByRole('button', { name: 'Deny' }).click();
    await reason.fill('Not this');
    await reopen();
    await eventuallyEqual(() => reason.inputValue(), 'Not this');
    await reason.press('End');
    await reason.pressSequentially(' file');
    await reason.press('Enter');
    assert.equal((await panel.posted('answerTool')).reason, 'Not this file');
    await reopen();
    await call('edit_file').getByRole('button', { name: 'Allow', exact: true }).waitFor();
    assert.equal(await reason.count(), 0);
  });

  it('are answered by the keyboard, which goes on at the message box', async () => {
    const isInMessageBox = () => panel.messageBox.evaluate((box) => box === document.activeElement);
    await call('edit_file').getByRole('button', { name: 'Allow', exact: true }).press('Enter');
    assert.equal((await panel.posted('answerTool')).decision, 'allow');
    await eventuallyEqual(isInMessageBox, true);
    assert.equal((await panel.posts('sendMessage')).length, 0);
    await call('edit_file').getByRole('button', { name: 'Deny' }).press('Enter');
    await call('edit_file').getByRole('textbox').press('Enter');
    await eventuallyEqual(isInMessageBox, true);
  });

  it('keep their state and the arrow beside it on one line, however narrow the panel is', async () => {
    const ends = call('edit_file').locator('.tool-state, summary .codicon-chevron-right');
    for (let width = 225; width <= 330; width += 15) {
      await panel.page.setViewportSize({ width, height: 600 });
      const [state, arrow] = await ends.evaluateAll((all) => all.map((each) => each.getBoundingClientRect()));
      assert.ok(state && arrow && arrow.top < state.bottom, `at ${width} px`);
    }
  });

  it('are denied without a reason, too', async () => {
    await call('edit_file').getByRole('button', { name: 'Deny' }).click();
    await call('edit_file').getByRole('textbox').waitFor();
    await call('edit_file').getByRole('button', { name: 'Deny' }).click();
    const decision = 'deny';
    assert.deepEqual(await panel.posted('answerTool'), { type: 'answerTool', id: 't3', decision });
  });

  it('show the edit that they ask about, which opens in the editor', async () => {
    const edit = call('edit_file').getByRole('group', { name: 'Proposed edit' });
    await eventuallyEqual(
      async () => (await edit.locator('.diff-line').allInnerTexts()).map((line) => line.replace('\n', '')),
      ['−# Tide Tables', '+# Tide Tables of the Harbour', '+const isAdmin = ⟨U+202E⟩true;', '', '⋯'],
    );
    await call('edit_file').getByText('+2 −1').waitFor();
    await call('edit_file').getByRole('button', { name: 'Open Diff' }).click();
    assert.equal((await panel.posted('showProposal')).id, 't3');
  });

  it('show a new file as its content, bounded', async () => {
    const lines = [{ kind: 'added' as const, text: '<b>bold</b>' }];
    const file = {
      path: 'a.md',
      shownPath: { value: 'a.md' },
      isNew: true,
      added: 90,
      removed: 0,
      lines,
      more: 89,
    };
    const preview = { type: 'edit' as const, files: [file] };
    await change({ ...askingEdit, question: { preview } });
    const content = call('edit_file').getByRole('group', { name: 'Content of the new file' });
    await eventuallyEqual(() => content.innerText(), '<b>bold</b>');
    await call('edit_file').getByRole('button', { name: '89 more lines' }).click();
    assert.equal((await panel.posted('showProposal')).id, 't3');
  });

  it("show a foreign tool's arguments as rows, and why it always has to ask", async () => {
    const preview = toolArguments({ place: 'Ostend', note: '<img src=x>\ntwo lines' });
    Object.assign(preview.rows[1]!, { end: 'the end', size: { characters: 1200, lines: 7 } });
    await change({ ...askingEdit, question: { preview: { ...preview, more: 3 }, why: 'It runs code.' } });
    const given = call('edit_file').getByRole('group', { name: 'Arguments' });
    await eventuallyEqual(
      () => given.getByRole('definition').allInnerTexts(),
      ['Ostend', '<img src=x>\ntwo lines\n… 1,200 characters, 7 lines …\nthe end'],
    );
    await given.getByText('3 more arguments').waitFor();
    await call('edit_file').getByText('It runs code.').waitFor();
    assert.equal(await call('edit_file').getByRole('button', { name: 'Always Allow' }).count(), 0);
  });

  it('say what always allowing them stands for, and offer it only then', async () => {
    const always = call('edit_file').getByRole('button', { name: 'Always Allow' });
    assert.match(
      (await always.getAttribute('title')) ?? '',
      /^Allow edits to all files in this conversation/,
    );
    await change({ ...askingEdit, question: { preview: toolArguments({ place: 'Ostend' }) } });
    await call('edit_file').getByText('Ostend').waitFor();
    assert.equal(await always.count(), 0);
  });

  it('show a command as one, and texts as a list', async () => {
    const preview = toolArguments({ cmd: ['rm', '-rf', 'old files'], paths: ['<b>.md', 'b.md'] });
    await change({ ...askingEdit, question: { preview } });
    const given = call('edit_file').getByRole('group', { name: 'Arguments' });
    const command = given.getByRole('definition').first();
    await eventuallyEqual(() => command.innerText(), 'rm -rf "old files"');
    assert.equal(await command.evaluate((box) => getComputedStyle(box, '::before').content), '"$ " / ""');
    assert.deepEqual(await given.getByRole('listitem').allInnerTexts(), ['<b>.md', 'b.md']);
  });

  it('follow their states as these change', async () => {
    const { question: _, ...settled } = askingEdit;
    await change({ ...settled, state: 'running', message: 'Editing README.md…' });
    await call('edit_file')
      .getByRole('button', { name: 'Allow', exact: true })
      .waitFor({ state: 'detached' });
    const end = { durationMs: 1, result: 'No.', locations: [], withheld: [] };
    await change({ ...settled, state: 'denied', end });
    await call('edit_file').getByText('denied', { exact: true }).waitFor();
  });

  it('say what became of a call that nobody decided, and go on with it', async () => {
    const { question: _, ...settled } = askingEdit;
    const undecided: ToolEntry = {
      ...{ ...settled, state: 'stopped', note: 'The window was closed before you decided.' },
      remedy: { type: 'continue', label: 'Continue' },
    };
    const waiting = look('t5', 'create_file', 'Create a.md', { state: 'stopped', remedy: undecided.remedy! });
    const entries = [user('1', 'Go'), answer('2', '', { end: { isStep: true } }), undecided, waiting];
    await panel.show({ entries });
    await call('edit_file').getByText('The window was closed before you decided.').waitFor();
    await eventuallyEqual(() => panel.button('Continue').count(), 1);
    await panel.button('Continue').click();
    assert.deepEqual(await panel.posted('applyRemedy'), {
      type: 'applyRemedy',
      remedy: 'continue',
      id: 't5',
    });
    await panel.say(added(user('6', 'Something else'), 4));
    await panel.button('Continue').waitFor({ state: 'detached' });
  });

  it('name their model once, also when it called without a word', async () => {
    const [search] = toolEntries.filter(({ type }) => type === 'tool');
    const wordless = answer('2', '', { end: { isStep: true } });
    await panel.show({ entries: [user('1', 'Go'), wordless, search!, answer('3', 'Done.')] });
    await panel.conversation.getByText('Done.').waitFor();
    await eventuallyEqual(() => panel.entry('Claude Sonnet 5').count(), 2);
    assert.equal(await panel.conversation.locator('.model-name').count(), 1);
  });

  it('go on after a limit when the user says so', async () => {
    await panel.page.getByRole('note').getByRole('button', { name: 'Continue' }).click();
    assert.deepEqual(await panel.posted('applyRemedy'), {
      type: 'applyRemedy',
      remedy: 'continue',
      id: 'n1',
    });
  });
});

describe('commands in the page', () => {
  const suite = useBrowser();
  let panel: PanelPage;
  beforeEach(async () => {
    panel = await suite.open();
  });
  const call = (message: string) =>
    panel.page.getByRole('group', { name: 'Tool run_command' }).filter({ hasText: message });
  const newest = (message: string) => call(message).getByRole('group', { name: 'Newest output' });

  it('show their newest lines and seconds while they run and after they failed, with their terminal', async () => {
    await panel.show({ entries: commandEntries(Date.now()), status: { type: 'runningTools' } });
    await newest('Running npm run build').getByText('Compiling 240 files…\n[120/240]').waitFor();
    await call('Running npm run build')
      .getByText(/^1[2-9] s$/)
      .waitFor();
    const failed = call('Run npm test: exit 1, 2 tests failed');
    await newest('exit 1').getByText('2 tests failed').waitFor();
    await failed.getByText('12 s', { exact: true }).waitFor();
    await failed.getByRole('button', { name: 'Show Terminal' }).click();
    assert.deepEqual(await panel.posted('showTerminal'), { type: 'showTerminal', id: 'r1' });
    const done = call('Ran npm run lint');
    assert.equal(await done.getByRole('button', { name: 'Show Terminal' }).count(), 0, 'while it is folded');
  });

  it('unfold to the command, the folder and the output, without the frame for the model', async () => {
    await panel.show({ entries: commandEntries(Date.now()) });
    const failed = call('Run npm test');
    await failed.getByText('Run npm test').click();
    const given = failed.getByRole('group', { name: 'Arguments' });
    await eventuallyEqual(() => given.getByRole('term').allInnerTexts(), ['Command', 'Folder']);
    assert.deepEqual(await given.getByRole('definition').allInnerTexts(), ['npm test', 'Workspace folder']);
    const output = await failed.getByRole('group', { name: 'Output', exact: true }).innerText();
    assert.match(output, /^Exit code 1\.\n> tides@1\.0\.0 test\n/);
    assert.doesNotMatch(output, /output-/);
    assert.equal(await newest('Run npm test').count(), 0, 'the whole output stands there');
  });

  it('that are dangerous are not allowed by a button like others, nor by the first one', async () => {
    const question = asking(dangerousCommand);
    await panel.show({ entries: [user('1', 'Go'), question], status: { type: 'asking' } });
    await call('Run rm')
      .getByText(/rm -rf can change or delete files; curl \| sh runs code/)
      .waitFor();
    const buttons = call('Run rm').getByRole('button');
    assert.deepEqual(await buttons.allInnerTexts(), ['Deny', 'Allow']);
    const background = (name: string) =>
      panel.button(name).evaluate((button) => getComputedStyle(button).backgroundColor);
    assert.equal(await background('Allow'), 'rgba(0, 0, 0, 0)');
    await panel.button('Allow').click();
    assert.equal((await panel.posted('answerTool')).decision, 'allow');
    const { isDangerous: _, ...harmless } = dangerousCommand;
    await panel.say({ type: 'entryChanged', entry: asking(harmless) });
    await eventuallyEqual(() => buttons.allInnerTexts(), ['Allow', 'Deny']);
    assert.notEqual(await background('Allow'), 'rgba(0, 0, 0, 0)');
  });

  it('leave updates of a plan out, but for the one that completes it', async () => {
    await panel.show({ entries: commandEntries(Date.now()) });
    await panel.conversation.getByText('Plan done: 3 of 3').waitFor();
    assert.equal(await panel.page.getByRole('group', { name: 'Tool update_plan' }).count(), 1);
    const reads = ['a', 'b', 'c'].map((id) => look(id, 'read_file', `Read ${id}`));
    const update = look('p', 'update_plan', 'hidden', { isHidden: true, look: undefined });
    await panel.show({ entries: [user('1', 'Go'), ...reads.slice(0, 2), update, ...reads.slice(2)] });
    await panel.page.getByRole('group', { name: 'Read 3 files' }).waitFor();
  });
});

describe('diffs in the page', () => {
  const suite = useBrowser();

  it('have the colours of their language, each side read by itself', async () => {
    const panel = await suite.open();
    await panel.show({ entries: [user('1', 'Go'), codeEdit], status: { type: 'asking' } });
    const diff = panel.page.getByRole('group', { name: 'Proposed edit' });
    const colours = () =>
      diff
        .locator('.diff-line')
        .evaluateAll((lines) =>
          lines.map((line) =>
            [...line.querySelectorAll('.diff-text > span')].map(({ className }) => className),
          ),
        );
    await diff.locator('.hljs-keyword').first().waitFor();
    const [first, oldLine, newLine, last, end] = await colours();
    assert.ok(first?.includes('hljs-keyword'), String(first));
    assert.deepEqual([oldLine, newLine, end], [['hljs-comment'], ['hljs-comment'], []]);
    assert.ok(last?.[0] === 'hljs-comment' && last.includes('hljs-string'), String(last));
    assert.equal(await diff.locator('b').count(), 0);
    await diff.getByText('/* the old way: <b>').waitFor();
  });
});

describe('calls of more than is seen at once, in the page', () => {
  const suite = useBrowser();
  let panel: PanelPage;
  beforeEach(async () => {
    panel = await suite.open();
  });

  const button = (name: string) => panel.page.getByRole('button', { name, exact: true });
  const given = () => panel.page.getByRole('group', { name: 'Arguments' });
  const show = (question: Omit<Question, 'id'>) =>
    panel.show({ entries: [user('1', 'Go'), asking(question)], status: { type: 'asking' } });
  const unfold = (question: Omit<Question, 'id'>) =>
    panel.say({ type: 'entryChanged', entry: asking({ ...question, isUnfolded: true }) });

  it('show the beginning, the end and the size, and all before they can be allowed', async () => {
    await show(longCommand);
    await button('Show All').waitFor();
    await given().getByText('npm test -- --grep tides').waitFor();
    await given().getByText('… 5,411 characters, 302 lines …').waitFor();
    await given().getByText("echo ⟨U+202E⟩'fr- mr'; rm -rf build").waitFor();
    assert.deepEqual([await button('Allow').count(), await button('Always Allow').count()], [0, 0]);
    await button('Show All').press('Enter');
    assert.deepEqual(await panel.posted('unfoldTool'), { type: 'unfoldTool', id: 't1' });
    await unfold(longCommand);
    await eventually(async () => assert.ok(await given().evaluate((box) => box === document.activeElement)));
    await panel.page.keyboard.press('Enter');
    const [command = ''] = await given().getByRole('definition').allInnerTexts();
    assert.equal(command.match(/--grep tides/g)?.length, 390);
    assert.match(command, /⟨300 empty lines⟩/);
    assert.equal((await panel.posts('answerTool')).length, 0);
    await button('Allow').click();
    assert.equal((await panel.posted('answerTool')).decision, 'allow');
  });

  it('are not allowed by the second press of a double click', async () => {
    const question = { name: 'run_command', input: { command: `npm test${'\n'.repeat(300)}danger` } };
    await show(question);
    await given().getByText('npm test\n⟨299 empty lines⟩\ndanger').waitFor();
    await given().getByText('314 characters, 301 lines').waitFor();
    const at = await button('Show All').boundingBox();
    assert.ok(at);
    const { mouse } = panel.page;
    await mouse.move(at.x + 9, at.y + 9);
    const press = async (clickCount: number) => {
      await mouse.down({ clickCount });
      await mouse.up({ clickCount });
    };
    await press(1);
    await panel.posted('unfoldTool');
    await unfold(question);
    await button('Allow').waitFor();
    await press(2);
    assert.equal((await panel.posts('answerTool')).length, 0);
    await press(1);
    assert.equal((await panel.posted('answerTool')).decision, 'allow');
  });

  it('show a long argument and names of a tool of others', async () => {
    const title = 'גאות ושפל \u202e(always safe)';
    const question = { name: 'tide_now', title, input: { text: `first ${'x'.repeat(9_988)} last` } };
    await show(question);
    await panel.page.locator('.tool-message').getByText('גאות ושפל ⟨U+202E⟩(always safe)').waitFor();
    await given().getByText('… 9,999 characters …').waitFor();
    assert.deepEqual(await given().getByRole('term').allInnerTexts(), ['Tool', 'text']);
    await button('Show All').waitFor();
    await unfold(question);
    await button('Allow').waitFor();
    const values = await given().getByRole('definition').allInnerTexts();
    assert.equal(values.at(-1), `first ${'x'.repeat(9_988)} last\n9,999 characters`);
  });

  it('show a command as it is read, from left to right', async () => {
    await show({ name: 'run_command', input: { command: 'mv א ב' } });
    const command = given().getByRole('definition').first();
    const lefts = await command.evaluate((box) => {
      const text = [...box.childNodes].find(({ nodeType }) => nodeType === Node.TEXT_NODE)!;
      return [3, 5].map((start) => {
        const range = document.createRange();
        range.setStart(text, start);
        range.setEnd(text, start + 1);
        return range.getBoundingClientRect().left;
      });
    });
    assert.ok(lefts[0]! < lefts[1]!, lefts.join());
  });

  it('show all of what can be allowed without a second scroll bar', async () => {
    await show({ name: 'run_command', input: { command: Array.from({ length: 18 }, String).join('\n') } });
    await button('Allow').waitFor();
    const hidden = await given().evaluate((box) => box.scrollHeight - box.clientHeight);
    assert.equal(hidden, 0);
  });
});

describe('runs of calls that look, in the page', () => {
  const suite = useBrowser();
  let panel: PanelPage;
  beforeEach(async () => {
    panel = await suite.open();
  });

  const step = (id: string) => answer(id, '', { end: { isStep: true } });
  const reads = (...ids: string[]) => ids.map((id) => look(id, 'read_file', `Read ${id}.ts`));
  const calls = () => panel.page.getByRole('group', { name: /^Tool / });
  const fold = (name: string) => panel.page.getByRole('group', { name, exact: true });

  it('are one line once they are finished, which unfolds', async () => {
    const search = look('s', 'search_text', 'Searched for "x": no matches', { look: 'search' });
    const entries = [user('1', 'Go'), step('2'), ...reads('a', 'b'), step('3'), search, answer('4', 'Done.')];
    await panel.show({ entries });
    await fold('Read 2 files, searched once').getByText('Read 2 files, searched once').click();
    await eventuallyEqual(() => calls().count(), 3);
    await panel.page.getByRole('group', { name: 'Tool search_text' }).getByText('Searched for "x"').click();
    await panel.page.getByRole('group', { name: 'Result' }).getByText('Found.').waitFor();
  });

  it('fold a long output to its first lines, and copy all of it', async () => {
    const result = Array.from({ length: 30 }, (_, line) => `line ${line + 1}`).join('\n');
    const end = { durationMs: 1, result, locations: [], withheld: [] };
    await panel.show({ entries: [user('1', 'Go'), look('t', 'read_file', 'Read a.txt', { end })] });
    await panel.page.getByText('Read a.txt').click();
    const output = panel.page.getByRole('group', { name: 'Result' });
    await eventuallyEqual(() => output.innerText(), result.split('\n', 12).join('\n'));
    await panel.page.locator('.tool-output').getByRole('button', { name: 'Copy' }).click();
    assert.equal((await panel.posted('copyText')).text, result);
    await panel.button('Show All 30 Lines').press('Enter');
    await eventuallyEqual(() => output.innerText(), result);
    await panel.button('Show Less').press('Enter');
    await panel.button('Show All 30 Lines').waitFor();
  });

  it('are shown open while they go on', async () => {
    const entries = [user('1', 'Go'), step('2'), ...reads('a', 'b', 'c')];
    await panel.show({ entries, status: { type: 'runningTools' } });
    await eventuallyEqual(() => calls().count(), 3);
    await panel.say(added(look('d', 'read_file', 'Reading d.ts…', { state: 'running' }), 5));
    await eventuallyEqual(() => calls().count(), 4);
    await panel.say({ type: 'entryChanged', entry: look('d', 'read_file', 'Read d.ts') });
    await panel.say(added(answer('9', 'Done.'), 6));
    await panel.say({ type: 'statusChanged', status: { type: 'idle' } });
    await fold('Read 4 files').waitFor();
    await eventuallyEqual(() => calls().count(), 0);
  });

  it('hide no failure, no denial and nothing withheld', async () => {
    const failed = look('f', 'read_file', "Couldn't read f.ts", { state: 'failed' });
    const denied = look('n', 'read_file', 'Read n.ts', { state: 'denied' });
    const withheld = ['Withheld, environment files: 2'];
    const some = look('w', 'search_text', 'Searched', {
      look: 'search',
      end: { durationMs: 1, result: '', locations: [], withheld },
    });
    await panel.show({
      entries: [step('1'), ...reads('a', 'b', 'c'), failed, denied, ...reads('d'), some, ...reads('e')],
    });
    await fold('Read 3 files').waitFor();
    await fold('Read 2 files, searched once').getByText(withheld[0]!).waitFor();
    await eventuallyEqual(
      () =>
        calls()
          .allInnerTexts()
          .then((texts) => texts.map((text) => text.split('\n')[0])),
      ["Couldn't read f.ts", 'Read n.ts'],
    );
  });
});

describe('changed files in the page', () => {
  const suite = useBrowser();
  let panel: PanelPage;
  beforeEach(async () => {
    panel = await suite.open();
    await panel.show({ entries: toolEntries });
  });

  const changed = () => panel.page.getByRole('group', { name: 'Changed files' });
  const saysNext = (message: ToHost) =>
    eventually(async () => assert.deepEqual((await panel.posts(message.type)).at(-1), message));
  const row = (path: string) => changed().getByRole('listitem').filter({ hasText: path });

  it('tell what came and went, file by file and in all, and open as a diff', async () => {
    await changed().getByText('3 files changed').waitFor();
    await changed().getByText('+1,241 −7').waitFor();
    await row('src/tides.ts').getByText('+1 −0').waitFor();
    await changed().getByRole('button', { name: 'README.md', exact: true }).click();
    assert.deepEqual(await panel.posted('showChanges'), { type: 'showChanges', id: 'e1', path: 'README.md' });
    await changed().getByRole('button', { name: '3 files changed' }).click();
    await saysNext({ type: 'showChanges', id: 'e1' });
  });

  it('count no file that was undone, which can be redone at its place', async () => {
    const [edits] = toolEntries.filter((entry) => entry.type === 'edits');
    assert.ok(edits?.type === 'edits');
    const files = edits.files.map(({ path }) => ({ path, state: 'undone' as const, canRedo: true as const }));
    const [first, ...others] = files;
    const left = [{ path: first!.path, added: 1, removed: 0 }, ...others];
    await panel.say({ type: 'entryChanged', entry: { ...edits, files: left } });
    await changed().getByText('1 file changed').waitFor();
    const { path } = others[0]!;
    const startOf = async (name: string) =>
      (await changed().getByRole('button', { name, exact: true }).boundingBox())?.x;
    assert.equal(await startOf(path), await startOf(first!.path), 'in line with the others');
    await row(path)
      .getByRole('button', { name: `Redo ${path}` })
      .press('Enter');
    await saysNext({ type: 'decideHunks', id: edits.id, decision: 'redo', path });
    await panel.say({ type: 'entryChanged', entry: edits });
    assert.equal(await changed().locator(':focus').innerText(), '3 files changed', 'focus is not lost');
    await panel.say({ type: 'entryChanged', entry: { ...edits, files } });
    await changed().getByText('All changes undone').waitFor();
  });

  it('leave the newest answer its buttons and its tokens, and hide those of the answers before', async () => {
    const change = toolEntries.filter(({ type }) => type === 'edits');
    const turns = [
      user('a1', 'Go on'),
      answer('a2', 'Done.'),
      user('a3', 'And then?'),
      answer('a4', 'Done, too.'),
    ];
    await panel.show({ entries: [...turns, ...change] });
    await changed().waitFor();
    const buttons = panel.page.locator('article .actions');
    await eventuallyEqual(
      () => buttons.evaluateAll((all) => all.map((each) => getComputedStyle(each).opacity)),
      ['0', '1'],
    );
  });

  it('are kept or undone one by one or together, when nothing runs', async () => {
    await panel.say({ type: 'statusChanged', status: { type: 'runningTools' } });
    const all = changed().getByRole('button', { name: 'Undo', exact: true });
    await eventually(async () => assert.equal(await all.isDisabled(), true));
    await panel.say({ type: 'statusChanged', status: { type: 'idle' } });
    await changed().getByRole('button', { name: 'Undo src/tides.ts' }).press('Enter');
    assert.deepEqual(await panel.posted('decideHunks'), {
      ...{ type: 'decideHunks', id: 'e1' },
      ...{ decision: 'undo', path: 'src/tides.ts' },
    });
    await panel.say({
      type: 'entryChanged',
      entry: {
        ...{ type: 'edits', id: 'e1' },
        files: [
          { path: 'README.md', added: 40, removed: 7, problem: 'Not undone: changed since' },
          { path: 'src/tides.ts', added: 1, removed: 0, state: 'undone' },
        ],
      },
    });
    await row('src/tides.ts').getByText('undone').waitFor();
    await row('README.md').getByText('Not undone: changed since').waitFor();
    assert.equal(await changed().getByRole('button', { name: 'Undo src/tides.ts' }).count(), 0);
    // Enter pressed once too often decides on one more file at most.
    const next = changed().getByRole('button', { name: 'Undo README.md', exact: true });
    await next.and(panel.page.locator(':focus')).waitFor();
    const keep = changed().getByRole('button', { name: 'Keep', exact: true });
    await keep.press('Enter');
    await saysNext({ type: 'decideHunks', id: 'e1', decision: 'keep' });
    const files = [{ path: 'README.md', added: 40, removed: 7, state: 'kept' as const }];
    await panel.say({ type: 'entryChanged', entry: { type: 'edits', id: 'e1', files } });
    await keep.waitFor({ state: 'detached' });
    await changed()
      .getByRole('button', { name: '1 file changed' })
      .and(panel.page.locator(':focus'))
      .waitFor();
  });

  it('unfold to their hunks, each to be kept or undone', async () => {
    await changed().getByRole('button', { name: 'Show changes of src/tides.ts' }).click();
    await saysNext({ type: 'loadHunks', id: 'e1', path: 'src/tides.ts' });
    const hunk = { key: 'k1', line: 12, more: 0, isEdited: false };
    await panel.say({
      ...{ type: 'hunksLoaded', id: 'e1', path: 'src/tides.ts', more: 0 },
      hunks: [
        { ...hunk, lines: [{ kind: 'added', text: 'const high = 3;' }] },
        { ...hunk, key: 'k2', line: 1_040, isEdited: true, lines: [{ kind: 'removed', text: 'low' }] },
      ],
    });
    await row('src/tides.ts').getByText('const high = 3;').waitFor();
    await row('src/tides.ts').getByText("You changed these lines since, so they can't be undone.").waitFor();
    assert.equal(await changed().getByRole('button', { name: 'Undo the change at line 1,040' }).count(), 0);
    const focused = (name: string) =>
      changed().getByRole('button', { name }).and(panel.page.locator(':focus')).waitFor();
    await changed().getByRole('button', { name: 'Undo the change at line 12' }).click();
    await saysNext({
      ...{ type: 'decideHunks', id: 'e1', decision: 'undo' },
      ...{ path: 'src/tides.ts', keys: ['k1'] },
    });
    await changed().getByRole('button', { name: 'Keep the change at line 12' }).press('Enter');
    await saysNext({
      ...{ type: 'decideHunks', id: 'e1', decision: 'keep' },
      ...{ path: 'src/tides.ts', keys: ['k1'] },
    });
    const left = { ...hunk, key: 'k2', line: 1_040, isEdited: true, lines: [] };
    await panel.say({ type: 'hunksLoaded', id: 'e1', path: 'src/tides.ts', more: 0, hunks: [left] });
    // To the next change, and after the last one to no button that decides on more.
    await focused('Keep the change at line 1,040');
    await panel.page.keyboard.press('Enter');
    await saysNext({
      ...{ type: 'decideHunks', id: 'e1', decision: 'keep' },
      ...{ path: 'src/tides.ts', keys: ['k2'] },
    });
    await panel.say({ type: 'hunksLoaded', id: 'e1', path: 'src/tides.ts', more: 0, hunks: [] });
    await focused('3 files changed');
    await row('src/tides.ts').getByText('No changes left.').waitFor();
  });
});

describe('checkpoints in the page', () => {
  const suite = useBrowser();

  it('are restored from their messages when nothing runs, and restored back', async () => {
    const panel = await suite.open();
    const restored = { type: 'restoreBack', label: 'Undo Restore' } as const;
    await panel.show({
      entries: [
        user('u1', 'Edit them'),
        { type: 'notice', id: 'r1', text: 'Restored 2 files.', detail: 'a.ts\nb.ts', remedy: restored },
      ],
    });
    const restore = panel.entry('You').getByRole('button', { name: 'Restore', exact: true });
    await panel.say({ type: 'statusChanged', status: { type: 'runningTools' } });
    await eventually(async () => assert.equal(await restore.isDisabled(), true));
    await panel.say({ type: 'statusChanged', status: { type: 'idle' } });
    await restore.click();
    assert.deepEqual(await panel.posted('restoreCheckpoint'), { type: 'restoreCheckpoint', id: 'u1' });
    await panel.page.getByRole('button', { name: 'Undo Restore' }).click();
    assert.deepEqual(await panel.posted('applyRemedy'), {
      ...{ type: 'applyRemedy', remedy: 'restoreBack', id: 'r1' },
    });
  });
});
