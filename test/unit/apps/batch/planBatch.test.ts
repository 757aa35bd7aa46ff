import assert from 'node:assert/strict';
import { readTable } from '../../../../src/apps/batch/csv.ts';
import { mappingText, matchColumns, planRows, problemsText } from '../../../../src/apps/batch/planBatch.ts';
import { readParameters } from '../../../../src/apps/client/readParameters.ts';

const {
  form,
  files: { maxBytes },
} = readParameters({
  user_input_form: [
    { paragraph: { variable: 'text', label: 'Text to read', required: true, max_length: 5 } },
    { number: { variable: 'times', label: 'Times' } },
    { select: { variable: 'tone', label: 'Tone', options: ['Formal', 'friendly'] } },
    { checkbox: { variable: 'loud', label: 'Loud' } },
    { file: { variable: 'source', label: 'Source', allowed_file_types: ['document'] } },
  ],
});
const findFile = async (cell: string) =>
  cell === 'gone.md'
    ? { refusal: 'There is no such file.' }
    : { method: 'local_file' as const, name: cell, size: 3, realPath: `/w/${cell}` };

const plan = (text: string, common = {}) => {
  const table = readTable(text);
  return planRows(table, form, matchColumns(form, table.columns), { common, maxBytes, findFile });
};

describe('a batch over a table', () => {
  it('fills fields from columns that are called like them or their labels, whatever their case', async () => {
    const { rows, problems } = await plan(
      'TEXT TO READ,tone,Loud,source,times,other\nOne,FORMAL,yes,a.md,2,x\n=a,,no,,,',
    );
    assert.deepEqual(problems, []);
    const file = { method: 'local_file', name: 'a.md', size: 3, realPath: '/w/a.md' };
    assert.deepEqual(
      rows.map(({ answers }) => answers),
      [
        { text: 'One', tone: 'Formal', loud: true, source: [file], times: '2' },
        { text: '=a', tone: undefined, loud: false, source: undefined, times: undefined },
      ],
    );
  });

  it('gives every row the values of fields without a column, and a column none to an empty cell', async () => {
    const { rows, problems } = await plan('times\n1\n2', { text: 'All' });
    assert.deepEqual(problems, []);
    assert.deepEqual(
      rows.map(({ answers }) => answers),
      [
        { text: 'All', times: '1' },
        { text: 'All', times: '2' },
      ],
    );
    assert.equal((await plan('text,times\n,1', { text: 'All' })).problems[0]?.problem, 'Required');
  });

  it('says of each cell what the platform would refuse, before anything is sent', async () => {
    const { problems } = await plan('text,times,tone,loud,source\nlonger,many,rude,perhaps,gone.md\n,1,,,');
    assert.deepEqual(
      problems.map(({ row, label, problem }) => `${row} ${label}: ${problem}`),
      [
        '2 loud: Enter yes or no.',
        '2 source: There is no such file.',
        '2 Text to read: Maximum 5 characters (6 entered).',
        '2 Times: Enter a number.',
        '2 Tone: Choose one of: Formal, friendly.',
        '3 Text to read: Required',
      ],
    );
  });

  it('says of a required field that cannot be read only why', async () => {
    const table = readTable('source\ngone.md\n');
    const required = readParameters({ user_input_form: [{ file: { variable: 'source', required: true } }] });
    const mapping = matchColumns(required.form, table.columns);
    const rest = { common: {}, maxBytes, findFile };
    const { problems } = await planRows(table, required.form, mapping, rest);
    assert.deepEqual(problems, [{ row: 2, label: 'source', problem: 'There is no such file.' }]);
  });

  it('tells which column fills what, and which is not sent', () => {
    const columns = ['text', 'a\nb', 'tone'];
    assert.equal(
      mappingText(form, columns, matchColumns(form, columns)),
      'Text to read: column "text"\nTone: column "tone"\nNot sent: column a b',
    );
  });

  it('lists problems in lines that nothing of others can break', () => {
    const problem = { row: 2, label: 'a\n# b', problem: 'c\n\n- d' };
    const text = problemsText(
      't.csv',
      Array.from({ length: 201 }, () => problem),
    );
    assert.match(text, /^# t\.csv\n\nNothing was sent\./);
    assert.equal(text.split('\n').filter((line) => line === '- Row 2, a # b: c - d').length, 200);
    assert.match(text, /and 1 more\n$/);
  });
});
