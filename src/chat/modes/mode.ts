import * as l10n from '@vscode/l10n';
import type { ToolRisk } from '../../tools/tool.ts';

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

export function approvalLevelName(level: ApprovalLevel): string {
  return level === 'askFirst' ? l10n.t('Ask First') : l10n.t('Edits Allowed');
}

export function isBuiltInModeId(id: string): id is BuiltInModeId {
  return (builtInModeIds as readonly string[]).includes(id);
}

/** Why the mode does not let a tool run, in words for the model; undefined if it does. */
export function modeRefusal(mode: Mode, tool: { name: string; risk: ToolRisk }): string | undefined {
  const way = `The user can choose another mode with the button "Mode: ${mode.name}" below the message box.`;
  if (mode.isReadOnly && tool.risk !== 'read') {
    const why = mode.isMissing ? 'the file that describes it cannot be read, so' : 'in it';
    return `Not run: the mode "${mode.name}" is on, and ${why} only tools that read are run; ${tool.name} can change things. Nothing was changed. Go on without it, or tell the user what is to be done. ${way}`;
  }
  if (mode.tools && !mode.tools.has(tool.name)) {
    return `Not run: ${tool.name} is none of the tools of the mode "${mode.name}". Nothing was changed. Go on without it. ${way}`;
  }
  return undefined;
}
