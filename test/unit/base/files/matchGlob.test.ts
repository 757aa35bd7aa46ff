import assert from 'node:assert/strict';
import fc from 'fast-check';
import picomatch from 'picomatch';
import { globProblem, globTest } from '../../../../src/base/files/matchGlob.ts';
import { processorMs } from '../../../support/processorTime.ts';

const fits = (glob: string, path: string) => globTest(glob)(path);

describe('base: globs', () => {
  const cases: [string, string[], string[]][] = [
    ['*.ts', ['a.ts', '.ts'], ['a/b.ts', 'a.tsx', 'a.ts/']],
    ['**/*.ts', ['a.ts', 'x/y/a.ts', '.x/a.ts'], ['a.js']],
    ['a/**', ['a', 'a/b', 'a/b/c'], ['ab', 'b/a']],
    ['a/**/b', ['a/b', 'a/x/y/b'], ['ab', 'a/xb']],
    ['**/a', ['a', 'x/a'], ['ba', 'x/ba']],
    ['**/a/**', ['a', 'x/a', 'x/a/b'], ['xa/b']],
    ['a/**/**', ['a', 'a/b/c'], ['b']],
    ['**', ['a', 'a/b'], []],
    ['a**b', ['ab', 'axb'], ['a/b']],
    ['?', ['a', '.'], ['', 'ab', '/']],
    ['*', ['a'], ['', 'a/b']],
    ['x/*', ['x/a'], ['x/', 'x']],
    ['{a,b/**}/c', ['a/c', 'b/c', 'b/x/y/c'], ['c', 'a/x/c']],
    ['*.{png,jp{,e}g}', ['a.png', 'a.jpg', 'a.jpeg'], ['a.jp', 'a.']],
    ['{a}', ['a', '{a}'], ['b']],
    ['v{1..3}', ['v1', 'v3'], ['v4', 'v1..3']],
    ['[a-c]x', ['ax', 'cx'], ['dx', '/x']],
    ['[!a-c]x', ['dx'], ['ax', '/x']],
    ['[]]', [']'], ['[']],
    ['[a', ['[a'], ['a']],
    ['{a', ['{a'], ['a']],
    ['\\*', ['*'], ['a']],
    ['app/(group)/page.tsx', ['app/(group)/page.tsx'], ['app/group/page.tsx']],
    ['!a', ['!a'], ['b']],
    ['+(a)', ['+(a)'], ['a', 'aa']],
    ['', [''], ['a']],
  ];
  for (const [glob, yes, no] of cases) {
    it(`reads ${JSON.stringify(glob)}`, () => {
      for (const path of yes) assert.ok(fits(glob, path), path);
      for (const path of no) assert.ok(!fits(glob, path), path);
    });
  }

  it('compares accents however they are encoded, and case as told', () => {
    assert.ok(fits('caf\u00e9/**', 'cafe\u0301/x') && fits('cafe\u0301', 'caf\u00e9'));
    assert.ok(globTest('**/A.TXT', { ignoreCase: true })('x/a.txt') && !fits('A', 'a'));
  });

  it('says what it cannot read', () => {
    assert.equal(globProblem('*a'.repeat(250)), undefined);
    assert.match(globProblem('a'.repeat(501)) ?? '', /longer than 500/);
  });

  it('means what picomatch means, on globs of every day', () => {
    const name = fc.oneof(
      fc.constantFrom('a', 'b', 'src', '.x', 'a.ts', 'b.test.ts', 'ab'),
      fc.string({ unit: fc.constantFrom('a', 'b', '.'), minLength: 1, maxLength: 3 }),
    );
    const part = fc.oneof(
      name,
      fc.constantFrom(
        '**',
        '*',
        '*.ts',
        'a*',
        '*b*',
        '?',
        'a?',
        '[ab]',
        '[^a]',
        '{a,b}',
        '*.{ts,b}',
        'a{b,.ts}',
        '{src,.x}*',
      ),
    );
    const globs = fc.array(part, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('/'));
    const paths = fc.array(name, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('/'));
    fc.assert(
      fc.property(globs, paths, (glob, path) => {
        // picomatch wants a path below a glob of only wildcards that ends in `**`, and treats `.` and `..`
        // separately.
        fc.pre(!/(^|\/)\.{1,2}(\/|$)/.test(`${glob}/${path}`) && !/[*?\]}]\/\*\*$/.test(glob));
        assert.equal(
          fits(glob, path),
          picomatch(glob, { dot: true, noextglob: true })(path),
          `${glob} ${path}`,
        );
      }),
      { numRuns: 5000 },
    );
  });

  it('takes time as long as the path is, whatever the glob', () => {
    const hostile: [string, (size: number) => string][] = [
      ['*a'.repeat(200) + 'b', (size) => 'a'.repeat(size)],
      ['**/'.repeat(120) + 'b', (size) => 'a/'.repeat(size / 2)],
      ['{a,aa}'.repeat(80) + 'b', (size) => 'a'.repeat(size)],
      ['{*a,*aa,a*}'.repeat(40) + 'b', (size) => 'a'.repeat(size)],
      ['(a+)+'.repeat(90) + '$', (size) => 'a'.repeat(size)],
      ['+(+(a))'.repeat(60), (size) => 'a'.repeat(size)],
      ['[a-z]*'.repeat(80) + '!', (size) => 'ab'.repeat(size / 2)],
      ['{'.repeat(240) + '}'.repeat(240), (size) => 'a'.repeat(size)],
    ];
    for (const [glob, path] of hostile) {
      const took = (size: number) => {
        const test = globTest(glob);
        const given = path(size);
        return processorMs(() => test(given));
      };
      took(4000);
      // The number of readings doubles with each letter, so backtracking would never end.
      assert.ok(took(100_000) < 2000, glob.slice(0, 20));
    }
  });
});
