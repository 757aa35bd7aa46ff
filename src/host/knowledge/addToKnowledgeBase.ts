import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { formatNumber, plural } from '../../base/text/format.ts';
import type { AddTarget } from '../../knowledge/upload/gatherSources.ts';
import type { PlannedDocument } from '../../knowledge/upload/plannedDocument.ts';
import type { AddRequest } from '../../knowledge/upload/uploadPipeline.ts';
import type { UploadPlan } from '../../knowledge/upload/uploadPlan.ts';
import { lacksEmbedding } from '../../knowledge/view/describeBase.ts';
import { countReport, type ReportCounts } from '../../knowledge/view/reportText.ts';
import type { Dataset } from '../../platform/records.ts';
import { withProgress } from '../ui/withProgress.ts';
import { toPath, wholeLines } from '../workspace/workspacePlaces.ts';
import { chooseBase } from './chooseBase.ts';
import type { KnowledgeCommandContext } from './knowledgeCommandContext.ts';
import { confirmPlan } from './confirmUpload.ts';
import { runUpload, withChosenRule } from './runUpload.ts';
import { askModal, confirmModal } from '../ui/modals.ts';

export async function addToKnowledgeBase(
  context: KnowledgeCommandContext,
  targets: readonly AddTarget[],
  known?: Dataset,
): Promise<ReportCounts | undefined> {
  const dataset = known ?? (await chooseBase(context, titleOf(targets)));
  if (!dataset) return undefined;
  return planAndSend(context, { datasetId: dataset.id, targets, isSync: false });
}

/** Shows a plan and runs it once confirmed. `isConfirmed` skips the question if only unchanged files are sent. */
export async function planAndSend(
  context: KnowledgeCommandContext,
  request: AddRequest,
  { isAgain = false, isConfirmed = false } = {},
): Promise<ReportCounts | undefined> {
  const found = await findDocuments(context, request);
  if (lacksEmbedding(found.dataset) && !(await confirmWithoutEmbedding(found.dataset))) return undefined;
  if (found.dataset.isPipeline && !isConfirmed) {
    // Pipelines only add documents, they replace none.
    const way = await askAboutPipeline(found.dataset, !request.isSync && !isAgain);
    if (way === 'pipeline') {
      const { runPipeline } = await import('./runPipeline.ts');
      return runPipeline(context, found);
    }
    if (!way) return undefined;
  }
  const made = withChosenRule(context, found);
  const plan = isAgain ? { ...made, documents: made.documents.map(proposed) } : made;
  const needsNoAnswer = isConfirmed && isUnchanged(plan);
  const confirmed = needsNoAnswer
    ? { send: plan.documents.map(({ id }) => id), remove: [] }
    : await confirmPlan(plan);
  if (!confirmed) return undefined;
  if (confirmed.remove.length > plan.keeps && !(await confirmRemovals(plan, confirmed.remove.length))) {
    return undefined;
  }
  return countReport(await runUpload(context, plan, confirmed));
}

function confirmWithoutEmbedding({ name, embeddingModel }: Dataset): Promise<boolean> {
  return confirmModal(
    embeddingModel
      ? l10n.t('The embedding model "{0}" of "{1}" isn\'t available. Upload anyway?', embeddingModel, name)
      : l10n.t('The embedding model of "{0}" isn\'t available. Upload anyway?', name),
    l10n.t('Upload'),
    l10n.t('Indexing would fail for each document. Set the model up on the platform first.'),
  );
}

async function askAboutPipeline(
  { name }: Dataset,
  canRun: boolean,
): Promise<'pipeline' | 'without' | undefined> {
  const run = l10n.t('Run Pipeline');
  const without = l10n.t('Add Without Pipeline');
  const answer = await askModal(
    {
      severity: 'warning',
      text: canRun
        ? l10n.t('"{0}" uses a knowledge pipeline. Run it with these documents?', name)
        : l10n.t('"{0}" uses a knowledge pipeline. Add documents without it?', name),
      detail: canRun
        ? l10n.t(
            'The pipeline splits and indexes the files as set up on the platform. Without it, they are split by the rule you choose here, and the platform may reject them.',
          )
        : l10n.t(
            "A pipeline can't update documents. They are split by the rule you choose here, and the platform may reject them.",
          ),
    },
    ...(canRun ? [run] : []),
    without,
  );
  return answer === run ? 'pipeline' : answer === without ? 'without' : undefined;
}

