import assert from 'node:assert/strict';
import { visibleText } from '../../../src/base/visibleText.ts';

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
});
