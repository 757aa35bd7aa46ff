/** Formats that VS Code, its pages and all vision models accept. */
export const pictureTypes = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'] as const;
export type PictureType = (typeof pictureTypes)[number];

const beginnings: readonly [type: PictureType, isThis: (head: Uint8Array) => boolean][] = [
  ['image/png', (head) => startsWith(head, [0x89, 0x50, 0x4e, 0x47])],
  ['image/jpeg', (head) => startsWith(head, [0xff, 0xd8, 0xff])],
  ['image/gif', (head) => startsWith(head, [0x47, 0x49, 0x46, 0x38])],
  [
    'image/webp',
    (head) => startsWith(head, [0x52, 0x49, 0x46, 0x46]) && startsWith(head.subarray(8), [0x57, 0x45]),
  ],
];

function startsWith(bytes: Uint8Array, beginning: readonly number[]): boolean {
  return beginning.every((byte, index) => bytes[index] === byte);
}

export function pictureTypeOf(head: Uint8Array): PictureType | undefined {
  return beginnings.find(([, isThis]) => isThis(head))?.[0];
}

export function pictureSize(
  bytes: Uint8Array,
  type: PictureType,
): { width: number; height: number } | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    switch (type) {
      case 'image/png':
        return { width: view.getUint32(16), height: view.getUint32(20) };
      case 'image/gif':
        return { width: view.getUint16(6, true), height: view.getUint16(8, true) };
      case 'image/jpeg':
        return jpegSize(view);
      case 'image/webp':
        return webpSize(view);
    }
  } catch {
    // The file is cut.
    return undefined;
  }
}

/** Reads the first SOF segment; throws a `RangeError` if there is none. */
function jpegSize(view: DataView): { width: number; height: number } {
  for (let at = 2; ; at += 2 + view.getUint16(at + 2)) {
    const marker = view.getUint8(at + 1);
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) return { width: view.getUint16(at + 7), height: view.getUint16(at + 5) };
  }
}

function webpSize(view: DataView): { width: number; height: number } | undefined {
  const uint24 = (at: number) => view.getUint16(at, true) + (view.getUint8(at + 2) << 16);
  switch (view.getUint32(12)) {
    case 0x56_50_38_58:
      return { width: uint24(24) + 1, height: uint24(27) + 1 };
    case 0x56_50_38_4c: {
      const bits = view.getUint32(21, true);
      return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
    }
    case 0x56_50_38_20:
      return { width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff };
    default:
      return undefined;
  }
}
