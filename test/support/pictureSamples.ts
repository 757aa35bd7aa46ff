export const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

export function samplePicture(number: number, size = 200): Buffer {
  const bytes = Buffer.alloc(size, number);
  pixel.copy(bytes, 0, 0, 40);
  return bytes;
}

export const base64Of = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');

export const dataAddress = (bytes: Uint8Array, type = 'image/png'): string =>
  `data:${type};base64,${base64Of(bytes)}`;
