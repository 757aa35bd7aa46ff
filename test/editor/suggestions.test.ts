import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { goodModels } from '../servers/models/goodModels.ts';
import { refuse, type ScriptedModel, stall } from '../servers/script/script.ts';
import { type RelayServer, startRelay } from '../servers/sandbox.ts';
import { eventually, eventuallyEqual } from '../support/eventually.ts';
import { withPerson } from './person.ts';

const run = (command: string, ...args: unknown[]) =>
  vscode.commands.executeCommand(`switchboard.${command}`, ...args);
const edit = (command: string) => vscode.commands.executeCommand(`editor.action.inlineSuggest.${command}`);
const set = (name: string, value: unknown) =>
  vscode.workspace.getConfiguration('switchboard').update(name, value, vscode.ConfigurationTarget.Global);
const setting = (name: string) => vscode.workspace.getConfiguration('switchboard').get<unknown>(name);

const head = 'function areaOf(width, ';
const tail = ') {\n  return width * breadth;\n}\n';

describe('suggestions while typing', function () {
  this.timeout(90_000);
  let relay: RelayServer;
  let editor: vscode.TextEditor;
  let failing = false;
  let silent = false;
  let items: vscode.StatusBarItem[] = [];
  const scratch = vscode.Uri.joinPath(vscode.workspace.workspaceFolders![0]!.uri, 'suggest');
  const original = vscode.window.createStatusBarItem;

  before(async () => {
    const model = goodModels.find(({ id }) => id === 'scripted-completer')!;
    const complete: ScriptedModel['complete'] = (...given) =>
      failing
        ? [refuse({ status: 403, body: { error: { message: 'Not today.' } } })]
        : silent
          ? [stall]
          : model.complete!(...given);
    relay = await startRelay({ list: 'good', models: [{ ...model, complete }] });
    await withPerson({ types: [relay.url, relay.key] }, () => run('connectRelay'));
    const window = vscode.window as unknown as { createStatusBarItem: unknown };
    window.createStatusBarItem = (...args: Parameters<typeof original>) => {
      const item = original(...args);
      if (item.id === 'switchboard.suggestions') {
        items.push(item);
        const dispose = item.dispose.bind(item);
        item.dispose = () => {
          items = items.filter((each) => each !== item);
          dispose();
        };
      }
      return item;
    };
  });
  after(async () => {
    (vscode.window as unknown as { createStatusBarItem: unknown }).createStatusBarItem = original;
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await withPerson({}, () => run('removeKeys'));
    await set('relay.baseUrl', undefined);
    await vscode.workspace.fs.delete(scratch, { recursive: true });
    await relay.stop();
  });
  beforeEach(() => relay.clearRequests());
  afterEach(async () => {
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    failing = silent = false;
    await set('completions.model', undefined);
    await set('completions.languages', undefined);
    await eventuallyEqual(() => items, []);
  });

  async function turnOn(): Promise<void> {
    const script = { picks: ['scripted-completer'], answers: ['Turn On'] };
    await withPerson(script, () => run('chooseSuggestionModel'));
    await eventuallyEqual(label, ['Suggestions: on. Pause']);
    relay.clearRequests();
  }

  const asked = () =>
    relay.requests
      .filter(({ path }) => path === '/v1/completions')
      .map(({ json }) => json as { model: string; prompt: string; suffix: string });
  const label = () => items.map(({ accessibilityInformation: about }) => about?.label);

  let files = 0;
  /** Opens a new file with the caret between two texts. */
  async function open(start = head, end = tail, name = `area${++files}.ts`): Promise<void> {
    const uri = vscode.Uri.joinPath(scratch, name);
    await vscode.workspace.fs.writeFile(uri, Buffer.from(start + end));
    editor = await vscode.window.showTextDocument(uri);
    const caret = editor.document.positionAt(start.length);
    editor.selection = new vscode.Selection(caret, caret);
  }

  const type = (text: string) => vscode.commands.executeCommand('type', { text });
  const textNow = () => editor.document.getText();

  /** Takes the suggestion that is shown, as soon as there is one. */
  async function take(expected: string): Promise<void> {
    await eventually(async () => {
      await edit('commit');
      assert.equal(textNow(), expected);
    });
  }

  it('are off, and have no item, until a model has passed the test and the user agrees', async () => {
    assert.deepEqual(items, []);
    const choose = async (script: Parameters<typeof withPerson>[0]) => {
      let chosen: unknown;
      const questions = await withPerson(script, async () => (chosen = await run('chooseSuggestionModel')));
      return { chosen, questions };
    };
    const refused = await choose({ picks: ['scripted-echo'] });
    assert.equal(refused.chosen, undefined);
    assert.match(refused.questions.at(-1)!.text, /^scripted-echo is for chat only\./);
    const declined = await choose({ picks: ['scripted-completer'] });
    assert.equal(declined.chosen, undefined);
    assert.equal(setting('completions.model'), '');

    const { chosen, questions } = await choose({
      picks: ['scripted-echo', 'scripted-completer'],
      presses: ['Choose Another Model'],
      answers: ['Turn On'],
    });
    assert.equal(chosen, 'scripted-completer');
    const last = questions.at(-1)!;
    assert.equal(last.text, 'Turn on suggestions with scripted-completer?');
    assert.match(
      last.detail!,
      /^The test suggestion was right and took \d+ ms\. While you type, the code around the cursor is sent to \S+ \(characters before it: at most 4,000, after it: 1,000\)\. /,
    );
    assert.equal(setting('completions.model'), 'scripted-completer');
    await eventuallyEqual(label, ['Suggestions: on. Pause']);
  });

  it('come after a pause in typing, and are taken like any', async () => {
    await turnOn();
    await open('function areaOf(width,');
    const arrived = relay.waitForRequest(({ path }) => path === '/v1/completions');
    await type(' ');
    await arrived;
    assert.deepEqual(
      asked().map(({ prompt, suffix }) => [prompt, suffix]),
      [[head, tail]],
    );
    await take(`${head}breadth${tail}`);
  });

  it('are asked for with line ends as everywhere, and inserted with those of the file', async () => {
    await turnOn();
    const [start, end] = [`// one\r\n${head}`, tail.replaceAll('\n', '\r\n')];
    await open(start, end);
    await edit('trigger');
    await take(`${start}breadth${end}`);
    assert.deepEqual([asked()[0]!.prompt, asked()[0]!.suffix], [`// one\n${head}`, tail]);
  });

  it('send nothing of blocked files, and nothing while paused or off for the language', async () => {
    await turnOn();
    await open('TOKEN=', '\n', '.env');
    await edit('trigger');
    await open();
    assert.equal(await run('pauseSuggestions'), false);
    assert.deepEqual(label(), ['Suggestions: paused. Resume']);
    await edit('trigger');
    assert.equal(await run('pauseSuggestions'), true);
    const { languageId } = editor.document;
    assert.equal(await run('toggleSuggestionLanguage'), false);
    assert.deepEqual(setting('completions.languages'), {
      ...{ plaintext: false, markdown: false, scminput: false, [languageId]: false },
    });
    await eventuallyEqual(label, [`Suggestions: off for ${languageId}. Pause`]);
    await edit('trigger');
    assert.equal(await run('toggleSuggestionLanguage'), true);
    await eventuallyEqual(label, ['Suggestions: on. Pause']);

    // The editor asks once for each place.
    await open();
    const arrived = relay.waitForRequest(({ path }) => path === '/v1/completions');
    await edit('trigger');
    await arrived;
    assert.deepEqual(
      asked().map(({ prompt }) => prompt),
      [head],
    );
  });

  it('say in the status bar that they wait for the model, which a pause ends', async () => {
    await turnOn();
    silent = true;
    await open();
    const asking = edit('trigger');
    await eventuallyEqual(label, ['Suggestions: waiting for the model. Pause']);
    assert.equal(await run('pauseSuggestions'), false);
    assert.deepEqual(label(), ['Suggestions: paused. Resume']);
    await asking;
    await eventually(() => assert.ok(relay.requests.at(-1)?.closedEarly));
  });

  it('say a failure in the status bar alone, and try again with a click', async () => {
    await turnOn();
    failing = true;
    await open();
    await withPerson({}, async () => {
      await edit('trigger');
      await eventuallyEqual(label, ['Suggestions: failed. Try Again']);
      const { value, isTrusted } = items[0]!.tooltip as vscode.MarkdownString;
      // Words that are joined by non-breaking spaces would be cut at the end of a line.
      assert.match(value, /Server response: Not today\.\n\n\[Try Again\]\(command:/);
      const commands = ['pauseSuggestions', 'toggleSuggestionLanguage', 'chooseSuggestionModel'];
      assert.deepEqual(isTrusted, { enabledCommands: commands.map((name) => `switchboard.${name}`) });
      failing = false;
      assert.equal(await run('pauseSuggestions'), true);
    }).then((questions) => assert.deepEqual(questions, []));
    assert.deepEqual(label(), ['Suggestions: on. Pause']);
    await open();
    await edit('trigger');
    await take(`${head}breadth${tail}`);
  });

  it('stop at the daily budget, which they never ask about', async () => {
    await turnOn();
    await set('chat.dailyBudget', { tokens: 1 });
    try {
      await open();
      const questions = await withPerson({}, async () => {
        await edit('trigger');
        await eventuallyEqual(label, ['Suggestions: daily budget reached. Try Again']);
      });
      assert.deepEqual([questions, asked()], [[], []]);
    } finally {
      await set('chat.dailyBudget', undefined);
    }
    await eventuallyEqual(label, ['Suggestions: on. Pause']);
    await open();
    await edit('trigger');
    await take(`${head}breadth${tail}`);
  });

  it('ask nothing of a model that the settings name without a test, and are off without one', async () => {
    await set('completions.model', 'scripted-echo');
    await open();
    await edit('trigger');
    await eventuallyEqual(label, ['Suggestions: the model is not tested yet. Choose Model…']);
    assert.deepEqual(asked(), []);
    await set('completions.model', undefined);
    await eventuallyEqual(() => items.length, 0);
    await edit('trigger');
    assert.deepEqual(asked(), []);
  });
});
