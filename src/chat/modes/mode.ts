import * as l10n from '@vscode/l10n';
import { oneLine } from '../../base/text/oneLine.ts';

/** Strictest first. */
export const builtInModeIds = ['ask', 'plan', 'agent'] as const;
export type BuiltInModeId = (typeof builtInModeIds)[number];

/** Edits made without asking: none, or those of unprotected files in the workspace. */
export const approvalLevels = ['askFirst', 'editsAllowed'] as const;
export type ApprovalLevel = (typeof approvalLevels)[number];

const longestName = 40;

export interface Mode {
  readonly id: string;
  readonly name: string;
  readonly projectName?: string;
  readonly description?: string;
  readonly problem?: string;
  readonly isReadOnly: boolean;
  /** Allowed tools; undefined allows all. */
  readonly tools?: ReadonlySet<string>;
  readonly instructions?: string;
  readonly models?: readonly string[];
  readonly handoffs?: readonly Handoff[];
  /** The mode's file is missing or unreadable; the mode is read-only. */
  readonly isMissing?: true;
}

export interface Handoff {
  readonly label: string;
  readonly agent: string;
  readonly prompt: string;
  readonly sends: boolean;
}

export interface Modes {
  defaultId(): string;
  /** Reads a mode described by the project. Never throws. */
  load(id: string): Promise<void>;
  /** Last known state; unknown modes are read-only. */
  find(id: string): Mode;
}

export function builtInMode(id: BuiltInModeId): Mode {
  return { id, name: builtInModeName(id), isReadOnly: id !== 'agent' };
}

export function missingMode(id: string): Mode {
  const name = fileNameOf(id).replace(/\.(?:agent|chatmode)?\.?md$/, '');
  return { id, name: shownName(name, id), isReadOnly: true, isMissing: true };
}

/** Includes the file, so that a project's mode can't pass for a built-in one. */
export function shownName(projectName: string, path: string): string {
  return `${oneLine(oneLine(projectName), longestName)} (${oneLine(fileNameOf(path))})`;
}

function fileNameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

function builtInModeName(id: BuiltInModeId): string {
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
