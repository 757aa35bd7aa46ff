import type { AttachmentSource } from '../attachments/attachment.ts';
import type { AttachmentKind } from '../attachments/attachmentKinds.ts';

/** Something that can be attached by typing @, in the user's language. */
export interface Mention {
  source: AttachmentSource;
  kind: AttachmentKind;
  label: string;
  detail?: string;
  /** Why it cannot be sent. */
  problem?: string;
}

export interface FoundMentions {
  mentions: Mention[];
  /** Why there may be files that are not found by their letters, in the user's language. */
  note?: string;
}

export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** The folder's part of a path, for a second line. */
export function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}
