/** Ids as `package.json` contributes them; a test compares the two. */
export const viewId = 'switchboard.chat';
export const knowledgeViewId = 'switchboard.knowledge';
export const appsViewId = 'switchboard.apps';
export const historyViewId = 'switchboard.history';

/** Of the relay's models and the platform's apps among the models of the editor. */
export const languageModelVendor = 'switchboard';

export const extensionId = 'switchboard.switchboard';

/** Chooses what of the platform others may run. */
export const offerWorkflowsCommand = 'switchboard.offerWorkflows';

/** Of our tools among those of the editor. */
export const languageToolNames = {
  search: 'switchboard_search_knowledge',
  add: 'switchboard_add_to_knowledge_base',
  run: 'switchboard_run_workflow',
} as const;

/** Read-only documents of knowledge bases. */
export const sourceScheme = 'switchboard-source';
/** Read-only documents about apps and their runs. */
export const appScheme = 'switchboard-app';
/** Answers of apps that are read out. */
export const audioScheme = 'switchboard-audio';
/** Texts for the form of an app that are being edited. */
export const formScheme = 'switchboard-form';
/** The two sides of an edit that is asked about. */
export const proposalScheme = 'switchboard-proposal';
/** Files as they were before a turn changed them. */
export const beforeScheme = 'switchboard-before';
/** The two sides of a change of another program's file. */
export const clientScheme = 'switchboard-client';
/** What was sent for an answer. */
export const sentScheme = 'switchboard-sent';
/** Reports of what was found out about connections. */
export const reportScheme = 'switchboard-report';
/** Segments that are being edited. */
export const segmentScheme = 'switchboard-segment';

export const commandIds = {
  connectRelay: 'switchboard.connectRelay',
  removeKeys: 'switchboard.removeKeys',
  diagnoseConnection: 'switchboard.diagnoseConnection',
  showBalance: 'switchboard.showBalance',
  setHeaderSecret: 'switchboard.setHeaderSecret',
  configureClient: 'switchboard.configureClient',
  newChat: 'switchboard.newChat',
  openChat: 'switchboard.openChat',
  addToChat: 'switchboard.addToChat',
  selectModel: 'switchboard.selectModel',
  selectMode: 'switchboard.selectMode',
  savePrompt: 'switchboard.savePrompt',
  inlineEdit: 'switchboard.inlineEdit',
  generateCommitMessage: 'switchboard.generateCommitMessage',
  showHistory: 'switchboard.showHistory',
  openSettings: 'switchboard.openSettings',
  showLog: 'switchboard.showLog',
  showApproval: 'switchboard.showApproval',
  acceptProposal: 'switchboard.acceptProposal',
  rejectProposal: 'switchboard.rejectProposal',
} as const;
export type ChatCommand = keyof typeof commandIds;

/** What the editor's settings are searched for, to show those that a failure is about. */
export const settingsQueries = { proxy: 'http.proxy', network: 'switchboard.network' } as const;

/** Commands on code in the editor in front and on the changes in Git, each `switchboard.` and its name. */
export const codeCommands = [
  'askAboutSelection',
  'explainSelection',
  'fixSelection',
  'improveSelection',
  'documentSelection',
  'generateTests',
  'reviewChanges',
] as const;
export type CodeCommand = (typeof codeCommands)[number];

/** Commands on what is to be reviewed in the editor in front, each `switchboard.` and its name. */
export const reviewCommands = [
  'keepChange',
  'undoChange',
  'keepFile',
  'undoFile',
  'nextChange',
  'previousChange',
  'showChanges',
] as const;
export type ReviewCommand = (typeof reviewCommands)[number];

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
  'refreshAll',
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
  'editSearch',
  'deleteBase',
  'copyId',
  'openDocument',
  'downloadDocument',
  'revealFile',
  'resend',
  'resendStuck',
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

/** Commands of apps, each `switchboard.` and its name. */
export const appCommands = ['addApp', 'runWorkflow', 'runBatch', 'runCompletion'] as const;
export type AppCommand = (typeof appCommands)[number];

/** Commands of the nodes in the tree of apps, each `switchboard.apps.` and its name. */
export const appTreeCommands = [
  'refresh',
  'loadMore',
  'retry',
  'openChat',
  'run',
  'runBatch',
  'info',
  'changeKey',
  'rename',
  'remove',
  'copyId',
  'openConversation',
  'variables',
  'delete',
  'openRun',
  'runVersion',
  'runOtherVersion',
  'transcribe',
  'speak',
] as const;
export type AppTreeCommand = (typeof appTreeCommands)[number];

/** Commands of conversations, each `switchboard.` and its name. */
export const historyCommands = ['exportChat', 'importChat'] as const;
export type HistoryCommand = (typeof historyCommands)[number];

/** Commands of the nodes in the tree of conversations, each `switchboard.history.` and its name. */
export const historyTreeCommands = [
  'open',
  'rename',
  'pin',
  'unpin',
  'export',
  'delete',
  'filter',
  'clearFilter',
  'refresh',
] as const;
export type HistoryTreeCommand = (typeof historyTreeCommands)[number];

export function historyCommandId(name: HistoryCommand): string {
  return `switchboard.${name}`;
}

export function historyTreeCommandId(name: HistoryTreeCommand): string {
  return `switchboard.history.${name}`;
}

export function codeCommandId(name: CodeCommand): string {
  return `switchboard.${name}`;
}

export function reviewCommandId(name: ReviewCommand): string {
  return `switchboard.${name}`;
}

export function appCommandId(name: AppCommand): string {
  return `switchboard.${name}`;
}

export function appTreeCommandId(name: AppTreeCommand): string {
  return `switchboard.apps.${name}`;
}

export function knowledgeCommandId(name: KnowledgeCommand): string {
  return `switchboard.${name}`;
}

export function treeCommandId(name: TreeCommand): string {
  return `switchboard.knowledge.${name}`;
}

/** Context keys that `when` clauses read. */
export const contextKeys = {
  connected: 'switchboard.connected',
  /** The open conversation has a model. */
  modelChosen: 'switchboard.modelChosen',
  /** A tool call needs approval. */
  approvalPending: 'switchboard.approvalPending',
  /** Paths of files with changes of a model that are to be kept or undone. */
  filesToReview: 'switchboard.filesToReview',
  platformConnected: 'switchboard.platformConnected',
  /** The platform is connected and has no knowledge base yet. */
  noKnowledgeBases: 'switchboard.noKnowledgeBases',
  failedUploads: 'switchboard.failedUploads',
  /** There is an app that may be run as one. */
  hasWorkflows: 'switchboard.hasWorkflows',
  hasCompletions: 'switchboard.hasCompletions',
  hasApps: 'switchboard.hasApps',
  /** It is known that there is none. */
  noApps: 'switchboard.noApps',
  historyFiltered: 'switchboard.historyFiltered',
  /** There is a workflow that others may run. */
  offersWorkflows: 'switchboard.offersWorkflows',
} as const;
