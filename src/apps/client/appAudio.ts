import * as l10n from '@vscode/l10n';
import * as z from 'zod/mini';
import { SwitchboardError } from '../../base/errors/errors.ts';
import { megabyte } from '../../base/text/formatSize.ts';
import { extensionOf } from '../../platform/documents/contentTypes.ts';
import { toMultipart, type UploadFile } from '../../platform/documents/multipart.ts';
import type { Caller } from '../../platform/platformCall.ts';

export const audioExtensions = ['mp3', 'm4a', 'wav', 'amr', 'mpga'] as const;
export const maxAudioBytes = 30 * megabyte;

/** `POST /audio-to-text`: transcribes a recording. Source: docs/platform-api.md 6. */
export function transcribe(
  caller: Caller,
  user: string,
  file: UploadFile,
  signal: AbortSignal,
): Promise<string> {
  // The platform compares the type with `audio/` and the extension: `audio/mpeg` and `audio/mp4` are refused.
  const contentType = `audio/${extensionOf(file.name).slice(1)}`;
  const form = toMultipart([{ name: 'user', value: user }], { ...file, contentType });
  const read = (json: unknown) => z.object({ text: z.string() }).safeParse(json).data?.text;
  return caller.ask({ method: 'POST', path: '/audio-to-text', form }, read, signal);
}

export async function speak(
  caller: Caller,
  user: string,
  messageId: string,
  signal: AbortSignal,
): Promise<SpokenAnswer> {
  const request = { method: 'POST' as const, path: '/text-to-audio', json: { message_id: messageId, user } };
  const response = await caller.open(request, signal);
  const { address, contentType } = response;
  try {
    const pieces: Uint8Array[] = [];
    let size = 0;
    for await (const piece of response.body) {
      pieces.push(piece);
      size += piece.byteLength;
      if (size > maxAudioBytes) throw notPlayable(address);
    }
    // A refusal inside a success is no sound.
    if (size === 0 || contentType.includes('json')) throw notPlayable(address);
    return { bytes: Buffer.concat(pieces), extension: contentType.includes('wav') ? 'wav' : 'mp3' };
  } finally {
    response.close();
  }
}

export interface SpokenAnswer {
  bytes: Uint8Array;
  extension: 'mp3' | 'wav';
}

function notPlayable(address: string): SwitchboardError {
  return new SwitchboardError('request', l10n.t('The platform returned no playable audio.'), {
    address,
  });
}
