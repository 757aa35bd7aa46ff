import assert from 'node:assert/strict';
import { readJson } from './testClient.ts';
import dify from '../fixtures/recorded/dify-1.14.2.txt';
import { readRecorded } from '../support/recorded.ts';
import { type PlatformServer, type Sandbox, startSandbox } from './sandbox.ts';

describe('sandbox platform', () => {
  let sandbox: Sandbox;
  let platform: PlatformServer;
  before(async () => {
    sandbox = await startSandbox();
    platform = sandbox.platform;
  });
  after(() => sandbox.stop());

  const get = (path: string, authorization?: string) =>
    fetch(platform.url + path, authorization ? { headers: { Authorization: authorization } } : {});

  it('answers GET /v1/ with the page that was recorded, whatever the key', async () => {
    const [recorded] = readRecorded(dify).filter(({ path }) => path === '/v1/');
    for (const key of [undefined, `Bearer ${platform.datasetKey}`, `Bearer ${platform.keys.unknown}`]) {
      const response = await get('/v1/', key);
      assert.equal(response.status, recorded?.status);
      assert.equal(response.headers.get('Content-Type'), recorded?.headers['content-type']);
      assert.equal((await response.text()).trim(), recorded?.body);
    }
  });

  it('opens each half with its own kind of key', async () => {
    assert.equal((await get('/v1/datasets', `Bearer ${platform.datasetKey}`)).status, 200);
    assert.equal((await get('/v1/info', `Bearer ${platform.appKey}`)).status, 200);
  });

  const refusals: readonly [string, (keys: PlatformServer['keys']) => string | undefined, number, RegExp][] =
    [
      ['no header', () => undefined, 401, /must be provided and start with 'Bearer'/],
      ['no Bearer word', (keys) => keys.dataset, 401, /must be provided and start with 'Bearer'/],
      ['another scheme', (keys) => `Basic ${keys.dataset}`, 401, /scheme must be 'Bearer'/],
      ['an unknown key', (keys) => `Bearer ${keys.unknown}`, 401, /Access token is invalid/],
      ['the other kind of key', (keys) => `Bearer ${keys.app}`, 401, /Access token is invalid/],
      ['an archived workspace', (keys) => `Bearer ${keys.archived}`, 403, /archived/],
    ];
  for (const [what, header, status, message] of refusals) {
    it(`refuses ${what} with ${status}`, async () => {
      const response = await get('/v1/datasets', header(platform.keys));
      assert.equal(response.status, status);
      const body = await readJson<{ code: string; message: string; status: number }>(response);
      assert.equal(body.status, status);
      assert.equal(body.code, status === 401 ? 'unauthorized' : 'forbidden');
      assert.match(body.message, message);
    });
  }

  it('gives HTML for what it does not know', async () => {
    for (const path of ['/', '/datasets', '/v1/nothing']) {
      const response = await get(path);
      assert.equal(response.status, 404);
      assert.match(response.headers.get('Content-Type') ?? '', /html/);
    }
  });
});
