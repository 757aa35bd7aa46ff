import assert from 'node:assert/strict';
import type { ErrorCode } from '../../../src/base/errors/errors.ts';
import { toPlatformError } from '../../../src/platform/platformErrors.ts';
import type { PlatformService } from '../../../src/platform/platformRefusal.ts';
import dify from '../../fixtures/recorded/dify-1.14.2.txt';
import { readRecorded, type RecordedReply } from '../../support/recorded.ts';

interface Verdict {
  /** The beginning of the reply's title, ids as `:id`. */
  reply: string;
  /** In the reply's body, where several have one title. */
  says?: string;
  code: ErrorCode;
  /** In the sentence for the user. */
  sentence?: RegExp;
  parameter?: string;
}

const noModel = /No model is set up for this app/;
const gone = /Not found on the platform/;
const baseGone = /This knowledge base no longer exists/;
const apiAccess = /API access to this knowledge base is off/;

const verdicts: readonly Verdict[] = [
  { reply: 'GET /console/api/v1/ -> 404', code: 'wrong-address', sentence: /No application platform/ },
  { reply: 'GET /v1/ -> 404', code: 'wrong-address', sentence: /No application platform/ },
  {
    reply: 'POST /v1/chat-messages -> 400',
    says: 'Provider openai does not exist.',
    code: 'app-unavailable',
    sentence: noModel,
  },
  {
    reply: 'POST /v1/chat-messages -> 400',
    says: 'response_mode',
    code: 'request',
    parameter: 'response_mode',
  },
  { reply: 'POST /v1/completion-messages -> 400', code: 'app-unavailable', sentence: noModel },
  { reply: 'GET /v1/datasets?page=1&limit=100 -> 401', code: 'key', sentence: /mistyped or deleted/ },
  { reply: 'POST /v1/datasets -> 400', code: 'request', parameter: 'indexing_technique' },
  { reply: 'GET /v1/datasets/tags -> 400', code: 'request' },
  { reply: 'POST /v1/datasets/tags -> 400', code: 'request' },
  { reply: 'GET /v1/datasets/:id -> 403', code: 'not-permitted', sentence: apiAccess },
  { reply: 'GET /v1/datasets/:id -> 404', code: 'request', sentence: baseGone },
  { reply: 'GET /v1/datasets/:id -> 500', code: 'transient' },
  { reply: 'POST /v1/datasets/:id/document/create_by_file -> 404', code: 'request', sentence: baseGone },
  { reply: 'POST /v1/datasets/:id/document/create_by_file -> 500', code: 'transient' },
  {
    reply: 'GET /v1/datasets/:id/documents?page=1&limit=100 -> 403',
    code: 'not-permitted',
    sentence: apiAccess,
  },
  { reply: 'GET /v1/datasets/:id/documents?page=1&limit=100 -> 404', code: 'request', sentence: baseGone },
  { reply: 'GET /v1/datasets/:id/documents?page=1&limit=100&keyword=', code: 'transient' },
  { reply: 'GET /v1/datasets/:id/documents/20261121201319508014/indexing-status -> 500', code: 'transient' },
  { reply: 'POST /v1/datasets/:id/documents/:id/update_by_file -> 404', code: 'request', sentence: gone },
  { reply: 'GET /v1/info -> 401', code: 'key', sentence: /app's key/ },
  {
    reply: 'GET /v1/parameters?user=switchboard-:id -> 400',
    code: 'app-unavailable',
    sentence: /unpublished/,
  },
];

const refusals = readRecorded(dify).filter(({ status }) => status !== undefined && status >= 400);

const titleOf = ({ title }: RecordedReply) =>
  title.replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, ':id');

function verdictOn(reply: RecordedReply): Verdict | undefined {
  return verdicts.find(
    (verdict) => titleOf(reply).startsWith(verdict.reply) && reply.body.includes(verdict.says ?? ''),
  );
}

function serviceOf({ path }: RecordedReply): PlatformService {
  return /^\/v1\/(info|parameters|chat-messages|completion-messages)/.test(path) ? 'app' : 'knowledge';
}

describe('the recorded replies of a platform', () => {
  it('are all judged here, and every verdict has its reply', () => {
    assert.deepEqual(refusals.filter((reply) => !verdictOn(reply)).map(titleOf), []);
    const used = new Set(refusals.map(verdictOn));
    assert.deepEqual(
      verdicts.filter((verdict) => !used.has(verdict)),
      [],
    );
  });

  for (const reply of refusals) {
    const verdict = verdictOn(reply);
    it(`${titleOf(reply)}: ${verdict?.code}`, () => {
      assert.ok(verdict);
      const service = serviceOf(reply);
      const error = toPlatformError({
        ...{ status: reply.status ?? 0, headers: reply.headers, body: reply.body, service },
        contentType: (reply.headers['content-type'] ?? '').split(';')[0] ?? '',
        address: `https://platform.example${reply.path}`,
        key: service === 'app' ? 'app-averysecretkey' : 'dataset-averysecretkey',
        nowMs: 0,
      });
      assert.equal(error.code, verdict.code);
      // None of them contains the key, so nothing may be masked.
      assert.doesNotMatch(error.why ?? '', /\*/);
      assert.match(error.message, verdict.sentence ?? /./);
      assert.equal(error.parameter, verdict.parameter || error.parameter);
    });
  }
});
