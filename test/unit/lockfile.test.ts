import assert from 'node:assert/strict';
import lock from '../../package-lock.json' with { type: 'json' };
import manifest from '../../package.json' with { type: 'json' };

interface LockEntry {
  version?: string;
  integrity?: string;
  link?: boolean;
  dev?: boolean;
  optional?: boolean;
  cpu?: string[];
}

const nativeLinter = /^node_modules\/@(oxlint|oxc-parser|oxlint-tsgolint)\/(binding-)?[\w-]+$/;

describe('supply: the lock file', () => {
  const entries = Object.entries(lock.packages as Record<string, LockEntry>).filter(([path]) => path !== '');

  it('has the integrity of every package that is shipped, builds or tests', () => {
    assert.ok(entries.length > 100);
    const without = entries.filter(
      ([, { integrity }]) => !/^sha512-[A-Za-z0-9+/]{86}==$/.test(integrity ?? ''),
    );
    for (const [path, { link, dev, optional, cpu }] of without) {
      // Native parts of linters for other systems: npm could not see them where it wrote the lock, and names them all
      // the same, so that the linters can be installed there.
      const isForOthers = link !== true && dev === true && optional === true && cpu !== undefined;
      assert.ok(isForOthers && nativeLinter.test(path), path);
    }
    assert.ok(without.length <= 36, String(without.length));
  });

  it('has the very versions that package.json names, each exact', () => {
    for (const [name, version] of Object.entries({ ...manifest.dependencies, ...manifest.devDependencies })) {
      assert.match(version, /^\d+\.\d+\.\d+$/, name);
      assert.equal(
        (lock.packages as Record<string, LockEntry>)[`node_modules/${name}`]?.version,
        version,
        name,
      );
    }
  });
});
