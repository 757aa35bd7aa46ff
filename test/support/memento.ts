import type { Memento } from '../../src/settings/memory.ts';

export function createMemento(): Memento & { keys(): string[] } {
  const values = new Map<string, string>();
  return {
    keys: () => [...values.keys()],
    get: (key: string, fallback?: unknown) => {
      const value = values.get(key);
      return value === undefined ? fallback : JSON.parse(value);
    },
    update(key: string, value: unknown) {
      if (value === undefined) values.delete(key);
      else values.set(key, JSON.stringify(value));
      return Promise.resolve();
    },
  };
}
