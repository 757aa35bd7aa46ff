import assert from 'node:assert/strict';
import { visibleText } from '../../../../src/base/text/visibleText.ts';
import { processorMs } from '../../../support/processorTime.ts';

describe('visibleText', () => {
  it('writes out what changes the direction of text or has no width', () => {
    assert.equal(visibleText('a\u202eb\u2066c\u200bd\ufeffe'), 'a⟨U+202E⟩b⟨U+2066⟩c⟨U+200B⟩d⟨U+FEFF⟩e');
    assert.equal(visibleText('\u{e0041}\0\x1b[31m'), '⟨U+E0041⟩⟨U+0000⟩⟨U+001B⟩[31m');
    assert.equal(visibleText('a\ufe0fb\u200dc👍\u200d'), 'a⟨U+FE0F⟩b⟨U+200D⟩c👍⟨U+200D⟩');
    assert.equal(visibleText('one\rtwo\u2028'), 'one⟨U+000D⟩two⟨U+2028⟩');
  });

  it('leaves text as it is in any language, with its tabs and line ends', () => {
    const text = 'if (a) {\r\n\tb(); // 港口 שלום مرحبا é 👍 ⚠️ 👩‍💻\n}';
    assert.equal(visibleText(text), text.replace('\r\n', '\n'));
  });

  it('writes out spaces that are none between words, and tabs between them', () => {
    assert.equal(visibleText('a\u00a0b\u2003c\u2800d'), 'a⟨U+00A0⟩b⟨U+2003⟩c⟨U+2800⟩d');
    assert.equal(visibleText('git\tlog'), 'git→\tlog');
    assert.equal(visibleText('\t\tgit'), '\t\tgit');
    assert.equal(visibleText('rm\u3000a\u3000&& b'), 'rm⟨U+3000⟩a⟨U+3000⟩&& b');
    const chinese = '\u3000\u3000港口。\u3000潮汐';
    assert.equal(visibleText(chinese), chinese);
  });

  it('writes out the length of what would push the rest out of view', () => {
    assert.equal(visibleText(`a${'\n'.repeat(300)}b`), 'a\n⟨299 empty lines⟩\nb');
    assert.equal(visibleText('a\n \n\t\n  \nb\n\n\nc'), 'a\n⟨3 empty lines⟩\nb\n\n\nc');
    assert.equal(visibleText(`a${'\r\n'.repeat(300)}b`), 'a\n⟨299 empty lines⟩\nb');
    assert.equal(visibleText(`${' '.repeat(1200)}a${'\t'.repeat(40)}b`), '⟨1,200 spaces⟩a⟨40 spaces⟩b');
    assert.equal(visibleText(`${' '.repeat(39)}a`), `${' '.repeat(39)}a`);
    assert.equal(visibleText(`a${'\u200b'.repeat(1200)}b`), 'a⟨U+200B × 1,200⟩b');
    assert.equal(visibleText('\u{e0041}\u{e0041}\u{e0042}'), '⟨U+E0041 × 2⟩⟨U+E0042⟩');
  });

  it('takes a time that grows with the text alone', () => {
    for (const part of [' ', '\t', '\n', ' \n', '\u3000', '\u200b', '\u200b\u200c', '👍\u200d', '港\u3000']) {
      const ms = processorMs(() => visibleText(part.repeat(100_000)));
      assert.ok(ms < 1000, JSON.stringify(part));
    }
  });
});
