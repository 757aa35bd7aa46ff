import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { readClientCertificate } from '../../../src/net/clientCertificate.ts';
import { temporaryFile } from '../../support/temporaryFile.ts';

describe('the passphrase of a client certificate', () => {
  const stops: (() => Promise<void> | void)[] = [];
  afterEach(async () => {
    for (const stop of stops.splice(0)) await stop();
  });

  async function read(key: string) {
    const certificateFile = await temporaryFile('certificate', stops);
    const keyFile = await temporaryFile(key, stops);
    const asked: string[] = [];
    const result = readClientCertificate(
      { certificateFile, keyFile },
      {
        get: async (_kind, of) => void asked.push(of),
        async ask(_kind, of) {
          assert.equal(asked.length, 1, 'it was dismissed already');
          asked.push(of);
          return undefined;
        },
        askAgain() {},
      },
    );
    await assert.rejects(result, { code: 'tls' });
    return { asked, keyFile };
  }

  it('is looked up and asked for by the file of the key, once', async () => {
    const { privateKey } = generateKeyPairSync('ed25519', {
      publicKeyEncoding: { type: 'spki', format: 'pem' },
      privateKeyEncoding: { type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'secret' },
    });
    const { asked, keyFile } = await read(privateKey);
    assert.deepEqual(asked, [keyFile, keyFile]);
  });

  it('is not asked for where the file holds no key', async () => {
    assert.deepEqual((await read('no key')).asked, []);
  });
});
