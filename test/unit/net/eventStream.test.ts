import assert from 'node:assert/strict';
import fc from 'fast-check';
import { SwitchboardError } from '../../../src/base/errors/errors.ts';
import { EventStreamDecoder } from '../../../src/net/eventStream.ts';

function decode(...pieces: (string | Uint8Array)[]): { data: string[]; unread: string } {
  const decoder = new EventStreamDecoder();
  const data = pieces.flatMap((piece) =>
    decoder.decode(Buffer.from(piece as string)).map((event) => event.data),
  );
  data.push(...decoder.end().map((event) => event.data));
  return { data, unread: decoder.unread };
}

describe('EventStreamDecoder', () => {
  const forms: [name: string, text: string, data: string[]][] = [
    ['events between blank lines', 'data: a\n\ndata: b\n\n', ['a', 'b']],
    ['CRLF', 'data: a\r\n\r\ndata: b\r\n\r\n', ['a', 'b']],
    ['no space after the colon', 'data:{"a":1}\n\n', ['{"a":1}']],
    ['several data lines', 'data: {"a":\ndata: 1}\n\n', ['{"a":\n1}']],
    ['comments and other fields', ': PING\n\n:\n\nretry: 3\nid: 4\nevent: x\ndata: a\n\n', ['a']],
    ['a last event without blank line', 'data: a\n\ndata: b', ['a', 'b']],
    ['a byte order mark', '\uFEFFdata: a\n\n', ['a']],
    ['a bare JSON line at the end', 'data: a\n\n{"error":{}}', ['a', '{"error":{}}']],
    ['a bare JSON line at the start', '{"error":{}}\n', ['{"error":{}}']],
    ['a bare JSON line right after a data line', 'data: a\n{"error":{}}\n', ['a', '{"error":{}}']],
    ['a bare JSON line after a ping', ': PING\n\n{"error":{}}\n\n', ['{"error":{}}']],
    ['a brace inside data', 'data: x\\n{"a":1}\n\n', ['x\\n{"a":1}']],
  ];
  for (const [name, text, data] of forms) {
    it(`reads ${name}`, () => assert.deepEqual(decode(text).data, data));

    it(`reads ${name}, cut anywhere`, () => {
      const bytes = Buffer.from(text);
      for (let at = 0; at <= bytes.length; at++) {
        assert.deepEqual(decode(bytes.subarray(0, at), bytes.subarray(at)).data, data);
      }
      assert.deepEqual(decode(...Array.from(bytes, (byte) => Buffer.of(byte))).data, data);
    });
  }

  it('gives any text back, however it is cut', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: 'grapheme' }), { minLength: 1 }),
        fc.array(fc.nat(5000)),
        (texts, places) => {
          const bytes = Buffer.from(texts.map((text) => `data: ${JSON.stringify(text)}\n\n`).join(''));
          const cuts = [...places.map((place) => place % bytes.length), bytes.length].toSorted(
            (a, b) => a - b,
          );
          let from = 0;
          const pieces = cuts.map((to) => bytes.subarray(from, (from = to)));
          assert.deepEqual(
            decode(...pieces).data.map((text) => JSON.parse(text) as string),
            texts,
          );
        },
      ),
    );
  });

  it('keeps a body without events, to find out what it is', () => {
    const page = '<!doctype html>\n<title>Console</title>';
    assert.equal(decode(page).unread.trim(), page);
    assert.equal(decode('{\n  "error": {\n    "message": "no"\n  }\n}').unread.trim().length > 20, true);
    assert.deepEqual(decode('{\n  "error": {\n    "message": "no"\n  }\n}').data, []);
    assert.equal(decode('data: a\n\n').unread, '');
  });

  it('keeps no more than some megabytes of a body without events', () => {
    const decoder = new EventStreamDecoder();
    const piece = Buffer.from(`${':'.repeat(1024 * 1024)}\n`);
    for (let megabytes = 0; megabytes < 16; megabytes++) decoder.decode(piece);
    assert.ok(decoder.unread.length < 6 * 1024 * 1024, String(decoder.unread.length));
  });

  it('reads one line of 16 MB in small pieces, which the quadratic way does not do in time', () => {
    const decoder = new EventStreamDecoder();
    const piece = Buffer.alloc(1400, 'x');
    decoder.decode(Buffer.from('data: '));
    for (let size = 0; size < 16_000_000; size += piece.length) decoder.decode(piece);
    const [event] = decoder.decode(Buffer.from('\n\n'));
    assert.ok(event && event.data.length >= 16_000_000);
  });

  it('ends with an error when one event grows without end', () => {
    const decoder = new EventStreamDecoder();
    const piece = Buffer.alloc(1024 * 1024, 'x');
    decoder.decode(Buffer.from('data: '));
    assert.throws(
      () => {
        for (let megabytes = 0; megabytes < 40; megabytes++) decoder.decode(piece);
      },
      (error) =>
        error instanceof SwitchboardError && error.code === 'truncated' && /32 MB/.test(error.message),
    );
  });
});
