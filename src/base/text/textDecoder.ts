import { TextDecoder } from 'node:util';

/** Bytes 0x80 to 0x9F in Windows-1252; Node reads them as Latin-1 since 20.18.3 and 22.13 (nodejs/node#56542). */
const highControls = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ';

class Windows1252Decoder extends TextDecoder {
  override decode(...parameters: Parameters<TextDecoder['decode']>): string {
    const text = super.decode(...parameters);
    return text.replace(/[\x80-\x9f]/g, (each) => highControls[each.charCodeAt(0) - 0x80]!);
  }
}

/** @throws {RangeError} for an unknown label */
export function createTextDecoder(label: string): TextDecoder {
  const decoder = new TextDecoder(label);
  return decoder.encoding === 'windows-1252' ? new Windows1252Decoder(label) : decoder;
}
