import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { build } from 'esbuild';
import { bundles } from '../../../esbuild.mjs';
import { type PlatformServer, startPlatform } from '../../servers/platform/platformServer.ts';
import type { PlatformOptions } from '../../servers/platform/platformOptions.ts';
import { startRelay } from '../../servers/sandbox.ts';
import { root } from '../../host/paths.ts';

interface Ended {
  code: number;
  out: string;
  error: string;
}

describe('knowledge tests without an editor', function () {
  this.timeout(30_000);
  let built: string;
  const toClean: (() => unknown)[] = [];
  before(async () => {
    built = await mkdtemp(join(tmpdir(), 'switchboard-command-'));
    await build({ ...bundles({ production: true }).worker, absWorkingDir: root, outdir: built });
  });
  after(() => rm(built, { recursive: true }));
  afterEach(async () => {
    for (const clean of toClean.splice(0)) await clean();
  });

  const seed = [
    {
      dataset: 'Harbour',
      documents: [
        { name: 'app\u2215notes\u2215rules.md', text: 'Boats wait outside.\n\nThree knots in the basin.' },
        { name: 'old.pdf', text: 'Pilots board at the outer buoy.' },
      ],
    },
  ];
  const start = async (options: PlatformOptions = {}): Promise<PlatformServer> => {
    const server = await startPlatform({ indexing: 'instant', seed, ...options });
    toClean.push(() => server.stop());
    return server;
  };
  const folderWith = async (files: Record<string, string>): Promise<string> => {
    const folder = await mkdtemp(join(tmpdir(), 'switchboard-tests-'));
    toClean.push(() => rm(folder, { recursive: true }));
    for (const [path, text] of Object.entries(files)) {
      await mkdir(join(folder, dirname(path)), { recursive: true });
      await writeFile(join(folder, path), text);
    }
    return folder;
  };
  const run = (folder: string, args: string[], env: Record<string, string>): Promise<Ended> =>
    new Promise((resolve) => {
      const { PATH = '' } = process.env;
      execFile(
        process.execPath,
        [join(built, 'knowledgeTests.mjs'), ...args],
        { cwd: folder, env: { PATH, ...env } },
        (failure, out, error) => resolve({ code: Number(failure?.code ?? 0), out, error }),
      );
    });
  const environment = ({ url, datasetKey }: PlatformServer) => ({
    SWITCHBOARD_PLATFORM_URL: url,
    SWITCHBOARD_KNOWLEDGE_KEY: datasetKey,
  });

  const rules = '# Rules\n\nBoats wait outside.\n\nThree knots in the basin.\n';
  const green = [
    'knowledge: Harbour',
    'questions:',
    '  - { question: How many knots?, find: { file: notes/rules.md, lines: 5 } }',
    '  - { question: Where do pilots board?, find: { file: old.pdf, words: outer BUOY } }',
  ].join('\n');
  const red = `${green}\n  - { question: 'Pilots, where?', find: { file: notes/rules.md, words: knots } }\n`;

  it('print the table and exit with 0 when all passed, without asking for more than it needs', async () => {
    const server = await start();
    const folder = await folderWith({ 'notes/rules.md': rules, 'a.knowledge-test.yaml': green });
    assert.deepEqual(await run(folder, ['a.knowledge-test.yaml'], environment(server)), {
      code: 0,
      out: [
        'a.knowledge-test.yaml',
        '✓   1  How many knots?',
        '✓   1  Where do pilots board?',
        '2 questions · 2 passed · hit@1 100 % · hit@3 100 % · MRR 1',
        '\n',
      ].join('\n'),
      error: '',
    });
    assert.equal(server.count('retrieve'), 2);
  });

  it('exit with 1 when one was missed, and say what was found and which segment should have matched', async () => {
    const server = await start();
    const folder = await folderWith({ 'notes/rules.md': rules, 'a.knowledge-test.yaml': red });
    const { code, out } = await run(folder, ['a.knowledge-test.yaml'], environment(server));
    assert.equal(code, 1);
    assert.match(out, /✗ {3}– {2}Pilots, where\?\n +Missed notes\/rules\.md "knots": Segment \d of notes/);
    assert.match(out, / +Found: 1\. old\.pdf, segment 1\n3 questions · 2 passed · 1 missed · hit@1 67 %/);
  });

  it('exit with 2 for what cannot be run, never with the key in the words', async () => {
    const server = await start();
    const folder = await folderWith({
      'notes/rules.md': rules,
      'good.knowledge-test.yaml': green,
      'bad.knowledge-test.yaml': green.replace('lines:', 'wanted:'),
      'gone.knowledge-test.yaml': green.replace('Harbour', 'Gone'),
    });
    const env = environment(server);
    const cases: [args: string[], env: Record<string, string>, words: RegExp][] = [
      [[], env, /^Usage: node knowledgeTests\.mjs/],
      [['good.knowledge-test.yaml'], {}, /SWITCHBOARD_KNOWLEDGE_KEY {2}knowledge base key/],
      [['none.knowledge-test.yaml'], env, /none\.knowledge-test\.yaml: ENOENT/],
      [['bad.knowledge-test.yaml'], env, /bad\.knowledge-test\.yaml:3: Unknown field "wanted"/],
      [['gone.knowledge-test.yaml'], env, /has no knowledge base "Gone"/],
      [
        ['good.knowledge-test.yaml'],
        { ...env, SWITCHBOARD_KNOWLEDGE_KEY: 'dataset-mistyped' },
        /rejected the knowledge base key/,
      ],
      [['good.knowledge-test.yaml'], { ...env, SWITCHBOARD_PLATFORM_URL: 'ftp://x' }, /Addresses start with/],
    ];
    for (const [args, environmentOfCase, words] of cases) {
      const { code, out, error } = await run(folder, args, environmentOfCase);
      assert.deepEqual([code, out], [2, ''], error);
      assert.match(error, words);
      assert.doesNotMatch(error, /dataset-(?:mistyped|\w{8})/);
    }
  });

  it('print the same table for a file of 30 questions, red and green', async () => {
    const documents = Array.from({ length: 30 }, (_, at) => ({
      name: `berth${at}.md`,
      text: `Berth${at}x is free.`,
    }));
    const server = await start({ seed: [{ dataset: 'Harbour', technique: 'high_quality', documents }] });
    const questions = documents.map(({ name }, at) => ({
      question: `Berth${at}x?`,
      find: { file: name, ...(at % 10 === 9 && { words: 'taken' }) },
    }));
    const folder = await folderWith({
      'a.knowledge-test.yaml': JSON.stringify({ knowledge: 'Harbour', questions }),
    });
    const { code, out } = await run(folder, ['a.knowledge-test.yaml'], environment(server));
    assert.equal(code, 1);
    assert.equal(out.match(/^✓ {3}1 {2}/gm)?.length, 27);
    assert.equal(out.match(/^✗ {3}– {2}/gm)?.length, 3);
    assert.match(out, /^30 questions · 27 passed · 3 missed · hit@1 90 % · hit@3 90 % · MRR 0\.9$/m);
  });

  it('check answers by the model that the environment names, and skip them without one', async () => {
    const server = await start();
    const relay = await startRelay();
    toClean.push(() => relay.stop());
    const asking = (words: string) =>
      `knowledge: Harbour\nquestions: [{ question: Where do pilots board?, find: { file: old.pdf }, answer: ${words} }]`;
    const folder = await folderWith({
      'good.knowledge-test.yaml': asking('[outer BUOY, pilots board]'),
      'bad.knowledge-test.yaml': asking('inner buoy'),
    });
    const platform = environment(server);
    const model = {
      SWITCHBOARD_RELAY_URL: relay.url,
      SWITCHBOARD_RELAY_KEY: relay.key,
      SWITCHBOARD_MODEL: 'scripted-echo',
    };
    const chats = () => relay.requests.filter(({ path }) => path.endsWith('/chat/completions')).length;

    const skipped = await run(folder, ['good.knowledge-test.yaml'], platform);
    assert.deepEqual([skipped.code, skipped.error], [0, '']);
    assert.match(skipped.out, /○ {3}1 {2}Where.*\n +The answer was not checked: SWITCHBOARD_RELAY_URL, /);
    assert.match(skipped.out, /^1 question · 0 passed · 1 skipped · /m);
    const { SWITCHBOARD_MODEL: _, ...rest } = model;
    const partly = await run(folder, ['bad.knowledge-test.yaml'], { ...platform, ...rest });
    assert.match(partly.out, /The answer was not checked: SWITCHBOARD_MODEL not set\./);
    assert.equal(chats(), 0);

    const good = await run(folder, ['good.knowledge-test.yaml'], { ...platform, ...model });
    assert.deepEqual([good.code, good.error], [0, '']);
    assert.match(good.out, /^1 question · 1 passed · /m);
    const bad = await run(folder, ['bad.knowledge-test.yaml'], { ...platform, ...model });
    assert.equal(bad.code, 1);
    assert.match(bad.out, /The answer lacks "inner buoy"\.\n +Answer: .*Pilots board at the outer buoy/);
    assert.equal(chats(), 2);

    const refused = await run(folder, ['good.knowledge-test.yaml'], {
      ...{ ...platform, ...model },
      SWITCHBOARD_RELAY_KEY: 'sk-mistyped1234567890',
    });
    assert.equal(refused.code, 1);
    assert.match(refused.out, /! .*\n +The model didn't answer: /);
    assert.doesNotMatch(refused.out + refused.error, /sk-mistyped/);
  });

  it('find knowledge bases by id with a key that was made for them alone', async () => {
    const server = await start({ version: '1.17.0', scope: ['Harbour'] });
    const id = server.datasets[0]?.id ?? '';
    const folder = await folderWith({
      'notes/rules.md': rules,
      'a.knowledge-test.yaml': green.replace('Harbour', id),
    });
    const env = { ...environment(server), SWITCHBOARD_KNOWLEDGE_KEY: server.keys.scoped };
    const { code, error } = await run(folder, ['a.knowledge-test.yaml'], env);
    assert.deepEqual([code, error], [0, '']);
  });

  it('read no file outside of the folder, wherever a link leads', async () => {
    const server = await start();
    const outside = await folderWith({ 'rules.md': rules });
    const folder = await folderWith({ 'a.knowledge-test.yaml': green });
    await symlink(outside, join(folder, 'notes'));
    const { code, out } = await run(folder, ['a.knowledge-test.yaml'], environment(server));
    assert.equal(code, 1);
    assert.match(out, /! {3}– {2}How many knots\?\n +notes\/rules\.md isn't a readable text file here/);
  });

  it('are one script that needs no editor', async () => {
    const text = await readFile(join(built, 'knowledgeTests.mjs'), 'utf8');
    assert.doesNotMatch(text, /["']vscode["']/);
    assert.doesNotMatch(text, /(?:from|import)\s*\(?["']\.\.?\//);
  });
});
