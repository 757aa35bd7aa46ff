import assert from 'node:assert/strict';
import type { FormField } from '../../../../src/apps/app.ts';
import { defaultMaxBytes } from '../../../../src/apps/client/appFiles.ts';
import type { LocalChoice } from '../../../../src/apps/fileChoice.ts';
import type { EditorInput } from '../../../../src/apps/run/choosePrefill.ts';
import { AskedForms, type FormQuestion } from '../../../../src/panel/apps/askedForms.ts';
import type { FieldEdit, FormView } from '../../../../src/shared/apps.ts';
import type { ToPage } from '../../../../src/shared/protocol.ts';

const boat: FormField = { variable: 'boat', label: 'Boat', type: 'text', isRequired: true, maxLength: 20 };
const log: FormField = { variable: 'log', label: 'Log', type: 'paragraph', isRequired: false };
const key: FormField = { ...log, variable: 'key', label: 'Key', isHidden: true, default: 'k' };
const papers: FormField = {
  ...{ variable: 'papers', label: 'Papers', type: 'file-list', isRequired: false },
  files: { types: ['document'], extensions: [], methods: ['local_file'] },
};

const chart: FormField = {
  ...{ ...papers, variable: 'chart', label: 'Chart', type: 'file' },
  files: { types: ['document'], extensions: [], methods: ['local_file', 'remote_url'] },
};

function setUp() {
  const shown: (FormView | undefined)[] = [];
  const files: LocalChoice[] = [];
  const asksForMany: boolean[] = [];
  const editor: { input?: EditorInput; file?: EditorInput } = {};
  const host = {
    chooseFiles: async (isMany: boolean) => {
      asksForMany.push(isMany);
      return [...files];
    },
    readEditor: async (isFile: boolean) =>
      ({ text: editor.input, file: editor.file })[isFile ? 'file' : 'text'],
  };
  const forms = new AskedForms(host, (message: ToPage) => {
    assert.ok(message.type === 'formChanged');
    shown.push(message.form);
  });
  const now = () => shown.at(-1);
  const front = () => now() ?? assert.fail('No form is shown.');
  const ask = (question: Partial<FormQuestion> = {}) =>
    forms.ask({
      ...{ title: 'Moor', form: [boat, log, key, papers], answers: { key: 'k' }, maxBytes: defaultMaxBytes },
      actions: [{ id: 'run', label: 'Run' }],
      ...question,
    });
  const fill = (variable: string, edit: FieldEdit, form = front().id) =>
    forms.fillIn({ type: 'fillField', form, variable, edit });
  const type = (variable: string, value: string, form?: string) =>
    fill(variable, { type: 'value', value }, form);
  const answer = (action?: string, form = front().id) =>
    forms.answer({ type: 'answerForm', form, ...(action !== undefined && { action }) });
  const field = (variable: string) => front().fields.find((each) => each.variable === variable);
  return { forms, shown, files, asksForMany, editor, now, ask, fill, type, answer, field, front };
}

const file = (name: string): LocalChoice => ({ method: 'local_file', realPath: `/${name}`, name, size: 3 });

