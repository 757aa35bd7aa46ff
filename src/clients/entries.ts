import { asObject } from '../base/json.ts';
import { type Edit, type Path, type Value, valueAt } from './edit.ts';

/**
 * The name of the relay among a file's providers: one of ours, or one that nobody has. An entry of the same address is
 * ours, or as good as that.
 * @param addressField what an entry calls its base address
 */
export function providerId(providers: unknown, address: string, addressField: Path): string {
  const taken = asObject(providers) ?? {};
  for (let count = 1; ; count++) {
    const id = count === 1 ? 'relay' : `relay-${count}`;
    if (!Object.hasOwn(taken, id) || valueAt(taken[id], addressField) === address) return id;
  }
}

/** An item of a list: what it is known by, and what is to be in it. `isNew`: the list has none such yet. */
export interface Item {
  same: Readonly<Record<string, string>>;
  value(isNew: boolean): Value;
}

/** Each item in its own place or behind the last, so that what is set of it besides stays. */
export function itemEdits(current: object, path: Path, items: readonly Item[]): Edit[] {
  const there = valueAt(current, path);
  const list = Array.isArray(there) ? [...(there as unknown[])] : [];
  return items.map(({ same, value }) => {
    const found = list.findIndex((item) =>
      Object.entries(same).every(([field, text]) => asObject(item)?.[field] === text),
    );
    const at = found < 0 ? list.push(same) - 1 : found;
    return { path: [...path, at], value: value(found < 0) };
  });
}

/** What is there; nothing in the place of what nobody knows. */
export function known(limits: Readonly<Record<string, number | undefined>>): Record<string, number> {
  return Object.fromEntries(
    Object.entries(limits).filter((each): each is [string, number] => each[1] !== undefined),
  );
}

/**
 * The variable for the key of a relay. Programs keep several relays: with one variable for all, the key of one would go to
 * another.
 * @param first the origin of the relay that has the usual name
 */
export function variableFor(origin: string, first: string | undefined): string {
  if (origin === first) return 'RELAY_API_KEY';
  const { host, hash } = new URL(origin);
  return `RELAY_${(host + hash).replace(/[^a-z0-9]+/gi, '_').toUpperCase()}_API_KEY`;
}

/** Those whose place in the file is still empty: what is there, stays. */
export function unlessThere(current: object, edits: readonly Edit[]): Edit[] {
  return edits.filter(({ path }) => valueAt(current, path) === undefined);
}
