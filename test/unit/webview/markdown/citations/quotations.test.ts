import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  type CitedBlock,
  unsupportedCitations,
} from '../../../../../src/webview/markdown/citations/quotations.ts';

const contents: Record<number, string | undefined> = {
  1: 'Boats wait outside the wall\nuntil the light is green. Three knots, everywhere and always.',
  2: 'See the [tide *table*](https://harbour.example.com/t "T") for high &amp; low <b>water</b>.',
  3: undefined,
  4: '船只在港口外面等候，直到灯变绿为止。',
};

/** A block whose citations are written as in Markdown. */
function block(written: string, isBlockQuote = false): CitedBlock<string> {
  let text = '';
  const cites: { at: number; n: number; cite: string }[] = [];
  for (const part of written.split(/(\[\d+\])/)) {
    const n = /^\[(\d+)\]$/.exec(part)?.[1];
    if (n === undefined) text += part;
    else cites.push({ at: text.length, n: Number(n), cite: `${n}@${text.length}` });
  }
  return { text, cites, isBlockQuote };
}

const marked = (...blocks: CitedBlock<string>[]) =>
  unsupportedCitations(blocks, (n) => contents[n]).map((cite) => Number(cite.split('@')[0]));

describe('quotations with citations', () => {
  const wrong = 'Boats may enter whenever they like';

  it('are marked if their words are nowhere in the source', () => {
    for (const text of [
      `"${wrong}" [1]`,
      `It says: “${wrong}.” [1].`,
      `“${wrong}” ([1])`,
      `“${wrong} [1].”`,
      `„${wrong}“ [1]`,
      `«${wrong}»[1]`,
      `「${wrong}」[1]`,
      `『船只可以随时自由进出这个港口』[4]。`,
      `First "Boats wait outside the wall" [1], then "${wrong}" [1]`,
    ]) {
      assert.equal(marked(block(text)).length, 1, text);
    }
    assert.deepEqual(marked(block(`“${wrong}” [1][2]`)), [1, 2]);
  });

  it('are not if their words are there, whatever was done to spaces, quotes and marks', () => {
    for (const text of [
      '"Boats wait outside the wall until the light is green" [1]',
      '“boats wait  outside the wall … until the light [...] green,” [1]',
      '“[The] boats wait outside the wall” [1]',
      '“See the tide table for high & low water” [2]',
      '“Boats wait outside the wall” [2], [1]',
      '“Three knots [redacted secret] everywhere and always” [1]',
      '「船只在港口外面等候， 直到灯变绿为止」[4]',
    ]) {
      assert.deepEqual(marked(block(text)), [], text);
    }
  });

  it('are not if nothing is quoted, or nothing can be said', () => {
    for (const text of [
      `${wrong} [1]`,
      '"Two words" [1]',
      '"a b c d" [1]',
      `"${wrong}" [3]`,
      `"${wrong}" [1][3]`,
      `"${wrong}" is what the harbour master says to everybody [1]`,
      'He called it a 5" pipe and there is another that is 5" [1]',
      '“He said “Boats may enter” whenever they like” [1]',
      '“” [1]',
      '[1]',
    ]) {
      assert.deepEqual(marked(block(text)), [], text);
    }
  });

  it('are block quotes, too, with the citation in them or alone below', () => {
    const right = 'Boats wait outside the wall until the light is green.';
    assert.deepEqual(marked(block(`${wrong} [1]`, true)), [1]);
    assert.deepEqual(marked(block(`${wrong}\n— Harbour rules [1]`, true)), [1]);
    assert.deepEqual(marked(block(`${right}\n— The rules of the harbour [1]`, true)), []);
    assert.deepEqual(marked(block(`${right} – Rules [1]`, true)), []);
    assert.deepEqual(marked(block(`Note: ${wrong} [1]`, true)), [], 'a note quotes nobody');
    assert.deepEqual(marked(block(wrong, true), block('— [1]')), [1]);
    assert.deepEqual(marked(block(right, true), block('[1].')), []);
    assert.deepEqual(marked(block(wrong, true), block('[1] says so.')), []);
    assert.deepEqual(marked(block(wrong), block('[1]')), [], 'a paragraph is no block quote');
  });

  const word = fc.stringMatching(/^[a-z]{4,9}$/);
  const sentence = fc.array(word, { minLength: 3, maxLength: 12 });
  const quotes = fc.constantFrom(
    ['"', '"'],
    ['“', '”'],
    ['„', '“'],
    ['«', '»'],
    ['「', '」'],
  ) as fc.Arbitrary<[string, string]>;

  it('never alarm for a run of words of the source, and always for words that it lacks', () => {
    fc.assert(
      fc.property(
        sentence,
        fc.nat(),
        quotes,
        fc.constantFrom(' ', '\n', '  ', '… '),
        (words, from, [a, b], gap) => {
          const start = from % (words.length - 2);
          const content = `Before, ${words.join(' ')} after.`;
          const judge = (quoted: string) =>
            unsupportedCitations([block(`It says ${a}${quoted}${b} [1].`)], () => content).length;
          assert.equal(judge(words.slice(start).join(gap)), 0);
          assert.equal(judge(`${words.slice(start).join(' ')} 9999`), 1);
        },
      ),
    );
  });

  it('take any text, marking only citations that are there', () => {
    const piece = fc.constantFrom(
      '"',
      '“',
      '”',
      '[1]',
      '[2]',
      ' ',
      '\n',
      '…',
      '[',
      ']',
      'word ',
      '>',
      '—',
      '(',
      'x',
    );
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.array(piece), fc.boolean())), (all) => {
        const blocks = all.map(([pieces, isQuote]) => block(pieces.join(''), isQuote));
        const known = new Set(blocks.flatMap(({ cites }) => cites.map(({ cite }) => cite)));
        const found = unsupportedCitations(blocks, (n) => contents[n]);
        assert.ok(found.every((cite) => known.has(cite)));
      }),
    );
  });
});
