import assert from 'node:assert/strict';
import { fileErrorKind } from '../../../../src/tools/files/fileSystem.ts';

describe('what an error of a file system says', () => {
  it('is known by the codes of the disk and of the editor', () => {
    const kinds = {
      'not-found': ['ENOENT', 'ENOTDIR', 'ENAMETOOLONG', 'FileNotFound', 'FileNotADirectory'],
      loop: ['ELOOP'],
      'not-permitted': ['EACCES', 'EPERM', 'NoPermissions'],
      other: ['EIO', 'Unavailable'],
    };
    for (const [kind, codes] of Object.entries(kinds))
      for (const code of codes)
        assert.equal(fileErrorKind(Object.assign(new Error(code), { code })), kind, code);
    assert.equal(fileErrorKind('ENOENT'), 'other');
  });
});
