import assert from 'node:assert/strict';
import type { AppEvent } from '../../../../src/apps/app.ts';
import { onlyText, toRunOutput } from '../../../../src/apps/run/runOutput.ts';
import { advance, notBegun, type RunProgress } from '../../../../src/apps/run/runProgress.ts';

const baseUrl = 'https://platform.example';
const name = 'The [app]';
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

describe('the text of a run that can take the place of a selection', () => {
  it('is the only one among its outputs, or the whole answer of an app without outputs', () => {
    assert.equal(onlyText(run({ text: 'One', count: 2 })), 'One');
    assert.equal(onlyText({ ...notBegun, text: 'Whole' }), 'Whole');
  });

  it('is none where that would be a guess, or would clear the selection', () => {
    assert.equal(onlyText(run({ text: 'One', other: 'Two' })), undefined);
    assert.equal(onlyText(run({ count: 2 }, { text: 'Streamed' })), undefined);
    assert.equal(onlyText(run({ text: ' \n' })), undefined);
    assert.equal(onlyText(notBegun), undefined);
  });
});

describe('toRunOutput', () => {
  const textOf = (progress: RunProgress) => toRunOutput(progress, { name, baseUrl }).text;
  const listed = `- [a \\[1\\].pdf](<${link.address}>)`;

  it('gives the only text as it is', () => {
    assert.equal(textOf(run({ text: '# Hi\n\nThere' })), '# Hi\n\nThere');
    assert.equal(textOf(run({ text: '[draft] Not JSON' })), '[draft] Not JSON');
  });

  it('fences JSON: what was written unchanged, and a fence that nothing in it ends', () => {
    const json = '{"id":12345678901234567890}';
    assert.equal(textOf(run({ text: json })), `\`\`\`json\n${json}\n\`\`\``);
    assert.equal(textOf(run({ a: { b: [1, null] } })), '```json\n{\n  "b": [\n    1,\n    null\n  ]\n}\n```');
    const ticks = textOf(run({ a: { code: '```js' } }));
    assert.ok(ticks.startsWith('````json\n') && ticks.endsWith('\n````'));
  });

  it('gives each of several outputs its section', () => {
    const outputs = {
      'the _summary_': '# Summary\n\nTwo words.\n',
      count: 2,
      done: true,
      words: ['one', 'two'],
      rows: [{ a: 1 }],
      none: null,
      report: [file],
    };
    assert.equal(
      textOf(run(outputs)),
      [
        '# The \\[app\\]',
        '## the \\_summary\\_\n\n# Summary\n\nTwo words.',
        '## count\n\n2',
        '## done\n\ntrue',
        '## words\n\n- one\n- two',
        '## rows\n\n```json\n[\n  {\n    "a": 1\n  }\n]\n```',
        '## none\n\n(empty)',
        `## report\n\n${listed}`,
      ].join('\n\n'),
    );
  });

  it('lists files as links, once each and only with addresses of the web', () => {
    const files = [{ ...file, url: 'javascript:alert(1)' }, file, file];
    const output = toRunOutput(run({ files }, { files: [link] }), { name, baseUrl });
    assert.deepEqual(output.files, [link]);
    assert.equal(output.text, listed);
    assert.doesNotMatch(output.text, /javascript/);
  });

  it('knows a file of an older server by how it was transferred and where it is', () => {
    const { dify_model_identity: _marker, ...plain } = file;
    const { url, ...remote } = { ...plain, remote_url: plain.url };
    assert.ok(url);
    for (const older of [plain, remote]) {
      assert.deepEqual(toRunOutput(run({ older }), { name, baseUrl }).files, [link]);
    }
    const { transfer_method: _method, ...record } = plain;
    const { url: _url, ...nowhere } = plain;
    for (const other of [record, nowhere]) {
      assert.deepEqual(toRunOutput(run({ other }), { name, baseUrl }).files, []);
    }
  });

  it('puts files that are no output below what is', () => {
    const progress = run(
      { text: 'See:' },
      { files: [{ name: 'b.png', address: 'https://platform.example/b.png' }] },
    );
    assert.equal(textOf(progress), 'See:\n\n- [b.png](<https://platform.example/b.png>)');
  });

  it('names a file inside of an output by what a user can use of it', () => {
    const [, json = ''] = /^```json\n([^]*)\n```$/.exec(textOf(run({ report: { pages: [file] } }))) ?? [];
    assert.deepEqual(JSON.parse(json), { pages: [{ name: link.name, url: link.address }] });
  });

  it('gives what was said where there is no output, as of a completion', () => {
    assert.equal(textOf({ ...notBegun, text: 'A poem.' }), 'A poem.');
    assert.equal(textOf(run({}, { text: 'Streamed.' })), 'Streamed.');
    assert.equal(textOf(run({})), '');
  });

  it('keeps what it took out of the text', () => {
    const progress: RunProgress = {
      ...notBegun,
      run: { status: 'succeeded', outputs: { text: 'x' }, elapsedMs: 2140, tokens: 412, stepCount: 4 },
      usage: { totalTokens: 400, price: '0.0021', currency: 'USD' },
    };
    const { head, text } = toRunOutput(progress, { name, baseUrl });
    assert.equal(head, '2.1 s · 412 tokens · 4 steps · 0.0021 USD');
    assert.equal(text, 'x');
  });
});

describe('advance', () => {
  const after = (...events: AppEvent[]) => events.reduce(advance, notBegun);
  const step = { id: 'n', kind: 'llm', title: 'Ask' };

  it('keeps each step once, in the order they began, with what is known last', () => {
    const { steps } = after(
      { type: 'stepChanged', step: { ...step, status: 'running' } },
      { type: 'stepChanged', step: { ...step, id: 'm', status: 'running' } },
      { type: 'stepChanged', step: { ...step, status: 'succeeded', elapsedMs: 5 } },
    );
    assert.deepEqual(
      steps.map(({ id, status }) => [id, status]),
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
    const ended = advance(advance(paused, { type: 'stepChanged', step: { ...step, status: 'running' } }), {
      type: 'ended',
      usage: { totalTokens: 3 },
      files: [
        { id: 'f', name: '' },
        { id: 'f', name: 'x' },
      ],
    });
    assert.equal(ended.waitsFor, undefined);
    assert.deepEqual(
      [ended.hasEnded, ended.usage, ended.files],
      [true, { totalTokens: 3 }, [{ id: 'f', name: 'x' }]],
    );
  });
});
