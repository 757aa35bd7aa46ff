import assert from 'node:assert/strict';
import { gzipSync } from 'node:zlib';
import { decodeBody } from '../../../src/net/contentCoding.ts';

const unchanged = (error: unknown): Error => error as Error;

describe('a compressed body', () => {
  it('is read whatever the case of its coding, and may grow a thousandfold while it is small', async () => {
    async function* body() {
      yield gzipSync(Buffer.alloc(10_000_000), { level: 9 });
    }
    let size = 0;
    for await (const piece of decodeBody(body(), 'GZIP', unchanged)) size += piece.byteLength;
    assert.equal(size, 10_000_000);
  });

  it('is passed on as it is in a coding that we do not know', async () => {
    async function* body() {
      yield Buffer.from('abc');
    }
    const pieces: string[] = [];
    for await (const piece of decodeBody(body(), 'identity', unchanged)) pieces.push(String(piece));
    assert.deepEqual(pieces, ['abc']);
  });

  it('may not grow without end inside a coding that gives nothing', async () => {
    const header = Buffer.from([0x1f, 0x8b, 8, 8, 0, 0, 0, 0, 0, 3]);
    const endlessName = Buffer.alloc(70_000_000, 'a');
    async function* body() {
      yield gzipSync(Buffer.concat([header, endlessName]), { level: 9 });
    }
    const reading = decodeBody(body(), 'gzip, gzip', unchanged)[Symbol.asyncIterator]();
    await assert.rejects(reading.next(), { code: 'truncated' });
  });
});
