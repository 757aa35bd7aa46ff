import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Readable } from 'node:stream';
import fc from 'fast-check';
import { FormData, Response } from 'undici';
import { SwitchboardError } from '../../../../src/base/errors/errors.ts';
import { toMultipart, type UploadFile } from '../../../../src/platform/documents/multipart.ts';

function file(text: string, more: Partial<UploadFile> = {}): UploadFile {
  const bytes = Buffer.from(text);
  return { name: 'notes.md', size: bytes.length, open: () => Readable.from([bytes]), ...more };
}

async function sent(body: Readable): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of body) pieces.push(piece as Buffer);
  return Buffer.concat(pieces).toString('utf8');
}

/** An escape in a name cannot be told from the same characters typed there. */
function asParsed(name: string): string {
  return name.replace(/%22|%0A|%0D/gi, decodeURIComponent);
}

const data = { name: 'data', value: '{"a":"ü"}', contentType: 'text/plain' };

describe('toMultipart', () => {
  it('frames the fields and the file exactly, and announces the length', async () => {
    const { headers, open } = toMultipart([data, { name: 'user', value: 'me' }], file('héllo'));
    const boundary = /^multipart\/form-data; boundary=(\S+)$/.exec(headers['content-type'])?.[1];
    const body = await sent(open());
    assert.equal(
      body,
      [
        `--${boundary}`,
        'Content-Disposition: form-data; name="data"',
        'Content-Type: text/plain',
        '',
        '{"a":"ü"}',
        `--${boundary}`,
        'Content-Disposition: form-data; name="user"',
        '',
        'me',
        `--${boundary}`,
        'Content-Disposition: form-data; name="file"; filename="notes.md"',
        'Content-Type: text/markdown',
        '',
        'héllo',
        `--${boundary}--`,
        '',
      ].join('\r\n'),
    );
    assert.equal(Number(headers['content-length']), Buffer.byteLength(body));
  });

  it('sends an empty file as one', async () => {
    const { headers, open } = toMultipart([], file(''));
    const body = await sent(open());
    assert.match(body, /filename="notes.md"\r\n.*\r\n\r\n\r\n--/);
    assert.equal(Number(headers['content-length']), Buffer.byteLength(body));
  });

  it('makes names safe and leaves them in UTF-8', async () => {
    const names: [string, string][] = [
      ['说明 2.md', '说明 2.md'],
      ['a"b\r\nX: y.md', "a'b__X: y.md"],
      ['../../a\\b.md', '.._.._a_b.md'],
      ['', 'file'],
    ];
    for (const [name, wire] of names) {
      const { open } = toMultipart([], file('x', { name }));
      assert.match(
        await sent(open()),
        new RegExp(`name="file"; filename="${wire.replace(/[.]/g, '\\.')}"\r\n`),
      );
    }
  });

  it('is read by a parser as it was meant, whatever the names and texts are', async () => {
    const text = fc.string({ unit: 'binary' });
    await fc.assert(
      fc.asyncProperty(text, text, text, text, async (fieldName, value, fileName, contents) => {
        const fields = [{ name: fieldName, value }, data];
        const { headers, open } = toMultipart(fields, file(contents, { name: fileName }));
        const body = await sent(open());
        assert.equal(Number(headers['content-length']), Buffer.byteLength(body));
        const form = await new Response(body, { headers }).formData();
        const [[name, read] = [], stated, [, last] = []] = [...form];
        assert.deepEqual([name, read, stated], [asParsed(fieldName), value, [data.name, data.value]]);
        assert.ok(last instanceof File);
        assert.equal(await last.text(), contents);
      }),
      { numRuns: 300 },
    );
  });

  it('escapes names as browsers do those of files', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary', minLength: 1 }), async (name) => {
        const theirs = new FormData();
        theirs.append('file', new File([], name));
        const [, filename] = /; filename=(".*?")\r\n/s.exec(await new Response(theirs).text()) ?? [];
        const { open } = toMultipart([{ name, value: '' }], file(''));
        assert.equal(/; name=(".*?")\r\n/s.exec(await sent(open()))?.[1], filename);
      }),
    );
  });

  it('states the type of a file by its extension, and one for every file', async () => {
    for (const [name, type] of [
      ['chart.PNG', 'image/png'],
      ['guide.mdx', 'text/mdx'],
      ['prices.xlsx', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
      ['tides.ts', 'application/octet-stream'],
      ['Makefile', 'application/octet-stream'],
      ['a.constructor', 'application/octet-stream'],
    ] as const) {
      const { open } = toMultipart([], file('x', { name }));
      assert.match(await sent(open()), new RegExp(`filename="${name}"\r\nContent-Type: ${type}\r\n\r\nx`));
    }
  });

  it('opens the file again for each try', async () => {
    let opened = 0;
    const again = () => {
      opened += 1;
      return Readable.from([Buffer.from('again')]);
    };
    const { open } = toMultipart([data], file('again', { open: again }));
    assert.equal(opened, 0);
    assert.equal(await sent(open()), await sent(open()));
    assert.equal(opened, 2);
  });

  it('tells the bytes sent', async () => {
    const progress: number[] = [];
    const pieces = ['abc', 'de'].map((text) => Buffer.from(text));
    const { open } = toMultipart([], file('abcde', { open: () => Readable.from(pieces) }), (bytes) =>
      progress.push(bytes),
    );
    await sent(open());
    assert.deepEqual(progress, [3, 5]);
  });

  it('reads no further ahead than the buffers hold', async () => {
    const piece = Buffer.alloc(64 * 1024);
    let read = 0;
    const endless = () =>
      new Readable({
        read() {
          read += 1;
          this.push(piece);
        },
      });
    const { open } = toMultipart([], file('', { size: 10 ** 12, open: endless }));
    const body = open();
    await once(body, 'readable');
    for (let turn = 0; turn < 100; turn++) await new Promise(setImmediate);
    assert.ok(read < 10, `${read} pieces were read ahead`);
    body.destroy();
  });

  it('closes the file when the sending ends in the middle, even if it has nothing to say', async () => {
    const silent = new Readable({ read() {} });
    const { open } = toMultipart([], file('', { size: 5, open: () => silent }));
    const body = open();
    body.on('error', () => undefined);
    body.resume();
    await new Promise(setImmediate);
    body.destroy();
    await once(silent, 'close');
  });

  it('says that the file changed when it is not as long as it was', async () => {
    for (const size of [3, 9]) {
      const { open } = toMultipart([], file('hello', { size }));
      await assert.rejects(
        sent(open()),
        (error) => error instanceof SwitchboardError && /changed/.test(error.message),
      );
    }
  });

  it('says that the file cannot be read', async () => {
    const failing = () =>
      new Readable({
        read() {
          this.destroy(new Error('EACCES: permission denied'));
        },
      });
    const { open } = toMultipart([], file('x', { open: failing }));
    await assert.rejects(
      sent(open()),
      (error) => error instanceof SwitchboardError && /couldn't be read/.test(error.message),
    );
  });
});
