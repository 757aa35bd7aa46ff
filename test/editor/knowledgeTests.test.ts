import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { type PlatformServer, type RelayServer, startPlatform, startRelay } from '../servers/sandbox.ts';
import type { EmbeddingModel } from '../servers/platform/platformOptions.ts';
import { text as say } from '../servers/script/script.ts';
import type { ComparisonResult } from '../../src/host/knowledgeTests/compareSearchSettings.ts';
import { eventually } from '../support/eventually.ts';
import { takePictures, withPerson } from './person.ts';

interface Ended {
  passed: string[];
  failed: Record<string, readonly vscode.TestMessage[]>;
  errored: Record<string, string>;
  skipped: string[];
  output: string;
  isOver: boolean;
}

const textOf = (message: vscode.TestMessage | undefined): string =>
  typeof message?.message === 'string' ? message.message : '';

interface Watched {
  controller?: vscode.TestController;
  /** In the order in which they began. */
  runs: Ended[];
  restore(): void;
}

/** Keeps the controller that is made, and what its runs tell the editor. */
function watchRuns(): Watched {
  const { tests } = vscode;
  const { createTestController } = tests;
  const watched: Watched = {
    runs: [],
    restore: () => (tests.createTestController = createTestController),
  };
  tests.createTestController = (...parts) => {
    const controller = createTestController(...parts);
    const { createTestRun } = controller;
    watched.controller = controller;
    controller.createTestRun = (...asked) => {
      const run = createTestRun.apply(controller, asked);
      const now: Ended = { passed: [], failed: {}, errored: {}, skipped: [], output: '', isOver: false };
      watched.runs.push(now);
      const { passed, failed, errored, skipped, appendOutput, end } = run;
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
        skipped(item: vscode.TestItem) {
          now.skipped.push(item.label);
          skipped.call(run, item);
        },
        appendOutput(text: string) {
          now.output += text;
          appendOutput.call(run, text);
        },
        end() {
          now.isOver = true;
          end.call(run);
        },
      });
    };
    return controller;
  };
  return watched;
}

let watched: Watched;

async function watchTests(): Promise<void> {
  watched ??= watchRuns();
  await vscode.extensions.getExtension('switchboard.switchboard')?.activate();
}
const [folder] = vscode.workspace.workspaceFolders ?? [];
assert.ok(folder);
const uriOf = (path: string) => vscode.Uri.joinPath(folder.uri, path);
const write = (path: string, text: string) => vscode.workspace.fs.writeFile(uriOf(path), Buffer.from(text));
const run = (command: string, ...args: unknown[]) =>
  vscode.commands.executeCommand(`switchboard.${command}`, ...args);

/** Runs by a command of the editor, as the Test Explorer does. */
async function testing(command: string): Promise<Ended> {
  const before = watched.runs.length;
  // The window learns of new tests a moment after the controller has them, and runs none before.
  await eventually(async () => {
    await vscode.commands.executeCommand(`testing.${command}`);
    assert.ok(watched.runs.length > before, 'no run has begun');
  });
  // Where the first was slow to begin there is a second, whose question nobody answers.
  await eventually(() =>
    assert.ok(
      watched.runs.slice(before).every(({ isOver }) => isOver),
      'a run has not ended',
    ),
  );
  return watched.runs[before]!;
}

/** Takes away the files, but not their folder: the editor's watcher may miss files in one that is just made. */
async function cleanUp(folderOfTests: string): Promise<void> {
  await withPerson({}, () => run('removeKeys'));
  const configuration = vscode.workspace.getConfiguration('switchboard');
  for (const name of ['platform.baseUrl', 'relay.baseUrl'])
    await configuration.update(name, undefined, vscode.ConfigurationTarget.Global);
  await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  for (const [name] of await vscode.workspace.fs.readDirectory(uriOf(folderOfTests)))
    await vscode.workspace.fs.delete(uriOf(`${folderOfTests}/${name}`));
  await eventually(() => assert.equal(watched.controller?.items.size, 0));
}

