import assert from 'node:assert/strict';
import fc from 'fast-check';
import { maskedKey, readLinkQuery, readPastedConnection } from '../../../src/connections/connectionLink.ts';

const key = 'sk-Abc123Def456Ghi789';
const base64 = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64');
const connection = { baseUrl: 'https://relay.example.com', origin: 'https://relay.example.com', key };

describe('links that connect a relay', () => {
  it('reads what new-api fills into its links, in both forms', () => {
    assert.deepEqual(readLinkQuery(`address=https://relay.example.com&key=${key}`), connection);
    const data = base64({ id: 'new-api>>>', baseUrl: 'https://relay.example.com', apiKey: key });
    assert.deepEqual(readLinkQuery(`v=1&data=${data}`), connection);
    // An editor decodes the query, and some take a plus sign for a space.
    assert.ok(data.includes('+'));
    assert.deepEqual(readLinkQuery(`v=1&data=${data.replaceAll('+', ' ')}`), connection);
    const forAddresses = data.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
    assert.deepEqual(readLinkQuery(`v=1&data=${forAddresses}`), connection);
  });

  it('reads other names for address and key, and values with signs of their own', () => {
    assert.deepEqual(readLinkQuery(`token=${key}&server=https://relay.example.com/v1`), connection);
    for (const address of ['address', 'url', 'server', 'domain', 'baseUrl'])
      for (const name of ['key', 'token', 'apiKey'])
        assert.deepEqual(
          readLinkQuery(`${name}=${key}&${address}=https://relay.example.com/v1&v=1`),
          connection,
        );
    assert.deepEqual(readLinkQuery('url=https://r.example/a?b=1&z&key=sk-k+b&c=12'), {
      baseUrl: 'https://r.example/a',
      origin: 'https://r.example',
      key: 'sk-k+b&c=12',
    });
  });

  it('reads what consoles copy, and links to chat clients', () => {
    const copied = { _type: 'newapi_channel_conn', key, url: 'https://relay.example.com' };
    assert.deepEqual(readPastedConnection(` ${JSON.stringify(copied)}\n`), connection);
    const settings = encodeURIComponent(JSON.stringify({ key, url: 'https://relay.example.com' }));
    assert.deepEqual(readPastedConnection(`https://chat.example.com/#/?settings=${settings}`), connection);
    const address = encodeURIComponent('https://relay.example.com');
    for (const scheme of ['vscode', 'vscodium', 'code-oss']) {
      const link = `${scheme}://switchboard.switchboard/connect?address=${address}&key=${key}`;
      assert.deepEqual(readPastedConnection(link), connection);
    }
  });

  it('says why a link cannot be used, and never repeats its key', () => {
    const problem = (query: string) => {
      const read = readLinkQuery(query);
      assert.ok('problem' in read, query);
      assert.doesNotMatch(read.problem, /Abc123/);
      return read.problem;
    };
    assert.match(problem(`address=http://relay.example.com&key=${key}`), /isn't encrypted/);
    assert.match(
      problem(`v=1&data=${base64({ baseUrl: 'http://10.0.0.8', apiKey: key })}`),
      /isn't encrypted/,
    );
    assert.match(problem(`address=ftp://relay.example.com&key=${key}`), /https:\/\/ or http:\/\//);
    assert.match(problem(`address=https://u:p@relay.example.com&key=${key}`), /user name or password/);
    assert.match(problem('address=https://relay.example.com&key=sk-****'), /masked key/);
    const unfilled = ['address={address}&key={key}', 'address=https://relay.example.com&key={key}'];
    const data = ['%%%', base64([key]), '{cherryConfig}'].map((each) => `v=1&data=${each}`);
    for (const query of ['', `key=${key}`, 'address=&key=', ...data, ...unfilled]) {
      assert.match(problem(query), /no address or key/);
    }
  });

  it('takes an unencrypted address of this machine only, and leaves what was pasted to the question', () => {
    assert.ok('key' in readLinkQuery(`address=http://127.0.0.1:3000&key=${key}`));
    const pasted = readPastedConnection(JSON.stringify({ url: 'http://relay.example.com', key }));
    assert.ok(pasted && 'key' in pasted);
  });

  it('takes neither a link of another extension nor one that is longer than any', () => {
    const query = `address=https://relay.example.com&key=${key}`;
    assert.equal(readPastedConnection(`vscode://another.extension/connect?${query}`), undefined);
    const padding = ' '.repeat(20_000);
    assert.equal(readPastedConnection(JSON.stringify({ url: 'relay.example.com', key, padding })), undefined);
  });

  it('takes no other text for a connection', () => {
    for (const text of ['https://relay.example.com/v1', 'relay.example.com', key, '{"url":"x"}', '[]', '']) {
      assert.equal(readPastedConnection(text), undefined);
    }
    fc.assert(
      fc.property(fc.string({ maxLength: 200 }), (text) => {
        const read = readLinkQuery(text);
        assert.ok('problem' in read || read.key.length > 0);
        readPastedConnection(`vscode://switchboard.switchboard/connect?${text}`);
      }),
    );
  });

  it('shows enough of a key to know it by', () => {
    assert.equal(maskedKey(key), 'sk-…i789');
    assert.equal(maskedKey('sk-short'), '***');
  });
});
