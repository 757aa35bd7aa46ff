import { randomUUID } from 'node:crypto';
import { extname } from 'node:path';
import type { RecordedPart } from '../../http/recordedRequest.ts';
import { isObject } from './inputForm.ts';
import { invalidParam, refusal } from '../platformErrors.ts';
import type { AppContext } from './appContext.ts';
import type { UploadedAppFile } from './appRecords.ts';
import { type AppCall, type AppRoute, appRoute, userOf } from './appRoute.ts';

const megabyte = 1024 * 1024;
const kinds: readonly (readonly [type: 'image' | 'video' | 'audio', extensions: readonly string[]])[] = [
  ['image', ['.jpg', '.jpeg', '.png', '.webp', '.gif', '.svg']],
  ['video', ['.mp4', '.mov', '.mpeg', '.webm']],
  ['audio', ['.mp3', '.m4a', '.wav', '.amr', '.mpga']],
];
/** Extensions blocked by this site's administrator. */
const blocked = ['.exe', '.dll'];
export function fileRoutes(context: AppContext): AppRoute[] {
  const { store } = context;
  return [
    appRoute('POST /v1/files/upload', (call) => ({
      status: 201,
      body: receiveFile(context, call, userOf(call, 'form')),
    })),
    // Measured on 1.16.1 and 1.9.2: `audio/mpeg` and `audio/mp4` get 415. The rest is from the platform's
    // documents.
    appRoute('POST /v1/audio-to-text', (call) => {
      userOf(call, 'form');
      const { filename, size, contentType } = filePart(
        call,
        'no_audio_uploaded',
        'Please upload your audio.',
      );
      if (!call.app.hasAudio) throw refusal(400, 'app_unavailable', 'Speech to text is not enabled');
      if (!/^audio\/(mp3|m4a|wav|amr|mpga)$/.test(contentType ?? '')) {
        throw refusal(415, 'unsupported_audio_type', 'Audio type not allowed.');
      }
      return { status: 200, body: { text: `${size} bytes of ${filename} were heard.` } };
    }),
    appRoute('POST /v1/text-to-audio', (call) => {
      const user = userOf(call, 'json');
      const { message_id: id } = isObject(call.request.json) ? call.request.json : {};
      if (!call.app.hasAudio) throw refusal(400, 'app_unavailable', 'Text to speech is not enabled');
      const { answer } = store.message(call.app, user, String(id));
      return { status: 200, headers: { 'Content-Type': 'audio/mpeg' }, body: silence(answer.length) };
    }),
  ];
}

export function receiveFile(
  { store, limits }: AppContext,
  call: Pick<AppCall, 'app' | 'request'>,
  user: string,
): object {
  const part = filePart(call, 'no_file_uploaded', 'Please upload your file.');
  const file = toFile(call, user, part, store.seconds());
  if (part.size > limits[file.type] * megabyte) {
    throw refusal(413, 'file_too_large', 'File size exceeded. {message}');
  }
  store.files.push(file);
  return toWire(file);
}

function toFile({ app }: Pick<AppCall, 'app'>, user: string, part: RecordedPart, createdAt: number) {
  const { filename = '', contentType = '', size, text } = part;
  const extension = extname(filename).toLowerCase();
  if (/[/\\]/.test(filename)) throw invalidParam('Filename contains invalid characters');
  if (!contentType || blocked.includes(extension)) {
    throw refusal(415, 'unsupported_file_type', 'File type not allowed.');
  }
  const type = kinds.find(([, extensions]) => extensions.includes(extension))?.[0] ?? ('document' as const);
  return {
    ...{
      id: randomUUID(),
      app: app.key,
      user,
      method: 'local_file' as const,
      name: filename,
      type,
      extension,
    },
    ...{ mimeType: contentType, size, createdAt },
    ...(type === 'document' && text !== undefined && { text }),
  } satisfies UploadedAppFile;
}

/** A playable sound: 26 ms for each frame (MPEG 1, layer III, 128 kbit/s at 44.1 kHz), all silent. */
function silence(frames: number): Buffer {
  const frame = Buffer.alloc(417);
  frame.set([0xff, 0xfb, 0x90, 0x64]);
  return Buffer.concat(Array.from({ length: frames }, () => frame));
}

function filePart({ request }: Pick<AppCall, 'request'>, missingCode: string, missing: string): RecordedPart {
  const files = request.parts.filter(({ filename }) => filename !== undefined);
  const file = files.find(({ name }) => name === 'file');
  if (!file) throw refusal(400, missingCode, missing);
  if (files.length > 1) throw refusal(400, 'too_many_files', 'Only one file is allowed.');
  if (!file.filename) {
    throw refusal(400, 'filename_not_exists_error', 'The specified filename does not exist.');
  }
  return file;
}

function toWire({ id, name, size, extension, mimeType, user, createdAt }: UploadedAppFile): object {
  return {
    id,
    name,
    size,
    extension: extension.slice(1),
    mime_type: mimeType,
    created_by: user,
    created_at: createdAt,
    preview_url: null,
    source_url: `/files/${id}/file-preview?sign=sandbox`,
    original_url: null,
    user_id: null,
    tenant_id: 'sandbox',
    conversation_id: null,
    file_key: null,
  };
}
