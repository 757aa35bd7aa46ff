// Makes certificates on demand, in hand-written DER, since little of it is needed.
import { type KeyObject, generateKeyPairSync, sign } from 'node:crypto';
import { isIP } from 'node:net';

/** Both in PEM. */
export interface Certificate {
  cert: string;
  key: string;
}

export interface CertificateOptions {
  name: string;
  hosts?: readonly string[];
  from?: Date;
  to?: Date;
  passphrase?: string;
}

/** Issues certificates; trusted by way of `cert`. */
export interface Authority {
  cert: string;
  issue(options: CertificateOptions): Certificate;
}

const day = 24 * 60 * 60_000;

export function createAuthority(name = 'Test authority'): Authority {
  const keys = newKeys();
  const { cert } = certificate({ name }, keys, { name, key: keys.privateKey }, true);
  return {
    cert,
    issue: (options) => certificate(options, newKeys(), { name, key: keys.privateKey }, false),
  };
}

function newKeys(): { publicKey: KeyObject; privateKey: KeyObject } {
  return generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
}

function certificate(
  { name, hosts = [], from, to, passphrase }: CertificateOptions,
  { publicKey, privateKey }: { publicKey: KeyObject; privateKey: KeyObject },
  issuer: { name: string; key: KeyObject },
  isAuthority: boolean,
): Certificate {
  const algorithm = sequence(oid(1, 2, 840, 10045, 4, 3, 2));
  const serial = Buffer.from(`01${Date.now().toString(16).padStart(14, '0')}`, 'hex');
  const content = sequence(
    der(0xa0, der(0x02, Buffer.of(2))),
    der(0x02, serial),
    algorithm,
    nameOf(issuer.name),
    sequence(time(from ?? new Date(Date.now() - day)), time(to ?? new Date(Date.now() + day))),
    nameOf(name),
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(...extensions(hosts, isAuthority))),
  );
  const signature = sign('sha256', content, issuer.key);
  const whole = sequence(content, algorithm, der(0x03, Buffer.of(0), signature));
  const key =
    passphrase === undefined
      ? privateKey.export({ type: 'pkcs8', format: 'pem' })
      : privateKey.export({ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase });
  return { cert: pem('CERTIFICATE', whole), key: String(key) };
}

function extensions(hosts: readonly string[], isAuthority: boolean): Buffer[] {
  const names = hosts.map((host) =>
    isIP(host) ? der(0x87, Buffer.from(host.split('.').map(Number))) : der(0x82, Buffer.from(host)),
  );
  return [
    ...(isAuthority
      ? [sequence(oid(2, 5, 29, 19), der(0x01, Buffer.of(255)), octets(sequence(der(0x01, Buffer.of(255)))))]
      : []),
    ...(names.length > 0 ? [sequence(oid(2, 5, 29, 17), octets(sequence(...names)))] : []),
  ];
}

function der(tag: number, ...contents: Buffer[]): Buffer {
  const content = Buffer.concat(contents);
  const { length } = content;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.of(tag, ...size), content]);
}

function sequence(...contents: Buffer[]): Buffer {
  return der(0x30, ...contents);
}

function octets(content: Buffer): Buffer {
  return der(0x04, content);
}

function oid(first: number, second: number, ...rest: number[]): Buffer {
  const bytes = rest.flatMap((part) => {
    const groups = [part & 127];
    for (let left = part >> 7; left > 0; left >>= 7) groups.unshift((left & 127) | 128);
    return groups;
  });
  return der(0x06, Buffer.of(first * 40 + second, ...bytes));
}

function nameOf(name: string): Buffer {
  return sequence(der(0x31, sequence(oid(2, 5, 4, 3), der(0x0c, Buffer.from(name)))));
}

/** GeneralizedTime, which is valid for every year. */
function time(date: Date): Buffer {
  const digits = date.toISOString().replace(/\.\d+/, '').replace(/[-:T]/g, '');
  return der(0x18, Buffer.from(digits));
}

function pem(label: string, content: Buffer): string {
  const lines = content.toString('base64').match(/.{1,64}/g) ?? [];
  return [`-----BEGIN ${label}-----`, ...lines, `-----END ${label}-----`, ''].join('\n');
}
