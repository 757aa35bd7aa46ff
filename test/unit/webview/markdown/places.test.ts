import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { findPlaces } from '../../../../src/webview/markdown/places.ts';
import { processorMs } from '../../../support/processorTime.ts';

describe('places in an answer', () => {
  const found = (text: string) =>
    findPlaces(text).map(({ path, line, column, endLine }) =>
      [path, line, column ?? (endLine === undefined ? undefined : `to ${endLine}`)].filter(
        (part) => part !== undefined,
      ),
    );

  for (const [text, expected] of Object.entries<(string | number)[][]>({
    'See src/app.ts:12.': [['src/app.ts', 12]],
    'src/app.ts:12:5, lib/b.py:3-9;': [
      ['src/app.ts', 12, 5],
      ['lib/b.py', 3, 'to 9'],
    ],
    'README.md:1 and ./a.ts:2 and ../b.ts:3': [
      ['README.md', 1],
      ['./a.ts', 2],
      ['../b.ts', 3],
    ],
    '(src/app.ts:12) [src/b.ts:3] "c.ts:4"': [
      ['src/app.ts', 12],
      ['src/b.ts', 3],
      ['c.ts', 4],
    ],
    'app/(shop)/[id]/page.tsx:7': [['app/(shop)/[id]/page.tsx', 7]],
    'src\\host\\a.ts:5': [['src/host/a.ts', 5]],
    'my_file-2.test.tsx:10 @scope/pkg/x.d.ts:1 Makefile:3': [
      ['my_file-2.test.tsx', 10],
      ['@scope/pkg/x.d.ts', 1],
      ['Makefile', 3],
    ],
    '文件 文档/说明.md:8。': [['文档/说明.md', 8]],
    'https://example.com:8080/a.ts and example.com:443 and localhost:3000 and 127.0.0.1:80': [],
    'at 10:30, ratio 3:4, v1.2:3, note:5, a:b:7, x.ts:0, x.ts:012, x.ts:12a': [],
    'C:\\src\\a.ts:5 and http://a.ts:5 and //host/a.ts:5': [],
    'x.ts:12345678': [],
  })) {
    it(`are found: ${text}`, () => assert.deepEqual(found(text), expected));
  }

  it('are found between any words, and are where they are said to be', () => {
    const segment = fc.stringMatching(/^[\p{L}\p{N}_-]{1,12}$/u);
    const place = fc
      .record({
        folders: fc.array(segment, { maxLength: 4 }),
        name: segment,
        line: fc.integer({ min: 1, max: 9_999_999 }),
        column: fc.option(fc.integer({ min: 1, max: 99_999 }), { nil: undefined }),
      })
      .map(({ folders, name, line, column }) => ({
        path: [...folders, `${name}.ts`].join('/'),
        line,
        ...(column !== undefined && { column }),
      }));
    const around = fc.constantFrom(' ', '\n', ', ', ' "', '" ', ' (', ') ', '。', ' `');
    fc.assert(
      fc.property(fc.array(fc.tuple(around, place), { maxLength: 6 }), (parts) => {
        const text = `${parts
          .map(([before, { path, line, column }]) => `${before}${path}:${line}${column ? `:${column}` : ''}`)
          .join(' ')} end`;
        assert.deepEqual(
          findPlaces(text).map(({ path, line, column }) => ({ path, line, column })),
          parts.map(([, { path, line, column }]) => ({ path, line, column })),
        );
      }),
    );
  });

  it('lie in the text in their order, whatever the text', () => {
    const anything = fc.array(
      fc.oneof(fc.string(), fc.constantFrom('a.ts:1', ':1', '/', '\\', '(', '[', 'x.y:2:3', '..')),
    );
    fc.assert(
      fc.property(anything, (parts) => {
        const text = parts.join('');
        let last = 0;
        for (const { start, end, path, line } of findPlaces(text)) {
          assert.ok(start >= last && end > start && end <= text.length);
          assert.ok(path.length <= 300 && line >= 1);
          assert.ok(text.slice(start, end).replaceAll('\\', '/').startsWith(`${path}:${line}`));
          last = end;
        }
      }),
    );
  });

  it('take time in proportion to the text', function () {
    this.timeout(20_000);
    for (const piece of ['a/', '(', '([', 'a.ts:1', ':1', 'a:1', 'x'.repeat(400) + ':1', '(((:1', 'é/é:1']) {
      const time = (characters: number) => {
        const text = piece.repeat(Math.ceil(characters / piece.length));
        return processorMs(() => findPlaces(text));
      };
      time(20_000);
      const once = Math.min(time(50_000), time(50_000));
      const more = Math.min(time(400_000), time(400_000));
      assert.ok(more < 24 * once + 100, `${piece.slice(0, 10)}: ${once} ms, eight times as long: ${more} ms`);
    }
  });
});