function isUnchanged({ documents, skipped }: UploadPlan): boolean {
  return (
    documents.length > 0 && skipped.length === 0 && documents.every(({ change }) => change === 'unchanged')
  );
}

function proposed(document: PlannedDocument): PlannedDocument {
  return { ...document, isSelected: true };
}

function findDocuments(context: KnowledgeCommandContext, request: AddRequest): Promise<UploadPlan> {
  return withProgress(context.notifications, l10n.t('Checking files…'), (signal, report) =>
    context.knowledge.uploads.plan(request, signal, (looked) =>
      report({ message: plural(looked, l10n.t('1 file'), l10n.t('{0} files', formatNumber(looked))) }),
    ),
  );
}

function confirmRemovals({ dataset, keeps }: UploadPlan, count: number): Promise<boolean> {
  return confirmModal(
    plural(
      count,
      l10n.t('This would delete 1 document of "{0}" and keep {1}.', dataset.name, formatNumber(keeps)),
      l10n.t(
        'This would delete {0} documents of "{1}" and keep {2}.',
        formatNumber(count),
        dataset.name,
        formatNumber(keeps),
      ),
    ),
    plural(count, l10n.t('Delete 1 Document'), l10n.t('Delete {0} Documents', formatNumber(count))),
    l10n.t(
      "That is more than half. Was the folder moved, or another branch checked out? Documents deleted on the platform can't be restored.",
    ),
  );
}

function titleOf(targets: readonly AddTarget[]): string {
  const [first] = targets;
  if (!first) return l10n.t('Add to Knowledge Base');
  const name = first.path.slice(first.path.lastIndexOf('/') + 1);
  const one =
    first.type === 'selection'
      ? l10n.t('Add Lines {1} to {2} of {0} to a Knowledge Base', name, first.startLine, first.endLine)
      : l10n.t('Add {0} to a Knowledge Base', name);
  return plural(
    targets.length,
    one,
    l10n.t('Add {0} Items to a Knowledge Base', formatNumber(targets.length)),
  );
}

export async function chooseTargets(args: readonly unknown[]): Promise<AddTarget[]> {
  const [clicked, selected] = args;
  const uris = Array.isArray(selected) ? selected.filter(isUri) : [];
  if (isUri(clicked) && !uris.some((uri) => uri.toString() === clicked.toString())) uris.unshift(clicked);
  const active = activeFile();
  if (uris.length === 0 && active) uris.push(active);
  return (uris.length > 0 ? uris : await openDialog()).map(toTarget);
}

export async function openDialog(): Promise<vscode.Uri[]> {
  const [folder] = vscode.workspace.workspaceFolders ?? [];
  const chosen = await vscode.window.showOpenDialog({
    title: l10n.t('Add to Knowledge Base'),
    openLabel: l10n.t('Add'),
    canSelectMany: true,
    canSelectFiles: true,
    canSelectFolders: true,
    ...(folder && { defaultUri: folder.uri }),
  });
  return chosen ?? [];
}

export function selectedLines(): AddTarget[] | { problem: string } {
  const editor = vscode.window.activeTextEditor;
  const selections = editor?.selections.filter(({ isEmpty }) => !isEmpty) ?? [];
  if (!editor || selections.length === 0) return { problem: l10n.t('Select some text first.') };
  const { document } = editor;
  return document.isUntitled
    ? { problem: l10n.t('Save the file first. Documents are named after their files.') }
    : selections.map((selection) => linesOf(document, selection));
}

function linesOf(document: vscode.TextDocument, selection: vscode.Selection): AddTarget {
  const lines = wholeLines(selection);
  return {
    type: 'selection',
    path: toPath(document.uri),
    startLine: lines.start.line + 1,
    endLine: lines.end.line + 1,
    text: document.getText(document.validateRange(lines)),
  };
}

export function toTarget(uri: vscode.Uri): AddTarget {
  return { type: 'path', path: toPath(uri) };
}

/** File of the active tab. PDFs have no text editor. */
function activeFile(): vscode.Uri | undefined {
  const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  const uri =
    input instanceof vscode.TabInputText || input instanceof vscode.TabInputCustom ? input.uri : undefined;
  return uri && (uri.scheme === 'file' || vscode.workspace.getWorkspaceFolder(uri)) ? uri : undefined;
}

function isUri(value: unknown): value is vscode.Uri {
  return value instanceof vscode.Uri;
}
