import assert from 'node:assert/strict';
import { readInfo } from '../../../src/apps/client/readInfo.ts';
import { SwitchboardError } from '../../../src/base/errors/errors.ts';
import { testAppKey, testDatasetKey } from '../../../src/platform/testConnection.ts';
import dify from '../../fixtures/recorded/dify-1.14.2.txt';
import { readRecorded } from '../../support/recorded.ts';
import { type Answer, fakePlatform, refusal } from './fakePlatform.ts';

const never = new AbortController().signal;
const recorded = readRecorded(dify);

function replied(title: string): Answer {
  const reply = recorded.find((one) => one.title.startsWith(title));
  assert.ok(reply?.status, title);
  const contentType = reply.headers['content-type']?.split(';')[0] ?? '';
  return { status: reply.status, body: reply.body, contentType };
}

const noBases = replied('GET /v1/datasets?page=1&limit=100 -> 200');
const refused = replied('GET /v1/datasets?page=1&limit=100 -> 401');
const page = replied('GET /v1/ -> 404');
const info = replied('GET /v1/info -> 200');

async function failureOf(outcome: Promise<unknown>): Promise<SwitchboardError> {
  const error: unknown = await outcome.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof SwitchboardError);
  return error;
}

describe('testDatasetKey', () => {
  it('asks for one knowledge base, and tells how many there are', async () => {
    const fake = fakePlatform([noBases]);
    assert.equal(await testDatasetKey(fake.context, never), 0);
    assert.deepEqual(
      fake.asked.map(({ path }) => path),
      ['/base/v1/datasets?page=1&limit=1'],
    );
    assert.equal(fake.asked[0]?.headers['authorization'], 'Bearer dataset-averysecretkey');
  });

  it('says of a refused key which app it opens, whatever it looks like', async () => {
    const fake = fakePlatform([refused, info]);
    const error = await failureOf(testDatasetKey(fake.context, never));
    assert.equal(error.code, 'key');
    assert.match(error.message, /key of the app "Echo everything"/);
    assert.equal(error.why, 'Access token is invalid');
    assert.match(error.address ?? '', /\/v1\/datasets$/);
    assert.deepEqual(
      fake.asked.map(({ path }) => path),
      ['/base/v1/datasets?page=1&limit=1', '/base/v1/info'],
    );
  });

  it('takes a 403 for a key made for some knowledge bases, unless it says something else', async () => {
    const scoped = fakePlatform([refusal(403, 'forbidden', 'The API key does not cover this resource.')]);
    assert.equal(await testDatasetKey(scoped.context, never), 'scoped');
    const archived = fakePlatform([refusal(403, 'forbidden', "The workspace's status is archived.")]);
    assert.equal((await failureOf(testDatasetKey(archived.context, never))).code, 'not-permitted');
    const firewall = fakePlatform([{ status: 403, json: { message: 'Blocked by policy 12.' } }]);
    const error = await failureOf(testDatasetKey(firewall.context, never));
    assert.deepEqual([error.code, error.why], ['not-permitted', 'Blocked by policy 12.']);
  });

  it('calls a key that opens nothing wrong, and tells nothing of the second call', async () => {
    for (const second of [refused, page, refusal(500, 'unknown', 'Internal Server Error')]) {
      const fake = fakePlatform([refused, second]);
      const error = await failureOf(testDatasetKey(fake.context, never));
      assert.deepEqual([error.code, error.status], ['key', 401]);
      assert.match(error.message, /mistyped or deleted/);
      assert.equal(fake.asked.length, 2);
    }
  });

  it('calls the page of another server a wrong address, without a second call', async () => {
    const relay = { status: 401, json: { error: { message: 'Invalid token', type: 'new_api_error' } } };
    for (const answer of [page, relay, { json: { object: 'list' } }]) {
      const fake = fakePlatform([answer]);
      const error = await failureOf(testDatasetKey(fake.context, never));
      assert.equal(error.code, 'wrong-address');
      assert.match(error.message, /No application platform answers/);
      assert.equal(fake.asked.length, 1);
    }
  });

  it('leaves a cancelled test cancelled', async () => {
    const cancelled = new SwitchboardError('cancelled', 'Stopped.');
    const error = await failureOf(testDatasetKey(fakePlatform([refused, cancelled]).context, never));
    assert.equal(error.code, 'cancelled');
  });
});

describe('testAppKey', () => {
  it('tells which app the key opens', async () => {
    const found = await testAppKey(fakePlatform([info]).context, readInfo, never);
    assert.deepEqual([found.name, found.kind], ['Echo everything', 'chatflow']);
  });

  it('says of a refused key that it opens knowledge bases', async () => {
    const fake = fakePlatform([refused, noBases], { key: 'anything' });
    const error = await failureOf(testAppKey(fake.context, readInfo, never));
    assert.equal(error.code, 'key');
    assert.match(error.message, /This is a knowledge base key/);
    assert.equal(fake.asked[1]?.path, '/base/v1/datasets?page=1&limit=1');
  });

  it('calls a key that opens nothing wrong', async () => {
    const error = await failureOf(testAppKey(fakePlatform([refused]).context, readInfo, never));
    assert.match(error.message, /refused the app's key|a knowledge base key/);
  });
});
