export const attachmentKinds = [
  'file',
  'folder',
  'selection',
  'editor',
  'problems',
  'changes',
  'symbol',
  'image',
  'text',
] as const;
export type AttachmentKind = (typeof attachmentKinds)[number];
