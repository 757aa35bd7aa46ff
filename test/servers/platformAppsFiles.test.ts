import assert from 'node:assert/strict';
import { AppCalls } from './platform/apps/appCalls.ts';
import { type Sandbox, startSandbox } from './sandbox.ts';
import { readJson } from './testClient.ts';

interface Refused {
  code: string;
  message: string;
}

const megabyte = 1024 * 1024;

describe('sandbox apps: files and audio', () => {
  let sandbox: Sandbox;
  let calls: AppCalls;
  before(async () => {
    sandbox = await startSandbox({ platform: { uploadLimits: { image: 1, document: 2 } } });
    calls = new AppCalls(sandbox.platform, sandbox.platform.apps.chat);
  });
  after(() => sandbox.stop());

  async function assertRefused(response: Response, status: number, code: string): Promise<void> {
    assert.equal(response.status, status);
    assert.equal((await readJson<Refused>(response)).code, code);
  }

  const sendForm = (path: string, form: FormData) => calls.send('POST', path, undefined, { body: form });

  it('takes a file and tells what it is', async () => {
    const response = await calls.upload('häfen.md', 'Søndervig');
    assert.equal(response.status, 201);
    const file = await readJson<Record<string, unknown>>(response);
    assert.deepEqual(
      [file['name'], file['size'], file['extension'], file['mime_type'], file['created_by']],
      ['häfen.md', 10, 'md', 'text/markdown', 'ann'],
    );
  });

  it('has a limit for each kind of file', async () => {
    const bytes = new Uint8Array(megabyte + 1);
    await assertRefused(await calls.upload('tide.png', bytes, 'image/png'), 413, 'file_too_large');
    assert.equal((await calls.upload('tide.bin', bytes, 'application/octet-stream')).status, 201);
    assert.equal((await calls.upload('tide.mp4', new Uint8Array(2 * megabyte + 1), 'video/mp4')).status, 201);
  });

  it('refuses types that are blocked, and names with a slash', async () => {
    await assertRefused(await calls.upload('tide.exe', 'MZ'), 415, 'unsupported_file_type');
    await assertRefused(await calls.upload('docs/tide.md', 'x'), 400, 'invalid_param');
  });

  it('refuses forms without a file, and with two', async () => {
    const none = new FormData();
    none.append('user', 'ann');
    await assertRefused(await sendForm('/files/upload', none), 400, 'no_file_uploaded');
    const two = new FormData();
    for (const name of ['file', 'other'])
      two.append(name, new Blob(['x'], { type: 'text/plain' }), `${name}.txt`);
    await assertRefused(await sendForm('/files/upload', two), 400, 'too_many_files');
  });

  it('keeps what was sent without a user from all users', async () => {
    const form = new FormData();
    form.append('file', new Blob(['x'], { type: 'text/plain' }), 'x.txt');
    const { id } = await readJson<{ id: string }>(await sendForm('/files/upload', form));
    const files = [{ type: 'document', transfer_method: 'local_file', upload_file_id: id }];
    assert.equal((await calls.start('Hello', { files })).status, 400);
  });

  it('drops files where nothing can be attached', async () => {
    const form = new AppCalls(sandbox.platform, sandbox.platform.apps.form);
    const files = [{ type: 'document', transfer_method: 'local_file', upload_file_id: 'none' }];
    await form.ask('Plan', { files, inputs: { boat: 'B', draught: 1, harbour: 'Altmühle' } });
  });

  it('turns audio into text', async () => {
    const send = (name: string, type: string) => {
      const form = new FormData();
      form.append('file', new Blob(['sound'], { type }), name);
      return sendForm('/audio-to-text', form);
    };
    assert.equal(
      (await readJson<{ text: string }>(await send('a.mp3', 'audio/mpeg'))).text,
      'A recording of 5 bytes.',
    );
    await assertRefused(await send('a.txt', 'text/plain'), 415, 'unsupported_audio_type');
    await assertRefused(await sendForm('/audio-to-text', new FormData()), 400, 'no_audio_uploaded');
  });

  it('turns text into audio', async () => {
    const response = await calls.post('/text-to-audio', { text: 'High water' });
    assert.equal(response.headers.get('Content-Type'), 'audio/mpeg');
    assert.ok((await response.arrayBuffer()).byteLength > 0);
    assert.equal((await calls.post('/text-to-audio')).status, 400);
  });
});
