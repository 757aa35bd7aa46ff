import * as fc from 'fast-check';

const tricky = [
  'Setext heading\n===',
  'Another\n---',
  'A paragraph that\nlazily goes on',
  '> a quote\nlazily continued\n> and on\n>\n> - with a list',
  '- one\n- two\n  - nested\n\n    with a paragraph\n- three',
  '* loose\n\n* list\n\n* here',
  '- tight\n- and\n\n- late loose',
  '1. first\n2. second\n   ```js\n   const inItem = 1;\n   ```\n3. third',
  '7) seven\n8) eight',
  '- [x] done\n- [ ] open',
  '```ts\nconst a = "`";\n```',
  '~~~\n``` not a fence end\n~~~',
  '````md\n```js\nnested\n```\n````',
  '    indented code\n\n    and more',
  '```\nnever closed',
  '| a | b |\n|---|:-:|\n| 1 | `x\\|y` |\n| **2** | 3',
  '| only | head |\n|--|--|',
  '| not | a table |',
  '***bold italic*** and _under_ ~~gone~~',
  'A [link](https://example.com/a_(b) "title"), <https://auto.example.com>, www.example.com and a@b.example',
  '[relative](./src/a.ts) and [mail](mailto:a@b.example)',
  '![picture](https://example.com/a.png) and ![](data:image/png;base64,AAAA)',
  'Line one  \nline two\\\nline three',
  '***\n\n---\n\n___',
  '# Heading #\n## Two\n###### Six',
  'Ends with code `a` and ``b ` c``',
  'Cited [1], twice[1][2], together [3, 4], `not [1]`, [no][1](https://example.com)',
  '- in [1] items\n- **bold [3]**\n\n| a [1] |\n|--|\n| [2] |',
  'Inline \\(a_1 * b_2 * c\\) and $$x_{i}^{*}$$ and \\[y\\] and never \\(closed',
  'Before\n$$\n\\begin{aligned}\n- a_1 &= b_2 \\\\\n# c\n\\end{aligned}\n$$\nafter',
  '\\[\n  \\frac{a_1}{b_1}\n\\]',
  '$$\nnever closed',
  'Dollars: $x_i$, $5 and $6, $\\frac{1}{2}$ and **bold $a * b$**\n\n- item $y$\n\n| $a$ |\n|--|\n| $$b$$ |',
  '$$\n\\wrong{x}\n$$',
  'See src/app.ts:12, `lib/x_y.test.ts:3:14` and (docs/[id]/page.tsx:1-9) but not example.com:80',
  '漢字と**太字**と`コード`。\n\n- 項目\n- 項目二',
  '&amp; &lt;tag&gt; &copy; \\* \\# \\_',
  '* * *',
  '- - nested at once\n- ',
  '-\n-\n  late text',
  '\ttab indented',
  'trailing spaces   \n\n\n\nand gaps',
  '😀👩‍👩‍👧‍👦 emoji',
];

export const definitions = [
  '[ref]: https://example.com/ref "Title"',
  'Uses [ref] and [text][ref] and [missing].',
  '- item with [ref]\n- another',
  '[^1]: not a definition of ours',
];

export const html = [
  '<div>\n\n**bold inside**\n\n</div>',
  '<details><summary>More</summary>\n\ntext\n</details>',
  'inline <b>tag</b> and <br> and <!-- comment -->',
  '<details>\n<summary>Why **so**</summary>\n\n- one\n- <sup>two</sup>\n\n</details>',
  '> <details>\n> <summary>Quoted</summary>\n>\n> ```html\n> </details>\n> ```',
  '**a <b>b** c</b> <kbd>Ctrl</kbd>+<kbd>C H<sub>2</sub>O',
  '<!--\nopen comment',
  '<script>alert(1)</script>',
];

export const hostile = [
  '<img src=x onerror="window.hacked=1">',
  '<script>window.hacked=1</script>',
  '<a href="javascript:window.hacked=1">x</a>',
  '[x](javascript:window.hacked=1)',
  '[x](JaVaScRiPt:window.hacked=1)',
  '[x](java\tscript:window.hacked=1)',
  '[x](&#106;avascript:window.hacked=1)',
  '[x](command:workbench.action.quit)',
  '[x](data:text/html,<script>window.hacked=1</script>)',
  '[x](vbscript:x)',
  '[x](file:///etc/passwd)',
  '[x](https://ok.example/"onmouseover="window.hacked=1)',
  '[x](https://ok.example "title\\" onclick=\\"window.hacked=1")',
  '![x](javascript:window.hacked=1)',
  '![" onerror="window.hacked=1](https://ok.example/a.png)',
  '<javascript:window.hacked=1>',
  '<command:workbench.action.quit>',
  '```"><img src=x onerror=window.hacked=1>\n</code></pre><script>window.hacked=1</script>\n```',
  '| <img src=x onerror=window.hacked=1> |\n|---|\n| <svg onload=window.hacked=1> |',
  '- <iframe srcdoc="<script>parent.hacked=1</script>"></iframe>',
  '<svg><style><img src=x onerror=window.hacked=1></style></svg>',
  '<math><mtext><table><mglyph><style><img src=x onerror=window.hacked=1>',
  '[ref]\n\n[ref]: javascript:window.hacked=1',
  '<style>*{display:none}</style>',
  '<form action=https://evil.example><input name=q></form>',
  '[x](//evil.example)',
  '$\\href{javascript:window.hacked=1}{x}$ $\\class{evil}{x}$ $\\style{color:red}{x}$ $\\includegraphics{https://evil.example/a.png}$',
  '$$\\def\\a{\\a\\a}\\a$$ $$\\text{<img src=x onerror=window.hacked=1>}$$',
];

export function documents(snippets: readonly string[] = tricky): fc.Arbitrary<string> {
  const joint = fc.constantFrom('\n\n', '\n', '\n\n\n', '\n  ', '\r\n\r\n', ' ');
  return fc
    .array(fc.tuple(fc.constantFrom(...snippets), joint), { minLength: 1, maxLength: 14 })
    .map((parts) => parts.flat().join(''));
}

/** A text cut anywhere, even between the halves of a character. */
export function chunked(document: fc.Arbitrary<string>): fc.Arbitrary<string[]> {
  return document.chain((text) =>
    fc.array(fc.nat(text.length), { maxLength: 60 }).map((cuts) => {
      const at = [0, ...cuts.toSorted((a, b) => a - b), text.length];
      return at.slice(1).map((end, index) => text.slice(at[index], end));
    }),
  );
}

export const anyDocument = documents([...tricky, ...definitions, ...html]);
