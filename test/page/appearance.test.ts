import assert from 'node:assert/strict';
import { screenshot } from '../host/screen.ts';
import { axeViolations } from '../support/axe.ts';
import { eventually } from '../support/eventually.ts';
import { useBrowser } from './support/browserSuite.ts';
import type { Entry } from '../../src/shared/transcript.ts';
import type { PanelPage, PanelPageOptions, PanelSize } from './support/panelPage.ts';
import { themes } from './support/pageServer.ts';
import {
  answer,
  appEntries,
  askedForm,
  asking,
  codeEdit,
  commandEntries,
  dangerousCommand,
  askingForeign,
  changedEntries,
  failure,
  flowSteps,
  formFields,
  groundedEntries,
  quotingEntries,
  sourceStates,
  longCommand,
  look,
  mentionOptions,
  models,
  otherOptions,
  panelState,
  richChips,
  richEntries,
  toolEntries,
  twoRelays,
  undecidedCall,
  user,
  vendorFailure,
  withApp,
  panelNotices,
} from './support/states.ts';

const waiting = { type: 'assistant' as const, id: '2', model: 'Harbour guide', text: '', reasoning: '' };

const harbour =
  'iVBORw0KGgoAAAANSUhEUgAAABgAAAAQCAIAAACDRijCAAAAR0lEQVR42mOImnaHKohh1KBRg6hhkEjWZCLRsxMByAhNlkEkbxpVEINI0UyqIAaRsjlUQQwiVfOpghhE6hZRBTGINC2lCgIACBJJ0P3E6rAAAAAASUVORK5CYII=';

const codeBlocks = `Change \`src/cart.js\` as [the price](src/money.js) needs; press <kbd>Ctrl</kbd>+<kbd>S</kbd>, H<sub>2</sub>O<br>and x<sup>2</sup>:

\`\`\`ts title="src/cart.js"
export function total(items: readonly Item[], rate: number, currency: string): number {
  return items.reduce((sum, { price }) => sum + price * rate, 0);
}
\`\`\`

- Then run
  \`\`\`bash
  npm test
  \`\`\`
`;

const tableAndFold = `<details>
<summary>Why <b>this</b> is better</summary>

A fold with a list:

- one
- two

</details>

| File | What changes there | Why it has to change | Risk |
|--|--|--|--:|
| \`src/cart.js\` | The total is computed from prices that are already converted | Rounding happened twice | 1 |
| \`src/money.js\` | Conversion rounds once, at the end, to the currency's own unit | Yen has no cents | 12 |
`;

const colourRules = ['color-contrast', 'link-in-text-block'];

const sizes: Record<string, PanelSize> = {
  'as narrow as it gets': { width: 225, height: 600 },
  narrow: { width: 300, height: 600 },
  wide: { width: 800, height: 900 },
  '200 % zoom': { width: 400, height: 700, zoom: 2 },
};

