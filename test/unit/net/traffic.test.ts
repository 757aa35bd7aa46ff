import assert from 'node:assert/strict';
import { readSources } from '../../support/localisedTexts.ts';

describe('what the extension speaks to', () => {
  it('is no address of its own: those that stand in the code are examples and names', () => {
    const named = readSources().flatMap(({ source }) =>
      [...source.matchAll(/\b(?:https?|wss?):\/\/(?:[\w-]+\.)+[a-z]{2,}[^\s'"`)]*/g)].map(
        ([address]) => address,
      ),
    );
    // The hosted platform's console stands beside its API, and is offered to a user who signs in to one of them.
    // The last two are written into other programs' files, which are never read for a request of ours.
    const known =
      /^https:\/\/(?:(?:relay|platform)\.example\.com\b|(?:api|cloud)\.dify\.ai$|opencode\.ai\/config\.json$|app\.kilo\.ai\/config\.json$)/;
    assert.ok(named.length > 0);
    assert.deepEqual(
      named.filter((address) => !known.test(address)),
      [],
    );
  });

  it('is spoken to by src/net alone, which sends what its callers address', () => {
    const speaks =
      /\bfetch\(|\bXMLHttpRequest\b|\bWebSocket\b|\bEventSource\b|sendBeacon|createTelemetryLogger|(?:from|import\() ?'(?:undici|node:(?:http|https|http2|net|tls|dgram))'/;
    const speakers = readSources().filter(
      ({ path, source }) =>
        !path.startsWith('src/net/') && speaks.test(source.replaceAll(/^import type .*$/gm, '')),
    );
    // The first connects to the diagnosed server, step by step.
    const ofThisMachine = [
      'src/knowledgeServer/windowListener.ts',
      'src/knowledgeServer/bridge/windowConnection.ts',
    ];
    assert.deepEqual(
      speakers.map(({ path }) => path),
      ['src/diagnose/networkSteps.ts', ...ofThisMachine],
    );
    for (const { path, source } of speakers.filter((each) => ofThisMachine.includes(each.path))) {
      assert.doesNotMatch(source, /\b(?:port|host|localAddress)\b/, path);
      assert.match(source, /(?:listen|createConnection)\((?:address|window\.socket)\b/, path);
    }
  });
});
