import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { AppInfo } from '../../../src/apps/app.ts';
import { AppRegistry, type AppStore } from '../../../src/apps/appRegistry.ts';

const info: AppInfo = { name: 'Helper', description: 'Helps', kind: 'chat', tags: [] };
const baseUrl = 'https://platform.example/sub';

class MemoryStore implements AppStore {
  constructor(private json = 'null') {}
  read(): unknown {
    return JSON.parse(this.json);
  }
  write(value: object): void {
    this.json = JSON.stringify(value);
  }
}

function open(store: AppStore = new MemoryStore()) {
  let ids = 0;
  return new AppRegistry(
    store,
    () => `app${++ids}`,
    () => 1786000000000,
  );
}

describe('AppRegistry', () => {
  it('reads of stored answers what may be remembered', () => {
    const store = new MemoryStore();
    const { id } = open(store).add({ baseUrl, info });
    const answers = { [id]: { a: 'x', b: 5, c: false, d: ['file'], e: null } };
    store.write({ ...(store.read() as object), answers });
    assert.deepEqual(open(store).lastAnswers(id), { a: 'x', b: 5, c: false });
  });

  it('keeps apps and the answers to their forms', () => {
    const store = new MemoryStore();
    const registry = open(store);
    const { id } = registry.add({ baseUrl, info });
    registry.rememberAnswers(id, {
      a: 'x',
      b: 5,
      c: true,
      d: [{ method: 'remote_url', url: 'https://a.example' }],
      e: 'x'.repeat(20_000),
    });
    const again = open(store);
    assert.deepEqual(again.all, [
      {
        id: 'app1',
        origin: 'https://platform.example',
        baseUrl,
        name: 'Helper',
        kind: 'chat',
        description: 'Helps',
        addedAtMs: 1786000000000,
      },
    ]);
    assert.deepEqual(again.lastAnswers(id), { a: 'x', b: 5, c: true });
  });

  it('keeps a name of the user over the one of the platform', () => {
    const registry = open();
    const { id } = registry.add({ baseUrl, info });
    const described = () => {
      const { name, kind, description, look } = registry.find(id) ?? {};
      return [name, kind, description, look?.icon];
    };
    registry.refresh(id, { ...info, name: 'Helper 2', kind: 'unknown', look: { icon: '🤖' } });
    assert.deepEqual(described(), ['Helper 2', 'chat', 'Helps', '🤖']);
    registry.refresh(id, { ...info, name: '', description: '', kind: 'workflow' });
    assert.deepEqual(described(), ['Helper 2', 'workflow', 'Helps', '🤖'], 'an old server says less');
    registry.rename(id, ' Mine ');
    registry.refresh(id, { ...info, name: 'Helper 3', description: 'New' });
    assert.deepEqual([registry.find(id)?.name, registry.find(id)?.description], ['Mine', 'New']);
    registry.rename(id, '');
    registry.refresh(id, info);
    assert.equal(registry.find(id)?.name, 'Helper');
  });

  it('forgets an app with its answers', () => {
    const store = new MemoryStore();
    const registry = open(store);
    const { id } = registry.add({ baseUrl, info });
    registry.rememberAnswers(id, { a: 'secret' });
    registry.remove(id);
    registry.rememberAnswers(id, { a: 'secret' });
    assert.deepEqual(registry.all, []);
    assert.doesNotMatch(JSON.stringify(store.read()), /secret/);
  });

  it('leaves out an app whose key would go to another origin', () => {
    const store = new MemoryStore();
    open(store).add({ baseUrl, info });
    const stored = JSON.stringify(store.read()).replace(
      '"baseUrl":"https://platform',
      '"baseUrl":"https://evil',
    );
    assert.deepEqual(open(new MemoryStore(stored)).all, []);
  });

  it('opens on anything that was stored', () => {
    const field = fc.constantFrom('apps', 'answers', 'id', 'origin', 'baseUrl', 'name', 'kind', 'addedAtMs');
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 4 },
        fc.jsonValue({ maxDepth: 1 }),
        fc.array(tie('value'), { maxLength: 3 }),
        fc.dictionary(field, tie('value'), { maxKeys: 5 }),
      ),
    }));
    fc.assert(
      fc.property(value, (stored) => {
        const registry = open(new MemoryStore(JSON.stringify(stored)));
        registry.add({ baseUrl, info });
        assert.equal(registry.find('app1')?.name, 'Helper');
      }),
    );
  });
});
