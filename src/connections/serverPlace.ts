import { type Address, normaliseAddress } from '../base/address.ts';

// Each key of a server is a connection of its own, numbered after `#` in addresses and origins; never sent.

const number = /#([1-9]\d{0,2})$/;

/** Parses an address of the settings. `origin`: slot of its key, with the number if any. */
export function readPlace(setting: string): Address | undefined {
  const normal = normaliseAddress(setting);
  if ('problem' in normal) return undefined;
  const [written = ''] = number.exec(setting.trim()) ?? [];
  return { ...normal, origin: normal.origin + written };
}

export function originOf({ baseUrl }: { baseUrl: string }): string | undefined {
  return readPlace(baseUrl)?.origin;
}

export function writePlace({ baseUrl, origin }: Address): string {
  const [written = ''] = number.exec(origin) ?? [];
  return baseUrl + written;
}

export function networkOrigin(origin: string): string {
  return origin.replace(number, '');
}

export function placeBeside({ baseUrl, origin }: Address, taken: readonly string[]): Address {
  const free = (count: number): string => {
    const numbered = `${networkOrigin(origin)}#${count}`;
    return taken.includes(numbered) ? free(count + 1) : numbered;
  };
  return { baseUrl, origin: free(2) };
}
