import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { SourceChecker } from '../../../../src/knowledge/sources/sourceChecker.ts';
import type { SearchResult } from '../../../../src/knowledge/searchKnowledge.ts';
import { createToolDependencies } from '../../../../src/tools/allTools.ts';
import { MemoryWorkspace } from '../../../support/memoryWorkspace.ts';
import { silentLog } from '../../../support/silentLog.ts';

const { signal } = new AbortController();
const indexed = '# Rules\n\nBoats wait outside the wall.\nThree knots, everywhere.\n';
const content = 'Boats wait outside the wall.';
const hash = sha256(indexed);
const commit = 'a'.repeat(40);

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function setUp(files: Record<string, string | Uint8Array> = { '/work/rules.md': indexed }) {
  const workspace = new MemoryWorkspace(files);
  const deps = createToolDependencies(workspace, { workerFile: '', ripgrep: undefined, timeoutMs: 1000 });
  const checker = new SourceChecker({ files: deps, log: silentLog });
  const check = async (origin: SearchResult['origin'], text = content) =>
    (await checker.check([{ content: text, ...(origin && { origin }) }]))[0];
  const annotate = async (origin: SearchResult['origin'], text = content) => {
    const ids = {
      datasetId: 'd',
      datasetName: 'D',
      documentId: '1',
      documentName: 'rules.md',
      segmentId: '2',
    };
    const [result] = await checker.annotate([{ ...ids, content: text, ...(origin && { origin }) }], signal);
    return result;
  };
  return { annotate, check, checker, workspace };
}

describe('SourceChecker', () => {
  it('sees each of the four states, on the disk and in an editor', async () => {
    const { check, workspace } = setUp();
    const origin = { path: 'rules.md', hash, segmentLines: { start: 3, end: 3 } };
    const at = (line: number) => ({ startLine: line, endLine: line });
    assert.deepEqual(await check(origin), { type: 'current', lines: at(3) });
    workspace.memory.set('/work/rules.md', `Above.\n${indexed}`);
    assert.deepEqual(await check(origin), { type: 'moved', lines: at(4) });
    workspace.unsavedTexts.set('/work/rules.md', 'Boats do not wait.\n');
    assert.deepEqual(await check(origin), { type: 'changed' });
    workspace.unsavedTexts.clear();
    workspace.memory.delete('/work/rules.md');
    assert.deepEqual(await check(origin), { type: 'gone' });
    workspace.memory.set('/work/rules.md/inside.md', '');
    assert.deepEqual(await check(origin), { type: 'gone' }, 'a folder of that name');
  });

  it('says nothing of files that models may not read, nor of documents of others', async () => {
    const { check, workspace } = setUp({ '/work/.env': 'KEY=1\n', '/work/large.txt': '' });
    assert.equal(await check(undefined), undefined);
    assert.equal(await check({ path: '.env', hash }), undefined);
    assert.equal(await check({ path: '../outside.md', hash }), undefined);
    workspace.ruleSet = { ...workspace.ruleSet, toolsExclude: ['*.txt'] };
    assert.equal(await check({ path: 'large.txt', hash }), undefined);
  });

  it('knows what was cleaned by the platform from what was changed', async () => {
    const { check, workspace } = setUp();
    const cleaned = 'Rules of the harbour, made by the platform.';
    assert.deepEqual(await check({ path: 'rules.md', hash }, cleaned), { type: 'current' });
    workspace.memory.set('/work/rules.md', `${indexed}More.\n`);
    assert.deepEqual(await check({ path: 'rules.md', hash }, cleaned), { type: 'changed' });
  });

  it('compares the lines of a selection with what was selected', async () => {
    const cleaned = 'Boats wait. Somewhere else entirely.';
    const selected = 'Boats wait outside the wall.\nThree knots, everywhere.';
    const { check, workspace } = setUp();
    const origin = { path: 'rules.md', lines: { start: 3, end: 4 }, hash: sha256(selected) };
    assert.equal((await check(origin, cleaned))?.type, 'current');
    assert.deepEqual(await check(origin, selected), { type: 'current', lines: { startLine: 3, endLine: 4 } });
    workspace.memory.set('/work/rules.md', indexed.replaceAll('\n', '\r\n'));
    assert.equal((await check(origin, cleaned))?.type, 'current', 'line ends are no change');
    workspace.memory.set('/work/rules.md', `Above.\n${indexed}`);
    assert.equal((await check(origin, cleaned))?.type, 'changed');
    assert.equal((await check(origin, selected))?.type, 'moved');
  });

  it('judges binary files by their hash', async () => {
    const bytes = Uint8Array.of(0, 1, 2, 3, 0);
    const { check } = setUp({ '/work/a.pdf': bytes });
    const own = createHash('sha256').update(bytes).digest('hex');
    assert.deepEqual(await check({ path: 'a.pdf', hash: own }), { type: 'current' });
    assert.deepEqual(await check({ path: 'a.pdf', hash }), { type: 'changed' });
    assert.equal(await check({ path: 'a.pdf' }), undefined);
  });

  it('keeps the lines that a result had when it was indexed, by the file or by its commit', async () => {
    const { annotate, checker, workspace } = setUp();
    const origin = { path: 'rules.md', hash, commit };
    const found = await annotate(origin);
    assert.deepEqual(found?.origin?.segmentLines, { start: 3, end: 3 });
    assert.equal(found?.state?.type, 'current');

    workspace.memory.set('/work/rules.md', `Above.\n${indexed}`);
    const unknown = await annotate(origin);
    assert.equal(unknown?.origin?.segmentLines, undefined);
    assert.equal(unknown?.state?.type, 'current', 'nobody knows where it was');
    workspace.commits.set(commit, { '/work/rules.md': indexed });
    const known = await annotate(origin);
    assert.deepEqual(known?.origin?.segmentLines, { start: 3, end: 3 });
    assert.equal(known?.state?.type, 'moved');
    assert.equal(await checker.indexedText(origin, signal), indexed);

    workspace.commits.set(commit, { '/work/rules.md': `${indexed}Other.\n` });
    assert.equal((await annotate(origin))?.origin?.segmentLines, undefined, 'not what was sent');
    assert.equal(await checker.indexedText(origin, signal), undefined);
    assert.equal(await checker.indexedText({ path: 'rules.md', hash }, signal), undefined);
  });

  it('takes a commit whose line ends were converted on the way', async () => {
    const { checker, workspace } = setUp();
    workspace.commits.set(commit, { '/work/rules.md': indexed });
    const sent = sha256(indexed.replaceAll('\n', '\r\n'));
    assert.equal(await checker.indexedText({ path: 'rules.md', hash: sent, commit }, signal), indexed);
  });

  it('reads each file once', async () => {
    const { checker, workspace } = setUp();
    let opened = 0;
    workspace.memory.beforeAccess = (method) => void (method === 'open' && opened++);
    const origin = { path: 'rules.md', hash };
    const states = await checker.check(Array.from({ length: 50 }, () => ({ content, origin })));
    assert.equal(states.length, 50);
    assert.ok(states.every((state) => state?.type === 'current'));
    assert.ok(opened >= 1 && opened <= 2, `opened ${opened} times`);
  });
});
