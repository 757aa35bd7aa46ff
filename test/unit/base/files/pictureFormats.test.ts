import assert from 'node:assert/strict';
import fc from 'fast-check';
import { pictureSize, pictureTypeOf } from '../../../../src/base/files/pictureFormats.ts';

/** A comment, tables and a frame of 3 by 2 pixels, without valid coefficients. */
function jpeg(): Buffer {
  const segment = (marker: number, ...payload: number[]) => [0xff, marker, 0, payload.length + 2, ...payload];
  const [comment, tables] = [segment(0xfe, 0xc0, 0xc0), segment(0xc4, 0, 1, 2)];
  return Buffer.from([0xff, 0xd8, ...comment, ...tables, ...segment(0xc2, 8, 0, 2, 0, 3, 1, 1, 0x11, 0)]);
}

/** Files of a few pixels, as image programs write them. */
const files = {
  'image/png':
    'iVBORw0KGgoAAAANSUhEUgAAAAMAAAACCAIAAAASFvFNAAAAFElEQVR4nGP8z8DAwMDAxAADCAYAIkMCAhX5WZcAAAAASUVORK5CYII=',
  'image/gif': 'R0lGODlhAwACAIAAAP8AAAAAACwAAAAAAwACAAACAoRdADs=',
  'image/jpeg': jpeg().toString('base64'),
} as const;

describe('pictures', () => {
  it('say what they are and how large, whatever their bytes stand in', () => {
    for (const [type, base64] of Object.entries(files)) {
      const bytes = new Uint8Array(Buffer.concat([Buffer.from('x'), Buffer.from(base64, 'base64')])).subarray(
        1,
      );
      assert.equal(pictureTypeOf(bytes), type);
      assert.deepEqual(pictureSize(bytes, type as keyof typeof files), { width: 3, height: 2 }, type);
    }
  });

  it('are WebP of three kinds', () => {
    const webp = (kind: string, ...payload: number[]) =>
      Buffer.concat([Buffer.from(`RIFF....WEBP${kind}....`), Buffer.from(payload)]);
    const sizeOf = (bytes: Buffer) => [pictureTypeOf(bytes), pictureSize(bytes, 'image/webp')];
    const isSmall = ['image/webp', { width: 3, height: 2 }];
    assert.deepEqual(sizeOf(webp('VP8X', 0, 0, 0, 0, 2, 0, 0, 1, 0, 0)), isSmall);
    assert.deepEqual(sizeOf(webp('VP8L', 0x2f, 0x02, 0x40, 0, 0)), isSmall);
    assert.deepEqual(sizeOf(webp('VP8 ', 0, 0, 0, 0x9d, 1, 0x2a, 3, 0, 2, 0)), isSmall);
    assert.deepEqual(sizeOf(webp('VP9 ')), ['image/webp', undefined]);
  });

  it('are nothing where they are cut, and end for every damage', () => {
    const bytes = fc.constantFrom(...Object.values(files)).map((base64) => Buffer.from(base64, 'base64'));
    fc.assert(
      fc.property(bytes, fc.nat(200), fc.uint8Array(), (whole, at, rest) => {
        const damaged = Buffer.concat([whole.subarray(0, at), rest]);
        const type = pictureTypeOf(damaged);
        if (type) pictureSize(damaged, type);
      }),
    );
    assert.equal(pictureTypeOf(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')), undefined);
    assert.equal(pictureSize(Buffer.from([0x89, 0x50, 0x4e, 0x47]), 'image/png'), undefined);
  });
});
