import type { AttachmentKind } from '../shared/attachments.ts';

/** Codicons. */
export const attachmentIcons: Record<AttachmentKind | 'prompt', string> = {
  file: 'file',
  folder: 'folder',
  selection: 'list-selection',
  editor: 'go-to-file',
  problems: 'warning',
  changes: 'source-control',
  symbol: 'symbol-method',
  image: 'file-media',
  text: 'note',
  prompt: 'run-all',
};
