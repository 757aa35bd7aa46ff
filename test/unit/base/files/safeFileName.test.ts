import assert from 'node:assert/strict';
import { safeFileName } from '../../../../src/base/files/safeFileName.ts';

describe('safeFileName', () => {
  for (const [name, safe] of [
    ['guide.md', 'guide.md'],
    ['..', 'document'],
    ['../../etc/passwd', '-..-etc-passwd'],
    ['C:\\Windows\\win.ini', 'C--Windows-win.ini'],
    ['a\nb\u202egpj.exe', 'a b-U+202E-gpj.exe'],
    ['.bashrc', 'bashrc'],
    ...['nul.txt', 'CON', 'prn', 'aux.md', 'com1', 'lpt9.md'].map((each) => [each, 'document'] as const),
    ['notes. .', 'notes'],
    ['说明.md', '说明.md'],
    ['', 'document'],
  ] as const) {
    it(`makes "${safe}" of ${JSON.stringify(name)}`, () =>
      assert.equal(safeFileName(name, 'document'), safe));
  }

  it('cuts what no system takes', () => assert.ok(safeFileName('x'.repeat(5_000), 'y').length <= 121));
});
