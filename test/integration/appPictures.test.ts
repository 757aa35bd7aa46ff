import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PictureFiles } from '../../src/base/files/pictureFiles.ts';
import { describeApp } from '../../src/apps/describeApp.ts';
import { maxPictureBytes } from '../../src/apps/client/appPicture.ts';
import { startPlatform } from '../servers/platform/platformServer.ts';
import { appUnderTest } from '../support/appUnderTest.ts';

const never = new AbortController().signal;

/** One pixel, according to its header. */
const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

describe('pictures of apps', () => {
  const toClean: (() => unknown)[] = [];
  afterEach(async () => {
    for (const clean of toClean.splice(0)) await clean();
  });

  async function listen(answer: RequestListener) {
    const asked: { path: string; authorization: string | undefined }[] = [];
    const server = createServer((request, response) => {
      asked.push({ path: request.url ?? '', authorization: request.headers.authorization });
      answer(request, response);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    toClean.push(
      () => new Promise((resolve) => server.close(resolve)),
      () => server.closeAllConnections(),
    );
    return { asked, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
  }

  function clientAt(baseUrl: string) {
    const tested = appUnderTest({ baseUrl, key: 'app-secret' });
    toClean.push(() => tested.http.dispose());
    return tested;
  }

  async function folder(): Promise<string> {
    const made = await mkdtemp(join(tmpdir(), 'pictures-'));
    toClean.push(() => rm(made, { recursive: true, force: true }));
    return made;
  }

  it('are kept once, and loaded again only when the platform has another', async () => {
    const server = await startPlatform();
    toClean.push(() => server.stop());
    const { client } = appUnderTest({ baseUrl: server.url, key: server.apps.chatflow.key });
    const kept = await folder();
    const pictures = new PictureFiles(kept);
    const info = await client.info(never);
    const describe = async (known?: Awaited<ReturnType<typeof describeApp>>['info']['look']) =>
      (await describeApp(client, info, pictures, known, never)).info.look;
    const first = await describe();
    const { id, file } = first?.picture ?? {};
    assert.match(file ?? '', /^[0-9a-f]{32}\.png$/);
    assert.deepEqual(await readdir(kept), [file]);
    const loads = () => server.requests.filter(({ path }) => path.endsWith('/file-preview'));
    // The address is signed, and changes with each request.
    assert.deepEqual(await describe(first), first);
    assert.equal(loads().length, 1);
    assert.equal(loads()[0]?.headers.authorization, undefined);
    await describe({ picture: { id: `${id}2`, file: file ?? '' } });
    assert.equal(loads().length, 2);
    await pictures.remove(file ?? '');
    assert.equal(await pictures.read(file ?? ''), undefined);
    await describe(first);
    assert.equal(loads().length, 3);
    assert.ok(await pictures.read(file ?? ''));
  });

  it('come from the platform alone, and not by a redirect', async () => {
    const other = await listen((_request, response) => response.end(pixel));
    const platform = await listen((request, response) => {
      const to = { '/here': '/pixel', '/there': `${other.url}/pixel` }[request.url ?? ''];
      response.writeHead(to ? 302 : 200, to ? { location: to } : {}).end(pixel);
    });
    const { client, log } = clientAt(platform.url);
    assert.ok(await client.picture('/pixel', never));
    for (const address of [
      `${other.url}/pixel`,
      '/here',
      '/there',
      'file:///etc/hostname',
      'data:image/png;base64,AA',
      '//',
    ]) {
      assert.equal(await client.picture(address, never), undefined, address);
    }
    assert.deepEqual(other.asked, []);
    assert.deepEqual(
      platform.asked.map(({ path }) => path),
      ['/pixel', '/here', '/there'],
    );
    assert.ok(platform.asked.every(({ authorization }) => authorization === undefined));
    assert.ok(log.every((line) => !line.includes('app-secret')));
  });

  it('are what their bytes say, and neither huge nor endless', async () => {
    const bomb = Buffer.from(pixel);
    bomb.writeUInt32BE(60_000, 16);
    let sent = 0;
    const bodies: Readonly<Record<string, Buffer>> = {
      '/svg': Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'),
      '/html': Buffer.from('<!doctype html><title>Sign in</title>'),
      '/cut': pixel.subarray(0, 10),
      '/bomb': bomb,
      '/empty': Buffer.alloc(0),
    };
    const platform = await listen((request, response) => {
      response.writeHead(request.url === '/missing' ? 404 : 200, { 'content-type': 'image/png' });
      const body = bodies[request.url ?? ''];
      if (body ?? request.url === '/missing') return void response.end(body ?? pixel);
      const more = () => {
        while (!response.destroyed) {
          sent += pixelled.length;
          if (!response.write(pixelled)) return;
        }
      };
      const pixelled = Buffer.concat([pixel, Buffer.alloc(64 * 1024)]);
      response.on('drain', more);
      more();
    });
    const { client } = clientAt(platform.url);
    for (const path of [...Object.keys(bodies), '/missing', '/endless']) {
      assert.equal(await client.picture(path, never), undefined, path);
    }
    assert.ok(sent < maxPictureBytes * 40, `${sent}`);
  });
});
