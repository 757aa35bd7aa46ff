import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { startPlatform, type PlatformServer } from '../servers/sandbox.ts';
import { eventually } from '../support/eventually.ts';
import { withPerson } from './person.ts';

interface Ended {
  passed: string[];
  failed: Record<string, readonly vscode.TestMessage[]>;
  errored: Record<string, string>;
  output: string;
}

const textOf = (message: vscode.TestMessage | undefined): string =>
  typeof message?.message === 'string' ? message.message : '';

interface Watched {
  controller?: vscode.TestController;
  /** Number of runs that have begun. */
  begun: number;
  ended: Ended[];
  restore(): void;
}

/** Keeps the controller that is made, and what its runs tell the editor. */
function watchRuns(): Watched {
  const { tests } = vscode;
  const { createTestController } = tests;
  const watched: Watched = {
    begun: 0,
    ended: [],
    restore: () => (tests.createTestController = createTestController),
  };
  tests.createTestController = (...parts) => {
    const controller = createTestController(...parts);
    const { createTestRun } = controller;
    watched.controller = controller;
    controller.createTestRun = (...asked) => {
      const run = createTestRun.apply(controller, asked);
      watched.begun++;
      const now: Ended = { passed: [], failed: {}, errored: {}, output: '' };
      const { passed, failed, errored, appendOutput, end } = run;
      const listOf = (messages: vscode.TestMessage | readonly vscode.TestMessage[]) =>
        'message' in messages ? [messages] : messages;
      return Object.assign(run, {
        passed(item: vscode.TestItem, ms?: number) {
          now.passed.push(item.label);
          passed.call(run, item, ms);
        },
        failed(item: vscode.TestItem, messages: vscode.TestMessage, ms?: number) {
          now.failed[item.label] = listOf(messages);
          failed.call(run, item, messages, ms);
        },
        errored(item: vscode.TestItem, messages: vscode.TestMessage, ms?: number) {
          now.errored[item.label] = textOf(listOf(messages)[0]);
          errored.call(run, item, messages, ms);
        },
        appendOutput(text: string) {
          now.output += text;
          appendOutput.call(run, text);
        },
        end() {
          watched.ended.push(now);
          end.call(run);
        },
      });
    };
    return controller;
  };
  return watched;
}

