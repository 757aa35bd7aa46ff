import { Emitter } from '../../src/base/emitter.ts';
import { KeyStore } from '../../src/connections/keyStore.ts';

/** SecretStorage in memory. @param held the kept secrets, by slot */
export function createMemoryKeys(held = new Map<string, string>()): KeyStore {
  const changes = new Emitter<{ key: string }>();
  return new KeyStore({
    get: async (name) => held.get(name),
    async store(name, value) {
      held.set(name, value);
      changes.fire({ key: name });
    },
    async delete(name) {
      if (held.delete(name)) changes.fire({ key: name });
    },
    onDidChange: changes.event,
  });
}
