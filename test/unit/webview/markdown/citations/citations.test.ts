import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { chunked, documents } from '../../../../page/support/snippets.ts';
import { renderWhole } from '../../../../page/support/wholeMarkdown.ts';
import { CitationSearch } from '../../../../../src/webview/transcript/sources.tsx';

describe('citations in an answer', () => {
  const cited = (text: string) => [...(new CitationSearch(text).search() ?? [])].toSorted((a, b) => a - b);

  for (const [text, expected] of Object.entries<number[]>({
    'High water [1] comes twice [2].': [1, 2],
    'Both[1][2], and three at once [3, 4，5].': [1, 2, 3, 4, 5],
    '- in a list [1]\n  - and deeper **bold [2]**\n\n> quoted [3]': [1, 2, 3],
    '| a [1] | b |\n|--|--|\n| c [2] | `[3]` |': [1, 2],
    '## Heading [1]\n\nText.': [1],
    '`a[1]` and ``b [2] ` ``': [],
    '```js\nlist[1];\n```\n\n    indented[2]': [],
    '[1](https://example.com) and [2]': [2],
    '[see [1]](https://example.com) ![and [2]](https://example.com/a.png)': [],
    '[1] has an address elsewhere.\n\n[1]: https://example.com': [],
    '[1] is named below.\n\n[1]: heights.md': [1],
    '[x] [ ] [^1] [a1] [1a] [] [123456] \\[7\\]': [],
    '规定如此[1]。': [1],
  })) {
    it(`are found: ${JSON.stringify(text)}`, () => assert.deepEqual(cited(text), expected));
  }

  it('are those that are drawn, whatever is around them', () => {
    const marked = fc
      .tuple(chunked(documents()), fc.array(fc.nat({ max: 99_999 })))
      .map(([chunks, numbers]) =>
        chunks.map((chunk, at) => chunk + (at in numbers ? `[${numbers[at]}]` : '')).join(''),
      );
    fc.assert(
      fc.property(marked, (text) => {
        const drawn = [...renderWhole(text).matchAll(/<span class="citation">(.*?)<\/span>/g)];
        const numbers = drawn.flatMap(([, inside = '']) => inside.match(/\d+/g) ?? []).map(Number);
        assert.deepEqual(
          cited(text),
          [...new Set(numbers)].toSorted((a, b) => a - b),
        );
      }),
      { numRuns: 300 },
    );
  });

  it('are looked for in any text', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('[', ']', '1', ',', '`', '\n', ' ', '|', '-', '*', '(', ':') }),
        (text) => void cited(text),
      ),
    );
  });
});
