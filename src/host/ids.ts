/** Ids as `package.json` contributes them; a test compares the two. */
export const viewId = 'switchboard.chat';
export const knowledgeViewId = 'switchboard.knowledge';

/** Read-only documents of knowledge bases. */
export const sourceScheme = 'switchboard-source';
/** Segments that are being edited. */
export const segmentScheme = 'switchboard-segment';

export const commandIds = {
  connectRelay: 'switchboard.connectRelay',
  forgetKeys: 'switchboard.forgetKeys',
  newChat: 'switchboard.newChat',
  openChat: 'switchboard.openChat',
  selectModel: 'switchboard.selectModel',
  showLog: 'switchboard.showLog',
} as const;

/** Commands of knowledge bases, each `switchboard.` and its name. */
export const knowledgeCommands = [
  'connectPlatform',
  'addToKnowledgeBase',
  'addSelectionToKnowledgeBase',
  'createKnowledgeBase',
  'syncFolder',
  'searchKnowledgeBase',
  'retryFailedUploads',
] as const;
export type KnowledgeCommand = (typeof knowledgeCommands)[number];

/** Commands of the nodes in the tree of knowledge bases, each `switchboard.knowledge.` and its name. */
export const treeCommands = [
  'refresh',
  'loadMore',
  'retry',
  'filter',
  'clearFilter',
  'addFiles',
  'sync',
  'unlink',
  'search',
  'renameBase',
  'editBase',
  'editTags',
  'editFields',
  'deleteBase',
  'copyId',
  'openDocument',
  'revealFile',
  'resend',
  'enable',
  'disable',
  'editMetadata',
  'addSegment',
  'delete',
  'openSegment',
  'editSegment',
  'sendSegment',
  'addChunk',
] as const;
export type TreeCommand = (typeof treeCommands)[number];

export function knowledgeCommandId(name: KnowledgeCommand): string {
  return `switchboard.${name}`;
}

export function treeCommandId(name: TreeCommand): string {
  return `switchboard.knowledge.${name}`;
}

/** Context keys that `when` clauses read. */
export const contextKeys = {
  connected: 'switchboard.connected',
  platformConnected: 'switchboard.platformConnected',
  /** The platform is connected and has no knowledge base yet. */
  noKnowledgeBases: 'switchboard.noKnowledgeBases',
  failedUploads: 'switchboard.failedUploads',
} as const;
