import assert from 'node:assert/strict';
import type { Question } from '../../../../src/chat/calls/toolBox.ts';
import { answersTo, approvalMessage } from '../../../../src/panel/present/approvalMessage.ts';

describe('approvalMessage', () => {
  const foreign = (input: Question['input']): Question => ({
    ...{ id: 'q', name: 'tide_now', title: 'Tide now', input },
  });

  it('says what a tool of others is given, since its name says nothing of it', () => {
    assert.equal(
      approvalMessage(foreign({ place: 'Ostend', days: [1, 2] }), undefined),
      'Run Tide now {"place":"Ostend","days":[1,2]}',
    );
    assert.equal(approvalMessage(foreign({}), undefined), 'Run Tide now');
  });

  it('says all of arguments up to 200 characters', () => {
    const a = 'x'.repeat(192);
    assert.equal(approvalMessage(foreign({ a }), undefined), `Run Tide now {"a":"${a}"}`);
  });

  it('bounds what it is given, and lets nothing of it become a link', () => {
    const text = approvalMessage(foreign({ a: '[x](command:y)', b: 'long '.repeat(100) }), 'Tides');
    assert.match(text, /^Run Tide now \{"a":"\[x\] \(command:y\)","b":"long long .*… \(in "Tides"\)$/);
    assert.ok(text.length < 260);
  });

  describe('says a whole call', () => {
    const command = (text: string, parts: object = {}, given: Partial<Question> = {}): Question => ({
      ...{ id: 'q', name: 'run_command', input: { command: text, folder: '/work', ...parts } },
      ...{ usual: ['reason', 'folder'], ...given },
    });
    const proposal = { files: [], apply: () => Promise.reject(new Error('Not here.')) };
    const wholly: [what: string, Question][] = [
      ['a command', command('npm test')],
      ['a command with a reason', command('npm test', { reason: 'To see' })],
      ['a foreign tool', foreign({ place: 'Ostend', days: [1, 2] })],
      ['a foreign tool without arguments', foreign({})],
      ['a read of a file', { id: 'q', name: 'read_file', input: { path: 'a.ts' } }],
      ['a look at the editors', { id: 'q', name: 'get_open_editors', input: {} }],
    ];
    for (const [what, question] of wholly) {
      it(`of ${what}`, () => assert.deepEqual(answersTo(question), ['allow', 'deny', 'show']));
    }

    const tricky: [what: string, text: string][] = [
      ['is cut', `npm test ${'-- '.repeat(70)}; danger`],
      ['has several lines', 'npm test\ndanger'],
      ['ends its line', 'npm test\n'],
      ['has a carriage return', 'npm test\rdanger'],
      ['has many spaces', 'npm test   danger'],
      ['has a tab', 'npm\ttest'],
      ['has a space that is none', 'npm\u00a0test'],
      ['has an override of direction', 'a\u202eb'],
      ['has a character without width', 'npm\u200b test'],
      ['has a separator of lines', 'npm test\u2028danger'],
      ['is written from right to left', 'rm א 1'],
      ['would be a link', 'echo [x](command:y)'],
    ];
    const less: [what: string, Question][] = [
      ['an edit', { id: 'q', name: 'edit_file', input: { path: 'a.ts' }, proposal }],
      ['a new file', { id: 'q', name: 'create_file', input: { path: 'a.ts' }, proposal }],
      ['a read of some lines', { id: 'q', name: 'read_file', input: { path: 'a.ts', startLine: 7 } }],
      ['a list of some files', { id: 'q', name: 'list_files', input: { glob: '*.ts' } }],
      ['a search in a folder', { id: 'q', name: 'search_text', input: { query: 'a', path: 'src' } }],
      ['a command in another folder', command('npm test', {}, { usual: ['reason'] })],
      ['a command in the background', command('npm test', { background: 'Yes' })],
      ['a command with a time of its own', command('npm test', { timeoutSeconds: 600 })],
      ['a command that reads input', command('npm test', { input: 'You type it.' })],
      ['an argument that is not known', command('npm test', { shell: 'zsh' })],
      ['a foreign tool with a long argument', foreign({ text: 'x'.repeat(200) })],
      ['a foreign tool whose title is cut', { ...foreign({}), title: 'Tide '.repeat(50) }],
      ['a foreign tool whose title hides', { ...foreign({}), title: 'Tide\u202e now' }],
      ['a foreign tool with a hidden name', foreign({ 'pl\u200bace': 1 })],
      ...tricky.map(([what, text]): [string, Question] => [`a command that ${what}`, command(text)]),
      ...tricky.map(([what, text]): [string, Question] => [
        `an argument that ${what}`,
        foreign({ a: [{ text }] }),
      ]),
    ];
    for (const [what, question] of less) {
      it(`but not of ${what}`, () => assert.deepEqual(answersTo(question), ['show']));
    }
  });
});
