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
  const deps = () => tools.dependencies;
  return {
    reader: new AttachmentReader(deps),
    mentions: new MentionFinder(deps, listFileNames, Date.now),
  };
}
