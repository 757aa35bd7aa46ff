import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';
import * as fc from 'fast-check';
import type { Page } from 'playwright-core';
import { hostileTexts } from '../bench/hostileTexts.ts';
import { outFolder, root } from '../host/paths.ts';
import { eventuallyEqual } from '../support/eventually.ts';
import { useBrowser } from './support/browserSuite.ts';
import { anyDocument, chunked, documents, hostile } from './support/snippets.ts';

async function buildHarness(): Promise<string> {
  const outdir = join(outFolder, 'page-harness');
  await mkdir(outdir, { recursive: true });
  const { inlineScripts } = (await import(join(root, 'esbuild.mjs'))) as typeof import('../../esbuild.mjs');
  await build({
    entryPoints: { panel: join(root, 'test/page/support/markdownHarness.ts') },
    outdir,
    bundle: true,
    format: 'esm',
    splitting: true,
    jsx: 'automatic',
    jsxImportSource: 'preact',
    logLevel: 'error',
    plugins: [inlineScripts(false)],
  });
  return outdir;
}

/** A formula in which `levels` roots stand in each other. */
const nested = (levels: number) => `$$${'\\sqrt{'.repeat(levels)}x${'}'.repeat(levels)}$$`;

describe('Markdown in the page', () => {
  const suite = useBrowser(buildHarness);
  let page: Page;
  beforeEach(async () => {
    ({ page } = await suite.open());
  });

  it('is the same at the end of a stream as drawn at once, for any document in any pieces', async function () {
    this.timeout(60_000);
    await fc.assert(
      fc.asyncProperty(
        chunked(anyDocument),
        fc.option(fc.integer({ min: 1, max: 8 })),
        async (chunks, ms) => {
          const { streamed, atOnce, whole } = await page.evaluate(
            ([all, msPerLook]) => window.draw(all, msPerLook ?? undefined),
            [chunks, ms] as const,
          );
          assert.equal(streamed, whole);
          assert.equal(atOnce, whole);
        },
      ),
      { numRuns: 400 },
    );
  });

  it('is the same for giant lists, tables and fences, also when a list turns loose at its end', async () => {
    const cases = [
      `${'- item **bold**\n'.repeat(60)}\n- loose\n`,
      `Text\n\n${Array.from({ length: 60 }, (_, i) => `${i + 1}. item\n   - nested\n`).join('')}\nText\n`,
      `| a | b |\n|--|:-:|\n${'| 1 | `2` |\n'.repeat(60)}\nText`,
      `\`\`\`js\n${'const a = 1;\n'.repeat(300)}\`\`\`\n\nText`,
      `${'- [ref]\n'.repeat(30)}\n[ref]: https://example.com\n`,
    ];
    for (const text of cases) {
      const { streamed, whole } = await page.evaluate(
        (all) => window.draw(all),
        text.match(/[^]{1,13}/g) ?? [],
      );
      assert.equal(streamed, whole);
    }
  });

  it('lets nothing through that acts, whatever a model writes', async function () {
    this.timeout(60_000);
    await fc.assert(
      fc.asyncProperty(chunked(documents(hostile)), async (chunks) => {
        const findings = await page.evaluate((all) => {
          window.leave(all);
          return [...document.querySelectorAll('#root *')].flatMap((element) => {
            const found: string[] = [];
            if (element.closest('math')) {
              if (element.localName === 'a' || element.namespaceURI === 'http://www.w3.org/2000/svg')
                found.push(element.localName);
              return [...found, ...element.getAttributeNames().filter((name) => /^on|^src|href/.test(name))];
            }
            const known =
              /^(a|b|blockquote|br|button|code|del|details|div|em|h[1-6]|hr|i|kbd|li|ol|p|pre|span|strong|sub|summary|sup|table|tbody|td|th|thead|tr|ul)$/;
            if (!known.test(element.localName)) found.push(`<${element.localName}>`);
            for (const { name, value } of element.attributes) {
              if (/^on|^src|^style$|^action$/.test(name)) found.push(`${name}=${value}`);
              if (name === 'href' && !/^(https?:\/\/|mailto:)/i.test(value)) found.push(`href=${value}`);
            }
            return found;
          });
        }, chunks);
        assert.deepEqual(findings, []);
      }),
      { numRuns: 200 },
    );
    assert.equal(await page.evaluate(() => 'hacked' in window), false);
  });

  it('draws mathematics, and leaves what it cannot draw as it was written', async () => {
    const text =
      'A \\(\\frac{a}{b}\\), $\\wrong{x}$ and $$\\href{https://a.example}{x}$$\n\n\\[\na^2\n\\]\n\n$$\nb';
    await page.evaluate((all) => window.leave([all]), text);
    await page.locator('p.math.drawn math[display=block] msup').waitFor();
    assert.equal(await page.locator('span.math.drawn mfrac').count(), 1);
    assert.deepEqual(await page.locator('.math:not(.drawn)').allTextContents(), [
      '$\\wrong{x}$',
      '$$\\href{https://a.example}{x}$$',
      '$$\nb',
    ]);
  });

  it('draws all elements of mathematics', async () => {
    const formulas = {
      '\\frac{a}{2} + b': ['mfrac', 'mi', 'mn', 'mo', 'mrow'],
      'x_i^2 x_i x^2': ['msub', 'msubsup', 'msup'],
      '\\hat{x} \\underset{a}{b} \\mathop{x}\\limits_a^b': ['mover', 'munder', 'munderover'],
      '\\sqrt{x} \\sqrt[3]{x}': ['mroot', 'mspace', 'msqrt'],
      '\\begin{align}a&=b\\end{align}': ['mtable', 'mtd', 'mtr', 'span'],
      '\\prescript{2}{}{X}': ['mmultiscripts', 'mprescripts', 'none'],
      '\\cancel{x} \\phantom{x} \\smash{x}': ['menclose', 'mpadded', 'mphantom'],
      '\\text{if } \\displaystyle x': ['mstyle', 'mtext'],
    };
    const text = Object.keys(formulas).map((formula) => `$$${formula}$$`);
    await page.evaluate((all) => window.leave([all]), text.join('\n\n'));
    await eventuallyEqual(() => page.locator('.math.drawn math').count(), text.length);
    for (const element of Object.values(formulas).flat())
      assert.ok((await page.locator(`math ${element}`).count()) > 0, element);
  });

  it('leaves formulas that take long to lay out as they were written', async () => {
    for (const [drawn, asWritten] of [
      [`$$${'x+'.repeat(499)}$$`, `$$${'x+'.repeat(500)}$$`],
      [nested(28), nested(29)],
    ]) {
      await page.evaluate((all) => window.leave([all]), `${drawn}\n\n${asWritten}`);
      await page.locator('.math.drawn math').waitFor();
      assert.deepEqual(await page.locator('.math:not(.drawn)').allTextContents(), [asWritten]);
    }
  });

  it('is sanitized although its renderer escapes, and keeps all elements that it has', async () => {
    const sanitized = (html: string) => page.evaluate((all) => window.sanitize(all), html);
    for (const [html, expected] of [
      ['<a href="javascript:alert(1)">x</a>', '<a>x</a>'],
      ['<a href="command:x">x</a>', '<a>x</a>'],
      ['<a href="data:text/html,x">x</a>', '<a>x</a>'],
      ['<a href="/etc/passwd">x</a>', '<a>x</a>'],
      ['<a href="https.evil:x">x</a>', '<a>x</a>'],
      ['<p align="javascript:x" id="x" data-x="1" onclick="x()">x</p>', '<p align="javascript:x">x</p>'],
      ['x<img src="https://a.example" onerror="x()"><iframe src="https://a.example"></iframe>', 'x'],
      ['x<form action="https://a.example"><input><button>y</button></form>', 'xy'],
      ['x<script>x()</script>', 'x'],
      ['x<svg><a href="https://a.example">y</a></svg><math><mi>z</mi></math>', 'x'],
      ['x<div>y</div><video src="https://a.example"></video>', 'xy'],
    ] as const)
      assert.equal(await sanitized(html), expected);
    const list = '<ul><li>a</li></ul><ol start="3"><li>b</li></ol>';
    const table =
      '<table><thead><tr><th align="right">a</th></tr></thead><tbody><tr><td colspan="2">b</td></tr></tbody></table>';
    const words = 'b code del em i kbd strong sub sup'.split(' ').map((name) => `<${name}>x</${name}>`);
    const blocks = 'blockquote h1 h2 h3 h4 h5 h6 pre'.split(' ').map((name) => `<${name}>x</${name}>`);
    for (const html of [
      ...[list, table, ...blocks, `<p>${words.join('')}<br>x</p><hr>`],
      '<details><summary>a</summary>b</details>',
      '<span class="math" role="math" aria-label="x">x</span>',
      '<a href="https://a.example/?b=c" title="d">x</a><a href="http://a.example">x</a><a href="mailto:a@b.example">x</a>',
    ])
      assert.equal(await sanitized(html), html);
  });

  it('shows HTML as the text that it is', async () => {
    await page.evaluate(() => window.leave(['Press <u>here</u>\n\n<div>a & b</div>']));
    await eventuallyEqual(() => page.locator('#root').innerText(), 'Press <u>here</u>\n\n<div>a & b</div>');
  });

  it('shows what cannot be drawn as it was written, and nothing else', async () => {
    const text = '**One**\n\n- boom *item*\n- other\n\n## bang\n\n| a |\n|---|\n| boom |\n\n*Last*\n';
    const shown = await page.evaluate((all) => {
      const fails = (node: Node, word: string) => {
        if (node.textContent?.includes(word)) throw new Error(`${word} (seeded by a test)`);
      };
      // `importNode` ends the sanitising, `querySelectorAll` the drawing of a block.
      const { importNode } = document;
      document.importNode = <T extends Node>(node: T, isDeep?: boolean): T => {
        fails(node, 'boom');
        return importNode.call(document, node, isDeep) as T;
      };
      const { querySelectorAll } = Element.prototype;
      Element.prototype.querySelectorAll = function (this: Element, selector: string) {
        if (this.id !== 'root' && this.nodeName === 'H2') fails(this, 'bang');
        return querySelectorAll.call(this, selector);
      };
      window.leave([all.slice(0, 40), all.slice(40)]);
      return [...(document.getElementById('root')?.children ?? [])].map((element) => {
        const words = element.querySelector(':scope > .plain');
        return words ? words.textContent : element.outerHTML;
      });
    }, text);
    assert.deepEqual(shown, [
      '<p><strong>One</strong></p>',
      '- boom *item*\n- other',
      '## bang',
      '| a |\n|---|\n| boom |',
      '<p><em>Last</em></p>',
    ]);
  });

  for (const [name, hostileText] of Object.entries(hostileTexts)) {
    it(`has all words of a hostile text and few neighbours to lay out: ${name}`, async () => {
      const text = `${hostileText(12_000)}word`;
      const { words, most } = await page.evaluate((all) => {
        window.leave([all]);
        const shown = document.getElementById('root') as HTMLElement;
        const parents = [shown, ...shown.querySelectorAll('*')];
        return {
          words: shown.textContent.match(/word/g)?.length,
          most: Math.max(...parents.map(({ children }) => children.length)),
        };
      }, text);
      assert.equal(words, text.match(/word/g)?.length);
      assert.ok(most <= 1010, `${most} children of one element`);
    });
  }
});
