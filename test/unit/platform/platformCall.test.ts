import assert from 'node:assert/strict';
import fc from 'fast-check';
import { SwitchboardError, type ErrorCode } from '../../../src/base/errors/errors.ts';
import { techniqueIn, pathIn } from '../../../src/platform/platformDialect.ts';
import {
  createCaller,
  type DialectRequest,
  type PlatformContext,
  type PlatformRequest,
  route,
} from '../../../src/platform/platformCall.ts';
import { ManualClock } from '../../support/manualClock.ts';
import { type Answer, fakePlatform, htmlMissing, refusal } from './fakePlatform.ts';

const never = new AbortController().signal;
const read = (json: unknown) => json;
const isCode = (code: ErrorCode) => (error: unknown) =>
  error instanceof SwitchboardError && error.code === code;

const list: PlatformRequest = { method: 'GET', path: '/datasets', isRead: true };
const create: PlatformRequest = { method: 'POST', path: '/datasets', json: {} };
const upload: DialectRequest = {
  forms: ['economy', 'paths'],
  in: (dialect) => ({
    method: 'POST',
    path: `/${pathIn(dialect, 'create_by_text')}`,
    json: { technique: techniqueIn(dialect, 'economical') },
  }),
};
const plain: DialectRequest = { ...upload, forms: ['paths'] };

const caller = ({ context }: { context: PlatformContext }) => createCaller(context, 'knowledge');

/** The refusals of all versions and both routes, as platform-api.md 10 lists them. */
const techniqueRefusals: Answer[] = [
  {
    status: 400,
    json: {
      code: 'invalid_param',
      message:
        "1 validation error for KnowledgeConfig\nindexing_technique\n  Input should be 'high_quality' or 'economy' [type=literal_error]",
      status: 400,
    },
  },
  {
    status: 400,
    json: {
      errors: {
        indexing_technique: "The value 'economical' is not a valid choice for 'indexing_technique'.",
      },
      message: 'Input payload validation failed',
    },
  },
  {
    status: 400,
    json: {
      code: 'invalid_param',
      message: 'economical is not a valid choice',
      params: 'indexing_technique',
    },
  },
  refusal(400, 'invalid_param', 'Indexing technique is invalid'),
];

