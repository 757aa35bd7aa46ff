import assert from 'node:assert/strict';
import lock from '../../package-lock.json' with { type: 'json' };
import manifest from '../../package.json' with { type: 'json' };

interface LockEntry {
  version?: string;
  integrity?: string;
}

describe('supply: the lock file', () => {
  const entries = Object.entries(lock.packages as Record<string, LockEntry>).filter(([path]) => path !== '');

  it('has the integrity of every package, for any system', () => {
    assert.ok(entries.length > 100);
    const without = entries.filter(
      ([, { integrity }]) => !/^sha512-[A-Za-z0-9+/]{86}==$/.test(integrity ?? ''),
    );
    assert.deepEqual(
      without.map(([path]) => path),
      [],
    );
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
