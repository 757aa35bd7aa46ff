import assert from 'node:assert/strict';
import { previewOf } from '../../../src/panel/callPreview.ts';
import { countChanges, diffLines } from '../../../src/base/lineDiff.ts';

const lines = (count: number, name = 'line') => Array.from({ length: count }, (_, n) => `${name} ${n}`);

/** What the user is shown of an edit. */
function editPreview(before: string | undefined, after: string) {
  const counts = countChanges(diffLines(before ?? '', after));
  const apply = async () => ({ content: '', isError: false });
  const preview = previewOf({
    ...{ id: '1', name: 'edit_file', input: {} },
    proposal: { files: [{ path: 'a.ts', before, after, ...counts }], apply },
  });
  assert.ok(preview.type === 'edit' && preview.files[0]);
  return preview.files[0];
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
    const input = { command: 'npm test', folder: '/work', timeoutSeconds: 5 };
    const preview = previewOf({ id: '1', name: 'run_command', input });
    assert.ok(preview.type === 'arguments');
    assert.deepEqual(
      preview.rows.map(({ name, kind }) => [name, kind]),
      [
        ['Command', 'command'],
        ['Folder', undefined],
        ['Timeout (seconds)', undefined],
      ],
    );
  });

  it("shows a foreign tool's arguments by name, bounded and with nothing hidden", () => {
    const input = {
      place: 'Ost\u2066end',
      nested: { metres: true },
      'n\u202eame': null,
      long: 'y'.repeat(4100),
    };
    const preview = previewOf({ id: '1', name: 'tide_now', input });
    assert.ok(preview.type === 'arguments');
    assert.deepEqual(
      preview.rows.map(({ name, value, more }) => [name, value.length > 50 ? value.length : value, more]),
      [
        ['place', 'Ost⟨U+2066⟩end', 0],
        ['nested', '{\n  "metres": true\n}', 0],
        ['n⟨U+202E⟩ame', 'null', 0],
        ['long', 4000, 100],
      ],
    );
    assert.ok(preview.rows.every(({ kind }) => kind === undefined));
    const many = previewOf({
      ...{ id: '1', name: 't' },
      input: Object.fromEntries(lines(60).map((k) => [k, 1])),
    });
    assert.ok(many.type === 'arguments');
    assert.deepEqual([many.rows.length, many.more], [40, 20]);
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
