import assert from 'node:assert/strict';
import { renderWhole } from '../../../../page/support/wholeMarkdown.ts';
import { processorMs } from '../../../../support/processorTime.ts';

describe('mathematics in an answer', () => {
  for (const [text, expected] of Object.entries({
    'Let \\(a_1 * b_2 * c\\) be.': '<p>Let <span class="math">\\(a_1 * b_2 * c\\)</span> be.</p>\n',
    'So $$x_i * y_i * z$$ holds.': '<p>So <span class="math">$$x_i * y_i * z$$</span> holds.</p>\n',
    'So \\[x < y\\] holds.': '<p>So <span class="math">\\[x &lt; y\\]</span> holds.</p>\n',
    '\\[\n\\frac{a_1}{b_1} \\\\\n- c\n\\]\nAfter':
      '<p class="math">\\[\n\\frac{a_1}{b_1} \\\\\n- c\n\\]</p>\n<p>After</p>\n',
    'Before\n$$\n- a_1\n# b\n$$': '<p>Before</p>\n<p class="math">$$\n- a_1\n# b\n$$</p>\n',
    '- item \\(a_1\\)\n\n  $$\n  x\n  $$':
      '<ul>\n<li>item <span class="math">\\(a_1\\)</span><p class="math">$$\nx\n$$</p>\n</li>\n</ul>\n',
    'Let $a_1 * b_2$ and $2^{10}$, not (US$5) or \\$x$.':
      '<p>Let <span class="math">$a_1 * b_2$</span> and <span class="math">$2^{10}$</span>, not (US$5) or $x$.</p>\n',
    'Before\n$$\na\n=\nb\n$$': '<p>Before</p>\n<p class="math">$$\na\n=\nb\n$$</p>\n',
  })) {
    it(`stays as it was written: ${JSON.stringify(text)}`, () => assert.equal(renderWhole(text), expected));
  }

  for (const text of [
    'It costs $$ and more',
    'An open \\(a',
    '\\(\\) \\[\\] $$$$',
    '$$\na\n\nb',
    '$$',
    '`\\(a_1\\)` and `$$x$$`',
    '```\n$$\nx\n$$\n```',
    ...['$5 and $6', '$5 (or A$)', '$HOME:$PATH', 'from $5 to US$6', '$x and y $', 'x$y$', '$a\nb$', '`$a$`'],
  ]) {
    it(`is not seen in ${JSON.stringify(text)}`, () =>
      assert.doesNotMatch(renderWhole(text), /class="math"/));
  }

  it('costs time in proportion to the text, also where it is never closed', function () {
    this.timeout(30_000);
    for (const piece of [
      '\\(',
      '\\[ ',
      '$$ ',
      'a $$',
      '$$\n',
      '\\[\n',
      'a\n$$\n',
      'word ',
      'a*b \\(c',
      '$',
      '$a',
      ' $a b',
    ]) {
      const time = (characters: number) => {
        const text = piece.repeat(Math.ceil(characters / piece.length));
        return processorMs(() => renderWhole(text));
      };
      time(4000);
      const once = Math.min(time(20_000), time(20_000));
      const more = Math.min(time(80_000), time(80_000));
      assert.ok(
        more < 10 * once + 50,
        `${JSON.stringify(piece)}: ${once} ms, four times as long: ${more} ms`,
      );
    }
  });
});
