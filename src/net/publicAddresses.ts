import { lookup as systemLookup, type LookupAddress } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import * as l10n from '@vscode/l10n';
import { SwitchboardError } from '../base/errors/errors.ts';

/** Ranges of the IANA special-purpose registries that are not the public Internet. */
const notPublic = new BlockList();
for (const range of [
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12'],
  ...['192.0.0.0/24', '192.0.2.0/24', '192.88.99.0/24', '192.168.0.0/16', '198.18.0.0/15'],
  ...['198.51.100.0/24', '203.0.113.0/24', '224.0.0.0/3'],
]) {
  addRange(notPublic, range, 'ipv4');
}
// Teredo and 6to4 carry IPv4 addresses; the others are for documentation.
for (const range of ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'])
  addRange(notPublic, range, 'ipv6');

const globalIpv6 = new BlockList();
addRange(globalIpv6, '2000::/3', 'ipv6');
/** NAT64: networks without IPv4 reach it by these addresses. */
const translated = new BlockList();
addRange(translated, '64:ff9b::/96', 'ipv6');

function addRange(list: BlockList, range: string, family: 'ipv4' | 'ipv6'): void {
  const [network = '', bits = ''] = range.split('/');
  list.addSubnet(network, Number(bits), family);
}

export function isPublicAddress(address: string): boolean {
  const ip = address.replace(/^\[|\]$/g, '');
  if (isIP(ip) === 4) return !notPublic.check(ip, 'ipv4');
  if (isIP(ip) !== 6 || ip.includes('%')) return false;
  if (translated.check(ip, 'ipv6')) return isPublicAddress(lastIpv4(ip));
  return globalIpv6.check(ip, 'ipv6') && !notPublic.check(ip, 'ipv6');
}

/** False for names that only local networks know, and for addresses there. `hostname` comes from `URL`. */
export function mayBePublic(hostname: string): boolean {
  const host = hostname.toLowerCase().replace(/\.$/, '');
  if (isIP(host.replace(/^\[|\]$/g, ''))) return isPublicAddress(host);
  return (
    host.includes('.') && !/\.(?:local|localhost|localdomain|internal|intranet|lan|home\.arpa)$/.test(host)
  );
}

export function localNetworkError(host: string): SwitchboardError {
  return new SwitchboardError(
    'not-permitted',
    l10n.t("{0} is on this machine or a local network, so it isn't loaded.", host),
  );
}

/** A lookup for `net.connect` that fails for local addresses: what was checked is what is connected to. */
export function publicLookup(find: typeof systemLookup = systemLookup): LookupFunction {
  return (host, options, done) => {
    find(host, { ...options, all: true }, (error: Error | null, found: LookupAddress[]) => {
      const [first] = found ?? [];
      if (error || !first) return done(error ?? new Error(`No address of ${host}`), []);
      if (!found.every(({ address }) => isPublicAddress(address))) return done(localNetworkError(host), []);
      if (options.all) return done(null, found);
      return done(null, first.address, first.family);
    });
  };
}

function lastIpv4(ip: string): string {
  const [, dotted] = /:(\d+\.\d+\.\d+\.\d+)$/.exec(ip) ?? [];
  if (dotted) return dotted;
  const [high = '0', low = '0'] = ip.split(':').slice(-2);
  const bits = (parseInt(high || '0', 16) << 16) | parseInt(low || '0', 16);
  return [24, 16, 8, 0].map((shift) => (bits >>> shift) & 255).join('.');
}
