import assert from 'node:assert/strict';
import { OldTextFinder } from '../../../../src/tools/edits/oldTextFinder.ts';

/** Finds a text, and counts the search's pauses. */
async function find(text: string, wanted: string, likeness: 'exact' | 'alike' | 'squeezed', most = 10) {
  let turns = 0;
  const searched = new OldTextFinder(text, async () => {
    turns++;
    return false;
  });
  return { places: await searched.find(wanted, likeness, most), turns };
}

describe('OldTextFinder', () => {
  it('finds what only looks alike in a file of some size', async () => {
    const before = 'const a = 1;\n'.repeat(4000);
    const { places } = await find(`${before}say(“hi”);  \r\nend`, 'say("hi");\nend', 'alike');
    assert.deepEqual(places, [[before.length, before.length + 17]]);
  });

  it('finds each occurrence from the left, however it begins again in itself', async () => {
    const { places } = await find('aabaabaabaaab\r\nb', 'aabaab', 'exact');
    assert.deepEqual(places, [[0, 6]]);
    assert.deepEqual((await find('aaab\r\naaaab\n', 'aab\n', 'exact')).places, [
      [1, 6],
      [8, 12],
    ]);
    const head = 'ab'.repeat(40);
    assert.deepEqual((await find(`${head}abc`, `${head}c`, 'exact')).places, [[2, 83]]);
  });

  it('finds whole lines without their white space', async () => {
    const text = 'if (a) {\n    b( c );\n}\n';
    assert.deepEqual((await find(text, 'b(c);\n}\n\n', 'squeezed')).places, [[13, 22]]);
    assert.deepEqual((await find(text, '(a) {\nb(c);', 'squeezed')).places, []);
    // Part of a line may begin a whole one.
    assert.deepEqual((await find('xa\na\na', 'a\na', 'squeezed')).places, [[3, 6]]);
  });

  it('looks at each character a few times, whatever repeats, and gives way all along', async () => {
    const letters = (unit: string, count: number) => unit.repeat(count);
    for (const unit of ['a', '\n', 'a\n', ' ', 'ab', '–']) {
      for (const likeness of ['exact', 'alike', 'squeezed'] as const) {
        for (const wantedOf of [
          (part: string) => `b${part}`,
          (part: string) => `${part}b`,
          (part: string) => `${part.slice(0, 40)}b`,
        ]) {
          const turnsFor = async (count: number) => {
            const text = letters(unit, count);
            return (await find(text, wantedOf(text.slice(0, text.length / 2)), likeness)).turns;
          };
          const [once, twice] = [await turnsFor(100_000), await turnsFor(200_000)];
          assert.ok(
            once >= 5 && twice <= 2.3 * once + 10,
            `${JSON.stringify(unit)} ${likeness}: ${once}, ${twice}`,
          );
        }
      }
    }
  });
});
