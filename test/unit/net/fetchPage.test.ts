import assert from 'node:assert/strict';
import { SwitchboardError } from '../../../src/base/errors/errors.ts';
import { fetchPage, type PageFetch } from '../../../src/net/fetchPage.ts';
import { createHttpClient } from '../../../src/net/httpClient.ts';
import type { Transport, WireRequest, WireResponse } from '../../../src/net/transport.ts';
import { ManualClock } from '../../support/manualClock.ts';
import { silentLog } from '../../support/silentLog.ts';

function answer(
  status: number,
  headers: Record<string, string>,
  ...pieces: (string | Uint8Array)[]
): WireResponse {
  async function* body() {
    for (const piece of pieces) yield Buffer.from(piece);
  }
  return { status, headers, body: body() };
}

const html = { 'content-type': 'text/html; charset=utf-8' };
const redirect = (location: string) => answer(302, { location });

function setUp(answers: Record<string, WireResponse | Transport>, more: Partial<PageFetch> = {}) {
  const asked: WireRequest[] = [];
  const direct: Transport = async (request) => {
    asked.push(request);
    const given = answers[request.url.href] ?? answer(404, html);
    return typeof given === 'function' ? given(request) : given;
  };
  const client = (proxyUrl?: string) =>
    createHttpClient({
      settings: () => ({ noProxy: [], strictTls: true, ...(proxyUrl && { proxyUrl }) }),
      ...{ log: silentLog, environment: {}, direct, clock: new ManualClock() },
    });
  const hosts: string[] = [];
  const fetch: PageFetch = {
    client: client(),
    mayLoad: async ({ host }) => hosts.push(host) > 0,
    signal: new AbortController().signal,
    clock: new ManualClock(),
    ...more,
  };
  return {
    asked,
    client,
    hosts,
    load: (url: string, other = {}) => fetchPage(new URL(url), { ...fetch, ...other }),
  };
}

const isCode = (code: string) => (error: unknown) => error instanceof SwitchboardError && error.code === code;

