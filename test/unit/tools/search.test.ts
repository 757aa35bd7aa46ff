import assert from 'node:assert/strict';
import { delimiter, join } from 'node:path';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import fc from 'fast-check';
import { anywhere, exclusionTest, selectionTest } from '../../../src/tools/policy/pathFilters.ts';
import { LineMatcher } from '../../../src/tools/search/lineMatcher.ts';
import { compilePattern } from '../../../src/tools/search/linePattern.ts';
import { findRipgrep } from '../../../src/tools/search/ripgrep.ts';
import { ripgrepPatterns } from '../../../src/tools/search/ripgrepPattern.ts';
import { comparePaths } from '../../../src/tools/search/walkFiles.ts';

function compile(query: string, isRegex = true, ignoreCase = false) {
  const pattern = compilePattern({ query, isRegex, ignoreCase });
  assert.ok(!('problem' in pattern), JSON.stringify(pattern));
  return pattern;
}

const finds = (query: string, text: string, isRegex = true, ignoreCase = false) =>
  new LineMatcher(compile(query, isRegex, ignoreCase)).match(text, 0, 99).map(({ line }) => line);

describe('tools: what search_text looks for', () => {
  it('is no longer than what an expression is quickly made from', () => {
    for (const isRegex of [true, false]) {
      const query = String.raw`\p{L}`.repeat(200);
      compile(query, isRegex);
      const pattern = compilePattern({ query: `${query}.`, isRegex, ignoreCase: false });
      assert.ok('problem' in pattern);
      assert.match(
        pattern.problem,
        /has 1001 characters, and at most 1000 are searched for\. Search for a part/,
      );
    }
  });

  const cases: [query: string, line: string, matches: boolean][] = [
    ['(?i)todo', 'TODO', true],
    ['interface{}', 'interface{}', true],
    ['\\"a\\"', '"a"', true],
    ['a\\-b', 'a-b', true],
    ['\\<div\\>', '<div>', true],
    ['(?P<x>a)\\k<x>', 'aa', true],
    ['foo|bar', 'a bar', true],
    ['^.$', '😀', true],
    ['\\p{Lu}', 'É', true],
    ['\\bfoo\\b', 'food', false],
    ['a\\/b', 'a/b', true],
    ['[\\w.-]+@', 'x.y-z@', true],
  ];
  for (const [query, line, expected] of cases) {
    it(`${expected ? 'finds' : 'does not find'} ${query} in ${line}`, () => {
      assert.equal(finds(query, line).length > 0, expected);
    });
  }

  for (const [query, expected] of [
    ['(', /cannot be read: .*isRegex to false/],
    ['a**', /cannot be read/],
    ['\\Afoo', /cannot be read/],
    ['(?>a)', /cannot be read/],
    ['\\p{Nope}', /cannot be read/],
    ['a\nb', /line break/],
    ['', /empty/],
  ] as const) {
    it(`says why ${JSON.stringify(query)} cannot be searched for`, () => {
      const pattern = compilePattern({ query, isRegex: true, ignoreCase: false });
      assert.ok('problem' in pattern);
      assert.match(pattern.problem, expected);
    });
  }

  it('takes plain text as it is', () =>
    fc.assert(
      fc.property(fc.string({ minLength: 1, maxLength: 8 }), fc.boolean(), (query, ignoreCase) => {
        fc.pre(!/[\r\n]/.test(query));
        assert.deepEqual(finds(query, `x\n..${query}..\ny`, false, ignoreCase).includes(2), true);
      }),
    ));

  it('finds the lines that splitting would find, with their neighbours', () => {
    const line = fc.constantFrom('', 'foo', 'a foo b foo', 'bar', '\r', 'fo', 'foo\r', ' foo');
    const text = fc
      .tuple(fc.array(line, { maxLength: 12 }), fc.boolean())
      .map(([lines, ends]) => lines.join('\n') + (ends ? '\n' : ''));
    const pattern = fc.constantFrom(
      ['foo', false],
      ['^foo$', true],
      ['foo(?!\\s)', true],
      ['^$', true],
      ['o\\b.*', true],
    ) as fc.Arbitrary<[string, boolean]>;
    fc.assert(
      fc.property(text, pattern, fc.nat({ max: 3 }), (whole, [query, isRegex], context) => {
        const compiled = compile(query, isRegex);
        const all = whole.replaceAll('\r\n', '\n').split('\n');
        if (whole.endsWith('\n') || whole === '') all.pop();
        const expected = all.flatMap((each, index) => {
          const column = new RegExp(compiled.source, compiled.flags).exec(each)?.index;
          return column === undefined
            ? []
            : [
                {
                  line: index + 1,
                  column: column + 1,
                  text: each,
                  before: all.slice(Math.max(0, index - context), index),
                  after: all.slice(index + 1, index + 1 + context),
                },
              ];
        });
        const { matches, start, end } = new LineMatcher(compiled).matchWithin(whole, context, 99);
        assert.deepEqual(matches, expected);
        const [first, last] = [expected[0], expected.at(-1)];
        if (!first || !last) return;
        const part = all
          .slice(first.line - 1 - first.before.length, last.line + last.after.length)
          .join('\n');
        const within = whole.slice(start, end).replaceAll('\r\n', '\n');
        assert.ok(within.startsWith(part) && /^[\r\n]?$/.test(within.slice(part.length)), within);
        assert.ok(start === 0 || whole[start - 1] === '\n');
        assert.ok(end === whole.length || whole[end] === '\n');
      }),
      { numRuns: 1000 },
    );
  });

  it('shows the match in a line of 1 MB', () => {
    const [match] = new LineMatcher(compile('needle', false)).match(
      `${'x'.repeat(500_000)}needle${'y'.repeat(500_000)}`,
      0,
      1,
    );
    assert.equal(match?.column, 500_001);
    assert.ok(match.text.length < 600 && match.text.includes('needle'));
    assert.match(match.text, /^….*…$/);
  });
});

