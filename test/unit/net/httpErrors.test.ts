import assert from 'node:assert/strict';
import type { ErrorCode } from '../../../src/base/errors/errors.ts';
import { isUnreachable, redirected, toNetworkError } from '../../../src/net/httpErrors.ts';

const url = 'https://relay.example/v1/models?key=hidden';

function system(code: string, message = `something ${code}`): Error {
  return Object.assign(new Error(message), { code });
}

describe('toNetworkError', () => {
  const rows: [error: Error, code: ErrorCode, says: RegExp][] = [
    [system('ENOTFOUND'), 'offline', /relay\.example not found/],
    [system('EAI_AGAIN'), 'offline', /look up/],
    [system('EAI_FAIL'), 'offline', /look up/],
    [system('ECONNREFUSED'), 'offline', /refused/],
    ...['EHOSTUNREACH', 'ENETUNREACH', 'EHOSTDOWN', 'ENETDOWN', 'EADDRNOTAVAIL'].map(
      (code): [Error, ErrorCode, RegExp] => [system(code), 'offline', /reach/],
    ),
    ...['CRL_HAS_EXPIRED', 'INVALID_CA', 'PATH_LENGTH_EXCEEDED'].map((code): [Error, ErrorCode, RegExp] => [
      system(code),
      'tls',
      /caFile/,
    ]),
    [system('HOSTNAME_MISMATCH'), 'tls', /another name/],
    [system('ERR_SSL_BAD', 'sslv3 alert bad certificate'), 'tls', /requires a client certificate/],
    [system('ERR_SSL_LENGTH', 'packet length too long'), 'tls', /http:/],
    [
      Object.assign(new AggregateError([system('ECONNREFUSED')]), { code: 'ECONNREFUSED' }),
      'offline',
      /refused/,
    ],
    [new AggregateError([system('ECONNREFUSED')]), 'offline', /refused/],
    [new Error('fetch failed', { cause: system('ENOTFOUND') }), 'offline', /not found/],
    [system('ETIMEDOUT'), 'timeout-connect', /10 s/],
    [system('UND_ERR_CONNECT_TIMEOUT'), 'timeout-connect', /10 s/],
    [system('DEPTH_ZERO_SELF_SIGNED_CERT'), 'tls', /caFile/],
    [system('SELF_SIGNED_CERT_IN_CHAIN'), 'tls', /caFile/],
    [system('UNABLE_TO_VERIFY_LEAF_SIGNATURE'), 'tls', /caFile/],
    [system('UNABLE_TO_GET_ISSUER_CERT_LOCALLY'), 'tls', /caFile/],
    [system('CERT_HAS_EXPIRED'), 'tls', /expired/],
    [
      system('ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED', 'tlsv13 alert certificate required'),
      'tls',
      /requires a client certificate.*clientCertificateFile/,
    ],
    [system('Z_DATA_ERROR', 'incorrect header check'), 'transient', /incomplete or incorrectly compressed/],
    [system('CERT_NOT_YET_VALID'), 'tls', /date/],
    [system('ERR_TLS_CERT_ALTNAME_INVALID'), 'tls', /another name/],
    [system('EPROTO'), 'tls', /http:/],
    [system('ERR_SSL_WRONG_VERSION_NUMBER', 'wrong version number'), 'tls', /http:/],
    [system('HPE_INVALID_CONSTANT'), 'wrong-address', /HTTP/],
    [system('ECONNRESET'), 'transient', /^The connection to relay\.example was closed\./],
    [
      system('UND_ERR_SOCKET', 'other side closed'),
      'transient',
      /^The connection to relay\.example was closed\./,
    ],
    [new Error('who knows'), 'transient', /^The connection to relay\.example was closed\./],
  ];
  for (const [error, code, says] of rows) {
    it(`${(error as NodeJS.ErrnoException).code ?? error.message}: ${code}`, () => {
      const ours = toNetworkError(error, { url, connectMs: 10_000 });
      assert.equal(ours.code, code);
      assert.match(ours.message, says);
      assert.equal(ours.cause, error);
      assert.equal(ours.address, 'https://relay.example/v1/models');
      assert.equal(ours.why, undefined, 'no server said anything');
      assert.ok(ours.systemError?.includes(error.message || 'ECONNREFUSED'));
      assert.ok(!`${ours.message} ${ours.systemError}`.includes('hidden'));
    });
  }

  it('takes broken HTTP for a broken connection once the server has answered', () => {
    const broken = [
      system('HPE_INVALID_CHUNK_SIZE', 'Parse Error: Invalid character in chunk size'),
      system('HPE_INVALID_CONSTANT', 'Parse Error: Expected HTTP/'),
      new Error('Response does not match the HTTP/1.1 protocol (Expected LF after chunk data)'),
    ];
    for (const error of broken) {
      assert.equal(toNetworkError(error, { url, connectMs: 0 }).code, 'wrong-address');
      assert.equal(toNetworkError(error, { url, connectMs: 0, hasAnswered: true }).code, 'transient');
    }
  });

  it('shows of the system what concerns the user', () => {
    for (const [error, shown] of [
      [
        system(
          'DEPTH_ZERO_SELF_SIGNED_CERT',
          'self-signed certificate; if the root CA is installed locally, try running Node.js with --use-system-ca',
        ),
        'self-signed certificate (DEPTH_ZERO_SELF_SIGNED_CERT)',
      ],
      [
        system(
          'ERR_SSL_WRONG_VERSION_NUMBER',
          '409DEB3EA67F0000:error:0A00010B:SSL routines:tls_validate_record_header:wrong version number:../deps/openssl/openssl/ssl/record/methods/tlsany_meth.c:77:\n',
        ),
        'wrong version number (ERR_SSL_WRONG_VERSION_NUMBER)',
      ],
    ] as const)
      assert.equal(toNetworkError(error, { url, connectMs: 0 }).systemError, shown);
  });

  const named = (source: string, fallible = false) => ({
    ...{ proxyUrl: 'http://me:secret@proxy.example:8080', fallible, source },
  });

  it('says who names the proxy that is not reached', () => {
    const says = (source: string, fallible: boolean) =>
      toNetworkError(system('ECONNREFUSED'), { url, connectMs: 0, proxy: named(source, fallible) }).message;
    assert.deepEqual(
      [says('http.proxy', false), says('all_proxy', false), says('a PAC file', true)],
      [
        'Couldn\'t connect to the proxy http://proxy.example:8080. Check the setting "http.proxy".',
        "Couldn't connect to the proxy http://proxy.example:8080. Check the variable all_proxy.",
        "Couldn't connect to relay.example, neither through the proxy http://proxy.example:8080 (from a PAC file) nor directly. Check the network and any VPN.",
      ],
    );
  });

  it('blames the proxy for what the proxy did, without its password', () => {
    const through = (error: Error) =>
      toNetworkError(error, { url, connectMs: 0, proxy: named('http.proxy') });
    for (const error of [
      system('ECONNREFUSED'),
      system('UND_ERR_CONNECT_TIMEOUT'),
      system('UND_ERR_HEADERS_TIMEOUT'),
    ]) {
      assert.equal(through(error).code, 'proxy');
      assert.match(through(error).message, /connect to the proxy .*proxy\.example:8080/);
      assert.ok(!through(error).message.includes('secret'));
    }
    // undici gives this the name of an abort.
    const refused = (status: number) =>
      Object.assign(new Error(`Proxy response (${status}) !== 200 when HTTP Tunneling`), {
        name: 'AbortError',
        code: 'UND_ERR_ABORTED',
      });
    assert.equal(through(refused(407)).code, 'proxy');
    assert.match(through(refused(407)).message, /requires a user name/);
    const proxy = { ...named('http.proxy'), authorization: 'Basic abc' };
    assert.match(
      toNetworkError(refused(407), { url, connectMs: 0, proxy }).message,
      /rejected the user name or the password/,
    );
    assert.match(through(refused(502)).message, /502/);
    assert.equal(through(system('CERT_HAS_EXPIRED')).code, 'tls');
  });

  it('looks behind an abort of the library, and takes a disposed client for a cancellation', () => {
    const aborted = Object.assign(new Error('aborted', { cause: system('ENOTFOUND') }), {
      code: 'UND_ERR_ABORTED',
    });
    assert.equal(toNetworkError(aborted, { url, connectMs: 0 }).code, 'offline');
    for (const code of ['UND_ERR_DESTROYED', 'UND_ERR_CLOSED']) {
      assert.equal(toNetworkError(system(code), { url, connectMs: 0 }).code, 'cancelled');
    }
  });

  it('shows no control characters and no key that a system repeats', () => {
    const { systemError } = toNetworkError(new Error('a\u001b[2Kb sk-0123456789abcdef\n'), {
      ...{ url, connectMs: 0 },
    });
    assert.equal(systemError, 'a [2Kb sk-***');
  });

  it('knows when no connection came about', () => {
    assert.ok(isUnreachable(system('ENOTFOUND')));
    assert.ok(!isUnreachable(system('ECONNRESET')));
    assert.ok(!isUnreachable(new Error('x')));
  });

  it('names where a redirect points, without query', () => {
    const error = redirected(new URL(url), new URL('https://login.example/?token=abc'), 302, []);
    assert.equal(error.code, 'wrong-address');
    assert.match(error.message, /https:\/\/login\.example\b/);
    assert.ok(!error.message.includes('abc') && !error.message.includes('hidden'));
  });

  it('shows no key that a server sends back in an address', () => {
    const key = 'q7Wm2Rt9Xb4Lp8Zk3Vn6';
    for (const path of [key, key.toUpperCase(), Buffer.from(key).toString('base64')]) {
      const { message } = redirected(
        new URL('https://a.example/v1'),
        new URL(`https://b.example/${path}/x`),
        302,
        [key],
      );
      assert.ok(!message.includes(path) && message.includes('b.example'), message);
    }
  });
});
