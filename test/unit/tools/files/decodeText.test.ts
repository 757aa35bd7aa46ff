import assert from 'node:assert/strict';
import { decodeText, decoderLabel, detectEncoding } from '../../../../src/tools/files/decodeText.ts';

describe('the encoding of a file', () => {
  it('is the one of the setting "files.encoding", by its name there', () => {
    for (const [setting, encoding] of Object.entries({
      utf8: 'utf-8',
      utf8bom: 'utf-8',
      windows1252: 'windows-1252',
      iso885915: 'iso-8859-15',
      shiftjis: 'shift_jis',
      eucjp: 'euc-jp',
      euckr: 'euc-kr',
      koi8r: 'koi8-r',
      koi8u: 'koi8-u',
      big5hkscs: 'big5',
      gb18030: 'gb18030',
      macroman: 'macintosh',
      cp866: 'ibm866',
    }))
      assert.equal(decoderLabel(setting), encoding, setting);
    assert.deepEqual(
      [decoderLabel('none'), decoderLabel(''), decoderLabel(undefined)],
      Array(3).fill(undefined),
    );
  });

  it('is the one of the setting only for text that is nothing else', () => {
    const text = Uint8Array.of(0x93, 0xfa);
    const read = (bytes: Uint8Array, setting?: string) => {
      const encoding = detectEncoding(bytes, true, setting);
      return encoding && decodeText(bytes, encoding);
    };
    assert.equal(read(text, 'shiftjis'), '日');
    assert.deepEqual([read(text), read(text, 'utf8')], ['“ú', '“ú']);
    assert.equal(read(new TextEncoder().encode('日'), 'shiftjis'), '日');
    assert.equal(read(Uint8Array.of(0xef, 0xbb, 0xbf, 0x61), 'shiftjis'), 'a');
  });
});
