import assert from 'node:assert/strict';
import { dialogsAbout, previewOf } from '../../../../src/panel/present/callPreview.ts';
import { countChanges } from '../../../../src/base/text/lineDiff.ts';

const lines = (count: number, name = 'line') => Array.from({ length: count }, (_, n) => `${name} ${n}`);

function editPreview(before: string | undefined, after: string) {
  const counts = countChanges(before ?? '', after);
  const apply = async () => ({ content: '', isError: false });
  const preview = previewOf({
    ...{ id: '1', name: 'edit_file', input: {} },
    proposal: { files: [{ path: 'a.ts', before, after, ...counts }], apply },
  });
  assert.ok(preview.type === 'edit' && preview.files[0]);
  return preview.files[0];
}

function rowsOf(input: Record<string, unknown>, parts: object = {}) {
  const preview = previewOf({ id: '1', name: 'tide_now', title: 'Tide now', input, ...parts });
  assert.ok(preview.type === 'arguments');
  return preview.rows;
}

describe('previewOf', () => {
  it('shows what an edit changes with two lines around it, and leaves out what lies between', () => {
    const text = lines(30);
    const changed = text.with(0, 'first').with(20, 'twentieth');
    const preview = editPreview(text.join('\n'), changed.join('\n'));
    assert.deepEqual(
      preview.lines.map(({ kind, text: line }) => `${kind} ${line}`),
      [
        ...['removed line 0', 'added first', 'same line 1', 'same line 2', 'gap '],
        ...[
          'same line 18',
          'same line 19',
          'removed line 20',
          'added twentieth',
          'same line 21',
          'same line 22',
        ],
      ],
    );
    assert.deepEqual([preview.isNew, preview.added, preview.removed, preview.more], [false, 2, 2, 0]);
  });

  it('shows a new file as its content', () => {
    const preview = editPreview(undefined, 'one\ntwo\n');
    assert.deepEqual([preview.isNew, preview.lines.map(({ text }) => text)], [true, ['one', 'two']]);
    assert.deepEqual(editPreview(undefined, '').lines, []);
  });

  it('bounds long edits and long lines, and says how much more there is', () => {
    const preview = editPreview('', `${'x'.repeat(5000)}\n${lines(999).join('\n')}`);
    assert.deepEqual([preview.lines.length, preview.more], [80, 920]);
    assert.ok(preview.lines[0]!.text.length <= 401);
  });

  it('writes hidden characters out', () => {
    const [line] = editPreview('', 'if (isAdmin\u202e) { // \u200bok').lines;
    assert.equal(line?.text, 'if (isAdmin⟨U+202E⟩) { // ⟨U+200B⟩ok');
  });

  it('names what a command is given as the user would', () => {
    const input = {
      ...{ command: 'npm test', folder: '/work', timeoutSeconds: 5 },
      ...{ reason: 'To see', background: true, input: 'y' },
    };
    const preview = previewOf({ id: '1', name: 'run_command', input });
    assert.ok(preview.type === 'arguments');
    assert.deepEqual(
      preview.rows.map(({ name, kind }) => [name, kind]),
      [
        ['Command', 'command'],
        ['Folder', undefined],
        ['Timeout (seconds)', undefined],
        ['Reason', undefined],
        ['In the background', undefined],
        ['Input', undefined],
      ],
    );
  });

  it("shows a foreign tool's arguments by name, with nothing hidden", () => {
    const input = { place: 'Ost\u2066end', nested: { metres: true }, 'n\u202eame': null };
    assert.deepEqual(rowsOf(input), [
      { name: 'place', value: 'Ost⟨U+2066⟩end' },
      { name: 'nested', value: '{\n  "metres": true\n}' },
      { name: 'n⟨U+202E⟩ame', value: 'null' },
    ]);
  });

  it("shows a foreign tool's arguments by its names although it is named like ours", () => {
    const [row] = rowsOf({ command: 'rm' }, { name: 'run_command' });
    assert.equal(row?.name, 'command');
  });

  it('shows the end of a text of any length, and all of a name once it is unfolded', () => {
    assert.ok(rowsOf({ long: `${'y'.repeat(30_000)} last` })[0]?.end?.endsWith('y last'));
    const name = 'n'.repeat(200);
    assert.equal(rowsOf({ [name]: 1 }, { isUnfolded: true })[0]?.name, name);
  });

  it('shows the beginning, the end and the size of a long argument, and all of it once it is unfolded', () => {
    const long = `first ${'y'.repeat(9_988)} last`;
    const [row] = rowsOf({ long });
    assert.ok(row?.end !== undefined);
    assert.ok(row.value.startsWith('first y') && row.end.endsWith('y last'), JSON.stringify(row));
    assert.ok(row.value.length + row.end.length < 500);
    assert.deepEqual(row.size, { characters: 9_999, lines: 1 });
    assert.deepEqual(rowsOf({ long }, { isUnfolded: true }), [
      { name: 'long', value: long, size: { characters: 9_999, lines: 1 } },
    ]);
    const many = Object.fromEntries(lines(60).map((name) => [name, 1]));
    const preview = previewOf({ id: '1', name: 't', title: 'T', input: many });
    assert.ok(preview.type === 'arguments');
    assert.deepEqual([preview.rows.length, preview.more], [10, 50]);
    assert.equal(rowsOf(many, { isUnfolded: true }).length, 60);
  });

  it('shows what 300 empty lines would push out of view', () => {
    const [row] = rowsOf({ command: `npm test${'\n'.repeat(300)}danger` });
    assert.deepEqual(row, {
      ...{ name: 'command', value: 'npm test\n⟨299 empty lines⟩\ndanger', kind: 'command' },
      size: { characters: 314, lines: 301 },
    });
    const preview = editPreview(undefined, `one${'\n'.repeat(300)}danger`);
    assert.deepEqual(
      preview.lines.map(({ text }) => text),
      ['one', '⟨299 empty lines⟩', 'danger'],
    );
    assert.equal(preview.more, 0);
  });

  it('shows names of a tool that are not whole in its sentence, and long paths, as texts', () => {
    const names = { name: 'tide_now', title: 'Tide '.repeat(200) };
    const preview = previewOf({ id: '1', input: {}, ...names });
    assert.ok(preview.type === 'arguments' && preview.rows[0]);
    const [{ name, value, end, size }] = preview.rows as [(typeof preview.rows)[0]];
    assert.deepEqual([name, size], ['Tool', { characters: 1000, lines: 1 }]);
    assert.ok(value.startsWith('Tide ') && end !== undefined);
    const path = `src/${'a/'.repeat(400)}danger.ts`;
    const file = { path, before: '', after: '', added: 0, removed: 0 };
    const edit = (parts: object = {}) =>
      previewOf({
        ...{ id: '1', name: 'edit_file', input: {}, ...parts },
        proposal: { files: [file], apply: () => Promise.reject(new Error('Not here.')) },
      });
    const [folded, unfolded] = [edit(), edit({ isUnfolded: true })];
    assert.ok(folded.type === 'edit' && unfolded.type === 'edit');
    assert.ok(folded.files[0]?.shownPath.end?.endsWith('danger.ts'));
    assert.equal(unfolded.files[0]?.shownPath.value, path);
  });

  it('shows a command as a command and texts as a list, unless a line break would make two items of one', () => {
    const input = {
      command: 'npm test | tee log',
      Cmd: ['git', 'commit', '-m', 'Two words\u202e', 'a"b\n'],
      script: 'cd docs\nls',
      paths: ['docs/tides.md', 'src/a b.ts\u200b'],
      texts: ['one', 'two\nthree'],
      numbers: [1, 2],
      none: [],
      commandLine: 'ls',
    };
    const preview = previewOf({ id: '1', name: 'terminal', input });
    assert.ok(preview.type === 'arguments');
    assert.deepEqual(
      preview.rows.map(({ name, kind, value }) => [name, kind, value]),
      [
        ['command', 'command', 'npm test | tee log'],
        ['Cmd', 'command', 'git commit -m "Two words⟨U+202E⟩" "a\\"b\\n"'],
        ['script', 'command', 'cd docs\nls'],
        ['paths', 'list', 'docs/tides.md\nsrc/a b.ts⟨U+200B⟩'],
        ['texts', undefined, '[\n  "one",\n  "two\\nthree"\n]'],
        ['numbers', undefined, '[\n  1,\n  2\n]'],
        ['none', undefined, '[]'],
        ['commandLine', undefined, 'ls'],
      ],
    );
  });
});

describe('dialogsAbout', () => {
  it('asks once about what is seen at once, with nothing hidden', () => {
    const dialogs = dialogsAbout('Tides\u202e', 'Allow');
    assert.deepEqual(dialogs, [{ detail: 'Tides⟨U+202E⟩', action: 'Allow' }]);
  });

  it('shows all of a long text before it can be agreed to', () => {
    const text = `first ${'y'.repeat(9_988)} last`;
    const [folded, whole, ...more] = dialogsAbout(text, 'Allow');
    assert.deepEqual([folded?.action, whole, more], ['Show All', { detail: text, action: 'Allow' }, []]);
    assert.match(folded?.detail ?? '', /^first y+\n… 9,999 characters …\ny+ last$/);
  });
});
