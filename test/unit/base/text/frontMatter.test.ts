import assert from 'node:assert/strict';
import { readFrontMatter } from '../../../../src/base/text/frontMatter.ts';

describe('readFrontMatter', () => {
  for (const [name, head, fields] of [
    ['plain values', 'name: Tides\napplyTo: **/*.ts', { name: ['Tides'], applyTo: ['**/*.ts'] }],
    ['quotes', `a: "x: # y"\nb: 'z'`, { a: ['x: # y'], b: ['z'] }],
    ['comments', '# all of it\na: x # why', { a: ['x'] }],
    ['lists', 'a: [x, "y"]\nb:\n  - u\n  - v', { a: ['x', 'y'], b: ['u', 'v'] }],
    ['what it does not know', 'a: x\n  deep: y\n? odd\nb: z', { a: ['x'], b: ['z'] }],
    ['nothing', '', {}],
  ] as const) {
    it(`reads ${name}`, async () => {
      for (const end of ['\n', '\r\n']) {
        const text = `---\n${head}\n---\nBody\n---\nmore`.replaceAll('\n', end);
        const { fields: read, body } = await readFrontMatter(text);
        assert.deepEqual({ ...read }, fields);
        assert.equal(body, ['Body', '---', 'more'].join(end));
      }
    });
  }

  it('leaves a text without one as it is', async () => {
    for (const text of ['', '# Title\n---\na: x\n---\n', '---\nno end', 'a: x']) {
      assert.deepEqual(await readFrontMatter(text), { fields: {}, rows: {}, body: text });
    }
  });
});
