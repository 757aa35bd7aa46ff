import { type Address, normaliseAddress } from '../base/address.ts';

// A server may have several keys, such as one per group of models. Each is a connection of its own then, told apart by
// a number after `#` in addresses and origins. The number is never sent.

const number = /#([1-9]\d{0,2})$/;

/** Parses an address of the settings. `origin`: slot of its key, with the number if any. */
export function readPlace(setting: string): Address | undefined {
  const normal = normaliseAddress(setting);
  if ('problem' in normal) return undefined;
  const [written = ''] = number.exec(setting.trim()) ?? [];
  return { ...normal, origin: normal.origin + written };
}

/** Formats an address for settings. */
export function writePlace({ baseUrl, origin }: Address): string {
  const [written = ''] = number.exec(origin) ?? [];
  return baseUrl + written;
}

/** Network address without the number. */
export function networkOrigin(origin: string): string {
  return origin.replace(number, '');
}

/** First free place for another key of a server. */
export function placeBeside({ baseUrl, origin }: Address, taken: readonly string[]): Address {
  const free = (count: number): string => {
    const numbered = `${networkOrigin(origin)}#${count}`;
    return taken.includes(numbered) ? free(count + 1) : numbered;
  };
  return { baseUrl, origin: free(2) };
}