const scenes: Record<string, (panel: PanelPage) => Promise<void>> = {
  welcome: (panel) => panel.show({ connection: { state: 'none' } }),
  empty: (panel) =>
    panel.show({
      connection: { state: 'connected', address: 'https://relay.example.com/v1', fromEnvironment: true },
    }),
  'empty, with something to begin with': async (panel) => {
    await panel.show({ starters: ['explainProject', 'reviewChanges', 'askKnowledge'] });
    await panel.button('Ask a Knowledge Base…').waitFor();
  },
  conversation: async (panel) => {
    await panel.show({ entries: richEntries.slice(0, 2) });
    await panel.page.locator('.hljs-keyword').first().waitFor();
    await panel.page.locator('.math.drawn mfrac').waitFor();
  },
  answering: async (panel) => {
    const entries = [
      user('1', 'What is a monad?'),
      answer('2', 'A monad is a *pattern* for', { reasoning: 'Hm.', end: null }),
    ];
    await panel.show({ entries, status: { type: 'answering' }, draft: 'And in Haskell?' });
  },
  waiting: async (panel) => {
    const status = { type: 'waiting' as const, sinceMs: Date.now() - 12_000 };
    await panel.show({ entries: [user('1', 'What is a monad?'), answer('2', '', { end: null })], status });
  },
  retrying: (panel) => {
    const why = 'Rate limit reached for gpt-4.1: Limit 3, Used 3, Requested 1. Please try again in 8s.';
    const status = { type: 'retrying' as const, untilMs: Date.now() + 8000, why };
    return panel.show({ entries: [user('1', 'What is a monad?'), answer('2', '', { end: null })], status });
  },
  failure: async (panel) => {
    await panel.show({ entries: [user('1', 'Go on'), answer('2', '', { end: { failure } })] });
    await panel.page.getByText('Details', { exact: true }).click();
    await panel.page.getByText('Request ID: 94cd0955').waitFor();
  },
  'failure, vendor': (panel) =>
    panel.show({ entries: [user('1', 'Go on'), answer('2', '', { end: { failure: vendorFailure } })] }),
  'stopped while waiting': (panel) => {
    const end = { note: 'You stopped this answer.', failure };
    return panel.show({ entries: [user('1', 'Go on'), answer('2', '', { end })] });
  },
  'versions and a queue': async (panel) => {
    const total = { promptTokens: 18_036, completionTokens: 880, cachedTokens: 12_800 };
    const requests = [{ promptTokens: 5020, completionTokens: 120, isSummary: true }, total];
    const end = { note: 'You stopped this answer.', canContinue: true, usage: { total, requests } };
    await panel.show({
      entries: [
        Object.assign(user('1', 'Where is the harbour?'), { version: { number: 2, count: 2 } }),
        Object.assign(answer('2', 'It is **at the coast**, and', { end }), {
          version: { number: 1, count: 3 },
        }),
      ],
      branchTarget: { id: '2' },
      queue: [
        { id: 'q1', text: 'And then write the tests for the lock, with every edge case', attachments: 2 },
        { id: 'q2', text: '', attachments: 1 },
      ],
    });
    await panel.page.locator('.usage').click();
    await panel.page.getByText('2. Request').waitFor();
    await panel.page.getByText('The queue is paused.').waitFor();
    await panel.page.getByText('1 of 3').waitFor();
    await panel.page.getByText('Your message starts a branch.').waitFor();
  },
  'editing a message': async (panel) => {
    const entries = [user('1', 'When is high water?'), answer('2', 'At noon.'), user('3', 'And low water?')];
    await panel.show({ entries: [...entries, answer('4', 'At six.')], draft: 'And tomorrow?' });
    const edit = { id: '3', index: 2, text: 'And low water?\nAt the lock, too', attachments: richChips };
    await panel.say({ type: 'editChanged', edit, isNew: true });
    const field = panel.page.getByRole('textbox', { name: 'Edit Message' });
    await field.and(panel.page.locator(':focus')).waitFor();
  },
  'editing a message, mentions': async (panel) => {
    await panel.show({ entries: [user('1', 'And low water?'), answer('2', 'At six.')] });
    await panel.say({
      type: 'editChanged',
      edit: { id: '1', index: 0, text: '', attachments: [] },
      isNew: true,
    });
    await panel.page.getByRole('textbox', { name: 'Edit Message' }).pressSequentially('compare with @');
    const { requestId } = await panel.posted('findMentions');
    await panel.say({ type: 'mentionsFound', requestId, options: mentionOptions, isComplete: true });
    await panel.page.getByRole('listbox', { name: 'Mentions' }).waitFor();
  },
  'code blocks and paths': async (panel) => {
    await panel.serve(async (message) =>
      message.type === 'findPaths' ? [{ type: 'pathsFound', found: message.paths, missing: [] }] : [],
    );
    await panel.show({ entries: [user('1', 'Mend it'), answer('2', codeBlocks)] });
    await panel.button('the price').waitFor();
    await panel
      .button('Wrap Lines')
      .first()
      .evaluate((button: HTMLElement) => button.click());
    await panel.frame();
  },
  'a table and a fold': async (panel) => {
    await panel.serve(async (message) =>
      message.type === 'findPaths' ? [{ type: 'pathsFound', found: message.paths, missing: [] }] : [],
    );
    await panel.show({ entries: [user('1', 'Mend it'), answer('2', tableAndFold)] });
    await panel.page.locator('summary').click();
    await panel.page.getByText('A fold').waitFor();
  },
  thoughts: async (panel) => {
    await panel.show({ entries: richEntries.slice(0, 2) });
    await panel.page.getByText('Thought', { exact: true }).click();
    await panel.page.locator('.reasoning[open] .markdown').waitFor();
  },
  'a long command': async (panel) => {
    await panel.show({ entries: [user('1', 'Test it'), asking(longCommand)], status: { type: 'asking' } });
    await panel.button('Show All').waitFor();
  },
  'a long command, unfolded': async (panel) => {
    const entry = asking({ ...longCommand, isUnfolded: true });
    await panel.show({ entries: [user('1', 'Test it'), entry], status: { type: 'asking' } });
    await panel.button('Allow').waitFor();
  },
  tools: async (panel) => {
    await panel.show({ entries: toolEntries, status: { type: 'runningTools' } });
    await panel.page.getByText('Searched for "TODO"').click();
    await panel.page.getByRole('group', { name: 'Result' }).waitFor();
    await panel.page.getByRole('group', { name: 'Proposed edit' }).waitFor();
  },
  'a dangerous command': async (panel) => {
    const entries = [user('1', 'Install it'), asking(dangerousCommand)];
    await panel.show({ entries, status: { type: 'asking' } });
    await panel.button('Allow').waitFor();
  },
  commands: async (panel) => {
    await panel.show({ entries: commandEntries(Date.now()), status: { type: 'runningTools' } });
    await panel.page.getByText('[120/240]').waitFor();
    await panel.page.getByText('Ran npm run lint').click();
    await panel.page.getByRole('group', { name: 'Output', exact: true }).waitFor();
  },
  'an edit of code': async (panel) => {
    await panel.show({ entries: [user('1', 'Mend it'), codeEdit], status: { type: 'asking' } });
    await panel.page.locator('.diff-text .hljs-keyword').first().waitFor();
  },
  'tools, changed files': async (panel) => {
    await panel.show({ entries: changedEntries });
    await panel.page.getByRole('button', { name: 'Show changes of README.md' }).click();
    const hunk = { key: 'k1', line: 12, more: 0, isEdited: false };
    await panel.say({
      ...{ type: 'hunksLoaded', id: 'e1', path: 'README.md', more: 0 },
      hunks: [
        {
          ...hunk,
          lines: [
            { kind: 'removed', text: 'High water is twice a day.' },
            { kind: 'added', text: 'High water is twice a day, about 12 hours and 25 minutes apart.' },
          ],
        },
        { ...hunk, key: 'k2', line: 1_040, isEdited: true, lines: [{ kind: 'added', text: '## Heights' }] },
      ],
    });
    await panel.page.getByText('## Heights').waitFor();
    await panel.page.getByText('2 files changed').waitFor();
    await panel.page.getByText('Read 3 files, searched once').click();
  },
  'tools, foreign': async (panel) => {
    await panel.show({
      entries: [user('1', 'When is high water?'), askingForeign],
      status: { type: 'asking' },
    });
    await panel.button('Deny').click();
    await panel.page.getByRole('textbox', { name: 'Reason for denying' }).waitFor();
  },
  'tools, undecided': async (panel) => {
    await panel.show({ entries: [user('1', 'Create it.'), undecidedCall] });
    await panel.button('Continue').waitFor();
  },
  'opening, not connected yet': async (panel) => {
    await panel.show({ isOpening: true, connection: { state: 'none' } });
    await panel.page.getByText('Loading conversation…').waitFor();
  },
  'drawn and folded': async (panel) => {
    const result = 'A line of the output.\n'.repeat(30);
    const end = { durationMs: 40, result, locations: [], withheld: [] };
    const text = [
      `\`\`\`ts\n${'const tide = 1;\n'.repeat(50)}\`\`\``,
      '| Harbour | Height |\n|---|--:|\n| Dione | $h_1$ |',
      '```mermaid\nflowchart LR\n  A[High water] --> B[Low water] --> C[High water again]\n```',
      '\u0627\u0644\u0645\u062f \u0648\u0627\u0644\u062c\u0632\u0631:\n\n1. \u0627\u0644\u0645\u062f\n2. \u0627\u0644\u062c\u0632\u0631',
    ].join('\n\n');
    await panel.show({
      entries: [
        user('1', '\u0645\u0631\u062d\u0628\u0627, draw it.'),
        look('t', 'read_file', 'Read tides.log', { end }),
        answer('2', text),
      ],
    });
    await panel.page.getByText('Read tides.log').click();
    await panel.button('Show All 30 Lines').waitFor();
    await panel.button('Show All 50 Lines').waitFor();
    await panel.page.locator('.math.drawn').waitFor();
    await panel.page.getByRole('img', { name: /^Diagram/ }).waitFor();
    await panel.page.keyboard.press('Control+f');
    await panel.page.getByRole('textbox', { name: 'Find in conversation' }).waitFor();
  },
  grounded: async (panel) => {
    const chosen = [
      { id: 'd1', name: 'Harbour' },
      { id: 'd2', name: 'Almanac of tides and currents' },
    ];
    await panel.show({ entries: groundedEntries, knowledge: { isConnected: true, chosen } });
    await panel.button('Segment of source 1').click();
    await panel.page.getByText('Searched knowledge bases').click();
  },
  'sources, checked': async (panel) => {
    await panel.show({
      entries: [
        ...groundedEntries.slice(0, -1),
        ...quotingEntries.slice(1).map((entry) => ({ ...entry, id: 'quoting' })),
      ],
    });
    await panel.posted('showSources');
    await panel.say({ type: 'sourcesChecked', id: '2', states: sourceStates });
    const changed = { type: 'changed' as const };
    const states = [{ n: 1, state: changed }, ...sourceStates.slice(1, 2)];
    await panel.say({ type: 'sourcesChecked', id: 'quoting', states });
    await panel.page.getByText('File is gone').waitFor();
    await panel.page.getByText('Changed since it was indexed').waitFor();
    await panel.button('Source 1: the quoted words are not in it').waitFor();
  },
  'app, greeting': async (panel) => {
    await panel.show({ connection: { state: 'none' }, ...withApp() });
    await panel.page.getByRole('group', { name: 'Suggested questions' }).waitFor();
  },
  'app, form': async (panel) => {
    await panel.show(withApp({ fields: formFields }));
    await panel.page.getByRole('form', { name: 'Inputs' }).waitFor();
  },
  'app, form of a command': async (panel) => {
    await panel.show({ entries: [user('1', 'First'), answer('2', 'One')] });
    const text = 'Moor the **Dione** at the quay?\n\n| Berth | Depth |\n| --- | --- |\n| 4 | 2.1 m |';
    await panel.say({ type: 'formChanged', form: { ...askedForm, text, fields: formFields } });
    await panel.page.getByRole('dialog').getByText('Choose a File…').waitFor();
  },
  'app, answer': async (panel) => {
    await panel.show({ entries: appEntries, ...withApp({ isStarted: true }) });
    await panel.page.getByText('5 steps').click();
    await panel.page.getByText('Ask the tide gauge').waitFor({ state: 'attached' });
    await panel.button('Good answer').waitFor();
  },
  'app, not started': async (panel) => {
    const status = { type: 'stalled' as const, state: 'notStarted' as const, sinceMs: Date.now() - 16_000 };
    const entries = [user('1', 'When does the lock open?'), waiting];
    await panel.show({ ...withApp({ isStarted: true }), entries, status });
    await panel.page.getByText('Not started yet').waitFor();
  },
  'app, running': async (panel) => {
    const steps = flowSteps.slice(0, 2).map((step) => ({ ...step, state: 'running' as const }));
    const entry: Entry = { ...waiting, steps };
    const status = { type: 'runningStep' as const, title: 'Ask the tide gauge' };
    await panel.show({ entries: [user('1', 'When?'), entry], status, ...withApp({ isStarted: true }) });
    await panel.page.getByRole('group', { name: 'Run' }).waitFor();
  },
  attachments: async (panel) => {
    const sent = {
      type: 'user' as const,
      id: '1',
      text: 'What is this about?',
      attachments: richChips.slice(0, 3),
    };
    await panel.show({ entries: [sent, answer('2', 'Tides.')], attachments: richChips, draft: 'And this?' });
  },
  mentions: async (panel) => {
    await panel.show({ entries: richEntries });
    await panel.findMentions('compare with @');
    await panel.page.keyboard.press('ArrowDown');
    await panel.page.locator('#mentions [role=option]:nth-child(2)[aria-selected=true]').waitFor();
  },
  'long message': async (panel) => {
    const image = { id: '1.0', kind: 'image' as const, label: 'harbour.png', size: '412 KB', notes: [] };
    const text = Array.from({ length: 30 }, (_, n) => `${n + 1}. The water stood at ${n} m.`).join('\n');
    const row = (cell: string) => `| ${Array.from({ length: 9 }, () => cell).join(' | ')} |`;
    const said = [
      'The loop in `src/tides.ts:12:5` is off by one; docs/heights.md:3 says why.',
      'With \\(h_{max} = a_1 * b_2\\):',
      '$$\nh(t) = \\sum_{i} a_i \\cos(\\omega_i t)\n$$',
      [row('Harbour'), row('---'), row('3.25 m')].join('\n'),
    ].join('\n\n');
    const notice = {
      type: 'notice' as const,
      id: '3',
      text: 'The model called tools 25 times in a row.',
      remedy: { type: 'continue' as const, label: 'Continue' },
    };
    await panel.show({
      entries: [{ type: 'user', id: '1', text, attachments: [image] }, answer('2', said), notice],
    });
    await panel.page.locator('.thumbnail').scrollIntoViewIfNeeded();
    await panel.posted('loadPicture');
    await panel.say(
      { type: 'pictureLoaded', picture: { id: '1.0', base64: harbour } },
      { type: 'noticesChanged', notices: panelNotices },
    );
    await panel.page.locator('.thumbnail canvas:not([hidden])').waitFor();
    await panel.button('Show More').waitFor();
    await panel.button('Next Notice').waitFor();
  },
  'mentions, cut': async (panel) => {
    await panel.show({ entries: richEntries });
    const requestId = await panel.typeMention('compare with @');
    const note = 'Only the first 20,000 files are listed. For another one, type its full path.';
    await panel.say({ type: 'mentionsFound', requestId, options: mentionOptions, isComplete: true, note });
    await panel.page.getByText(note).waitFor();
  },
  picker: async (panel) => {
    await panel.show({ entries: richEntries });
    await panel.button(/^Model: /).click();
    await panel.page.getByRole('searchbox', { name: 'Filter models' }).press('ArrowDown');
    await panel.page.locator('.option.active').getByText('Claude Haiku 5').first().waitFor();
  },
  'restricted mode': async (panel) => {
    await panel.show({ tools: { on: 2, total: 2, isRestricted: true } });
    await panel.button('Trust…').waitFor();
  },
  'picker, two relays': async (panel) => {
    await panel.show({ models: twoRelays() });
    await panel.say({ type: 'contextUseChanged', use: { tokens: 128_400, isCounted: true } });
    await panel.button(/^Model: /).click();
    await panel.page.getByRole('group', { name: 'Second · Favorites' }).waitFor();
  },
  'picker, not for chat': async (panel) => {
    await panel.show({ models: models({ options: [...models().options, ...otherOptions] }) });
    await panel.button(/^Model: /).click();
    await panel.button('Not for chat').focus();
    await panel.page.keyboard.press('Enter');
    await panel.page.getByRole('group', { name: 'Not for chat' }).waitFor();
  },
  'picker, folded': async (panel) => {
    await panel.show({ models: models({ options: [...models().options, ...otherOptions] }) });
    await panel.button(/^Model: /).click();
    await panel.page.getByRole('searchbox', { name: 'Filter models' }).press('End');
    await panel.page.locator('.option.active').getByText('my-finetune').first().waitFor();
  },
  'picker, nothing listed': async (panel) => {
    await panel.show({ models: models({ options: [], favourites: [] }) });
    await panel.button(/^Model: /).click();
    await panel.page.getByRole('searchbox', { name: 'Filter models' }).pressSequentially('my-model');
    await panel.page.getByRole('option', { name: 'Use "my-model"' }).waitFor();
  },
  'picker, failed': async (panel) => {
    await panel.show({ models: models({ state: 'failed', options: [], failure }) });
    await panel.button(/^Model: /).click();
    await panel.page.getByRole('alert').waitFor();
  },
};