describe('knowledge tests, in the editor', function () {
  this.timeout(60_000);
  let platform: PlatformServer;
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
  const connectAndUpload = async () => {
    await withPerson({ types: [platform.url, platform.datasetKey] }, () => run('connectPlatform'));
    await withPerson(
      { lists: [(list) => list.accept('Harbour'), (list) => list.accept('Upload 1 document')] },
      () => run('addToKnowledgeBase', uriOf('checks/rules.md')),
    );
    assert.equal(platform.datasets[0]?.documents.length, 2);
  };
  before(watchTests);
  after(async () => {
    watched.restore();
    await vscode.workspace.fs.delete(uriOf('checks'), { recursive: true });
  });
  beforeEach(async () => {
    platform = await startPlatform({
      indexing: 'instant',
      seed: [
        {
          dataset: 'Harbour',
          documents: [{ name: 'elsewhere\u2215old.md', text: 'Pilots board at the outer buoy.' }],
        },
      ],
    });
    await write('checks/rules.md', '# Rules\n\nBoats wait outside the wall.\n\nThree knots in the basin.\n');
    await write('checks/harbour.knowledge-test.yaml', `${lines.join('\n')}\n`);
    await eventually(() => question('Where do pilots board?'));
  });
  afterEach(async () => {
    await cleanUp('checks');
    await platform.stop();
  });

  it('stand in the Test Explorer with the lines of their questions, and send nothing by themselves', async () => {
    assert.equal(question('How many knots in the basin?').range?.start.line, 2);
    assert.equal(question('Where do pilots board?').range?.start.line, 4);
    assert.equal(platform.requests.length, 0);
  });

  it('fail in clear words while no platform is connected', async () => {
    const { errored, passed } = await testing('runAll');
    assert.deepEqual(passed, []);
    assert.match(errored['Where do pilots board?'] ?? '', /^No platform is connected\. Run/);
  });

  it('pass and fail by what the search of the knowledge base finds', async () => {
    await connectAndUpload();
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
    await connectAndUpload();
    await testing('runAll');
    const { failed, passed } = await testing('reRunFailTests');
    assert.deepEqual([Object.keys(failed), passed], [['Where do pilots board?'], []]);
    const editor = await vscode.window.showTextDocument(file);
    editor.selection = new vscode.Selection(3, 4, 3, 4);
    const one = await testing('runAtCursor');
    assert.deepEqual([one.passed, one.failed], [['How many knots in the basin?'], {}]);
  });

  it('stop when they are cancelled', async () => {
    await connectAndUpload();
    const gate = platform.hold({ on: 'retrieve' });
    const running = testing('runAll');
    await gate.waitFor(1);
    await vscode.commands.executeCommand('testing.cancelRun');
    const { passed, failed, errored } = await running;
    gate.open();
    assert.deepEqual([passed, failed, errored], [[], {}, {}]);
  });

  it('show the problems of the file while it is written, and say that a knowledge base is not there', async () => {
    await connectAndUpload();
    const text = lines.join('\n').replace('Harbour', 'Gone').replace('words:', 'wanted:');
    await write('checks/harbour.knowledge-test.yaml', text);
    await vscode.window.showTextDocument(file);
    await eventually(() => {
      const [problem, ...others] = vscode.languages.getDiagnostics(file);
      assert.match(problem?.message ?? '', /^Unknown field "wanted"/);
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

const boats = [
  'ferry',
  'dredger',
  'tanker',
  'trawler',
  'pilot boat',
  'tug',
  'barge',
  'yacht',
  'lifeboat',
  'cutter',
];
const facts = ['berth', 'signal', 'fee'];
/** 30 documents; the questions of every third fact use none of their words. */
const documents = boats.flatMap((boat, index) =>
  facts.map((fact) => ({
    name: `${boat} ${fact}.md`,
    text: `The ${boat} has ${fact} number ${100 + index}.`,
  })),
);
const questions = boats.flatMap((boat) =>
  facts.map((fact) => ({
    question: fact === 'fee' ? `What does mooring cost for a ${boat}?` : `Which ${fact} has the ${boat}?`,
    // One is red under all settings.
    find: { file: `${boat} ${fact}.md`, words: boat === 'cutter' && fact === 'fee' ? 'toll' : fact },
  })),
);

describe('commands of knowledge tests, in the editor', function () {
  this.timeout(60_000);
  let platform: PlatformServer;
  let relay: RelayServer;
  const node = () => ({ type: 'base', dataset: { ...platform.datasets[0]!, tags: [], wordCount: 0 } });
  const file = uriOf('compared/all.knowledge-test.yaml');
  const searchedWith = async () => {
    const before = platform.requests.length;
    await withPerson({ types: ['ferry'] }, () => run('knowledge.search', node()));
    const [request] = platform.requests.slice(before).filter(({ path }) => path.endsWith('/retrieve'));
    assert.ok(request);
    return (request.json as { retrieval_model: Record<string, unknown> }).retrieval_model;
  };
  let gone: EmbeddingModel;
  const offered = /number=\\"(\d+)\\" document=\\"([^\\]+)\\">\\nThe [a-z ]+ has (berth number \d+)/;
  const writer = {
    ...{ id: 'question-writer', ownedBy: 'sandbox', describe: 'Writes questions.' },
    *answer({ messages }: { messages: readonly object[] }) {
      const [, number, , words] = offered.exec(JSON.stringify(messages)) ?? [];
      const segment = Number(number);
      const all = [
        { segment, question: 'Where is it moored?', words },
        { segment, question: 'What is invented?', words: 'berth number 999' },
        { segment: 99, question: 'Which segment?', words: 'berth' },
      ];
      yield say(`\`\`\`json\n${JSON.stringify(all)}\n\`\`\``);
    },
  };

  before(watchTests);
  after(() => vscode.workspace.fs.delete(uriOf('compared'), { recursive: true }));
  beforeEach(async () => {
    gone = { provider: 'sandbox/sandbox/sandbox', model: 'gone-reranker' };
    platform = await startPlatform({
      indexing: 'instant',
      rerankModels: [{ provider: 'sandbox/sandbox/sandbox', model: 'good-reranker' }, gone],
      seed: [{ dataset: 'Boats', technique: 'high_quality', documents }],
    });
    relay = await startRelay({ models: [writer] });
    await withPerson({ types: [platform.url, platform.datasetKey] }, () => run('connectPlatform'));
    await withPerson({ types: [relay.url, relay.key] }, () => run('connectRelay'));
    // While the panel is visible, it shows messages and progress itself.
    await vscode.commands.executeCommand('workbench.action.closeAuxiliaryBar');
    await write(
      'compared/all.knowledge-test.yaml',
      JSON.stringify({ knowledge: 'Boats', questions }, undefined, 2),
    );
  });
  afterEach(async () => {
    await cleanUp('compared');
    await Promise.all([platform.stop(), relay.stop()]);
  });

  const tableOf = () => {
    const table = vscode.window.activeTextEditor?.document;
    assert.equal(table?.uri.scheme, 'switchboard-report');
    return table;
  };
  const lensesOf = async () => {
    const { uri } = tableOf();
    const lenses = await vscode.commands.executeCommand<vscode.CodeLens[]>(
      'vscode.executeCodeLensProvider',
      uri,
    );
    return lenses.flatMap(({ command }) => command ?? []);
  };

  const compared = async () => {
    let title = '';
    let result: ComparisonResult | undefined;
    await withPerson(
      {
        lists: [
          async (list) => {
            await list.item('good-reranker');
            await list.accept('knowledge base', 'full-text search', '3 results', 'score at least 0.7');
            ({ title } = list);
          },
        ],
      },
      async () => void (result = (await run('compareSearchSettings', file)) as ComparisonResult),
    );
    return { title, ...(result ?? assert.fail('Nothing was compared.')) };
  };

  it('are created with a snippet for the first question, from a knowledge base of the tree', async () => {
    await withPerson({ types: ['compared/harbour.txt'] }, async () =>
      assert.equal(await run('newKnowledgeTest', node()), undefined),
    );
    const created = 'compared/first.knowledge-test.yaml';
    const asked = await withPerson({ types: [created] }, () => run('newKnowledgeTest', node()));
    assert.deepEqual(asked, [{ kind: 'input', text: 'New Knowledge Test' }]);
    const { document } = vscode.window.activeTextEditor!;
    assert.equal(document.uri.path, uriOf(created).path);
    assert.match(document.getText(), /^knowledge: Boats\nquestions:\n {2}- question: question\n {4}find:\n/);
    await document.save();
    const again = await withPerson({ types: [created] }, () => run('newKnowledgeTest', node()));
    assert.equal(again[0]?.judged, 'The file exists.');
  });

  it('compare a file of 30 questions under four settings, and say first how many searches', async () => {
    const before = platform.count('retrieve');
    const { title, best, rows } = await compared();
    // Full-text search needs no embedding.
    assert.equal(best, 'full-text search · no reranking');
    assert.deepEqual(
      rows.map(({ label, passed }) => [label, passed]),
      [
        ["the knowledge base's settings", 29],
        ['full-text search · no reranking', 29],
        ['3 results', 29],
        ['score at least 0.7', 21],
      ],
    );
    assert.equal(platform.count('retrieve') - before, 120);
    assert.equal(title, 'Compare Search Settings: 120 searches · up to 90 embedding requests');
    const text = tableOf().getText();
    assert.match(text, /^compared\/all\.knowledge-test\.yaml · Boats\n/);
    assert.match(text, /^ ● {2}the knowledge base's settings +67 % +97 % +0\.77 +29 +1 +\d+ ms +30 +30 +0$/m);
    assert.match(text, /^★ {3}full-text search · no reranking .* 30 +0 +0$/m);
    assert.match(text, /^score at least 0\.7: 9 failed questions\n {2}✗ What does mooring cost/m);
    await takePictures('comparison');
  });

  it('apply a row as Search Settings does, and undo it', async () => {
    await compared();
    assert.equal((await searchedWith())['search_method'], 'semantic_search');
    const apply = async (label: string, answer: string) => {
      const lens = (await lensesOf()).find(({ title }) => title === `Apply ${label}`);
      assert.ok(lens);
      return withPerson({ answers: [answer] }, () =>
        vscode.commands.executeCommand(lens.command, ...(lens.arguments ?? [])),
      );
    };
    const asked = await apply('full-text search · no reranking', '');
    assert.equal(asked[0]?.text, 'Boats now uses: full-text search · no reranking');
    assert.equal((await searchedWith())['search_method'], 'full_text_search');
    await eventually(() => assert.match(tableOf().getText(), /^★● {2}full-text/m));
    await apply('score at least 0.7', 'Undo');
    await eventually(async () => assert.equal((await searchedWith())['search_method'], 'full_text_search'));
    await apply("the knowledge base's settings", '');
    assert.equal((await searchedWith())['search_method'], 'semantic_search');
  });

  it('go on with others when the platform refuses a setting, and say why in its row', async () => {
    const before = platform.count('retrieve');
    await withPerson(
      {
        lists: [
          async (list) => {
            await list.item('gone-reranker');
            gone.status = 'no-configure';
            await list.accept('knowledge base', 'gone-reranker', '3 results');
          },
        ],
      },
      async () => {
        const { rows } = (await run('compareSearchSettings', file)) as ComparisonResult;
        assert.deepEqual(
          rows.map(({ passed, refusal }) => [passed, refusal !== undefined]),
          [
            [29, false],
            [0, true],
            [29, false],
          ],
        );
      },
    );
    assert.equal(platform.count('retrieve') - before, 61);
    // The editor reads the document again in its own time.
    await eventually(() =>
      assert.match(
        tableOf().getText(),
        /reranked by gone-reranker +– .*\n +Stopped at question 1: .*gone-reranker/,
      ),
    );
    assert.equal((await lensesOf()).length, 1);
  });

  const compareOne = async (setting: string) => {
    let result: unknown;
    await withPerson({ lists: [(list) => list.accept(setting)] }, async () => {
      result = await run('compareSearchSettings', file);
    });
    return result;
  };

  it('stop comparing when it is cancelled', async () => {
    await compareOne('3 results');
    const gate = platform.hold({ on: 'retrieve' });
    const open = tableOf().uri.toString();
    const { withProgress } = vscode.window;
    vscode.window.withProgress = (options, task) => {
      const source = new vscode.CancellationTokenSource();
      if (options.location === vscode.ProgressLocation.Notification) {
        void gate.waitFor(1).then(() => source.cancel());
      }
      return task({ report() {} }, source.token);
    };
    try {
      assert.equal(await compareOne('3 results'), undefined);
    } finally {
      vscode.window.withProgress = withProgress;
      gate.open();
    }
    assert.equal(tableOf().uri.toString(), open);
  });

  it('suggest questions from documents, whose words are checked, and add the picked to a file', async () => {
    await run('selectModel', 'question-writer');
    const written =
      '# Ours\nknowledge: Boats\nquestions:\n  - question: Which fee? # old\n    find: { file: a.md }\n# end\n';
    await write('compared/more.knowledge-test.yaml', written);
    const more = uriOf('compared/more.knowledge-test.yaml');
    let added: unknown;
    const asked = await withPerson({}, async () => (added = await run('suggestQuestions', more)));
    assert.deepEqual(
      asked.map(({ text }) => text),
      ['Documents to Write Questions From', 'Questions to Add'],
    );
    assert.equal(added, 1, JSON.stringify(asked));
    const { document } = vscode.window.activeTextEditor!;
    const sent = relay.requests.findLast(({ path }) => path.endsWith('/chat/completions'));
    const [, , name, words] = offered.exec(JSON.stringify(sent?.json)) ?? [];
    const lines = [
      '  - question: Where is it moored?',
      '    find:',
      `      - file: ${name}`,
      `        words: ${words}`,
    ];
    assert.equal(document.getText(), written.replace('# end', `${lines.join('\n')}\n# end`));
    await takePictures('suggested');
    await vscode.commands.executeCommand('undo');
    assert.equal(document.getText(), written);
  });

  it('ask a model for answers after one question, and skip them when it is declined', async () => {
    await run('selectModel', 'scripted-echo');
    const find = { file: 'ferry berth.md' };
    const asking = [
      { question: 'Which berth has the ferry?', find, answer: ['berth number 100', 'The Ferry'] },
      { question: 'Which berth has the ferry, then?', find, answer: 'berth number 999' },
    ];
    await write(
      'compared/all.knowledge-test.yaml',
      JSON.stringify({ knowledge: 'Boats', questions: asking }),
    );
    await eventually(() => {
      const item = watched.controller?.items.get(file.toString());
      assert.equal(item?.children.size, 2);
    });
    const before = relay.requests.length;
    let ended: Ended | undefined;
    const declined = await withPerson({ answers: [''] }, async () => (ended = await testing('runAll')));
    assert.equal(declined[0]?.text, 'Send 2 questions with the segments found to scripted-echo?');
    assert.match(declined[0].detail ?? '', /The relay doesn't publish a price for scripted-echo\./);
    assert.deepEqual([ended?.passed, ended?.failed], [[], {}]);
    assert.equal(ended?.skipped.length, 2);
    assert.match(ended.output, /○ +1 {2}Which berth.*\r\n +The answer was not checked: You chose not/);
    const chats = () => relay.requests.slice(before).filter(({ path }) => path.endsWith('/chat/completions'));
    assert.equal(chats().length, 0);

    const sent = await withPerson({ answers: ['Send'] }, async () => (ended = await testing('runAll')));
    assert.deepEqual(ended.passed, ['Which berth has the ferry?'], JSON.stringify([ended, sent]));
    const [message] = ended.failed['Which berth has the ferry, then?'] ?? [];
    assert.equal(textOf(message), 'The answer lacks "berth number 999".');
    assert.match(message?.actualOutput ?? '', /The ferry has berth number 100\. \[1\]/);
    assert.equal(chats().length, 2);
    await takePictures('answers');
  });
});
