import * as l10n from '@vscode/l10n';

/** From the strictest to the one that may do most. */
export const builtInModeIds = ['ask', 'plan', 'agent'] as const;
export type BuiltInModeId = (typeof builtInModeIds)[number];

/** Which edits are made without asking: none, or those of files in the workspace that are not protected. */
export const approvalLevels = ['askFirst', 'editsAllowed'] as const;
export type ApprovalLevel = (typeof approvalLevels)[number];

/** What models may do in a conversation, and what they are told of it. */
export interface Mode {
  /** One of `builtInModeIds`, or the path of the file that describes it. */
  readonly id: string;
  /** As the user sees it. */
  readonly name: string;
  /** What it is for, in the project's words. */
  readonly description?: string;
  /** What of its description does not hold here, in the user's language. */
  readonly problem?: string;
  /** Tools that do more than read are refused. */
  readonly isReadOnly: boolean;
  /** Names of the only tools that run; undefined: all. */
  readonly tools?: ReadonlySet<string>;
  /** For the model, in the project's words. */
  readonly instructions?: string;
  /** Names of models, of which the first that is listed answers. */
  readonly models?: readonly string[];
  /** The file that describes it is not there, or may not be read: then it does as little as any. */
  readonly isMissing?: true;
}

/** What holds for the calls of a conversation at this moment. */
export interface Permissions {
  readonly mode: Mode;
  readonly approvals: ApprovalLevel;
}

/** Where modes are found by their ids. */
export interface Modes {
  /** The mode of a conversation for which none was chosen. */
  defaultId(): string;
  /** Reads what the project describes, if the mode is described there. Never throws. */
  load(id: string): Promise<void>;
  /** The mode as it was read last; one that is not there, or was not read, only reads. */
  find(id: string): Mode;
}

export function builtInMode(id: BuiltInModeId): Mode {
  return { id, name: builtInModeName(id), isReadOnly: id !== 'agent' };
}

/** @param id the path of the file that describes it */
export function missingMode(id: string): Mode {
  const name = id.slice(id.lastIndexOf('/') + 1).replace(/\.(?:agent|chatmode)?\.?md$/, '');
  return { id, name, isReadOnly: true, isMissing: true };
}

export function builtInModeName(id: BuiltInModeId): string {
  switch (id) {
    case 'ask':
      return l10n.t('Ask');
    case 'plan':
      return l10n.t('Plan');
    case 'agent':
      return l10n.t('Agent');
  }
}

export function isBuiltInModeId(id: string): id is BuiltInModeId {
  return (builtInModeIds as readonly string[]).includes(id);
}
