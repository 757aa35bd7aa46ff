import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { formatNumber, plural } from '../../../base/text/format.ts';
import { describeBase } from '../../../knowledge/view/describeBase.ts';
import type { ReportCounts } from '../../../knowledge/view/reportText.ts';
import type { Dataset } from '../../../platform/records.ts';
import { withProgress } from '../../ui/withProgress.ts';
import { addToKnowledgeBase, openDialog, toTarget } from '../addToKnowledgeBase.ts';
import type { KnowledgeCommandContext } from '../knowledgeCommandContext.ts';
import { choosePermission, type Visibility } from '../choosePermission.ts';
import { askName, chooseTechnique, tooLong } from '../createBase.ts';
import { confirmModal } from '../../ui/modals.ts';

const longestDescription = 400;

export async function addFilesTo(
  context: KnowledgeCommandContext,
  dataset: Dataset | undefined,
): Promise<ReportCounts | undefined> {
  const uris = await openDialog();
  return uris.length > 0 ? addToKnowledgeBase(context, uris.map(toTarget), dataset) : undefined;
}

export async function filterDocuments(
  { knowledge }: KnowledgeCommandContext,
  dataset: Dataset,
): Promise<string | undefined> {
  const { keyword } = knowledge.documents(dataset.id).state;
  const typed = await vscode.window.showInputBox({
    title: l10n.t('Filter Documents of {0}', dataset.name),
    prompt: l10n.t('Part of the name. Leave empty to show all'),
    value: keyword ?? '',
  });
  if (typed === undefined) return keyword;
  const wanted = typed.trim() || undefined;
  knowledge.documents(dataset.id).filter(wanted);
  return wanted;
}

export async function renameBase(
  context: KnowledgeCommandContext,
  dataset: Dataset,
): Promise<string | undefined> {
  const name = await askName(context, l10n.t('Rename {0}', dataset.name), dataset.name);
  if (name === undefined || name === dataset.name) return undefined;
  await withProgress(context.notifications, l10n.t('Renaming {0}…', dataset.name), (signal) =>
    context.knowledge.bases.rename(dataset.id, name, signal),
  );
  return name;
}

export async function editBase(context: KnowledgeCommandContext, dataset: Dataset): Promise<boolean> {
  const picked = await vscode.window.showQuickPick(
    [
      {
        label: l10n.t('Description'),
        detail: dataset.description || l10n.t('None'),
        edit: () => askDescription(dataset),
      },
      {
        label: l10n.t('Indexing'),
        description: describeBase(dataset),
        detail: l10n.t('A change re-indexes all documents.'),
        edit: () => askTechnique(context, dataset),
      },
      {
        label: l10n.t('Visibility'),
        detail: l10n.t('Who may see it in the console?'),
        edit: () => askPermission(context, dataset),
      },
    ],
    { title: dataset.name },
  );
  const change = await picked?.edit();
  if (!change) return false;
  await withProgress(context.notifications, l10n.t('Changing {0}…', dataset.name), async (signal) => {
    await context.client.datasets.update(dataset.id, change, signal);
    await context.knowledge.bases.load(signal);
  });
  return true;
}

async function askDescription(dataset: Dataset): Promise<{ description: string } | undefined> {
  const description = await vscode.window.showInputBox({
    title: l10n.t('Description of {0}', dataset.name),
    value: dataset.description,
    validateInput: (text) =>
      text.length > longestDescription ? tooLong(text.length - longestDescription) : undefined,
  });
  return description === undefined || description === dataset.description ? undefined : { description };
}

async function askPermission(
  context: KnowledgeCommandContext,
  dataset: Dataset,
): Promise<Visibility | undefined> {
  // The list leaves out who was chosen.
  const { permission } = dataset;
  const known = permission === 'partial_members' ? await memberIdsOf(context, dataset) : dataset;
  const chosen = await choosePermission(context, l10n.t('Visibility of {0}', dataset.name), known);
  return chosen?.memberIds || chosen?.permission !== permission ? chosen : undefined;
}

function memberIdsOf({ notifications, client }: KnowledgeCommandContext, { id }: Dataset): Promise<Dataset> {
  return withProgress(
    notifications,
    l10n.t('Loading members…'),
    (signal) => client.datasets.get(id, signal),
    vscode.ProgressLocation.Window,
  );
}

async function askTechnique(context: KnowledgeCommandContext, dataset: Dataset) {
  const chosen = await chooseTechnique(context, dataset.technique ?? 'economical');
  if (!chosen || chosen.technique === dataset.technique) return undefined;
  const { name, documentCount: count } = dataset;
  if (count === 0) return chosen;
  const question =
    count === undefined
      ? l10n.t('Re-index all documents of "{0}"?', name)
      : plural(
          count,
          l10n.t('Re-index the document of "{0}"?', name),
          l10n.t('Re-index all {0} documents of "{1}"?', formatNumber(count), name),
        );
  return (await confirmModal(question, l10n.t('Change Indexing'))) ? chosen : undefined;
}

export async function deleteBase(context: KnowledgeCommandContext, dataset: Dataset): Promise<boolean> {
  const { knowledge, memory, access } = context;
  const { name, documentCount: count } = dataset;
  const question =
    count === undefined
      ? l10n.t('Delete the knowledge base "{0}" with all its documents from the platform?', name)
      : plural(
          count,
          l10n.t('Delete the knowledge base "{0}" with its document from the platform?', name),
          l10n.t(
            'Delete the knowledge base "{0}" with its {1} documents from the platform?',
            name,
            formatNumber(count),
          ),
        );
  const isSure = await confirmModal(
    question,
    l10n.t('Delete'),
    l10n.t('This cannot be undone. Files in this workspace are not changed.'),
  );
  if (!isSure) return false;
  await withProgress(context.notifications, l10n.t('Deleting {0}…', dataset.name), (signal) =>
    knowledge.bases.delete(dataset.id, signal),
  );
  memory.setProcessRule(access.origin, dataset.id, undefined);
  memory.setSearchSettings(access.origin, dataset.id, undefined);
  await memory.removeAddedBase(access.origin, dataset.id);
  return true;
}
