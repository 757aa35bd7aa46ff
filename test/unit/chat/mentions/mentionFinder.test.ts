import assert from 'node:assert/strict';
import { listFiles } from '../../../../src/chat/mentions/fileListing.ts';
import { MentionFinder, type OtherMentions } from '../../../../src/chat/mentions/mentionFinder.ts';
import type { FoundMentions, Mention } from '../../../../src/chat/mentions/mention.ts';
import { memoryDependencies } from '../../../support/attachmentParts.ts';
import { MemoryWorkspace } from '../../../support/memoryWorkspace.ts';

const files = {
  '/work/README.md': '',
  '/work/src/tides.ts': '',
  '/work/src/departure.ts': '',
  '/work/docs/heights.md': '',
  '/work/.env': 'TOKEN=1',
};

function setUp(others?: OtherMentions) {
  const workspace = new MemoryWorkspace(files);
  const dependencies = memoryDependencies(workspace);
  const finder = new MentionFinder(
    () => dependencies,
    async () => ['untrusted.ts'],
    () => 0,
    others,
  );
  const lists = async (query: string): Promise<Mention[][]> => {
    const all: Mention[][] = [];
    for await (const { mentions } of finder.find(query, new AbortController().signal)) all.push(mentions);
    return all;
  };
  const names = async (query: string) => ((await lists(query)).at(-1) ?? []).map(({ label }) => label);
  return { workspace, dependencies, finder, lists, names };
}

const editor = { path: '/work/src/tides.ts', isActive: true, isVisible: true, hasUnsavedChanges: false };

