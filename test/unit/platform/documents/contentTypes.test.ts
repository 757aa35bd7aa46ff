import assert from 'node:assert/strict';
import { contentTypeOf, fileTypeOf } from '../../../../src/platform/documents/contentTypes.ts';

const office = 'application/vnd.openxmlformats-officedocument';

describe('the type of a file for the platform', () => {
  it('is the one of the table of the platform', () => {
    const table = {
      image: {
        ...{ jpg: 'image/jpeg', jpeg: 'image/jpeg', png: 'image/png', webp: 'image/webp' },
        ...{ gif: 'image/gif', svg: 'image/svg+xml' },
      },
      document: {
        ...{ txt: 'text/plain', md: 'text/markdown', markdown: 'text/markdown', mdx: 'text/mdx' },
        ...{ pdf: 'application/pdf', html: 'text/html', htm: 'text/html', csv: 'text/csv', vtt: 'text/vtt' },
        ...{ xls: 'application/vnd.ms-excel', xlsx: `${office}.spreadsheetml.sheet` },
        ...{ doc: 'application/msword', docx: `${office}.wordprocessingml.document` },
        ...{ ppt: 'application/vnd.ms-powerpoint', pptx: `${office}.presentationml.presentation` },
        ...{ eml: 'message/rfc822', msg: 'application/vnd.ms-outlook', properties: 'text/plain' },
        ...{ xml: 'text/xml', epub: 'application/epub+zip' },
      },
      audio: { mp3: 'audio/mpeg', m4a: 'audio/mp4', wav: 'audio/wav', amr: 'audio/amr', mpga: 'audio/mpeg' },
      video: { mp4: 'video/mp4', mov: 'video/quicktime', mpeg: 'video/mpeg', webm: 'video/webm' },
    };
    for (const [type, extensions] of Object.entries(table)) {
      for (const [extension, contentType] of Object.entries(extensions)) {
        const name = `a.b.${extension.toUpperCase()}`;
        assert.deepEqual([fileTypeOf(name), contentTypeOf(name)], [type, contentType]);
      }
    }
  });

  it('is unknown for every other', () => {
    for (const name of ['png', 'a.ts', 'a.', 'a.constructor', 'a.png/b', ''])
      assert.deepEqual([fileTypeOf(name), contentTypeOf(name)], ['custom', 'application/octet-stream']);
  });
});
