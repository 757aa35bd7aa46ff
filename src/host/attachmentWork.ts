import { AttachmentReader } from '../chat/attachments/readAttachment.ts';
import { MentionFinder } from '../chat/mentions/mentionFinder.ts';
import { listFileNames } from './attachmentHost.ts';
import type { WorkspaceTools } from './workspaceTools.ts';

export interface AttachmentWork {
  reader: AttachmentReader;
  mentions: MentionFinder;
}

/** What finds and reads; a file of its own because it is only loaded when something is attached. */
export function createAttachmentWork(tools: WorkspaceTools): AttachmentWork {
  const needs = () => tools.needs;
  return {
    reader: new AttachmentReader(needs),
    mentions: new MentionFinder(needs, listFileNames, Date.now),
  };
}