describe('the look of the page', () => {
  const suite = useBrowser();

  async function open(name: string, options?: PanelPageOptions): Promise<PanelPage> {
    const panel = await suite.open(options);
    await scenes[name]?.(panel);
    await panel.frame();
    return panel;
  }

  const picture = ({ page }: PanelPage, name: string) =>
    screenshot(page, `page/${name.replace(/[^\w-]+/g, '-')}`);

  /** Texts that are shortened and shown in full elsewhere: tooltip, label, file. */
  const shortened =
    '.middle-truncated *, .code-language, .group-name > :first-child, .queue-text, .chip-label, .mention-label, .mention-detail, .code-place';

  async function assertFits({ page }: PanelPage, how: string): Promise<void> {
    const cut = await page.evaluate(
      (exceptions) =>
        [...document.querySelectorAll('#root *')]
          .filter((element) => {
            const { overflowX, textOverflow, webkitLineClamp } = getComputedStyle(element);
            const isCutting =
              overflowX === 'hidden' && (textOverflow === 'ellipsis' || webkitLineClamp !== 'none');
            const { scrollWidth, clientWidth, scrollHeight, clientHeight } = element;
            return isCutting && (scrollWidth > clientWidth || scrollHeight > clientHeight + 1);
          })
          .filter((element) => !element.matches(exceptions))
          .map((element) => `${element.className}: ${element.textContent}`),
      shortened,
    );
    assert.deepEqual(cut, [], `${how}: text is cut`);
    const overflow = await page.evaluate(() =>
      [
        document.documentElement,
        ...document.querySelectorAll('.scroller, .popup, .status-line, .failure'),
      ].map((element) => element.scrollWidth - element.clientWidth),
    );
    assert.ok(Math.max(...overflow) <= 0, `${how}: it scrolls sideways by ${overflow.join()} px`);
    for (const inView of await page.locator('.popup:not(.scroller *), .composer').all()) {
      await eventually(async () => {
        const box = await inView.boundingBox();
        const height = await page.evaluate(() => window.innerHeight);
        assert.ok(
          box && box.y >= 0 && box.y + box.height <= height + 1,
          `${how}: ${JSON.stringify(box)} of ${height} px`,
        );
      });
    }
  }

  /** Asserts that buttons visible without hovering cover nothing. */
  async function assertUncovered({ page }: PanelPage, how: string): Promise<void> {
    const covered = await page.evaluate(() =>
      [...document.querySelectorAll('.table-buttons')]
        .filter((buttons) => getComputedStyle(buttons).opacity !== '0')
        .flatMap((buttons) => {
          const { left, right, top, bottom } = buttons.getBoundingClientRect();
          return [...(buttons.parentElement?.querySelectorAll('th') ?? [])].filter((cell) => {
            const box = cell.getBoundingClientRect();
            return box.left < right && box.right > left && box.top < bottom && box.bottom > top;
          });
        })
        .map(({ textContent }) => textContent),
    );
    assert.deepEqual(covered, [], `${how}: buttons cover the head of a table`);
  }

  for (const name of Object.keys(scenes)) {
    it(`is accessible in every theme, and fits whatever the panel's size: ${name}`, async () => {
      const panel = await open(name);
      for (const theme of themes) {
        await panel.changeTheme(theme);
        await picture(panel, `${name}-${theme}`);
        const rules = theme === themes[0] ? undefined : colourRules;
        assert.deepEqual(await axeViolations(panel.page.locator('html'), rules), [], theme);
        await assertUncovered(panel, theme);
      }
      for (const [size, how] of Object.entries(sizes)) {
        await panel.resize(how);
        await picture(panel, `${name}-${size}`);
        await assertFits(panel, size);
      }
      await panel.resize({});
      await panel.page.evaluate(() => (document.documentElement.dir = 'rtl'));
      await picture(panel, `${name}-right-to-left`);
      await assertFits(panel, 'right to left');
      const turned = await panel.page.evaluate(() =>
        [...document.querySelectorAll('pre, code, .diff-lines, .change-count, .middle-truncated')]
          .filter((element) => getComputedStyle(element).direction === 'rtl')
          .map(({ className }) => className),
      );
      assert.deepEqual(turned, []);
      await panel.page.evaluate(() => (document.documentElement.dir = 'ltr'));
      await panel.page.emulateMedia({ forcedColors: 'active' });
      await picture(panel, `${name}-forced-colours`);
      await assertFits(panel, 'forced colours');
      await assertUncovered(panel, 'forced colours');
    });
  }

  it('has secondary buttons as the editor draws them', async () => {
    const panel = await open('long message');
    for (const theme of themes) {
      await panel.changeTheme(theme);
      const seen = await panel.button('Continue').evaluate((button) => {
        const resolved = (name: string, fallback: string) => {
          const probe = document.body.appendChild(document.createElement('i'));
          probe.style.setProperty('color', `var(--vscode-${name}, ${fallback})`);
          const { color } = getComputedStyle(probe);
          probe.remove();
          return color;
        };
        const { backgroundColor, color, borderTopColor, borderTopWidth } = getComputedStyle(button);
        const isContrast = document.body.className.includes('high-contrast');
        return {
          is: [backgroundColor, color, borderTopColor, borderTopWidth],
          wanted: [
            resolved('button-secondaryBackground', 'transparent'),
            resolved('button-secondaryForeground', 'black'),
            resolved(isContrast ? 'contrastBorder' : 'button-border', 'transparent'),
            '1px',
          ],
        };
      });
      assert.deepEqual(seen.is, seen.wanted, theme);
      assert.notEqual(seen.is[2], 'rgba(0, 0, 0, 0)', theme);
    }
  });

  it('has placeholders that can be read, and are not taken for what is typed', async () => {
    const panel = await open('empty');
    for (const theme of themes) {
      await panel.changeTheme(theme);
      const contrasts = await panel.page.getByRole('textbox', { name: 'Message' }).evaluate((box) => {
        const canvas = document.createElement('canvas').getContext('2d')!;
        const luminance = (colour: string) => {
          canvas.fillStyle = colour;
          canvas.fillRect(0, 0, 1, 1);
          const [r = 0, g = 0, b = 0] = [...canvas.getImageData(0, 0, 1, 1).data].map((part) =>
            part <= 10 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4,
          );
          return 0.2126 * r + 0.7152 * g + 0.0722 * b;
        };
        const contrast = (a: string, b: string) => {
          const [dark = 0, light = 0] = [luminance(a), luminance(b)].toSorted((x, y) => x - y);
          return (light + 0.05) / (dark + 0.05);
        };
        const { color } = getComputedStyle(box, '::placeholder');
        const { backgroundColor } = getComputedStyle(box.closest('.composer-box')!);
        return {
          toBack: contrast(color, backgroundColor),
          toText: contrast(color, getComputedStyle(box).color),
        };
      });
      assert.ok(contrasts.toBack >= 4.5, `${theme}: ${contrasts.toBack} to what is behind it`);
      assert.ok(contrasts.toText >= 1.4, `${theme}: ${contrasts.toText} to what is typed`);
    }
  });

  it('speaks the language of the bundle', async () => {
    const panel = await suite.open({
      bundle: { Message: 'Nachricht', Send: 'Senden', 'Model: {0}': 'Modell: {0}' },
    });
    await panel.say({ type: 'stateReplaced', state: panelState() });
    await panel.page.getByRole('textbox', { name: 'Nachricht' }).waitFor();
    await panel.button('Senden').waitFor();
    await panel.button('Modell: Claude Sonnet 5').waitFor();
  });
});
