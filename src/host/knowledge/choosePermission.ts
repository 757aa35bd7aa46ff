import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { isCancelled, messageOf } from '../../base/errors/errors.ts';
import { oneLine } from '../../base/text/oneLine.ts';
import type { Dataset, DatasetPermission } from '../../platform/records.ts';
import { withProgress } from '../ui/withProgress.ts';
import type { KnowledgeCommandContext } from './knowledgeCommandContext.ts';
import type { MembersOf } from '../../connections/workspaceMembers.ts';

export interface Visibility {
  permission: DatasetPermission;
  memberIds?: readonly string[];
}

/** Asks who may see a knowledge base in the console: some members only where their list can be had. */
export async function choosePermission(
  context: KnowledgeCommandContext,
  title: string,
  dataset?: Dataset,
): Promise<Visibility | undefined> {
  const current = dataset?.permission;
  const workspaces = await listMembers(context, dataset);
  const hasMembers = workspaces.length > 0;
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
    ...(hasMembers || current === 'partial_members'
      ? [
          {
            label: hasMembers ? l10n.t('Some Members…') : l10n.t('Some Members'),
            detail: hasMembers ? undefined : l10n.t('Choose the members on the platform.'),
            permission: 'partial_members' as const,
          },
        ]
      : []),
  ];
  const picked = await vscode.window.showQuickPick(
    choices.toSorted((a, b) => Number(b.permission === current) - Number(a.permission === current)),
    { title, placeHolder: l10n.t('Who may see it in the console?'), ignoreFocusOut: true },
  );
  if (!picked) return undefined;
  if (picked.permission !== 'partial_members' || !hasMembers) return { permission: picked.permission };
  const workspace = await chooseWorkspace(workspaces);
  const memberIds = workspace && (await chooseMembers(title, workspace, dataset?.memberIds ?? []));
  return memberIds && { permission: 'partial_members', memberIds };
}

/** Everyone but the owner, who always sees it. */
async function listMembers(
  { notifications, members, knowledge, access: { baseUrl }, log }: KnowledgeCommandContext,
  dataset: Dataset | undefined,
): Promise<MembersOf[]> {
  // All knowledge bases of a key are of one workspace.
  const { datasets } = knowledge.bases.state;
  const createdBy = [dataset, ...datasets].find((base) => base?.createdBy !== undefined)?.createdBy;
  if (createdBy === undefined || !members) return [];
  try {
    const all = await withProgress(
      notifications,
      l10n.t('Loading members…'),
      (signal) => members({ baseUrl, createdBy }, signal),
      vscode.ProgressLocation.Window,
    );
    return all.map((each) => ({
      ...each,
      members: each.members.filter(({ id }) => id !== createdBy),
    }));
  } catch (error) {
    if (isCancelled(error)) throw error;
    log.warn(`The members of the workspace could not be listed: ${messageOf(error)}`);
    return [];
  }
}

/** The key doesn't say which of the account's workspaces is its own. */
async function chooseWorkspace(workspaces: readonly MembersOf[]): Promise<MembersOf | undefined> {
  if (workspaces.length === 1) return workspaces[0];
  const picked = await vscode.window.showQuickPick(
    workspaces.map((each) => ({ label: oneLine(each.workspace, 80), each })),
    {
      title: l10n.t('Select Workspace'),
      placeHolder: l10n.t("The workspace of the knowledge base's key"),
      ignoreFocusOut: true,
    },
  );
  return picked?.each;
}

async function chooseMembers(
  title: string,
  { members }: MembersOf,
  chosen: readonly string[],
): Promise<string[] | undefined> {
  const picked = await vscode.window.showQuickPick(
    members.map(({ id, name, email }) => ({
      label: oneLine(name || email, 80),
      description: oneLine(email, 80),
      picked: chosen.includes(id),
      id,
    })),
    {
      title,
      placeHolder: l10n.t('Select the members who may see it, in addition to its owner'),
      canPickMany: true,
      matchOnDescription: true,
      ignoreFocusOut: true,
    },
  );
  return picked?.map(({ id }) => id);
}
