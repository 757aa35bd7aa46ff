export const attachmentKinds = [
  'file',
  'folder',
  'selection',
  'editor',
  'problems',
  'changes',
  'symbol',
  'terminal',
  'page',
  'image',
  'text',
] as const;
export type AttachmentKind = (typeof attachmentKinds)[number];