describe('tools: what ripgrep is asked', () => {
  it('gets plain text as plain text', () => {
    assert.deepEqual(ripgrepPatterns(compile('a.b', false), undefined), [
      ['--case-sensitive', '--fixed-strings', '-e', 'a.b'],
    ]);
  });

  it('gets an expression for files in UTF-8, and once more for those in another encoding', () => {
    const encodings = [undefined, 'utf8', 'gbk'].map((encoding) =>
      ripgrepPatterns(compile('a|b'), encoding)?.map((args) => args.at(args.indexOf('--encoding') + 1)),
    );
    assert.deepEqual(encodings, [
      ['--pcre2', 'windows-1252'],
      ['--pcre2', 'windows-1252'],
      ['--pcre2', 'gbk'],
    ]);
  });

  it('is not asked what cannot be said', () => {
    for (const query of ['interface{', '(a)?\\1', '(?<n>a)\\k<n>', '\\p{L}', '[\\P{L}]'])
      assert.equal(ripgrepPatterns(compile(query), undefined), undefined, query);
  });

  it('is looked for where editors keep it, newest first, and on PATH', () => {
    const folder = mkdtempSync(join(tmpdir(), 'switchboard-rg-'));
    try {
      const find = (path = '') => findRipgrep(join(folder, 'app'), { platform: 'linux', arch: 'x64', path });
      const put = (...names: string[]) => {
        const file = join(folder, ...names);
        mkdirSync(join(file, '..'), { recursive: true });
        writeFileSync(file, '');
        chmodSync(file, 0o755);
        return file;
      };
      assert.equal(find('relative'), undefined);
      const onPath = put('bin', 'rg');
      assert.equal(find(['relative', join(folder, 'bin')].join(delimiter)), onPath);
      const old = put('app', 'node_modules.asar.unpacked', '@vscode', 'ripgrep', 'bin', 'rg');
      assert.equal(find(join(folder, 'bin')), old);
      const own = put('app', 'node_modules', '@vscode', 'ripgrep-linux-x64', 'bin', 'rg');
      assert.equal(find(), own);
      const now = put('app', 'node_modules', '@vscode', 'ripgrep-universal', 'bin', 'linux-x64', 'rg');
      assert.equal(find(), now);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

describe('tools: globs and the order of paths', () => {
  it('takes globs of arguments like an ignore file does', () => {
    const fits = (glob: string, path: string) => selectionTest([glob], false)(path);
    assert.ok(
      fits('*.ts', 'a/b.ts') && fits('src', 'src/a/b') && fits('src/', 'src/a') && fits('./src/**', 'src/a'),
    );
    assert.ok(
      fits('**/*.{js,ts}', 'x.ts') && fits('test', 'a/test/b') && fits('.github/**', '.github/a/b.yml'),
    );
    assert.ok(!fits('*.ts', 'a.tsx') && !fits('src', 'lib/src.ts') && !fits('a/*.ts', 'a/b/c.ts'));
    assert.equal(anywhere('a/b'), 'a/b');
  });

  it('takes those of files.exclude like the editor does, and a hopeless one as everything', () => {
    const fits = (glob: string, path: string) => exclusionTest([glob], false)(path);
    assert.ok(
      fits('**/.git', '.git') && fits('**/.git', 'a/.git') && fits('out', 'out') && fits('**/*.js', 'a/b.js'),
    );
    assert.ok(!fits('out', 'a/out') && !fits('**/.git', '.gitignore') && !fits('*.js', 'a/b.js'));
    assert.ok(fits('*a'.repeat(300), 'anything'));
  });

  it('orders paths as a walk meets them', () => {
    const walked = ['a/b/c', 'a/b.ts', 'a.ts', 'a b', 'b'].toSorted(comparePaths);
    assert.deepEqual(walked, ['a/b/c', 'a/b.ts', 'a b', 'a.ts', 'b']);
  });
});
