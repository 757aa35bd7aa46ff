import { createHash } from 'node:crypto';

/** Lower-case hex digits. */
export function sha256(data: string | Uint8Array): string {
  return createHash('sha256').update(data).digest('hex');
}
