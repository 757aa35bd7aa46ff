import assert from 'node:assert/strict';
import fc from 'fast-check';
import { documentName, longestName, type NamedSource } from '../../../../src/knowledge/files/documentName.ts';

const named = (
  path: string,
  change: Partial<NamedSource> & { lines?: { start: number; end: number } } = {},
) => {
  const { lines, ...rest } = change;
  return documentName({ workspace: 'app', how: 'text', origin: { path, ...(lines && { lines }) }, ...rest });
};

describe('documentName', () => {
  it('is the path below the name of the workspace', () => {
    assert.equal(named('src/a.ts'), 'app/src/a.ts');
    assert.equal(named('docs/a.md', { how: 'file' }), 'app∕docs∕a.md');
    assert.equal(named('src/a.ts', { lines: { start: 10, end: 20 } }), 'app/src/a.ts (lines 10-20)');
    assert.equal(named('src/a.ts', { lines: { start: 3, end: 3 } }), 'app/src/a.ts (line 3)');
    assert.equal(named('app/src/a.ts', { workspace: '' }), 'app/src/a.ts');
  });

  it('keeps the end and the extension of what is too long', () => {
    const name = named(`${'folder/'.repeat(40)}notes.md`, { how: 'file' });
    assert.equal(name.length, longestName);
    assert.match(name, /^….*folder∕notes~[0-9a-f]{12}\.md$/);
  });

  it('never has what a file name on the platform must not have', () => {
    const name = named('a\\b:c?.md', { how: 'file' });
    assert.match(name, /^app∕a_b_c_~[0-9a-f]{12}\.md$/);
  });

  it('does not give a file the name that was made for another', () => {
    const made = named('a\u0007.ts');
    assert.match(made, /^app\/a_~[0-9a-f]{12}\.ts$/);
    assert.notEqual(named(made.slice('app/'.length)), made);
    assert.notEqual(named('a.ts (lines 1-2)'), named('a.ts', { lines: { start: 1, end: 2 } }));
  });

  it('is another one for every source, and never too long', () => {
    // A few parts that collide: names written alike, and names that look generated here.
    const part = fc.constantFrom(
      'a',
      'b',
      '/',
      '∕',
      '\\',
      ':',
      '_',
      '.md',
      ' (lines 1-2)',
      '~0123456789ab',
      '\u0007',
      'é',
      '😀',
      '\uD800',
      'x'.repeat(90),
    );
    const text = fc.array(part, { minLength: 1, maxLength: 5 }).map((parts) => parts.join(''));
    const source: fc.Arbitrary<NamedSource> = fc.record({
      workspace: text,
      how: fc.constantFrom('file' as const, 'text' as const),
      origin: fc.oneof(
        fc.record({ path: text }),
        fc.record({ path: text, lines: fc.constantFrom({ start: 1, end: 2 }, { start: 1, end: 1 }) }),
      ),
    });
    fc.assert(
      fc.property(source, source, (first, second) => {
        const names = [first, second].map(documentName);
        for (const name of names) {
          assert.ok(name.length <= longestName);
          assert.ok(name.isWellFormed());
        }
        if (JSON.stringify(first) !== JSON.stringify(second)) assert.notEqual(names[0], names[1]);
      }),
      { numRuns: 3000 },
    );
  });

  it('gives a file a name without slashes', () => {
    fc.assert(
      fc.property(fc.string(), fc.string({ unit: 'binary' }), (workspace, path) => {
        assert.doesNotMatch(documentName({ workspace, origin: { path }, how: 'file' }), /[\\/]/);
      }),
    );
  });
});
