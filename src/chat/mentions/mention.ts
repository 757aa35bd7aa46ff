import type { AttachmentSource } from '../attachments/attachment.ts';
import type { AttachmentKind } from '../attachments/attachmentKinds.ts';

export interface Mention {
  source?: AttachmentSource;
  /** Attaches what has no source yet, such as a page whose address the user is asked for. */
  attach?(): Promise<unknown>;
  kind: AttachmentKind;
  label: string;
  detail?: string;
  problem?: string;
  words?: string;
}

export interface FoundMentions {
  mentions: Mention[];
  note?: string;
}

export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

export function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}