describe('knowledge tests, in the editor', function () {
  this.timeout(60_000);
  let platform: PlatformServer;
  let watched: Watched;
  const [folder] = vscode.workspace.workspaceFolders ?? [];
  assert.ok(folder);
  const uriOf = (path: string) => vscode.Uri.joinPath(folder.uri, path);
  const write = (path: string, text: string) => vscode.workspace.fs.writeFile(uriOf(path), Buffer.from(text));
  const run = (command: string, ...args: unknown[]) =>
    vscode.commands.executeCommand(`switchboard.${command}`, ...args);
  const file = uriOf('checks/harbour.knowledge-test.yaml');
  const lines = [
    'knowledge: Harbour',
    'questions:',
    '  - question: How many knots in the basin?',
    '    find: { file: checks/rules.md, lines: 5 }',
    '  - question: Where do pilots board?',
    '    find:',
    '      - file: checks/rules.md',
    '        words: knots',
  ];
  const question = (label: string) => {
    const item = watched.controller?.items.get(file.toString());
    const found = item && [...item.children].map(([, child]) => child).find((child) => child.label === label);
    assert.ok(found, `no question "${label}"`);
    return found;
  };
  /** Runs by a command of the editor, as the Test Explorer does. */
  async function testing(command: string): Promise<Ended> {
    const before = watched.ended.length;
    const begun = watched.begun;
    // The window learns of new tests a moment after the controller has them, and runs none before.
    while (watched.begun === begun) await vscode.commands.executeCommand(`testing.${command}`);
    return eventually(() => {
      const ended = watched.ended[before];
      assert.ok(ended, 'no run has ended');
      return ended;
    });
  }

  before(async () => {
    platform = await startPlatform({
      indexing: 'instant',
      seed: [
        {
          dataset: 'Harbour',
          documents: [{ name: 'elsewhere\u2215old.md', text: 'Pilots board at the outer buoy.' }],
        },
      ],
    });
    watched = watchRuns();
    await vscode.extensions.getExtension('switchboard.switchboard')?.activate();
    await write('checks/rules.md', '# Rules\n\nBoats wait outside the wall.\n\nThree knots in the basin.\n');
    await write('checks/harbour.knowledge-test.yaml', `${lines.join('\n')}\n`);
  });
  after(async () => {
    watched.restore();
    await withPerson({}, () => run('removeKeys'));
    const configuration = vscode.workspace.getConfiguration('switchboard');
    await configuration.update('platform.baseUrl', undefined, vscode.ConfigurationTarget.Global);
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await vscode.workspace.fs.delete(uriOf('checks'), { recursive: true });
    await eventually(() => assert.equal(watched.controller?.items.size, 0));
    await platform.stop();
  });

  it('stand in the Test Explorer with the lines of their questions, and send nothing by themselves', async () => {
    await eventually(() => {
      assert.equal(question('How many knots in the basin?').range?.start.line, 2);
      assert.equal(question('Where do pilots board?').range?.start.line, 4);
    });
    assert.equal(platform.requests.length, 0);
  });

  it('fail in clear words while no platform is connected', async () => {
    const { errored, passed } = await testing('runAll');
    assert.deepEqual(passed, []);
    assert.match(errored['Where do pilots board?'] ?? '', /^No platform is connected\. Run/);
  });

  it('pass and fail by what the search of the knowledge base finds', async () => {
    await withPerson({ types: [platform.url, platform.datasetKey] }, () => run('connectPlatform'));
    await withPerson(
      { lists: [(list) => list.accept('Harbour'), (list) => list.accept('Upload 1 document')] },
      () => run('addToKnowledgeBase', uriOf('checks/rules.md')),
    );
    assert.equal(platform.datasets[0]?.documents.length, 2);
    const { passed, failed, errored, output } = await testing('runAll');
    assert.deepEqual([passed, errored], [['How many knots in the basin?'], {}]);
    const [message, ...others] = failed['Where do pilots board?'] ?? [];
    assert.ok(message && others.length === 0);
    assert.match(textOf(message), /^Segment \d of checks\/rules\.md should match\. It isn't among/);
    assert.equal(message.expectedOutput, 'checks/rules.md "knots"');
    assert.match(message.actualOutput ?? '', /^1\. elsewhere\/old\.md, segment 1$/);
    assert.equal(message.location?.range.start.line, 6);
    assert.match(output, /✓ +1 {2}How many knots/);
    assert.match(output, /2 questions · 1 passed · 1 missed · hit@1 50 % · hit@3 50 % · MRR 0\.5\r\n/);
    const { parent } = question('Where do pilots board?');
    assert.deepEqual([parent?.label, parent?.description?.slice(-7)], ['checks/harbour', 'MRR 0.5']);
  });

  it('run one by one, and those that failed again', async () => {
    const { failed, passed } = await testing('reRunFailTests');
    assert.deepEqual([Object.keys(failed), passed], [['Where do pilots board?'], []]);
    const editor = await vscode.window.showTextDocument(file);
    editor.selection = new vscode.Selection(3, 4, 3, 4);
    const one = await testing('runAtCursor');
    assert.deepEqual([one.passed, one.failed], [['How many knots in the basin?'], {}]);
  });

  it('stop when they are cancelled', async () => {
    const gate = platform.hold({ on: 'retrieve' });
    const running = testing('runAll');
    await gate.waitFor(1);
    await vscode.commands.executeCommand('testing.cancelRun');
    const { passed, failed, errored } = await running;
    gate.open();
    assert.deepEqual([passed, failed, errored], [[], {}, {}]);
  });

  it('show the problems of the file while it is written, and say that a knowledge base is not there', async () => {
    const text = lines.join('\n').replace('Harbour', 'Gone').replace('words:', 'answer:');
    await write('checks/harbour.knowledge-test.yaml', text);
    await vscode.window.showTextDocument(file);
    await eventually(() => {
      const [problem, ...others] = vscode.languages.getDiagnostics(file);
      assert.match(problem?.message ?? '', /^Unknown field "answer"/);
      assert.deepEqual([problem?.range.start.line, others], [7, []]);
    });
    const { errored } = await testing('runAll');
    assert.match(errored['How many knots in the basin?'] ?? '', /has no knowledge base "Gone"/);
    await write('checks/harbour.knowledge-test.yaml', `${lines.join('\n')}\n`);
    await eventually(() => assert.deepEqual(vscode.languages.getDiagnostics(file), []));
  });

  it('offer the fields of the object at the cursor, and files', async () => {
    const at = async (line: number, character: number) => {
      const list = await vscode.commands.executeCommand<vscode.CompletionList>(
        'vscode.executeCompletionItemProvider',
        file,
        new vscode.Position(line, character),
      );
      return list.items.map(({ label }) => (typeof label === 'string' ? label : label.label));
    };
    await write('checks/harbour.knowledge-test.yaml', `${lines.join('\n')}\n        `);
    await eventually(async () => assert.ok((await at(8, 8)).includes('lines')));
    assert.ok((await at(6, 14)).includes('checks/rules.md'));
  });
});
