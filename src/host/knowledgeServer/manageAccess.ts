import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { inList } from '../../base/text/oneLine.ts';
import type { Configuration, Grant, ProgramAccess } from '../../knowledgeServer/programAccess.ts';
import { nameOf } from './askAccess.ts';
import type { Notifications } from '../ui/notifications.ts';

interface AccessItem extends vscode.QuickPickItem {
  remove?(): void;
}

export async function manageAccess(
  notifications: Notifications,
  access: ProgramAccess,
): Promise<number | undefined> {
  const { configurations, grants } = access;
  if (configurations.length === 0) {
    void notifications.information(
      l10n.t(
        'No program is configured for knowledge. Run "Configure Another Client…" and choose Knowledge by MCP.',
      ),
    );
    return undefined;
  }
  const items: AccessItem[] = [
    { label: l10n.t('Allowed in this workspace'), kind: vscode.QuickPickItemKind.Separator },
    ...grants.map((grant) => grantItem(access, grant)),
    { label: l10n.t('Configured'), kind: vscode.QuickPickItemKind.Separator },
    ...configurations.map((each) => configurationItem(access, each)),
  ];
  const picked = await vscode.window.showQuickPick(items, {
    title: l10n.t('Programs with Access to Knowledge'),
    placeHolder: l10n.t('Select the access to remove'),
    canPickMany: true,
    matchOnDescription: true,
    matchOnDetail: true,
  });
  if (!picked) return undefined;
  for (const { remove } of picked) remove?.();
  return picked.length;
}

function grantItem(access: ProgramAccess, grant: Grant): AccessItem {
  const { bases, canList, folder } = grant;
  const allowed = [
    ...bases.map(({ name }) => inList(name)),
    ...(canList ? [l10n.t('names of all knowledge bases')] : []),
  ];
  return {
    label: inList(nameOf(grant, access.configuration(grant.configuration))),
    description: allowed.join(', '),
    ...(folder !== '' && { detail: inList(folder) }),
    remove: () => access.remove(grant),
  };
}

function configurationItem(access: ProgramAccess, configured: Configuration): AccessItem {
  return {
    label: inList(nameOf({ selfName: '' }, configured)),
    description: l10n.t('asks before its first search in a workspace'),
    detail: l10n.t('Its own files are not changed. After this, it is an unknown program.'),
    remove: () => access.withdrawn(configured.id),
  };
}
