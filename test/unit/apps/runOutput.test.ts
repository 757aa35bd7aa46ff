import assert from 'node:assert/strict';
import { toRunOutput } from '../../../src/apps/runOutput.ts';
import { advance, notBegun, type RunProgress } from '../../../src/apps/runProgress.ts';
import type { AppEvent } from '../../../src/platform/apps/appRecords.ts';

const baseUrl = 'https://platform.example';
const run = (outputs: Record<string, unknown>, more: Partial<RunProgress> = {}): RunProgress => ({
  ...notBegun,
  ...more,
  run: { status: 'succeeded', outputs },
});
const file = {
  dify_model_identity: '__dify__file__',
  id: 'f1',
  filename: 'a [1].pdf',
  transfer_method: 'local_file',
  url: '/files/f1?sign=x',
};
const link = { name: 'a [1].pdf', address: 'https://platform.example/files/f1?sign=x' };

describe('toRunOutput', () => {
  const documentOf = (progress: RunProgress) => {
    const { language, text } = toRunOutput(progress, baseUrl);
    return [language, text];
  };

  it('gives the only text as it is', () => {
    assert.deepEqual(documentOf(run({ text: '# Hi\n' })), ['markdown', '# Hi\n']);
  });

  it('takes text that is JSON for JSON, unchanged', () => {
    assert.deepEqual(documentOf(run({ text: '{"id":12345678901234567890}' })), [
      'json',
      '{"id":12345678901234567890}',
    ]);
    assert.deepEqual(documentOf(run({ text: '[draft] Not JSON' })), ['markdown', '[draft] Not JSON']);
  });

  it('gives several outputs, and anything but text, as JSON', () => {
    assert.deepEqual(documentOf(run({ a: 'x', b: 1 })), ['json', '{\n  "a": "x",\n  "b": 1\n}']);
    assert.deepEqual(documentOf(run({ a: ['x'] })), ['json', '{\n  "a": [\n    "x"\n  ]\n}']);
  });

  it('lists files as links, once each and only with addresses of the web', () => {
    const files = [{ ...file, url: 'javascript:alert(1)' }, file, file];
    const output = toRunOutput(run({ text: 'See:', files }), baseUrl);
    assert.deepEqual(output.files, [link]);
    assert.equal(output.text, `See:\n\n- [a \\[1\\].pdf](<${link.address}>)`);
    assert.deepEqual(documentOf(run({ file })), ['markdown', `- [a \\[1\\].pdf](<${link.address}>)`]);
  });

  it('names a file among other outputs by what a person can use of it', () => {
    const [, text = ''] = documentOf(run({ answer: 'x', count: 1, report: { pages: [file] } }));
    assert.deepEqual(JSON.parse(text), {
      answer: 'x',
      count: 1,
      report: { pages: [{ name: link.name, url: link.address }] },
    });
  });

  it('gives what was said where there is no output, as of a completion', () => {
    assert.deepEqual(documentOf({ ...notBegun, text: 'A poem.' }), ['markdown', 'A poem.']);
    assert.deepEqual(documentOf(run({}, { text: 'Streamed.' })), ['markdown', 'Streamed.']);
    assert.deepEqual(documentOf(run({})), ['markdown', '']);
  });

  it('keeps what it took out of the text', () => {
    const progress: RunProgress = {
      ...notBegun,
      run: { status: 'succeeded', outputs: { text: 'x' }, elapsedMs: 2140, tokens: 412, steps: 4 },
      usage: { totalTokens: 400, price: '0.0021', currency: 'USD' },
    };
    const { head, text } = toRunOutput(progress, baseUrl);
    assert.equal(head, '2.1 s · 412 tokens · 4 steps · 0.0021 USD');
    assert.equal(text, 'x');
  });
});

describe('advance', () => {
  const after = (...events: AppEvent[]) => events.reduce(advance, notBegun);
  const node = { id: 'n', nodeId: 'llm', nodeType: 'llm', title: 'Ask' };

  it('keeps each node once, in the order they began, with what is known last', () => {
    const { nodes } = after(
      { type: 'nodeStarted', node: { ...node, status: 'running' } },
      { type: 'nodeStarted', node: { ...node, id: 'm', status: 'running' } },
      { type: 'nodeFinished', node: { ...node, status: 'succeeded', elapsedMs: 5 } },
    );
    assert.deepEqual(
      nodes.map(({ id, status }) => [id, status]),
      [
        ['n', 'succeeded'],
        ['m', 'running'],
      ],
    );
  });

  it('follows text, pauses and the end', () => {
    const paused = after(
      { type: 'started', runId: 'w' },
      { type: 'started', runId: 'w', taskId: 't' },
      { type: 'textAdded', text: 'a' },
      { type: 'textReplaced', text: 'b' },
      { type: 'textAdded', text: 'c' },
      { type: 'paused', reasons: ['Approve'] },
    );
    assert.deepEqual(
      [paused.text, paused.runId, paused.taskId, paused.waitsFor],
      ['bc', 'w', 't', ['Approve']],
    );
    const ended = advance(advance(paused, { type: 'nodeStarted', node: { ...node, status: 'running' } }), {
      type: 'ended',
      usage: { totalTokens: 3 },
      files: [{ id: 'f' }, { id: 'f', name: 'x' }],
    });
    assert.equal(ended.waitsFor, undefined);
    assert.deepEqual(
      [ended.hasEnded, ended.usage, ended.files],
      [true, { totalTokens: 3 }, [{ id: 'f', name: 'x' }]],
    );
  });
});
