import assert from 'node:assert/strict';
import type { LookupAddress } from 'node:dns';
import { SwitchboardError } from '../../../src/base/errors/errors.ts';
import { isPublicAddress, mayBePublic, publicLookup } from '../../../src/net/publicAddresses.ts';

describe('public addresses', () => {
  const local = [
    ...[
      '127.0.0.1',
      '10.1.2.3',
      '172.16.0.1',
      '172.31.255.255',
      '192.168.1.1',
      '169.254.169.254',
      '100.64.0.1',
    ],
    ...['0.0.0.0', '255.255.255.255', '224.0.0.1', '198.18.0.1', '192.0.2.1', '240.0.0.1'],
    ...['192.0.0.8', '192.88.99.1', '198.51.100.1', '203.0.113.1', '2001:0:7f00:1::', '3fff::1'],
    ...[
      '::1',
      '::',
      'fe80::1',
      'fe80::1%eth0',
      '2606:4700::1%eth0',
      'fc00::1',
      'fd12:3456::1',
      'ff02::1',
      '2001:db8::1',
      '2002:7f00:1::',
    ],
    ...['::ffff:127.0.0.1', '::ffff:8.8.8.8', '::7f00:1', '64:ff9b::127.0.0.1', '64:ff9b::a00:1', '[::1]'],
    ...['', 'example.com', '300.1.1.1'],
  ];
  for (const address of local) {
    it(`are not ${JSON.stringify(address)}`, () => assert.equal(isPublicAddress(address), false));
  }
  for (const address of [
    ...['8.8.8.8', '172.15.0.1', '172.32.0.1', '100.128.0.1', '11.0.0.1', '192.169.0.1'],
    ...['2606:4700::1111', '[2606:4700::1111]', '64:ff9b::8.8.8.8', '64:ff9b::808:808'],
  ]) {
    it(`are ${address}`, () => assert.equal(isPublicAddress(address), true));
  }

  it('have names that more than the local network may know', () => {
    for (const name of [
      'example.com',
      'example.com.',
      'docs.example.co.uk',
      '8.8.8.8',
      'mylocal.com',
      '[2606:4700::1111]',
    ]) {
      assert.equal(mayBePublic(name), true, name);
    }
    const names = [
      'localhost',
      'a.localhost',
      'printer.local',
      'PRINTER.LOCAL.',
      'intranet',
      'db.internal',
      'nas.lan',
      'a.localdomain',
      'wiki.intranet',
    ];
    for (const name of [...names, 'x.home.arpa', '127.0.0.1', '[::1]', '[fd00::1]']) {
      assert.equal(mayBePublic(name), false, name);
    }
    // Other spellings of an address are the same for `URL`.
    for (const name of ['0x7f.1', '2130706433', '127.1', '0177.0.0.1', '[::ffff:7f00:1]']) {
      assert.equal(mayBePublic(new URL(`https://${name}/`).hostname), false, name);
    }
  });
});

describe('publicLookup', () => {
  const look = (found: string[], all: boolean) => {
    const addresses = found.map((address): LookupAddress => ({
      address,
      family: address.includes(':') ? 6 : 4,
    }));
    const find = ((_host: string, _options: object, done: (error: null, all: LookupAddress[]) => void) =>
      done(null, addresses)) as unknown as Parameters<typeof publicLookup>[0];
    return new Promise((resolve, reject) => {
      publicLookup(find)('example.com', { all }, (error, address, family) =>
        error ? reject(error) : resolve(all ? address : [address, family]),
      );
    });
  };

  it('gives what is connected to, once each address is public', async () => {
    assert.deepEqual(await look(['8.8.8.8', '2606:4700::1'], true), [
      { address: '8.8.8.8', family: 4 },
      { address: '2606:4700::1', family: 6 },
    ]);
    assert.deepEqual(await look(['8.8.8.8'], false), ['8.8.8.8', 4]);
  });

  it('fails for a name with any address of the local network', async () => {
    const isRefused = (error: unknown) => error instanceof SwitchboardError && error.code === 'not-permitted';
    for (const all of [true, false]) {
      await assert.rejects(look(['8.8.8.8', '127.0.0.1'], all), isRefused);
      await assert.rejects(look(['::1'], all), isRefused);
    }
    await assert.rejects(look([], true), /No address of example.com/);
  });
});
