import assert from 'node:assert/strict';
import {
  type FoundWindow,
  holdsFolder,
  inOrder,
  readRecord,
} from '../../../src/knowledgeServer/bridge/windowRecords.ts';
import { LineSplitter } from '../../../src/knowledgeServer/bridge/lineSplitter.ts';
import { readHello } from '../../../src/knowledgeServer/windowListener.ts';

const record = { folders: ['/a'], pid: 1, openedAt: 2, socket: '/s', token: 't' };

describe('files of windows that listen', () => {
  it('are read only if they are whole', () => {
    assert.deepEqual(readRecord(JSON.stringify({ ...record, more: 1 })), record);
    for (const bad of [
      'x',
      'null',
      '[]',
      ...[{ folders: 'a' }, { folders: [1] }, { pid: 'x' }, { pid: 1.5 }, { openedAt: '2' }].map((part) =>
        JSON.stringify({ ...record, ...part }),
      ),
      ...[{ socket: '' }, { socket: 1 }, { token: '' }, { token: undefined }].map((part) =>
        JSON.stringify({ ...record, ...part }),
      ),
    ]) {
      assert.equal(readRecord(bad), undefined, bad);
    }
  });

  it('come with those first that hold the folder, then the newest', () => {
    const window = (file: string, openedAt: number, holds: boolean): FoundWindow => ({
      ...record,
      file,
      openedAt,
      holdsFolder: holds,
    });
    const windows = [
      window('old', 1, false),
      window('new', 9, false),
      window('held', 2, true),
      window('h3', 3, true),
    ];
    assert.deepEqual(
      inOrder(windows).map(({ file }) => file),
      ['h3', 'held', 'new', 'old'],
    );
  });

  it('hold a folder and what is in it, not one whose name begins alike', () => {
    assert.ok(holdsFolder(['/x', '/work/app'], '/work/app', 'linux'));
    assert.ok(holdsFolder(['/work/app'], '/work/app/src', 'linux'));
    assert.ok(holdsFolder(['/'], '/work', 'linux'));
    for (const other of ['/work', '/work/app-two', '/work/App']) {
      assert.ok(!holdsFolder(['/work/app'], other, 'linux'), other);
    }
    assert.ok(holdsFolder(['C:\\App'], 'c:\\app\\src', 'win32'));
    assert.ok(!holdsFolder([], '/work', 'linux'));
  });
});

describe('lines of a program', () => {
  it('are put together from pieces, also within a character', () => {
    const splitter = new LineSplitter();
    const bytes = Buffer.from('{"a":"é"}\nb\n\nc');
    const lines = [...bytes].flatMap((byte) => splitter.push(Buffer.from([byte])));
    assert.deepEqual(lines, ['{"a":"é"}', 'b', '']);
  });

  it('are not kept if they are too long, and the next one is read', () => {
    const splitter = new LineSplitter(3);
    assert.deepEqual(splitter.push(Buffer.from('abcd\nabc\nab')), [undefined, 'abc']);
    assert.deepEqual(splitter.push(Buffer.from('cd')), []);
    assert.deepEqual(splitter.push(Buffer.from('e\nx\n')), [undefined, 'x']);
  });
});

describe('the first line of a connection', () => {
  it('says who it is, or nothing is read', () => {
    const hello = { token: 't', configuration: 'c', folder: '/' };
    assert.deepEqual(readHello(JSON.stringify(hello)), hello);
    for (const bad of ['', 'GET / HTTP/1.1', '{}', '[]', JSON.stringify({ ...hello, token: 1 })]) {
      assert.equal(readHello(bad), undefined);
    }
    assert.equal(readHello(JSON.stringify({ ...hello, configuration: 'x'.repeat(201) })), undefined);
  });
});
