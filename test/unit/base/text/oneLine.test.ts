import assert from 'node:assert/strict';
import { inline, inList } from '../../../../src/base/text/oneLine.ts';

describe('inline', () => {
  it('shows a text of others in a sentence, with all in it that is not seen', () => {
    assert.equal(inline('  npm test  '), 'npm test');
    assert.equal(inline('npm test\r\nrm -rf\n'), 'npm test ⏎ rm -rf');
    assert.equal(inline('npm\ttest \u202ehsup\u2028x'), 'npm→ test ⟨U+202E⟩hsup⟨U+2028⟩x');
    assert.equal(inline('a\n\n\n\n\nb'), 'a ⏎ ⟨4 empty lines⟩ ⏎ b');
  });

  it('says that it is cut, also where what was cut off is behind nothing that is seen', () => {
    assert.equal(inline('abcdef', 3), 'abc…');
    assert.equal(inline('abc', 3), 'abc');
    assert.equal(inline(`a${' '.repeat(30)}; b`, 10), 'a ; b');
    assert.equal(inline(`a${' '.repeat(900)}; b`, 40), 'a⟨159 spaces⟩…');
    assert.equal(inline(`a${'\n'.repeat(999)}; b`, 40), 'a ⏎ ⟨158 empty lines⟩…');
    assert.equal(inline('ab👍', 3), 'ab…');
  });

  it('keeps what is written from right to left from moving the words around it', () => {
    assert.equal(inline('שלום 5'), '\u2068שלום 5\u2069');
    assert.equal(inline('tides'), 'tides');
  });

  it('is no picture in a list of the editor', () => {
    assert.equal(
      inList('$(check) allowed $(sync~spin) $(ls) $(ls -a)'),
      '\\$(check) allowed \\$(sync~spin) \\$(ls) $(ls -a)',
    );
  });
});