describe('createCaller', () => {
  it('sends the key, the query and the body below /v1', async () => {
    const fake = fakePlatform([{ json: {} }]);
    await caller(fake).ask({ ...create, query: { page: 2, keyword: undefined } }, read, never);
    const [asked] = fake.asked;
    assert.equal(asked?.method, 'POST');
    assert.equal(asked?.path, '/base/v1/datasets?page=2');
    assert.equal(asked?.headers['authorization'], 'Bearer dataset-averysecretkey');
    assert.equal(asked?.headers['content-type'], 'application/json');
  });

  it('says who asks, and for what', async () => {
    const fake = fakePlatform([{ json: {} }]);
    await caller(fake).ask({ ...create, headers: { 'x-more': '1' } }, read, never);
    await caller(fake).ask(list, read, never);
    await createCaller(fake.context, 'account').open({ ...list, isStreamed: true }, never);
    assert.deepEqual(
      fake.asked.map(({ path, headers }) => [path, headers['user-agent'], headers['accept']]),
      [
        ['/base/v1/datasets', 'Switchboard', 'application/json'],
        ['/base/v1/datasets', 'Switchboard', 'application/json'],
        ['/base/openapi/v1/datasets', 'Switchboard', 'text/event-stream'],
      ],
    );
    assert.deepEqual(
      fake.asked.map(({ headers }) => [headers['content-type'], headers['x-more']]),
      [
        ['application/json', '1'],
        [undefined, undefined],
        [undefined, undefined],
      ],
    );
  });

  it('knows the version of the newest answer that tells one', async () => {
    const versions = ['1.16.1', undefined, '', 'x'.repeat(41), '1.18.0 <b>', '1.18.0-rc.1+build_2'];
    const fake = fakePlatform(
      versions.map((version) => ({
        json: {},
        ...(version !== undefined && { headers: { 'x-version': version } }),
      })),
    );
    const known: (string | undefined)[] = [];
    for (const _ of versions) {
      await caller(fake).ask(list, read, never);
      known.push(fake.context.serverVersion);
    }
    assert.deepEqual(known, [...Array(5).fill('1.16.1'), '1.18.0-rc.1+build_2']);
  });

  it('shows the key to no log', async () => {
    const fake = fakePlatform([refusal(500, 'unknown', 'dataset-averysecretkey')]);
    await assert.rejects(caller(fake).ask(list, read, never));
    assert.ok(!fake.log.join().includes('averysecret'));
  });

  it('takes any success of an order, with or without a body', async () => {
    for (const answer of [
      { status: 204, body: '' },
      { json: { result: 'success' } },
      { json: 204 },
      { status: 202, body: 'gone' },
    ]) {
      await caller(fakePlatform([answer])).send({ method: 'DELETE', path: '/x' }, never);
    }
    const page = { body: '<html>', contentType: 'text/html' };
    await assert.rejects(
      caller(fakePlatform([page])).send({ method: 'DELETE', path: '/x' }, never),
      isCode('wrong-address'),
    );
  });

  it('refuses an answer that is something else', async () => {
    const unread = caller(fakePlatform([{ json: { object: 'list' } }]));
    await assert.rejects(
      unread.ask(list, () => undefined, never),
      isCode('wrong-address'),
    );
  });

  describe('in the dialect of the server', () => {
    for (const [index, refused] of techniqueRefusals.entries()) {
      it(`learns "economy" from refusal ${index + 1}, and begins with it from then on`, async () => {
        const fake = fakePlatform([refused, { json: {} }]);
        await caller(fake).ask(upload, read, never);
        assert.deepEqual(
          fake.asked.map(({ json }) => json),
          [{ technique: 'economical' }, { technique: 'economy' }],
        );
        assert.deepEqual(fake.dialect, { economy: 'economy' });
        await caller(fake).ask(upload, read, never);
        assert.deepEqual(fake.asked[2]?.json, { technique: 'economy' });
        assert.equal(fake.asked.length, 3);
      });
    }

    for (const missing of [htmlMissing, refusal(404, 'not_found', 'Not Found')]) {
      it(`learns the hyphen from ${missing.json ? 'JSON' : 'HTML'}`, async () => {
        const fake = fakePlatform([missing, { json: {} }]);
        await caller(fake).ask(upload, read, never);
        assert.deepEqual(
          fake.asked.map(({ path }) => path),
          ['/base/v1/create_by_text', '/base/v1/create-by-text'],
        );
        assert.deepEqual(fake.dialect, { paths: 'hyphen' });
      });
    }

    it('learns both from one call', async () => {
      const fake = fakePlatform([htmlMissing, techniqueRefusals[0]!, { json: {} }]);
      await caller(fake).ask(upload, read, never);
      assert.deepEqual(fake.dialect, { paths: 'hyphen', economy: 'economy' });
    });

    it('goes back to the form of the spec when the server changed', async () => {
      const fake = fakePlatform([techniqueRefusals[0]!, htmlMissing, { json: {} }], {
        dialect: { economy: 'economy', paths: 'hyphen' },
      });
      await caller(fake).ask(upload, read, never);
      assert.deepEqual(fake.asked[0]?.json, { technique: 'economy' });
      assert.deepEqual(fake.asked[2]?.json, { technique: 'economical' });
      assert.equal(fake.asked[2]?.path, '/base/v1/create_by_text');
      assert.deepEqual({ ...fake.dialect }, { economy: undefined, paths: undefined });
    });

    it('learns nothing, and tries no third time, when both forms are refused', async () => {
      const fake = fakePlatform([techniqueRefusals[0]!]);
      await assert.rejects(caller(fake).ask(upload, read, never), isCode('request'));
      assert.equal(fake.asked.length, 2);
      const other = fakePlatform([htmlMissing]);
      await assert.rejects(caller(other).ask(plain, read, never), isCode('wrong-address'));
      assert.equal(other.asked.length, 2);
      assert.deepEqual([fake.dialect, other.dialect], [{}, {}]);
    });

    it('keeps what it learnt when the second try is refused for another reason', async () => {
      const fake = fakePlatform([
        techniqueRefusals[0]!,
        refusal(400, 'invalid_param', 'doc_form is different from the dataset doc_form.'),
      ]);
      await assert.rejects(caller(fake).ask(upload, read, never), isCode('request'));
      assert.deepEqual(fake.dialect, { economy: 'economy' });
    });

    it('does not try again what was refused for another reason, or may have been done', async () => {
      for (const answer of [
        refusal(404, 'not_found', 'Dataset not found.'),
        refusal(400, 'invalid_param', 'Process rule rules is required'),
        refusal(500, 'unknown', 'indexing_technique'),
        { status: 502, body: '<html>', contentType: 'text/html' },
        { json: { code: 'invalid_param', message: 'indexing_technique' } },
      ]) {
        const fake = fakePlatform([answer]);
        await assert.rejects(
          caller(fake).ask(upload, () => undefined, never),
          SwitchboardError,
        );
        assert.equal(fake.asked.length, 1);
      }
      // All servers know the technique sent.
      const fake = fakePlatform([techniqueRefusals[0]!]);
      await assert.rejects(caller(fake).ask(plain, read, never), isCode('request'));
      assert.equal(fake.asked.length, 1);
    });
  });

  describe('after a passing failure', () => {
    const broken = () => new SwitchboardError('transient', 'The connection broke.');
    const passing: [string, Answer | Error][] = [
      ['429', refusal(429, 'rate_limit_error', 'Slow down')],
      ['502', { status: 502, body: '<html>', contentType: 'text/html' }],
      ['503', { status: 503, body: '' }],
      ['504', { status: 504, body: '' }],
      ['a broken connection', broken()],
    ];
    for (const [name, answer] of passing) {
      it(`reads again after ${name}`, async () => {
        const fake = fakePlatform([answer, answer, { json: 1 }]);
        assert.equal(await caller(fake).ask(list, read, never), 1);
        assert.equal(fake.asked.length, 3);
      });
    }

    it('gives up after a few tries', async () => {
      const fake = fakePlatform([{ status: 503, body: '' }]);
      await assert.rejects(caller(fake).ask(list, read, never), isCode('transient'));
      assert.equal(fake.asked.length, 3);
    });

    it('reads once after what does not pass', async () => {
      for (const answer of [
        refusal(500, 'unknown', 'x'),
        refusal(401, 'unauthorized', 'x'),
        new SwitchboardError('timeout-first-token', 'Slow.'),
        new SwitchboardError('offline', 'Nobody there.'),
      ]) {
        const fake = fakePlatform([answer]);
        await assert.rejects(caller(fake).ask(list, read, never), SwitchboardError);
        assert.equal(fake.asked.length, 1);
      }
    });

    it('sends a change again only when it was refused by a rate limit', async () => {
      for (const answer of [
        refusal(429, 'rate_limit_error', 'Slow down'),
        refusal(403, 'forbidden', 'Sorry, you have reached the knowledge base request rate limit.'),
        refusal(400, 'invalid_param', 'Too many requests. Please try again later.'),
      ]) {
        const fake = fakePlatform([answer, { json: 1 }]);
        assert.equal(await caller(fake).ask(create, read, never), 1);
      }
      for (const answer of [{ status: 502, body: '' }, { status: 503, body: '' }, broken()]) {
        const fake = fakePlatform([answer, { json: 1 }]);
        await assert.rejects(caller(fake).ask(create, read, never), isCode('transient'));
        assert.equal(fake.asked.length, 1);
      }
    });

    it('waits as long as the server asks, and not for one that asks too much', async () => {
      const clock = new ManualClock();
      const slow = { ...refusal(429, 'rate_limit_error', 'x'), headers: { 'retry-after': '1' } };
      const fake = fakePlatform([slow, { json: 1 }], { clock });
      const asking = caller(fake).ask(list, read, never);
      while (clock.pending === 0) await Promise.resolve();
      clock.advance(999);
      assert.equal(fake.asked.length, 1);
      clock.advance(1);
      assert.equal(await asking, 1);

      const hour = { ...slow, headers: { 'retry-after': '3600' } };
      const other = fakePlatform([hour]);
      await assert.rejects(caller(other).ask(list, read, never), isCode('rate-limit'));
      assert.equal(other.asked.length, 1);
    });

    it('stops waiting when it is aborted', async () => {
      const clock = new ManualClock();
      const stop = new AbortController();
      const fake = fakePlatform([refusal(429, 'rate_limit_error', 'x')], { clock });
      const asking = caller(fake).ask(list, read, stop.signal);
      while (clock.pending === 0) await Promise.resolve();
      stop.abort();
      await assert.rejects(asking, isCode('cancelled'));
      assert.equal(clock.pending, 0);
    });
  });
});

describe('route', () => {
  it('fills pieces in', () => {
    assert.equal(route`/datasets/${'a b'}/documents/${'c/d'}`, '/datasets/a%20b/documents/c%2Fd');
    assert.equal(route`/datasets`, '/datasets');
  });

  it('refuses what would lead elsewhere', () => {
    for (const id of ['', '.', '..']) assert.throws(() => route`/datasets/${id}/x`, /can't be part/);
  });

  it('keeps any id one piece of the path', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', minLength: 1 }), (id) => {
        fc.pre(id !== '.' && id !== '..');
        const { pathname } = new URL(`https://platform.example${route`/datasets/${id}/end`}`);
        assert.equal(pathname.split('/').length, 4);
        assert.ok(pathname.startsWith('/datasets/') && pathname.endsWith('/end'));
      }),
    );
  });
});
