import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { DatasetPermission } from '../../platform/records.ts';

/**
 * Asks who may see a knowledge base in the console. Some members can only be kept: the API of keys has no list of members.
 */
export async function choosePermission(
  title: string,
  current?: DatasetPermission,
): Promise<DatasetPermission | undefined> {
  const choices = [
    {
      label: l10n.t('All Members of the Workspace'),
      permission: 'all_team_members' as const,
    },
    {
      label: l10n.t('Only Its Owner'),
      detail: l10n.t(
        "A knowledge base made with a key belongs to the workspace's owner. Others don't see it in the console.",
      ),
      permission: 'only_me' as const,
    },
    ...(current === 'partial_members'
      ? [
          {
            label: l10n.t('Some Members'),
            detail: l10n.t('Choose the members on the platform.'),
            permission: current,
          },
        ]
      : []),
  ];
  const picked = await vscode.window.showQuickPick(
    choices.toSorted((a, b) => Number(b.permission === current) - Number(a.permission === current)),
    { title, placeHolder: l10n.t('Who may see it in the console?'), ignoreFocusOut: true },
  );
  return picked?.permission;
}
