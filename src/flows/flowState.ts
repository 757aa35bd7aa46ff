import { createHash } from 'node:crypto';

/** Hashes of a flow's two texts at the last pull or push: the file's, and the platform's export. */
export interface SyncedHashes {
  readonly file: string;
  readonly platform: string;
}

/** Where a flow changed since the last pull or push. */
export type FlowState = 'same' | 'changedHere' | 'changedThere' | 'changedBoth';

export function flowState(synced: SyncedHashes, file: string, platform: string): FlowState {
  if (hashOfDsl(file) === hashOfDsl(platform)) return 'same';
  const isChangedHere = hashOfDsl(file) !== synced.file;
  const isChangedThere = hashOfDsl(platform) !== synced.platform;
  if (isChangedHere && isChangedThere) return 'changedBoth';
  if (isChangedHere) return 'changedHere';
  return isChangedThere ? 'changedThere' : 'same';
}

/** Git may have changed the line ends of the file. */
export function hashOfDsl(text: string): string {
  const plain = text.replace(/^\u{feff}/u, '').replaceAll('\r\n', '\n');
  return createHash('sha256').update(plain).digest('hex');
}
