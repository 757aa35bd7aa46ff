import assert from 'node:assert/strict';
import { createTextDecoder } from '../../../../src/base/text/textDecoder.ts';

describe('bytes in an encoding', () => {
  it('are read as Windows-1252 under each of its names, also in pieces', () => {
    const bytes = Uint8Array.of(0x80, 0x81, 0x93, 0xe9, 0x94, 0x9f, 0xa0, 0x41);
    for (const label of ['windows-1252', 'latin1', 'ISO-8859-1', 'ascii']) {
      assert.equal(createTextDecoder(label).decode(bytes), '€\x81“é”Ÿ\xa0A', label);
      const decoder = createTextDecoder(label);
      const pieces = [...bytes].map((byte) => decoder.decode(Uint8Array.of(byte), { stream: true }));
      assert.equal(pieces.join('') + decoder.decode(), '€\x81“é”Ÿ\xa0A', label);
    }
  });

  it('stay what they are in others, and unknown labels are refused', () => {
    assert.equal(createTextDecoder('utf-8').decode(Uint8Array.of(0xc2, 0x93)), '\x93');
    assert.equal(createTextDecoder('shift_jis').decode(Uint8Array.of(0x93, 0xfa)), '日');
    assert.throws(() => createTextDecoder('none'), RangeError);
  });
});
