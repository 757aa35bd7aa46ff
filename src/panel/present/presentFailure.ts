import * as l10n from '@vscode/l10n';
import { isAccountApp } from '../../apps/appModelId.ts';
import { connectionCodes, type ErrorCode, splitFirstSentence } from '../../base/errors/errors.ts';
import type { FailureDetails, FailureRecord } from '../../base/errors/failureRecord.ts';
import type { Failure, Remedy } from '../../shared/failure.ts';

export interface FailedAt {
  /** Failures of an app have their own remedies. */
  appId?: string | undefined;
  /** The newest message makes up most of the request, so compacting cannot help. */
  isMostlyQuestion?: () => boolean;
  /** Later requests omit the refused message. */
  isLeftOut?: boolean;
}

export function presentFailure(
  { code, message, why, details }: FailureRecord,
  { appId, isMostlyQuestion = () => false, isLeftOut = false }: FailedAt = {},
): Failure {
  const ofApp = appId === undefined ? undefined : appRemedy(code, appId);
  const ofMessage = code === 'too-large' && isMostlyQuestion() ? 'editMessage' : undefined;
  // Ours advises another model; a server's has a status.
  const isOurs = appId === undefined && details?.status === undefined;
  const ofModel = code === 'context-too-long' && isOurs ? 'selectModel' : undefined;
  const type = ofApp ?? ofMessage ?? ofModel ?? remedies[code];
  const second = ofModel ? 'newChat' : connectionCodes.has(code) ? 'diagnoseConnection' : undefined;
  const { first, rest } = splitFirstSentence(message);
  const advice = isLeftOut ? l10n.t('{0} This message is left out of later requests.', rest).trim() : rest;
  const facts = details && detailsText(details);
  return {
    code,
    message: first,
    ...(advice && { advice }),
    ...(why && { why }),
    ...(facts && { details: facts }),
    remedy: { type, label: remedyLabel(type) },
    ...(second && { second: { type: second, label: remedyLabel(second) } }),
  };
}

function detailsText({ status, code, requestId, response, systemError }: FailureDetails): string {
  return [
    status !== undefined && l10n.t('Status: {0}', status),
    code !== undefined && l10n.t('Code: {0}', code),
    requestId !== undefined && l10n.t('Request ID: {0}', requestId),
    response !== undefined && l10n.t('Server response: {0}', response),
    systemError !== undefined && l10n.t('System error: {0}', systemError),
  ]
    .filter((line) => line !== false)
    .join('\n');
}

const remedies: Record<ErrorCode, Remedy> = {
  'wrong-address': 'connectRelay',
  key: 'connectRelay',
  'vendor-key': 'selectModel',
  balance: 'openRelay',
  'vendor-balance': 'selectModel',
  'vendor-not-permitted': 'selectModel',
  budget: 'retry',
  model: 'selectModel',
  images: 'selectModel',
  'not-permitted': 'selectModel',
  'network-not-allowed': 'openRelay',
  'context-too-long': 'newChat',
  'too-large': 'compact',
  'rate-limit': 'retry',
  'content-filter': 'editMessage',
  request: 'showLog',
  transient: 'retry',
  truncated: 'retry',
  'empty-reply': 'retry',
  'app-unavailable': 'showLog',
  'conversation-over': 'newChat',
  inputs: 'editInputs',
  'timeout-connect': 'retry',
  'timeout-first-token': 'retry',
  'timeout-idle': 'retry',
  tls: 'openNetworkSettings',
  proxy: 'openProxySettings',
  offline: 'retry',
  'local-file': 'retry',
  conflict: 'retry',
  settings: 'openSettings',
  storage: 'showLog',
  internal: 'showLog',
  cancelled: 'retry',
};

function appRemedy(code: ErrorCode, appId: string): Remedy | undefined {
  return code === 'key' && isAccountApp(appId) ? 'signInAgain' : appRemedies[code];
}

const appRemedies: Partial<Record<ErrorCode, Remedy>> = {
  // A failed step may succeed next time, and the log has no more details.
  request: 'retry',
  'too-large': 'newChat',
  'wrong-address': 'addApp',
  key: 'changeAppKey',
  'vendor-key': 'openPlatform',
  balance: 'openPlatform',
  'vendor-balance': 'openPlatform',
  'vendor-not-permitted': 'openPlatform',
  model: 'openPlatform',
  'not-permitted': 'openPlatform',
  'network-not-allowed': 'openPlatform',
  'app-unavailable': 'openPlatform',
};

export function remedyLabel(remedy: Remedy): string {
  switch (remedy) {
    case 'retry':
      return l10n.t('Retry');
    case 'connectRelay':
      return l10n.t('Connect Relay…');
    case 'openRelay':
      return l10n.t('Open Relay Website');
    case 'selectModel':
      return l10n.t('Choose Another Model');
    case 'editMessage':
      return l10n.t('Edit Message');
    case 'newChat':
      return l10n.t('New Chat');
    case 'editInputs':
      return l10n.t('Edit Inputs');
    case 'compact':
      return l10n.t('Compact');
    case 'continue':
      return l10n.t('Continue');
    case 'openSettings':
    case 'openProxySettings':
    case 'openNetworkSettings':
      return l10n.t('Open Settings');
    case 'showLog':
      return l10n.t('Show Log');
    case 'addApp':
      return l10n.t('Add Platform App…');
    case 'changeAppKey':
      return l10n.t('Change Key…');
    case 'signInAgain':
      return l10n.t('Sign In Again…');
    case 'openPlatform':
      return l10n.t('Open the Platform');
    case 'restoreBack':
      return l10n.t('Undo Restore');
    case 'diagnoseConnection':
      return l10n.t('Diagnose Connection…');
  }
}
