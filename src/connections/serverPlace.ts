import { type Address, normaliseAddress } from '../base/address.ts';

// A server may have several keys, such as one for each group of models of a relay. Each is a connection of its own then, told
// apart by a number behind `#`, in settings behind the address and everywhere else behind the origin. It is never sent.

const number = /#([1-9]\d{0,2})$/;

/** Reads an address as settings have it: `origin` is what its key is stored under, with the number if there is one. */
export function readPlace(setting: string): Address | undefined {
  const normal = normaliseAddress(setting);
  if ('problem' in normal) return undefined;
  const [written = ''] = number.exec(setting.trim()) ?? [];
  return { ...normal, origin: normal.origin + written };
}

/** The address as settings have it. */
export function writePlace({ baseUrl, origin }: Address): string {
  const [written = ''] = number.exec(origin) ?? [];
  return baseUrl + written;
}

/** Where on the network a server is. */
export function networkOrigin(origin: string): string {
  return origin.replace(number, '');
}

/** The first place for another key to a server, beside those that are taken. */
export function placeBeside({ baseUrl, origin }: Address, taken: readonly string[]): Address {
  const free = (count: number): string => {
    const numbered = `${networkOrigin(origin)}#${count}`;
    return taken.includes(numbered) ? free(count + 1) : numbered;
  };
  return { baseUrl, origin: free(2) };
}