describe('fetchPage', () => {
  it('loads a page without cookies or keys, after its host was asked about', async () => {
    const clock = new ManualClock();
    const answers = { 'https://example.com/a?b=1': answer(200, html, '<p>', 'Tides') };
    const { asked, hosts, load } = setUp(answers, { clock });
    const page = await load('https://example.com/a?b=1');
    assert.deepEqual(
      [page?.text, page?.isHtml, page?.isCut, hosts],
      ['<p>Tides', true, false, ['example.com']],
    );
    assert.equal(clock.pending, 0);
    assert.deepEqual(Object.keys(asked[0]?.headers ?? {}).toSorted(), [
      'accept',
      'accept-encoding',
      'user-agent',
    ]);
  });

  it('follows every kind of redirect, and closes each answer', async () => {
    for (const status of [301, 302, 303, 307, 308]) {
      const { asked, load } = setUp({
        'https://example.com/': answer(status, { location: '/a' }),
        'https://example.com/a': answer(200, html, 'x'),
      });
      assert.equal((await load('https://example.com/'))?.text, 'x');
      assert.deepEqual(
        asked.map(({ signal }) => signal.aborted),
        [true, true],
      );
    }
  });

  it('takes a redirect to what is no address for a page that failed', async () => {
    for (const location of ['https://', '']) {
      const { load } = setUp({ 'https://example.com/': answer(302, { location }) });
      await assert.rejects(load('https://example.com/'), /example\.com answered with status 302/);
    }
  });

  it('ends when the user stops', async () => {
    const stop = new AbortController();
    const hangs: Transport = ({ signal }) =>
      new Promise((_, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason as Error));
        stop.abort();
        if (!signal.aborted) reject(new Error('It goes on.'));
      });
    const { load } = setUp({ 'https://example.com/': hangs }, { signal: stop.signal });
    await assert.rejects(load('https://example.com/'), isCode('cancelled'));
  });

  it('sends nothing to a host that was refused', async () => {
    const { asked, load } = setUp({});
    assert.equal(await load('https://example.com/', { mayLoad: async () => false }), undefined);
    assert.deepEqual(asked, []);
  });

  it('asks about each host that it is redirected to, and checks each', async () => {
    const { asked, hosts, load } = setUp({
      'https://example.com/': redirect('https://www.example.com/a'),
      'https://www.example.com/a': redirect('/b'),
      'https://www.example.com/b': answer(200, html, 'x'),
      'https://to-local.example/': redirect('https://192.168.0.1/'),
      'https://to-plain.example/': redirect('http://example.com/'),
      'https://round.example/': redirect('https://round.example/'),
    });
    assert.equal((await load('https://example.com/'))?.url.href, 'https://www.example.com/b');
    assert.deepEqual(hosts, ['example.com', 'www.example.com', 'www.example.com']);
    await assert.rejects(load('https://to-local.example/'), isCode('not-permitted'));
    await assert.rejects(load('https://to-plain.example/'), /not a plain https/);
    await assert.rejects(load('https://round.example/'), /redirects too often/);
    assert.equal(asked.filter(({ url }) => url.hostname === 'round.example').length, 6);
    assert.ok(asked.every(({ url }) => url.protocol === 'https:' && url.hostname !== '192.168.0.1'));
  });

  for (const url of [
    'https://127.0.0.1/',
    'https://localhost/',
    'https://nas.local/',
    'https://[::1]:8443/',
    'http://example.com/',
    'https://me:hidden@example.com/',
    'https://me@example.com/',
  ]) {
    it(`asks about nothing of ${url}, and loads nothing`, async () => {
      const { asked, hosts, load } = setUp({});
      await assert.rejects(load(url), (error) => {
        assert.ok(error instanceof SwitchboardError);
        return !error.message.includes('hidden');
      });
      assert.deepEqual([asked, hosts], [[], []]);
    });
  }

  it('loads nothing by a proxy whose name is of the local network here', async () => {
    const { asked, client, load } = setUp({ 'https://example.com/': answer(200, html, 'x') });
    const by = (...found: string[]) => ({
      client: client('http://proxy.example:8080'),
      find: async () => found.map((address) => ({ address, family: 4 })),
    });
    await assert.rejects(load('https://example.com/', by('8.8.8.8', '10.0.0.1')), isCode('not-permitted'));
    assert.deepEqual(asked, []);
    // A network behind a proxy often knows no names of others.
    const unknown = { ...by(), find: async () => Promise.reject(new Error('ENOTFOUND')) };
    assert.equal((await load('https://example.com/', unknown))?.text, 'x');
  });

  it('says what it cannot attach', async () => {
    const { load } = setUp({
      'https://a.example/gone': answer(410, html),
      'https://a.example/picture': answer(200, { 'content-type': 'image/png' }),
      'https://a.example/untyped': answer(200, {}),
    });
    await assert.rejects(load('https://a.example/gone'), /answered with status 410/);
    await assert.rejects(load('https://a.example/picture'), /isn't a page of text/);
    await assert.rejects(load('https://a.example/untyped'), /isn't a page of text/);
  });

  it('reads 2 MB of a page at most', async () => {
    let read = 0;
    async function* endless() {
      for (;;) {
        read += 100_000;
        yield Buffer.alloc(100_000, 'x');
      }
    }
    const { load } = setUp({ 'https://example.com/': { status: 200, headers: html, body: endless() } });
    const page = await load('https://example.com/');
    assert.deepEqual([page?.text.length, page?.isCut], [2_000_000, true]);
    assert.ok(read <= 2_200_000, String(read));
    const whole = setUp({ 'https://example.com/': answer(200, html, Buffer.alloc(2_000_000, 'x')) });
    assert.equal((await whole.load('https://example.com/'))?.isCut, false);
  });

  it('ends after 30 s, of which a question takes none', async () => {
    const clock = new ManualClock();
    const hangs: Transport = ({ signal }) =>
      new Promise((_, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason as Error));
        clock.advance(30_000);
      });
    const { load } = setUp({ 'https://example.com/': hangs }, { clock });
    const mayLoad = async () => {
      clock.advance(100_000);
      return true;
    };
    await assert.rejects(load('https://example.com/', { mayLoad }), /took too long to load/);
  });

  it('decodes as the mark, the header or the page says', async () => {
    const gbk = Uint8Array.from([0xd6, 0xd0]);
    const { load } = setUp({
      'https://a.example/1': answer(200, { 'content-type': 'text/html; charset="GBK"' }, gbk),
      'https://a.example/2': answer(200, { 'content-type': 'text/html' }, '<meta charset=gb2312>', gbk),
      'https://a.example/3': answer(200, { 'content-type': 'text/plain; charset=none' }, '中'),
      'https://a.example/4': answer(200, html, Uint8Array.from([0xff, 0xfe, 0x2d, 0x4e])),
      'https://a.example/5': answer(200, { 'content-type': 'application/ld+json' }, '{}'),
      'https://a.example/6': answer(
        200,
        { 'content-type': 'text/plain; charset=iso-8859-1' },
        Uint8Array.of(0x80),
      ),
    });
    const text = async (path: number) => (await load(`https://a.example/${path}`))?.text;
    assert.deepEqual(
      [await text(1), await text(2), await text(3), await text(4), await text(5), await text(6)],
      ['中', '<meta charset=gb2312>中', '中', '中', '{}', '€'],
    );
  });
});
