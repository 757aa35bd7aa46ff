/** Ids of `package.json`; a test compares them. */
export const viewId = 'switchboard.chat';
export const knowledgeViewId = 'switchboard.knowledge';
export const appsViewId = 'switchboard.apps';
export const historyViewId = 'switchboard.history';
export const setupViewId = 'switchboard.setup';

export const languageModelVendor = 'switchboard';

export const extensionId = 'switchboard.switchboard';

/** Glob pattern; an activation event has it, too. */
export const knowledgeTestFiles = '**/*.knowledge-test.{yaml,yml}';
export const notTestFiles = '**/node_modules/**';

export const offerWorkflowsCommand = 'switchboard.offerWorkflows';

export const languageToolNames = {
  search: 'switchboard_search_knowledge',
  list: 'switchboard_list_knowledge_bases',
  read: 'switchboard_read_source',
  add: 'switchboard_add_to_knowledge_base',
  run: 'switchboard_run_workflow',
} as const;

export const sourceScheme = 'switchboard-source';
export const appScheme = 'switchboard-app';
export const flowScheme = 'switchboard-flow';
/** Path of the file of links to apps in a workspace folder. It is meant to be committed and holds no key. */
export const linksFile = '.switchboard/flows.json';
export const audioScheme = 'switchboard-audio';
export const proposalScheme = 'switchboard-proposal';
export const beforeScheme = 'switchboard-before';
export const removedScheme = 'switchboard-removed';
export const restoreScheme = 'switchboard-restore';
export const clientScheme = 'switchboard-client';
export const sentScheme = 'switchboard-sent';
export const reportScheme = 'switchboard-report';
export const segmentScheme = 'switchboard-segment';

export const inlineEditCommands = [
  'sendInlineRequest',
  'cancelInlineRequest',
  'stopInlineEdit',
  'changeInlineRequest',
  'closeInlineEdit',
] as const;
export type InlineEditCommand = (typeof inlineEditCommands)[number];

export const chatCommands = [
  'connectRelay',
  'removeKeys',
  'diagnoseConnection',
  'checkModel',
  'showBalance',
  'setHeaderSecret',
  'configureClient',
  'manageKnowledgeAccess',
  'newChat',
  'openChat',
  'addToChat',
  'selectModel',
  'selectMode',
  'startMcpServers',
  'savePrompt',
  'inlineEdit',
  ...inlineEditCommands,
  'generateCommitMessage',
  'explainTerminalSelection',
  'explainTest',
  'fixTest',
  'showHistory',
  'openSettings',
  'showLog',
  'showApproval',
  'allowCall',
  'denyCall',
  'acceptProposal',
  'rejectProposal',
] as const;
export type ChatCommand = (typeof chatCommands)[number];

export const settingsQueries = {
  proxy: 'http.proxy',
  network: 'switchboard.network',
  models: 'switchboard.relay.models',
} as const;

export const codeCommands = [
  'askAboutSelection',
  'explainProject',
  'explainSelection',
  'fixSelection',
  'improveSelection',
  'documentSelection',
  'generateTests',
  'reviewChanges',
] as const;
export type CodeCommand = (typeof codeCommands)[number];

export const reviewCommands = [
  'keepChange',
  'undoChange',
  'keepFile',
  'undoFile',
  'nextChange',
  'previousChange',
  'showChanges',
  'reviewFiles',
] as const;
export type ReviewCommand = (typeof reviewCommands)[number];

export const suggestionCommands = [
  'chooseSuggestionModel',
  'pauseSuggestions',
  'toggleSuggestionLanguage',
] as const;
export type SuggestionCommand = (typeof suggestionCommands)[number];

export const knowledgeCommands = [
  'connectPlatform',
  'addToKnowledgeBase',
  'addSelectionToKnowledgeBase',
  'createKnowledgeBase',
  'addKnowledgeBase',
  'syncFolder',
  'searchKnowledgeBase',
  'retryFailedUploads',
  'autoSync',
  'pauseSync',
  'resumeSync',
  'showSyncStatus',
] as const;
export type KnowledgeCommand = (typeof knowledgeCommands)[number];

export const knowledgeTestCommands = [
  'newKnowledgeTest',
  'suggestQuestions',
  'compareSearchSettings',
  'applySearchSettings',
] as const;
export type KnowledgeTestCommand = (typeof knowledgeTestCommands)[number];

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
  'removeBase',
  'copyId',
  'openDocument',
  'downloadDocument',
  'downloadDocuments',
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

export const flowCommands = [
  'pullWorkflow',
  'pullAllWorkflows',
  'pullWorkflowWithSecrets',
  'compareWorkflow',
  'pushWorkflow',
  'pushWorkflowAsNew',
  'runWorkflowFile',
  'fixWorkflowNode',
  'publishWorkflow',
  'openInConsole',
] as const;
export type FlowCommand = (typeof flowCommands)[number];

export const appCommands = [
  'addApp',
  'signIn',
  'signOut',
  'selectWorkspace',
  ...flowCommands,
  'runWorkflow',
  'runBatch',
  'runCompletion',
  'runOnSelection',
  'skipSetup',
] as const;
export type AppCommand = (typeof appCommands)[number];

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
  'pin',
  'unpin',
  'transcribe',
  'speak',
] as const;
export type AppTreeCommand = (typeof appTreeCommands)[number];

export const historyCommands = ['exportChat', 'importChat'] as const;
export type HistoryCommand = (typeof historyCommands)[number];

export const historyTreeCommands = [
  'open',
  'rename',
  'pin',
  'unpin',
  'export',
  'delete',
  'filter',
  'clearFilter',
  'markAllRead',
  'refresh',
] as const;
export type HistoryTreeCommand = (typeof historyTreeCommands)[number];

export type CommandName =
  | ChatCommand
  | CodeCommand
  | ReviewCommand
  | SuggestionCommand
  | KnowledgeCommand
  | KnowledgeTestCommand
  | AppCommand
  | HistoryCommand;

export function commandId(name: CommandName): string {
  return `switchboard.${name}`;
}

export function historyTreeCommandId(name: HistoryTreeCommand): string {
  return `switchboard.history.${name}`;
}

export function appTreeCommandId(name: AppTreeCommand): string {
  return `switchboard.apps.${name}`;
}

export function treeCommandId(name: TreeCommand): string {
  return `switchboard.knowledge.${name}`;
}

/** Context keys of `when` clauses, without `switchboard.` before them. */
export const contextKeys = [
  'connected',
  'modelChosen',
  'approvalPending',
  'questionFocused',
  'filesToReview',
  'platformConnected',
  /** A platform is connected, without knowledge bases. */
  'noKnowledgeBases',
  /** The key was made for some knowledge bases. */
  'scopedKey',
  'failedUploads',
  'keepsInSync',
  'hasWorkflows',
  'hasCompletions',
  'hasApps',
  'noApps',
  'hasPinnedApps',
  /** The side bar leads through connecting. */
  'settingUp',
  'signedIn',
  'historyFiltered',
  'offersWorkflows',
] as const;
type ContextKey = (typeof contextKeys)[number];

export function contextKey(name: ContextKey): string {
  return `switchboard.${name}`;
}
