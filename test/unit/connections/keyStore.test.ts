import assert from 'node:assert/strict';
import { Emitter } from '../../../src/base/emitter.ts';
import { KeyStore, type KeySlot } from '../../../src/connections/keyStore.ts';

const relay: KeySlot = { kind: 'relay', origin: 'https://relay.example' };
const dataset: KeySlot = { kind: 'dataset', origin: 'https://relay.example' };

/** SecretStorage in memory; `failing` names the keys whose changes fail. */
function storage() {
  const kept = new Map<string, string>();
  const failing = { name: '' };
  const check = (name: string) => {
    if (name === failing.name) throw new Error('The keychain is locked');
  };
  const store = new KeyStore({
    get: async (name) => kept.get(name),
    async store(name, value) {
      await new Promise(setImmediate);
      check(name);
      kept.set(name, value);
    },
    async delete(name) {
      await new Promise(setImmediate);
      check(name);
      kept.delete(name);
    },
    onDidChange: new Emitter<unknown>().event,
  });
  return { store, kept, failing };
}

describe('connections: saved keys', () => {
  it('lists each key once, and after a removal the others', async () => {
    const { store } = storage();
    await store.set(relay, 'sk-first');
    await store.set(dataset, 'dataset-one');
    await store.set(relay, 'sk-second');
    assert.deepEqual(await store.list(), [dataset, relay]);
    assert.equal(await store.get(relay), 'sk-second');
    await store.forget(relay);
    assert.deepEqual(await store.list(), [dataset]);
    assert.equal(await store.get(relay), undefined);
  });

  it('never holds a key that is not listed, and so could not be removed', async () => {
    const { store, kept, failing } = storage();
    failing.name = 'slots';
    await assert.rejects(store.set(relay, 'sk-first'), /locked/);
    assert.equal(await store.get(relay), undefined);
    failing.name = '';
    await store.set(relay, 'sk-first');
    failing.name = 'relay https://relay.example';
    await assert.rejects(store.forget(relay), /locked/);
    assert.deepEqual(await store.list(), [relay]);
    assert.equal(kept.get('relay https://relay.example'), 'sk-first');
    await assert.rejects(store.set(relay, 'sk-second'), /locked/, 'a key that was not stored is no success');
  });

  it('loses none from the list when some are saved and removed at the same moment, nor when one fails', async () => {
    const { store, failing } = storage();
    await store.set(dataset, 'dataset-one');
    const proxy: KeySlot = { kind: 'proxy', origin: 'https://proxy.example' };
    failing.name = 'proxy https://proxy.example';
    const outcomes = await Promise.allSettled([
      store.set(proxy, 'user:password'),
      store.forget(dataset),
      store.set(relay, 'sk-first'),
      store.set({ ...relay, kind: 'session' }, 'session'),
    ]);
    assert.deepEqual(
      outcomes.map(({ status }) => status),
      ['rejected', 'fulfilled', 'fulfilled', 'fulfilled'],
    );
    assert.deepEqual(await store.list(), [proxy, relay, { ...relay, kind: 'session' }]);
  });
});
