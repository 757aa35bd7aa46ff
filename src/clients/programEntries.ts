import { asObject } from '../base/json.ts';
import { type Edit, type Path, type Value, valueAt } from './edit.ts';

/** An existing name of the same address, or a free one. `addressField`: an entry's field for the address. */
export function providerId(providers: unknown, address: string, addressField: Path): string {
  const taken = asObject(providers) ?? {};
  for (let count = 1; ; count++) {
    const id = count === 1 ? 'relay' : `relay-${count}`;
    if (!Object.hasOwn(taken, id) || valueAt(taken[id], addressField) === address) return id;
  }
}

export interface Item {
  same: Readonly<Record<string, string>>;
  value(isNew: boolean): Value;
}

/** Edits each item in place or appends it, so the user's other fields stay. */
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

export function known(limits: Readonly<Record<string, number | undefined>>): Record<string, number> {
  return Object.fromEntries(
    Object.entries(limits).filter((each): each is [string, number] => each[1] !== undefined),
  );
}

/** One variable per relay: a shared one would send one's key to another. `first`: origin that gets the usual name. */
export function variableFor(origin: string, first: string | undefined): string {
  if (origin === first) return 'RELAY_API_KEY';
  const { host, hash } = new URL(origin);
  return `RELAY_${(host + hash).replace(/[^a-z0-9]+/gi, '_').toUpperCase()}_API_KEY`;
}

export function unlessThere(current: object, edits: readonly Edit[]): Edit[] {
  return edits.filter(({ path }) => valueAt(current, path) === undefined);
}
