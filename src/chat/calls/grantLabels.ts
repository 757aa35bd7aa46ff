import * as l10n from '@vscode/l10n';
import { toolPhrases } from '../../tools/toolPhrases.ts';
import { keyOf, type Allowance, type GrantedTool, type GrantHolder } from './grants.ts';

export interface Grant {
  readonly label: string;
  readonly description: string;
  revoke(): void;
}

export function allowanceLabel(allowance: Allowance): string {
  return allowance === 'edits'
    ? l10n.t('Allow edits to all files in this conversation, except protected ones')
    : l10n.t('Allow {0} in this conversation', titleOf(allowance));
}

export function grantsOf(holder: GrantHolder): Grant[] {
  const { approvals, granted } = holder.permissions;
  const edits: Grant = {
    label: l10n.t('Edits Allowed'),
    description: l10n.t('all files except protected ones'),
    revoke: () => holder.revoke('edits'),
  };
  const tools = [...granted.values()].map((tool): Grant => ({
    label: titleOf(tool),
    description: keyOf(tool),
    revoke: () => holder.revoke(tool),
  }));
  return [...(approvals === 'editsAllowed' ? [edits] : []), ...tools];
}

export function titleOf({ name, title }: GrantedTool): string {
  if (title !== undefined) return title;
  const phrases: Readonly<Record<string, { title(): string }>> = toolPhrases;
  return Object.hasOwn(phrases, name) ? (phrases[name]?.title() ?? name) : name;
}
