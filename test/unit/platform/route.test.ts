import assert from 'node:assert/strict';
import fc from 'fast-check';
import { route } from '../../../src/platform/route.ts';

describe('route', () => {
  it('fills pieces in', () => {
    assert.equal(route`/datasets/${'a b'}/documents/${'c/d'}`, '/datasets/a%20b/documents/c%2Fd');
    assert.equal(route`/datasets`, '/datasets');
  });

  it('refuses what would lead elsewhere', () => {
    for (const id of ['', '.', '..']) assert.throws(() => route`/datasets/${id}/x`, /can't be part/);
  });

  it('keeps any id one piece of the path', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', minLength: 1 }), (id) => {
        fc.pre(id !== '.' && id !== '..');
        const { pathname } = new URL(`https://platform.example${route`/datasets/${id}/end`}`);
        assert.equal(pathname.split('/').length, 4);
        assert.ok(pathname.startsWith('/datasets/') && pathname.endsWith('/end'));
      }),
    );
  });
});
