import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { BlockReader } from '../../../../src/webview/markdown/blockReader.ts';
import { limits, type Limits } from '../../../../src/webview/markdown/limits.ts';
import type { Block } from '../../../../src/webview/markdown/blocks.ts';
import { anyDocument, chunked, documents } from '../../../page/support/snippets.ts';

describe('BlockReader', () => {
  function readInto(drawn: Block[], reader: BlockReader, text: string, hasEnded = false): number {
    let most = 0;
    for (let isComplete = false; !isComplete;) {
      const change = reader.read(text, hasEnded);
      assert.ok(change.from <= drawn.length, 'a gap before the changed blocks');
      ({ isComplete } = change);
      drawn.splice(change.from, isComplete ? Infinity : change.blocks.length, ...change.blocks.map(copyOf));
      most = Math.max(most, change.blocks.length);
    }
    return most;
  }

  /** Fails if the reader changes a block that it has returned. */
  function copyOf(block: Block): Block {
    return 'items' in block ? { ...block, items: block.items.map((item) => ({ ...item })) } : { ...block };
  }

  it('reads code between fences of any length', () => {
    for (const mark of ['`', '~']) {
      const fence = mark.repeat(3900);
      const text = `${fence}\n${'a line\n'.repeat(2000)}${fence.slice(1)}\n${fence}\n`;
      const { live, ended, atOnce } = stream(text.match(/[^]{1,1000}/g) ?? []);
      assert.deepEqual(ended, atOnce);
      assert.deepEqual(live, atOnce);
      assert.deepEqual(
        wholeBlocks(text).map((block) =>
          'text' in block ? [block.type, block.text.length, block.closed] : block,
        ),
        [['code', 14_000 + 3899, true]],
      );
    }
  });

  function wholeBlocks(text: string, bounds?: Limits): Block[] {
    const blocks: Block[] = [];
    readInto(blocks, new BlockReader(bounds), text, true);
    return blocks;
  }

  /** The blocks after all pieces, after the end, and of the whole text read at once. */
  function stream(chunks: readonly string[], bounds?: Limits) {
    const reader = new BlockReader(bounds);
    const drawn: Block[] = [];
    const read: number[] = [];
    let text = '';
    for (const chunk of chunks) {
      text += chunk;
      read.push(readInto(drawn, reader, text));
    }
    // A last line of dashes is undecided.
    const decided = text.replace(/(?<=^|[\r\n])[ \t>]*(?:(?:-+|=+)[ \t]*)?$/, '');
    const whole = wholeBlocks(decided, bounds).map(comparable);
    const live = drawn.map(comparable);
    readInto(drawn, reader, text, true);
    return {
      live,
      whole,
      ended: drawn.map(comparable),
      atOnce: wholeBlocks(text, bounds).map(comparable),
      read,
    };
  }

  /** Only the ends of code may differ before the end of the text. */
  function comparable(block: Block): unknown {
    if ('text' in block) return { ...block, closed: true };
    if ('items' in block) return { ...block, stable: 0, items: block.items.map(({ html }) => html) };
    return { ...block, source: '' };
  }

  /** The blocks before the one at `end`, the last of them by its items if it is a list or a table. */
  function itemsUpTo(blocks: readonly unknown[], end: number): { before: unknown[]; last: unknown[] } {
    const before = blocks.slice(0, end);
    const last = end < blocks.length ? (before.at(-1) as Block | undefined) : undefined;
    if (!last || !('items' in last)) return { before, last: [] };
    return { before: [...before.slice(0, -1), { ...last, items: [] }], last: [...last.items] };
  }

  function isPlain(block: unknown): boolean {
    return (block as Block).type === 'plain';
  }

  it('has the blocks of the whole text all along a stream', () => {
    fc.assert(
      fc.property(chunked(documents()), (chunks) => {
        const { live, whole } = stream(chunks);
        assert.deepEqual(live, whole);
      }),
      { numRuns: 200 },
    );
  });

  it('has at the end of a stream the blocks that it has at once, whatever is named late', () => {
    fc.assert(
      fc.property(chunked(anyDocument), (chunks) => {
        const { ended, atOnce } = stream(chunks);
        assert.deepEqual(ended, atOnce);
      }),
      { numRuns: 200 },
    );
  });

  it('has the same blocks in small steps, up to what is too long for them', () => {
    const tight: Limits = { window: 40, block: 160, items: 3 };
    const listOfAboutTheLimit = [
      '<details><summary>More</summary>\n\ntext\n</details>\n\nS',
      'ee src/app.ts:12, `lib/x_y.test.ts:3:14` and (docs/[id]/page.tsx:1-9) but not example.com:80\n\n' +
        '1. first\n2. second\n   ```js\n   const inItem = 1;\n   ```\n3. third\n' +
        '  ![picture](https://example.com/a.png) and ![](data:image/png;base64,AAAA)\n' +
        'Before\n$$\n\\begin{aligned}\n- a_1 &= b_2 \\\\\n# c\n\\end{aligned}\n$$\nafter\n\nSetext heading\n===\n  ',
    ];
    const listThatEndsAsText = [
      '<div>\n\n**bold inside**\n\n</div>\n  \ttab indented - tight\n- a',
      `nd\n\n- late loose ${'Cited [1], '.repeat(9)}\n\n\n- [x] done\n- [ ] open\r\n\r\n\ttab indented\n  <details>\n`,
      `<summary>Why</summary>\n\n- one\n- two\n\n</details>\n\n* loose\n\n* list\n\n* here\r\n\r\n${'text '.repeat(20)}\n`,
    ];
    fc.assert(
      fc.property(chunked(anyDocument), (chunks) => {
        const { ended, atOnce } = stream(chunks, tight);
        // Near the limit, a block's length depends on the steps, and so do the items before a plain one.
        const plain = [ended, atOnce]
          .map((blocks) => blocks.findIndex(isPlain))
          .filter((index) => index >= 0);
        const upTo = Math.min(...plain);
        const text = chunks.join('');
        if (plain.length > 0) assert.ok(text.length > tight.block, 'plain, and not too long');
        // Only steps that end in it know an address that a plain block swallows.
        if (plain.length > 0 && /^\[(?!\^)[^\]]+\]: /m.test(text)) return;
        const [streamed, whole] = [ended, atOnce].map((blocks) => itemsUpTo(blocks, upTo));
        const items = Math.min(streamed!.last.length, whole!.last.length);
        assert.deepEqual(streamed!.before, whole!.before);
        assert.deepEqual(streamed!.last.slice(0, items), whole!.last.slice(0, items));
      }),
      { numRuns: 200, examples: [[listOfAboutTheLimit], [listThatEndsAsText]] },
    );
    const small: Limits = { window: 40, block: 100_000, items: 100_000 };
    fc.assert(
      fc.property(documents(), (text) => {
        assert.deepEqual(wholeBlocks(text, small).map(comparable), wholeBlocks(text).map(comparable));
      }),
      { numRuns: 200 },
    );
  });

  it('shows no line as a heading for the moment in which the next begins with a dash', () => {
    const reader = new BlockReader();
    const text =
      '- a door\n  - a latch\n    - a spring\n- a window\n\nText\n- more\n\n> Words\n> - said\n> = so\n';
    for (let end = 1; end <= text.length; end++) {
      const html = JSON.stringify(reader.read(text.slice(0, end)).blocks);
      assert.doesNotMatch(html, /<(?:h[1-6]|hr)\b/, text.slice(0, end));
    }
    assert.match(JSON.stringify(wholeBlocks('Heading\n-')), /<h2/);
  });

  it('never fails, whatever comes', () => {
    fc.assert(fc.property(chunked(fc.string({ maxLength: 300 })), (chunks) => void stream(chunks)));
    fc.assert(fc.property(chunked(anyDocument), (chunks) => void stream(chunks)));
  });

  for (const [name, text] of Object.entries({
    list: Array.from({ length: 300 }, (_, i) => `- item **${i}**\n`).join(''),
    'numbered list': Array.from({ length: 300 }, (_, i) => `${i + 3}. item\n   more of ${i}\n`).join(''),
    'loose list': Array.from({ length: 300 }, (_, i) => `- item ${i}\n\n`).join(''),
    'indented list': '   * item\n'.repeat(300),
    'list of what may look like tables': '- a | b\n--|--\n'.repeat(30),
    table: `| a | b |\n|--|:-:|\n${Array.from({ length: 300 }, (_, i) => `| ${i} | \`x\` |\n`).join('')}`,
    fence: `Text\n\`\`\`ts\n${'a `` b\n\n'.repeat(900)}\`\`\`\nbehind`,
    'list after text, with text behind': `Text\n\n${'- item\n'.repeat(100)}\nbehind\n\nand on\n\nand on`,
  })) {
    it(`reads one giant ${name} piece by piece as it reads it whole`, () => {
      const { live, whole, ended } = stream(text.match(/[^]{1,7}/g) ?? []);
      assert.deepEqual(live, whole);
      assert.deepEqual(ended, whole);
    });
  }

  it('goes on counting where a long numbered list goes on in another element', () => {
    const lists = wholeBlocks('7. item\n'.repeat(2 * limits.items + 1));
    assert.deepEqual(
      lists.map((block) => block.type === 'list' && [block.open, block.items.length]),
      [
        ['<ol start="7">', limits.items],
        [`<ol start="${limits.items + 7}">`, limits.items],
        [`<ol start="${2 * limits.items + 7}">`, 1],
      ],
    );
  });

  it('reads only the end of a long list again', () => {
    const reader = new BlockReader();
    const text = '- item\n'.repeat(1000);
    let longest = 0;
    for (let end = 7; end <= text.length; end += 7) {
      const block = reader.read(text.slice(0, end)).blocks.at(-1);
      if (block?.type === 'list') longest = Math.max(longest, block.items.length - block.stable);
    }
    assert.ok(longest <= 11, `${longest} items at once`);
  });

  it('reads only the end again when the space before a dash comes alone', () => {
    const { read } = stream('Text\n\n  - item\n\n'.repeat(50).match(/ {2}|[^ ]+| /g) ?? []);
    assert.ok(Math.max(...read) <= 4, `${Math.max(...read)} blocks at once`);
  });

  it('starts over when the text was replaced, or goes on after its end', () => {
    for (const hasEnded of [false, true]) {
      const reader = new BlockReader();
      readInto([], reader, '- item\n'.repeat(100), hasEnded);
      const blocks: Block[] = [];
      readInto(blocks, reader, 'Another text', true);
      assert.deepEqual(blocks, wholeBlocks('Another text'));
      readInto(blocks, reader, 'Another text\n===', true);
      assert.deepEqual(blocks, wholeBlocks('Another text\n==='));
    }
  });

  it('says that a fence is closed when its last line has come', () => {
    const closed = (text: string) => {
      const blocks: Block[] = [];
      const reader = new BlockReader();
      for (let end = 1; end <= text.length; end++) readInto(blocks, reader, text.slice(0, end));
      const block = blocks.at(-1);
      return block?.type === 'code' && block.closed;
    };
    assert.equal(closed('```ts\nconst a = 1;\n'), false);
    assert.equal(closed('```ts\nconst a = 1;\n```'), true);
    assert.equal(closed('```ts\n```'), true);
    assert.equal(closed('````\n```\n'), false);
    assert.equal(closed('~~~\n```\n'), false);
    assert.equal(closed('```'), false);
  });
});