describe('attaching by mention', () => {
  it('offers first what is in front of the user, then what lies at the top', async () => {
    const { workspace, lists, names } = setUp();
    const start = { line: 3, column: 1 };
    workspace.openEditors = [
      { ...editor, selection: { start, end: { line: 6, column: 1 }, text: 'x', redacted: 'x' } },
    ];
    assert.deepEqual(await names(''), [
      'Selection',
      'tides.ts',
      'Problems',
      'Changes',
      'docs/',
      'src/',
      'README.md',
    ]);
    const [selection] = (await lists('')).at(-1) ?? [];
    assert.deepEqual(selection?.source, {
      type: 'range',
      path: '/work/src/tides.ts',
      startLine: 3,
      endLine: 5,
    });
    assert.equal(selection?.detail, 'src/tides.ts:3–5');
  });

  it('finds files and folders by a few letters of their names or paths', async () => {
    const { lists, names } = setUp();
    assert.equal((await names('readm'))[0], 'README.md');
    assert.equal((await names('src/dep'))[0], 'departure.ts');
    assert.equal((await names('doc'))[0], 'docs/');
    assert.ok((await names('problems')).includes('Problems'));
    const problems = (await lists('problems')).at(-1)?.find(({ label }) => label === 'Problems');
    assert.equal(problems?.detail, 'none');
    assert.deepEqual(await names('zzzz'), []);
  });

  it('offers the terminal where it has a command, or is named, and a page by its address', async () => {
    let terminal: ReturnType<OtherMentions['terminal']> = { line: 'npm test' };
    const done: string[] = [];
    const { lists, names } = setUp({
      terminal: () => terminal,
      attachTerminal: async () => done.push('terminal'),
      attachPage: async () => done.push('page'),
    });
    const [found = []] = await lists('');
    assert.deepEqual(
      found.slice(-2).map(({ label, detail }) => [label, detail]),
      [
        ['Terminal', 'npm test'],
        ['Web Page', 'by its address'],
      ],
    );
    for (const { attach } of found) await attach?.();
    assert.deepEqual(done, ['terminal', 'page']);
    assert.equal((await names('term'))[0], 'Terminal');
    for (const query of ['url', 'page', 'web']) assert.equal((await names(query))[0], 'Web Page', query);
    terminal = { problem: 'No terminal is open.' };
    assert.equal((await names('')).includes('Terminal'), false);
    assert.equal((await lists('terminal')).at(-1)?.[0]?.problem, 'No terminal is open.');
  });

  it('keeps what it offered where it was, as more is found', async () => {
    const { workspace, lists } = setUp();
    workspace.openEditors = [editor];
    const range = { start: { line: 2, column: 1 }, end: { line: 4, column: 1 } };
    workspace.symbols = [{ name: 'tidesOf', kind: 'function', path: '/work/src/tides.ts', range }];
    const all = await lists('tides');
    for (const [index, found] of all.slice(1).entries()) {
      assert.deepEqual(found.slice(0, all[index]!.length), all[index]);
    }
    assert.deepEqual(
      all.at(-1)?.map(({ kind }) => kind),
      ['editor', 'symbol'],
    );
  });

  it('finds symbols alone after #', async () => {
    const { workspace, lists } = setUp();
    const range = { start: { line: 2, column: 1 }, end: { line: 4, column: 1 } };
    workspace.symbols = [
      { name: 'highWater', kind: 'function', path: '/work/src/tides.ts', range },
      { name: 'highWater()', kind: 'function', path: '/work/src/tides.ts', range },
      { name: 'highSecret', kind: 'function', path: '/work/.env', range },
    ];
    const [found] = await lists('#high');
    assert.deepEqual(
      found?.map(({ label, detail }) => [label, detail]),
      [['highWater', 'function · src/tides.ts:2']],
    );
  });

  it('does not list what the policy withholds, but says why when it is written out', async () => {
    const { lists, names } = setUp();
    assert.deepEqual(await names('.en'), []);
    const [env] = (await lists('.env')).at(-1) ?? [];
    assert.match(env?.problem ?? '', /environment file/);
    assert.deepEqual(await names('.env.local'), []);
    assert.deepEqual(await names('../x'), []);
  });

  it('still names files in an untrusted workspace, where tools may not list them', async () => {
    const { workspace, names } = setUp();
    workspace.ruleSet = { ...workspace.ruleSet, isTrusted: false };
    assert.deepEqual(await names('untr'), ['untrusted.ts']);
  });

  it('says when only a part of the files is listed, and still finds one by its whole path', async () => {
    const { finder, dependencies } = setUp();
    const { search } = dependencies;
    const cut = { hasMore: true };
    const run: typeof search.run = async (query, signal, take) => {
      const found = await search.run(query, signal, (batch) => take?.(batch.slice(0, 1)));
      return 'reason' in found ? found : { ...found, summary: { ...found.summary!, ...cut } };
    };
    dependencies.search = { run } as typeof search;
    const last = async (query: string) => {
      let latest: FoundMentions = { mentions: [] };
      for await (latest of finder.find(query, new AbortController().signal));
      return latest;
    };
    assert.match((await last('tides')).note ?? '', /Only 1 file is listed.*full path/);
    assert.deepEqual(
      (await last('src/tides.ts')).mentions.map(({ label }) => label),
      ['tides.ts'],
    );
    assert.equal((await last('#high')).note, undefined);
    cut.hasMore = false;
    const { finder: other } = setUp();
    for await (const { note } of other.find('tides', new AbortController().signal))
      assert.equal(note, undefined);
  });

  it('offers what it has of a large workspace, and the best of all once it is listed', async () => {
    const { finder, dependencies } = setUp();
    const many = (name: string, count: number) =>
      Array.from({ length: count }, (_, index) => ({
        shown: `src/part${index % 500}/${name}${index}.ts`,
        realPath: '',
        matches: [],
      }));
    let listed = 0;
    let goOn: () => void = () => undefined;
    const rest = new Promise<void>((resolve) => (goOn = resolve));
    const summary = { hasMore: false, withheld: new Map(), links: 0, unreadableFolders: 0, largeFiles: 0 };
    const run: typeof dependencies.search.run = async (_query, _signal, take) => {
      listed++;
      take?.(many('tidyUp', 20_000));
      await rest;
      take?.([...many('other', 179_999), { shown: 'deep/down/tides.ts', realPath: '', matches: [] }]);
      return { files: [], summary, isPartial: false };
    };
    dependencies.search = { run } as typeof dependencies.search;
    const search = finder.find('tides', new AbortController().signal);
    const labelsOf = async () => {
      const { value } = await search.next();
      return value?.mentions.map(({ label }) => label) ?? [];
    };
    assert.deepEqual(await labelsOf(), []);
    const ofSome = await labelsOf();
    assert.equal(ofSome.includes('tides.ts'), false);
    goOn();
    const ofAll = await labelsOf();
    assert.deepEqual(ofAll.slice(0, ofSome.length), ofSome);
    assert.ok(ofAll.includes('tides.ts'));
    for await (const { mentions, note } of finder.find('tide', new AbortController().signal)) {
      if (mentions.length > 0) assert.equal(mentions[0]?.label, 'tides.ts');
      assert.equal(note, undefined);
    }
    assert.equal(listed, 1);
  });

  it('lists as many as 250,000 files, and says where there are more', async () => {
    const { dependencies } = setUp();
    let thereAre = 250_000;
    // Like the search: at most `limit` results, and a flag for more.
    const run: typeof dependencies.search.run = async ({ limit }, _signal, take) => {
      const file = { shown: 'a.ts', realPath: '', matches: [] };
      take?.(Array.from({ length: Math.min(limit, thereAre) }, () => file));
      const hasMore = thereAre > limit;
      const summary = { hasMore, withheld: new Map(), links: 0, unreadableFolders: 0, largeFiles: 0 };
      return { files: [], summary, isPartial: false };
    };
    dependencies.search = { run } as typeof dependencies.search;
    const list = () => listFiles(dependencies, async () => []).all;
    const whole = await list();
    assert.deepEqual([whole.files.length, whole.note], [250_000, undefined]);
    thereAre++;
    const part = await list();
    assert.equal(part.files.length, 250_000);
    assert.match(part.note ?? '', /^Only the first 250,000 files are listed\./);
  });
});
