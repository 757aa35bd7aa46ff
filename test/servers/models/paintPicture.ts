import { crc32, deflateSync } from 'node:zlib';

const [width, height] = [160, 96];

/** A PNG of the sun over the sea; each number has another place for the sun. */
export function paintPicture(number: number): Buffer {
  const rows = Array.from({ length: height }, (_, y) => {
    const row = Buffer.alloc(1 + width * 3);
    for (let x = 0; x < width; x++) {
      const isSun = Math.hypot(x - 30 - ((number * 37) % 100), y - 30) < 14;
      const isSea = y > 58 + 3 * Math.sin(x / 8);
      row.set(isSea ? [20, 80, 140 + (y % 8) * 6] : isSun ? [255, 210, 60] : [150, 205, 240], 1 + x * 3);
    }
    return row;
  });
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 2], 8);
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', head),
    chunk('IDAT', deflateSync(Buffer.concat(rows))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, sum]);
}
