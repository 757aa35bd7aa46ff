import assert from 'node:assert/strict';
import { uploadMethod } from '../../../../src/knowledge/upload/inspectFile.ts';

describe('how a file is sent to a knowledge base', () => {
  for (const [how, isText, extensions] of [
    ['file', true, 'txt markdown md mdx html htm csv vtt properties'],
    ['file', false, 'pdf xls xlsx docx'],
    ['none', undefined, 'doc dot ppt pptx msg epub odt ods odp rtf pages'],
    ['text', undefined, 'ts json yml log toml'],
  ] as const) {
    it(`is ${how}${isText ? ' as text' : ''} for ${extensions}`, () => {
      for (const extension of extensions.split(' '))
        for (const path of [`docs/a.${extension}`, `docs/A.${extension.toUpperCase()}`])
          assert.deepEqual(uploadMethod(path), isText === undefined ? { how } : { how, isText }, path);
    });
  }

  it('goes by the last extension, and takes a name without one for text', () => {
    for (const path of ['docs.md/Makefile', '.pdf', 'a.pdf.txt2'])
      assert.deepEqual(uploadMethod(path), { how: 'text' });
  });
});
