import assert from 'node:assert/strict';
import { WithheldCount } from '../../../../src/tools/files/withheldCount.ts';

describe('what the policy withheld', () => {
  const cases = [
    ['outside', 'outside the workspace', 'Blocked, outside the workspace: 2'],
    ['system', 'of the operating system', 'Blocked: 2'],
    ['whole-system', 'of a whole file system', 'Blocked: 2'],
    ['linked', 'hard links to files that cannot be used', 'Blocked, hard links: 2'],
    ['environment', 'environment files', 'Blocked, environment files: 2'],
    ['key', 'key or certificate files', 'Blocked, key or certificate files: 2'],
    ['credentials', 'credentials files or stores', 'Blocked, credentials: 2'],
    ['ignored', 'excluded by .gitignore or .switchboardignore', 'Blocked, excluded by ignore files: 2'],
    ['excluded', "excluded by the user's settings", 'Blocked, excluded by your settings: 2'],
    ['untrusted', 'in an untrusted workspace', 'Blocked, the workspace is not trusted: 2'],
  ] as const;

  it('is told to the model and to the user, by reason', () => {
    for (const [reason, forModel, forUser] of cases) {
      const withheld = new WithheldCount();
      withheld.add(reason, 2);
      assert.deepEqual(withheld.note('files'), [
        `[The file policy withheld files: 2 ${forModel}. They cannot be used.]`,
      ]);
      assert.deepEqual(withheld.list(), [{ reason, count: 2, forUser }]);
    }
  });

  it('is told to the model alone where a listing leaves out .git', () => {
    const withheld = new WithheldCount();
    withheld.add('repository');
    assert.match(withheld.note('files').join(), /: 1 inside of a repository\./);
    assert.deepEqual([withheld.list(), withheld.total], [[], 1]);
  });

  it('is nothing where nothing was withheld, or a path is only wrong', () => {
    const withheld = new WithheldCount();
    withheld.add('key', 0);
    withheld.add('not-found', 3);
    assert.deepEqual([withheld.note('files'), withheld.list()], [[], []]);
  });
});
