import assert from 'node:assert/strict';
import type { FormField } from '../../../../src/apps/app.ts';
import type { FormAnswers } from '../../../../src/apps/appForm.ts';
import { defaultMaxBytes } from '../../../../src/apps/client/appFiles.ts';
import { formRows, type FormRow } from '../../../../src/apps/run/formRows.ts';

const base = { isRequired: false };
const form: FormField[] = [
  { ...base, type: 'paragraph', variable: 'text', label: 'Text', isRequired: true, maxLength: 20 },
  { ...base, type: 'number', variable: 'count', label: 'Count', isRequired: true },
  { ...base, type: 'checkbox', variable: 'loud', label: 'Loud', default: true },
  {
    ...base,
    type: 'file-list',
    variable: 'papers',
    label: 'Papers',
    files: { types: ['document'], extensions: [], methods: ['local_file', 'remote_url'] },
  },
];

function rows(answers: FormAnswers, origins: [string, string][] = []): FormRow[] {
  return formRows({ form, answers, maxBytes: defaultMaxBytes, origins: new Map(origins) });
}
function isReady(answers: FormAnswers): boolean {
  const [run] = rows(answers);
  return run?.type === 'run' && run.isReady;
}
const described = (answers: FormAnswers, origins: [string, string][] = []) =>
  rows(answers, origins).map((row) =>
    row.type === 'field' ? [row.label, row.description, row.detail] : [row.label, row.detail],
  );

describe('the form of an app as a list', () => {
  it('begins with the order to run, which names what is missing', () => {
    assert.deepEqual(described({}), [
      ['Run', 'Required: Text, Count'],
      ['Text *', '(empty)', 'Required'],
      ['Count *', '(empty)', 'Required'],
      ['Loud', 'yes', ''],
      ['Papers', '(empty)', ''],
    ]);
    assert.equal(isReady({}), false);
  });

  it('shows each answer, and where one came from that nobody typed', () => {
    const papers = [
      { method: 'local_file', name: 'a.md', size: 3 },
      { method: 'remote_url', url: 'https://example.com/b.md' },
    ] as const;
    const answers = { text: 'one\n\ntwo\n', count: '0', loud: false, papers };
    assert.deepEqual(described(answers, [['text', 'From README.md, line 3']]), [
      ['Run', ''],
      ['Text *', 'one two (3 lines)', 'From README.md, line 3'],
      ['Count *', '0', ''],
      ['Loud', 'no', ''],
      ['Papers', 'a.md, https://example.com/b.md', ''],
    ]);
    assert.equal(isReady(answers), true);
  });

  it('says what is wrong with an answer in place of where it came from', () => {
    const [, text] = described({ text: 'x'.repeat(21), count: 'three' }, [['text', 'From README.md']]);
    assert.match(text?.[2] ?? '', /Maximum 20 characters \(21 entered\)/);
  });

  it('has no hidden fields, and says the hint of the others', () => {
    const [first, second] = form;
    const changed = [
      { ...first!, isHidden: true as const, default: 'x' },
      { ...second!, hint: 'From 1 to 9' },
    ];
    const answers = { text: 'x', count: 3 };
    const all = formRows({ form: changed, answers, maxBytes: defaultMaxBytes, origins: new Map() });
    assert.deepEqual(
      all.map(({ label, detail }) => [label, detail]),
      [
        ['Run', ''],
        ['Count *', 'From 1 to 9'],
      ],
    );
  });

  it('costs no more for a text of many megabytes than can be shown', () => {
    const [, text] = described({ text: `${' '.repeat(3_000_000)}end`, count: 1 });
    assert.ok((text?.[1]?.length ?? 0) < 200);
  });
});
