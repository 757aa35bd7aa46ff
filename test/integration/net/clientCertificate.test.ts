import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { TLSSocket } from 'node:tls';
import { root } from '../../host/paths.ts';
import { createAuthority } from '../../support/certificates.ts';
import { scriptedSecrets } from '../../support/scriptedSecrets.ts';
import { temporaryFile } from '../../support/temporaryFile.ts';
import { startHttps, startProxy, type TinyServer } from '../../support/tinyServers.ts';
import { stopsOfTest } from '../../support/stopsOfTest.ts';

const fixture = (name: string) => join(root, 'test/fixtures/tls', name);

describe('a server that asks for a client certificate', () => {
  const authority = createAuthority();
  const { stops, client: newClient } = stopsOfTest();
  let server: TinyServer;
  let known: unknown[];
  let caFile: string;
  beforeEach(async () => {
    known = [];
    caFile = await temporaryFile(authority.cert, stops);
    server = await startHttps(
      (request, response) => {
        known.push((request.socket as TLSSocket).getPeerCertificate().subject?.CN);
        response.writeHead(200, { 'content-type': 'application/json' }).end('{"data":[{"id":"one"}]}');
      },
      {
        ...authority.issue({ name: 'relay', hosts: ['localhost', 'relay.test'] }),
        ca: [authority.cert, await readFile(fixture('client.pem'), 'utf8')],
        requestCert: true,
        rejectUnauthorized: true,
      },
    );
    stops.push(() => server.stop());
  });
  function client(
    clientCertificate?: { certificateFile: string; keyFile?: string },
    {
      secrets = scriptedSecrets(),
      ...network
    }: { secrets?: ReturnType<typeof scriptedSecrets>; proxyUrl?: string; strictTls?: boolean } = {},
  ) {
    return newClient({
      baseUrl: network.proxyUrl ? 'https://relay.test' : `https://localhost:${server.port}`,
      network: {
        ...{ caFile, ...network },
        ...(clientCertificate && { clientCertificate }),
      },
      secrets,
    });
  }
  const file = (text: string, name?: string) => temporaryFile(text, stops, name);

  it('gets it, from one file or two, also through a proxy', async () => {
    const { cert, key } = authority.issue({ name: 'me' });
    const certificateFile = await file(cert);
    await client({ certificateFile, keyFile: await file(key) }).list();
    await client({ certificateFile: await file(`${cert}${key}`) }).list();
    const proxy = await startProxy(server.port);
    stops.push(() => proxy.stop());
    const proxyUrl = `http://127.0.0.1:${proxy.port}`;
    await client({ certificateFile, keyFile: await file(key) }, { proxyUrl }).list();
    assert.deepEqual(known, ['me', 'me', 'me']);
  });

  it('gets it also where the certificate of the server is not checked', async () => {
    const { cert, key } = authority.issue({ name: 'me' });
    const certificateFile = await file(`${cert}${key}`);
    await client({ certificateFile }, { strictTls: false }).list();
    assert.deepEqual(known, ['me']);
  });

  it('gets it from a file of PKCS #12, whose passphrase is asked for', async () => {
    await client({ certificateFile: fixture('client.pfx') }).list();
    const certificateFile = fixture('client.p12');
    const secrets = scriptedSecrets('wrong', 'open sesame');
    await client({ certificateFile }, { secrets }).list();
    await client({ certificateFile }, { secrets }).list();
    assert.deepEqual(secrets.asked, [
      `passphrase ${certificateFile}`,
      `passphrase ${certificateFile}, not wrong`,
    ]);
    assert.deepEqual(known, ['me', 'me', 'me']);
    const broken = await file('no PKCS #12', 'file.P12');
    await assert.rejects(client({ certificateFile: broken }).list(), {
      code: 'tls',
      message: /client certificate can't be used/,
    });
  });

  it('has the passphrase asked for until it is right, and kept', async () => {
    const { cert, key } = authority.issue({ name: 'me', passphrase: 'open sesame' });
    const files = { certificateFile: await file(cert), keyFile: await file(key) };
    const secrets = scriptedSecrets('wrong', 'open sesame');
    await client(files, { secrets }).list();
    await client(files, { secrets }).list();
    assert.deepEqual(secrets.asked, [
      `passphrase ${files.keyFile}`,
      `passphrase ${files.keyFile}, not wrong`,
    ]);
    assert.deepEqual(known, ['me', 'me']);
    await assert.rejects(client(files).list(), { code: 'tls', message: /client certificate can't be used/ });
  });

  it('gets one that was put right without a new window', async () => {
    const { cert, key } = authority.issue({ name: 'me' });
    const certificateFile = await file('nothing yet');
    const relay = client({ certificateFile });
    await assert.rejects(relay.list(), { code: 'tls' });
    await writeFile(certificateFile, `${cert}${key}`);
    await relay.list();
    await writeFile(caFile, createAuthority('Another').cert);
    const other = client({ certificateFile });
    await assert.rejects(other.list(), { code: 'tls' });
    await writeFile(caFile, authority.cert);
    await other.list();
    assert.deepEqual(known, ['me', 'me']);
  });

  it('is told about files that are missing or no certificates', async () => {
    const { cert } = authority.issue({ name: 'me' });
    for (const files of [
      { certificateFile: '/no/such/file.pem' },
      { certificateFile: await file(cert) },
      { certificateFile: await file('nothing') },
    ]) {
      await assert.rejects(client(files).list(), {
        code: 'tls',
        message: /client certificate can't be used/,
      });
    }
  });
});
