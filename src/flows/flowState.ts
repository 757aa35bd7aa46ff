import { sha256 } from '../base/sha256.ts';

/** Hashes of a flow's two texts: the file's, and the platform's export. In a link, those of the last pull or push. */
export interface SyncedHashes {
  readonly file: string;
  readonly platform: string;
}

export type FlowState = 'same' | 'changedHere' | 'changedThere' | 'changedBoth';

export function flowState(synced: SyncedHashes, now: SyncedHashes): FlowState {
  if (now.file === now.platform) return 'same';
  const isChangedHere = now.file !== synced.file;
  const isChangedThere = now.platform !== synced.platform;
  if (isChangedHere && isChangedThere) return 'changedBoth';
  if (isChangedHere) return 'changedHere';
  return isChangedThere ? 'changedThere' : 'same';
}

/** Git may have changed the line ends of the file. */
export function hashOfDsl(text: string): string {
  const plain = text.replace(/^\u{feff}/u, '').replaceAll('\r\n', '\n');
  return sha256(plain);
}
