import { isUtf8 } from 'node:buffer';
import { createTextDecoder } from '../../base/text/textDecoder.ts';

export interface TextEncoding {
  label: string;
  hasBom: boolean;
}

export const sniffedBytes = 1_000_000;

const boms: [label: string, bytes: number[]][] = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
];

/** Detects by byte order mark, then the configured encoding, UTF-8 and Windows-1252; undefined for binary content. */
export function detectEncoding(
  head: Uint8Array,
  isWhole: boolean,
  configured?: string,
): TextEncoding | undefined {
  for (const [label, bytes] of boms) {
    if (bytes.every((byte, index) => head[index] === byte)) return { label, hasBom: true };
  }
  if (head.includes(0)) {
    const label = utf16WithoutBom(head);
    return label === undefined ? undefined : { label, hasBom: false };
  }
  if (isUtf8(isWhole ? head : withoutCutCharacter(head))) return { label: 'utf-8', hasBom: false };
  const label = decoderLabel(configured);
  return { label: label === undefined || label === 'utf-8' ? 'windows-1252' : label, hasBom: false };
}

export function decodeText(bytes: Uint8Array, { label }: TextEncoding): string {
  return createTextDecoder(label).decode(bytes);
}

export function decoderLabel(configured: string | undefined): string | undefined {
  if (!configured) return undefined;
  const name = configured.toLowerCase();
  const spelled = [
    name,
    name.replace(/^(windows)(\d)/, '$1-$2'),
    name.replace(/^(iso)(\d{4})(\d+)$/, '$1-$2-$3'),
  ];
  const known: Record<string, string> = {
    utf8: 'utf-8',
    utf8bom: 'utf-8',
    shiftjis: 'shift_jis',
    eucjp: 'euc-jp',
    euckr: 'euc-kr',
    koi8r: 'koi8-r',
    koi8u: 'koi8-u',
    big5hkscs: 'big5',
    macroman: 'macintosh',
    cp866: 'ibm866',
  };
  for (const label of [known[name], ...spelled]) {
    if (label === undefined) continue;
    try {
      return new TextDecoder(label).encoding;
    } catch {
      // Not a label.
    }
  }
  return undefined;
}

/** UTF-16 text has zeros only at even or only at odd offsets. */
function utf16WithoutBom(bytes: Uint8Array): string | undefined {
  const zeros = [0, 0];
  const end = Math.min(bytes.length, 1024) & ~1;
  for (let index = 0; index < end; index++) if (bytes[index] === 0) zeros[index & 1]! += 1;
  const [even = 0, odd = 0] = zeros;
  // Text with many non-Latin characters reaches half of all pairs.
  const enough = Math.max(2, end / 4);
  if (odd >= enough && even === 0) return 'utf-16le';
  if (even >= enough && odd === 0) return 'utf-16be';
  return undefined;
}

function withoutCutCharacter(bytes: Uint8Array): Uint8Array {
  let end = bytes.length;
  while (end > 0 && bytes.length - end < 3 && (bytes[end - 1]! & 0xc0) === 0x80) end--;
  return bytes.subarray(0, Math.max(0, end - 1));
}
