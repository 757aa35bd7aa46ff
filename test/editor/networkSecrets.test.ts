import assert from 'node:assert/strict';
import { createNetworkSecrets } from '../../src/host/window/networkSecrets.ts';
import { basic } from '../../src/net/routes.ts';
import { withPerson } from './person.ts';
import { createMemoryKeys } from '../support/memoryKeys.ts';

const proxy = 'http://proxy.example:8080';

describe('secrets of the network, asked for in the editor', () => {
  const stored = new Map<string, string>();
  const keys = createMemoryKeys(stored);
  beforeEach(() => stored.clear());

  it('are asked for once, however many requests need them, and kept for their proxy', async () => {
    const secrets = createNetworkSecrets(keys);
    let answers: unknown;
    const asked = await withPerson({ types: [' me ', 'pass word'] }, async () => {
      answers = await Promise.all([1, 2, 3].map(() => secrets.ask('proxy', proxy, undefined)));
    });
    const value = basic('me', 'pass word');
    assert.deepEqual(answers, [value, value, value]);
    assert.deepEqual(
      asked.map(({ text }) => text),
      ['Sign In to the Proxy (1/2): User Name', 'Sign In to the Proxy (2/2): Password'],
    );
    assert.equal(await secrets.get('proxy', proxy), value);
    assert.equal(await secrets.get('proxy', 'http://other.example'), undefined);
    assert.deepEqual(await keys.list(), [{ kind: 'proxy', origin: proxy }]);
  });

  it('are asked for again when they are wrong, and not again once they were dismissed', async () => {
    const secrets = createNetworkSecrets(keys);
    await withPerson({ types: ['me', 'wrong'] }, () => secrets.ask('proxy', proxy, undefined));
    const again = await withPerson({ types: ['me', 'right'] }, () =>
      secrets.ask('proxy', proxy, basic('me', 'wrong')),
    );
    assert.equal(again.length, 2);
    assert.equal(await secrets.get('proxy', proxy), basic('me', 'right'));
    const other = 'http://other.example';
    assert.equal((await withPerson({}, () => secrets.ask('proxy', other, undefined))).length, 1);
    assert.equal((await withPerson({}, () => secrets.ask('proxy', other, undefined))).length, 0);
    secrets.askAgain();
    assert.equal(
      (await withPerson({ types: ['me'] }, () => secrets.ask('proxy', other, undefined))).length,
      2,
    );
    assert.equal(await secrets.get('proxy', other), undefined);
    secrets.askAgain();
    assert.equal((await withPerson({}, () => secrets.ask('proxy', other, undefined))).length, 1);
  });

  it('of a key in a file are kept for the file, whose path may have spaces', async () => {
    const secrets = createNetworkSecrets(keys);
    await withPerson({ types: ['open sesame'] }, () => secrets.ask('passphrase', '/a b/key.pem', undefined));
    assert.equal(await secrets.get('passphrase', '/a b/key.pem'), 'open sesame');
    assert.equal((await keys.list()).length, 1);
  });
});
