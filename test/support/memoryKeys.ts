import { Emitter } from '../../src/base/emitter.ts';
import { KeyStore } from '../../src/connections/keyStore.ts';

/** SecretStorage in memory. @param held the kept secrets, by slot */
export function createMemoryKeys(held = new Map<string, string>()): KeyStore {
  return new KeyStore({
    get: async (name) => held.get(name),
    store: async (name, value) => void held.set(name, value),
    delete: async (name) => void held.delete(name),
    onDidChange: new Emitter<unknown>().event,
  });
}
