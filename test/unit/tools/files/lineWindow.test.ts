import assert from 'node:assert/strict';
import fc from 'fast-check';
import { takeWindow, type WindowRequest } from '../../../../src/tools/files/lineWindow.ts';

async function* inPieces(text: string, sizes: readonly number[]): AsyncGenerator<string, void, void> {
  let at = 0;
  for (const size of sizes) yield text.slice(at, (at += size));
  yield text.slice(at);
}

const request: WindowRequest = {
  startLine: 1,
  endLine: Infinity,
  startColumn: 1,
  limits: { maxLines: 1000, maxBytes: 100_000 },
  maxColumns: 1000,
};

/** The simple implementation, for texts that fit in memory. */
function linesOf(text: string): string[] {
  const lines = text
    .split('\n')
    .map((line, index, all) => (index < all.length - 1 ? line.replace(/\r$/, '') : line));
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

const text = fc
  .array(fc.constantFrom('\n', '\r\n', '\r', 'a', 'bc', 'é', '😀', ' '), { maxLength: 40 })
  .map((all) => all.join(''));
const sizes = fc.array(fc.nat({ max: 5 }), { maxLength: 30 });

describe('tools: a window of lines', () => {
  it('is the same however the text arrives', () =>
    fc.assert(
      fc.asyncProperty(
        text,
        sizes,
        fc.integer({ min: 1, max: 8 }),
        fc.nat({ max: 8 }),
        async (whole, pieces, startLine, more) => {
          const window = await takeWindow(
            inPieces(whole, pieces),
            { ...request, startLine, endLine: startLine + more },
            () => true,
          );
          const lines = linesOf(whole);
          assert.equal(window.totalLines, lines.length);
          assert.deepEqual(
            window.lines,
            lines
              .map((line, index) => ({ number: index + 1, text: line }))
              .slice(startLine - 1, startLine + more),
          );
          assert.equal(window.nextLine, undefined);
        },
      ),
    ));

  it('gives everything exactly once to somebody who reads on as told', () =>
    fc.assert(
      fc.asyncProperty(
        text,
        sizes,
        fc.integer({ min: 1, max: 3 }),
        fc.integer({ min: 4, max: 12 }),
        fc.integer({ min: 2, max: 5 }),
        async (whole, pieces, maxLines, maxBytes, maxColumns) => {
          const read: string[] = [];
          let [startLine, startColumn]: [number | undefined, number] = [1, 1];
          for (let round = 0; startLine !== undefined; round++) {
            assert.ok(round < 200);
            const window = await takeWindow(
              inPieces(whole, pieces),
              { startLine, endLine: Infinity, startColumn, limits: { maxLines, maxBytes }, maxColumns },
              () => true,
            );
            for (const line of window.lines) {
              // A reader follows a cut line to its end first.
              read[line.number] = (read[line.number] ?? '') + line.text;
              let { cut } = line;
              while (cut) {
                const rest = await takeWindow(
                  inPieces(whole, pieces),
                  {
                    ...request,
                    startLine: line.number,
                    endLine: line.number,
                    startColumn: cut.nextColumn,
                    maxColumns,
                  },
                  () => true,
                );
                const [next] = rest.lines;
                assert.ok(next);
                read[line.number] += next.text;
                ({ cut } = next);
              }
            }
            [startLine, startColumn] = [window.nextLine, 1];
          }
          assert.deepEqual(read.slice(1), linesOf(whole));
        },
      ),
    ));

  it('stops reading a large text when it has what was asked', async () => {
    let given = 0;
    async function* endless() {
      for (;;) {
        given++;
        yield 'line\n'.repeat(100);
      }
    }
    const { lines, totalLines } = await takeWindow(
      endless(),
      { ...request, endLine: 3 },
      (read) => read < 5000,
    );
    assert.equal(lines.length, 3);
    assert.equal(totalLines, undefined);
    assert.ok(given < 20);
  });
});
