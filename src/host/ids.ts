/** Ids as `package.json` contributes them; a test compares the two. */
export const viewId = 'switchboard.chat';

export const commandIds = {
  connectRelay: 'switchboard.connectRelay',
  forgetKeys: 'switchboard.forgetKeys',
  newChat: 'switchboard.newChat',
  openChat: 'switchboard.openChat',
  selectModel: 'switchboard.selectModel',
  showLog: 'switchboard.showLog',
} as const;

/** Context keys that `when` clauses read. */
export const contextKeys = {
  connected: 'switchboard.connected',
} as const;
