import { asObject } from '../base/json.ts';
import { type Path, valueAt } from './edit.ts';

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

/** The place of an item in a list: of one that is the same but for other fields, or behind the last. */
export function placeIn(list: unknown, same: Readonly<Record<string, string>>): number {
  const items = Array.isArray(list) ? (list as unknown[]) : [];
  const found = items.findIndex((item) =>
    Object.entries(same).every(([field, value]) => asObject(item)?.[field] === value),
  );
  return found < 0 ? items.length : found;
}
