import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { BlockCache } from '../../../src/webview/markdown/blockCache.ts';
import type { Block } from '../../../src/webview/markdown/blocks.ts';
import { anyDocument, chunked, documents } from '../../page/support/snippets.ts';

describe('BlockCache', () => {
  /** The blocks as they are drawn after each piece, and those of the whole text. */
  function stream(chunks: readonly string[]): { drawn: unknown[]; whole: unknown[]; lexed: number[] } {
    const cache = new BlockCache();
    const drawn: Block[] = [];
    const lexed: number[] = [];
    let text = '';
    for (const chunk of chunks) {
      text += chunk;
      const { from, blocks } = cache.update(text);
      assert.ok(from <= drawn.length, 'a gap before the changed blocks');
      drawn.splice(from, drawn.length, ...blocks.map((block) => structuredClone(block)));
      lexed.push(blocks.length);
    }
    // A last line of dashes is not drawn before it is known what it is.
    const decided = text.replace(/(?<=^|\n)[ \t>]*(?:(?:-+|=+)[ \t]*)?$/, '');
    return { drawn: drawn.map(comparable), whole: cache.finish(decided).blocks.map(comparable), lexed };
  }

  /** Looseness of a list and ends of code are settled by `finish`; the rest must be right all along. */
  function comparable(block: Block): unknown {
    if (block.type === 'code') return { ...block, closed: true };
    const tight = (html: string) =>
      html
        .replace(/<\/?p>/g, '')
        .replace(/\s+/g, ' ')
        .replace(/ ?(<[^>]*>) ?/g, '$1');
    if (block.type === 'html') return { ...block, html: tight(block.html) };
    return { ...block, stable: 0, items: block.items.map((item) => tight(item).trim()) };
  }

  it('has the blocks of the whole text at the end of a stream', () => {
    fc.assert(
      fc.property(chunked(documents()), (chunks) => {
        const { drawn, whole } = stream(chunks);
        assert.deepEqual(drawn, whole);
      }),
      { numRuns: 400 },
    );
  });

  it('shows no line as a heading for the moment in which the next begins with a dash', () => {
    const cache = new BlockCache();
    const text =
      '- a door\n  - a latch\n    - a spring\n- a window\n\nText\n- more\n\n> Words\n> - said\n> = so\n';
    for (let end = 1; end <= text.length; end++) {
      const html = JSON.stringify(cache.update(text.slice(0, end)).blocks);
      assert.doesNotMatch(html, /<(?:h[1-6]|hr)\b/, text.slice(0, end));
    }
    assert.match(JSON.stringify(cache.finish('Heading\n-').blocks), /<h2/);
  });

  it('never fails, whatever comes', () => {
    fc.assert(fc.property(chunked(fc.string({ maxLength: 300 })), (chunks) => void stream(chunks)));
    fc.assert(fc.property(chunked(anyDocument), (chunks) => void stream(chunks)));
  });

  for (const [name, text] of Object.entries({
    list: Array.from({ length: 200 }, (_, i) => `- item **${i}**\n`).join(''),
    'numbered list': Array.from({ length: 200 }, (_, i) => `${i + 3}. item\n   more of ${i}\n`).join(''),
    'loose list': Array.from({ length: 200 }, (_, i) => `- item ${i}\n\n`).join(''),
    table: `| a | b |\n|--|:-:|\n${Array.from({ length: 200 }, (_, i) => `| ${i} | \`x\` |\n`).join('')}`,
    'list after text, with text behind': `Text\n\n${'- item\n'.repeat(100)}\nbehind\n\nand on\n\nand on`,
  })) {
    it(`reads one giant ${name} piece by piece as it reads it whole`, () => {
      const { drawn, whole } = stream(text.match(/[^]{1,7}/g) ?? []);
      assert.deepEqual(drawn, whole);
    });
  }

  it('computes only the end of a long list anew', () => {
    const cache = new BlockCache();
    const text = '- item\n'.repeat(1000);
    let longest = 0;
    for (let end = 7; end <= text.length; end += 7) {
      const block = cache.update(text.slice(0, end)).blocks.at(-1);
      if (block?.type === 'list') longest = Math.max(longest, block.items.length - block.stable);
    }
    assert.ok(longest <= 11, `${longest} items at once`);
  });

  it('computes only the end anew when the space before a dash comes alone', () => {
    const { lexed } = stream('Text\n\n  - item\n\n'.repeat(50).match(/ {2}|[^ ]+| /g) ?? []);
    assert.ok(Math.max(...lexed) <= 4, `${Math.max(...lexed)} blocks at once`);
  });

  it('starts over when the text was replaced', () => {
    const cache = new BlockCache();
    cache.update('- item\n'.repeat(100));
    const { from, blocks } = cache.update('Another text');
    assert.equal(from, 0);
    assert.deepEqual(blocks, cache.finish('Another text').blocks);
  });

  it('says that a fence is closed when its last line has come', () => {
    const closed = (text: string) => {
      const block = new BlockCache().update(text).blocks.at(-1);
      return block?.type === 'code' && block.closed;
    };
    assert.equal(closed('```ts\nconst a = 1;\n'), false);
    assert.equal(closed('```ts\nconst a = 1;\n```'), true);
    assert.equal(closed('````\n```\n'), false);
    assert.equal(closed('~~~\n```\n'), false);
    assert.equal(closed('```'), false);
  });
});