describe('forms that commands wait for', () => {
  it('are shown without hidden fields, and give their answers with the chosen action', async () => {
    const { ask, type, answer, now, front } = setUp();
    const actions = [
      { id: 'yes', label: 'Approve' },
      { id: 'no', label: 'Reject' },
    ];
    const asked = ask({ note: 'For every row.', actions });
    const { id: _, fields, ...rest } = front();
    assert.deepEqual(rest, { title: 'Moor', note: 'For every row.', actions });
    assert.deepEqual(
      fields.map(({ label }) => label),
      ['Boat', 'Log', 'Papers'],
    );
    await type('boat', 'Dione');
    answer('no');
    assert.deepEqual(await asked, { answers: { boat: 'Dione', key: 'k' }, action: 'no' });
    assert.equal(now(), undefined);
  });

  it('stay with their problems, and leave what is asked by no action of theirs', async () => {
    const { ask, type, answer, field, now } = setUp();
    const asked = ask();
    answer('run');
    assert.equal(field('boat')?.problem, 'Required');
    await type('boat', 'Dione');
    assert.equal(field('boat')?.problem, undefined);
    answer('delete');
    assert.ok(now());
    answer('run');
    assert.deepEqual((await asked)?.answers, { boat: 'Dione', key: 'k' });
  });

  it('give nothing when they are cancelled', async () => {
    const { ask, type, answer, now } = setUp();
    const asked = ask();
    await type('boat', 'Dione');
    answer();
    assert.equal(await asked, undefined);
    assert.equal(now(), undefined);
  });

  it('wait behind one that is asked later, and each takes what is meant for it', async () => {
    const { ask, type, answer, front, now } = setUp();
    const first = ask({ title: 'First' });
    const { id } = front();
    const second = ask({ title: 'Second' });
    assert.equal(front().title, 'Second');
    await type('boat', 'Ada', id);
    await type('boat', 'Dione');
    await type('boat', 'Nobody', 'gone');
    answer('run', 'gone');
    answer('run');
    assert.equal((await second)?.answers['boat'], 'Dione');
    assert.equal(front().title, 'First');
    assert.equal(front().fields[0]?.value, 'Ada');
    answer('run');
    assert.equal((await first)?.answers['boat'], 'Ada');
    assert.equal(now(), undefined);
  });

  it('show the text with what is typed, at once', () => {
    const { ask, type, front, shown } = setUp();
    void ask({ text: ({ boat: name }) => `Moor ${typeof name === 'string' ? name : '…'}.` });
    assert.equal(front().text, 'Moor ….');
    void type('boat', 'Dione');
    assert.equal(front().text, 'Moor Dione.');
    const { length } = shown;
    // The page has what is typed.
    void type('log', 'Fair.');
    assert.equal(shown.length, length);
  });

  it('take a text from the editor and say where it came from until it is changed', async () => {
    const { ask, fill, type, answer, field, editor } = setUp();
    const asked = ask({ answers: { boat: 'Dione' }, origins: new Map([['boat', 'crew.md, line 3']]) });
    assert.equal(field('boat')?.origin, 'crew.md, line 3');
    await fill('log', { type: 'editor' });
    assert.equal(field('log')?.value, undefined);
    editor.input = { text: 'High water.\nLow water.', redacted: '', from: 'tide.md' };
    editor.file = { text: 'Tides', redacted: '', from: 'tide.md', file: file('tide.md') };
    await fill('log', { type: 'editor' });
    assert.deepEqual([field('log')?.value, field('log')?.origin], ['High water.\nLow water.', 'tide.md']);
    await type('log', 'High water.');
    assert.deepEqual([field('log')?.value, field('log')?.origin], ['High water.', undefined]);
    await fill('papers', { type: 'editor' });
    answer('run');
    assert.deepEqual((await asked)?.answers, {
      boat: 'Dione',
      log: 'High water.',
      papers: [file('tide.md')],
    });
  });

  it('keep the chosen files when nothing more is chosen', async () => {
    const { ask, fill, field, files } = setUp();
    void ask({ form: [papers, chart] });
    const chosen = (variable = 'papers') => field(variable)?.files?.chosen.map(({ label }) => label);
    for (const variable of ['papers', 'chart']) {
      files.push(file('a.pdf'));
      await fill(variable, { type: 'chooseFiles' });
      files.pop();
      await fill(variable, { type: 'chooseFiles' });
      assert.deepEqual(chosen(variable), ['a.pdf']);
    }
    await fill('papers', { type: 'removeFile', fileId: 'f0' });
    assert.deepEqual(chosen(), []);
    await fill('gone', { type: 'chooseFiles' });
  });

  it('change nothing of what they were asked with', async () => {
    const { ask, type, answer } = setUp();
    const answers = { boat: 'Dione', key: 'k' };
    const origins = new Map([['boat', 'crew.md']]);
    const asked = ask({ answers, origins });
    await type('boat', 'Aurora');
    answer();
    await asked;
    assert.deepEqual([answers, [...origins]], [{ boat: 'Dione', key: 'k' }, [['boat', 'crew.md']]]);
  });

  it('tell at once what is wrong with a file, beside what else is wrong', async () => {
    const { ask, fill, type, answer, field, files, front } = setUp();
    void ask({ maxBytes: { ...defaultMaxBytes, document: 2 } });
    answer('run');
    files.push(file('a.pdf'));
    await fill('papers', { type: 'chooseFiles' });
    const problems = () => front().fields.flatMap(({ variable, problem }) => (problem ? variable : []));
    assert.deepEqual(problems(), ['boat', 'papers']);
    assert.match(field('papers')?.problem ?? '', /a\.pdf/);
    await fill('papers', { type: 'removeFile', fileId: 'f0' });
    assert.deepEqual(problems(), ['boat']);
    await type('boat', 'Dione');
    assert.deepEqual(problems(), []);
  });

  it('hold one file or several as their field does, let go of the one that is meant, and say its size', async () => {
    const { ask, fill, field, files, asksForMany } = setUp();
    void ask({ form: [papers, chart] });
    files.push(file('a.pdf'), file('b.pdf'), file('c.pdf'));
    for (const variable of ['papers', 'chart']) await fill(variable, { type: 'chooseFiles' });
    assert.deepEqual(asksForMany, [true, false]);
    await fill('papers', { type: 'removeFile', fileId: 'f1' });
    const chosen = (variable: string) =>
      field(variable)?.files?.chosen.map(({ label, detail }) => [label, detail]);
    assert.deepEqual(chosen('papers'), [
      ['a.pdf', '3 B'],
      ['c.pdf', '3 B'],
    ]);
    assert.deepEqual(chosen('chart'), [['a.pdf', '3 B']]);
    await fill('chart', { type: 'address', address: ' https://p.example/chart.png\n' });
    assert.deepEqual(chosen('chart'), [['https://p.example/chart.png', undefined]]);
  });

  it('are shown again to a page that is new', async () => {
    const { forms, ask, type, front, shown } = setUp();
    forms.show();
    assert.deepEqual(shown, [undefined]);
    void ask();
    await type('boat', 'Dione');
    forms.show();
    assert.equal(front().fields[0]?.value, 'Dione');
  });
});
