import assert from 'node:assert/strict';
import { asRead, readLines, readTable, toLines } from '../../../../src/apps/batch/csv.ts';

describe('readTable', () => {
  it('reads what spreadsheets write, and counts rows as they do', () => {
    const text = '\ufeffname;text\r\nOne;"two; ""three""\nfour"\r\n\r\nFive;\r\n';
    assert.deepEqual(readTable(text), {
      columns: ['name', 'text'],
      rows: [
        { number: 2, cells: ['One', 'two; "three"\nfour'] },
        { number: 4, cells: ['Five', ''] },
      ],
    });
    assert.deepEqual(readTable('a\tb\n1\t2').rows, [{ number: 2, cells: ['1', '2'] }]);
    assert.deepEqual(readTable('text\nhello').rows, [{ number: 2, cells: ['hello'] }]);
  });

  for (const [what, text, why] of [
    ['an open quotation mark', 'a,b\n"x,1\n2,3', /Row 2 has an unclosed quotation mark/],
    ['no header', '\n1,2', /first row has no column names/],
    ['a column twice', 'a,b,a\n1,2,3', /Two columns are named "a"/],
    ['columns without a name', 'a,,\n1,2,3', /have no name/],
    ['more cells than columns', 'a,b\n1,2\n1,2,3', /Row 3 has 3 cells, but there are 2 columns/],
  ] as const) {
    it(`refuses ${what}`, () => assert.throws(() => readTable(text), { message: why }));
  }
});

describe('toLines', () => {
  it('keeps every text but for the mark before what a spreadsheet would calculate', () => {
    const cells = ['a"b', 'c,d', 'e\nf\r\ng', '', '-1.5', '+49', '=1+1', '@x', '-2+3', "'=y", '世界'];
    const read = ['a"b', 'c,d', 'e\nf\r\ng', '', '-1.5', '+49', "'=1+1", "'@x", "'-2+3", "'=y", '世界'];
    assert.deepEqual(asRead(cells), read);
    assert.deepEqual(readLines(toLines([cells, cells])), [read, read]);
    assert.deepEqual(asRead(read), read);
  });
});
