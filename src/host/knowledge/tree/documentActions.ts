import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { formatNumber, plural } from '../../../base/text/format.ts';
import type { KnowledgeDocument } from '../../../knowledge/documentList.ts';
import type { DocumentOrigin } from '../../../knowledge/files/documentName.ts';
import type { AddTarget } from '../../../knowledge/upload/gatherSources.ts';
import type { ReportCounts } from '../../../knowledge/view/reportText.ts';
import { type DocumentNode, placeOfDocument } from '../../../knowledge/view/treeNode.ts';
import type { Dataset } from '../../../platform/records.ts';
import { withProgress } from '../../ui/withProgress.ts';
import { toUri } from '../../workspace/workspacePlaces.ts';
import { planAndSend } from '../addToKnowledgeBase.ts';
import type { KnowledgeCommandContext } from '../knowledgeCommandContext.ts';
import { readIndexedText } from '../../../knowledge/indexedText.ts';
import { confirmModal } from '../../ui/modals.ts';

export async function openDocument(context: KnowledgeCommandContext, node: DocumentNode): Promise<boolean> {
  const { client, sources } = context;
  const { name } = node.document;
  const place = placeOfDocument(node);
  const text = await withProgress(context.notifications, l10n.t('Loading {0}…', name), (signal, report) =>
    readIndexedText(client, place, signal, (read, total) =>
      report({
        message:
          total === undefined
            ? plural(read, l10n.t('1 segment'), l10n.t('{0} segments', formatNumber(read)))
            : l10n.t('Segment {0} of {1}', formatNumber(read), formatNumber(total)),
      }),
    ),
  );
  await sources.showDocument(place, { base: node.parent.dataset.name, document: name }, text);
  return true;
}

export async function revealFile(context: KnowledgeCommandContext, node: DocumentNode): Promise<boolean> {
  const origin = await originOf(context, node.parent.dataset.id, node.document);
  if (!origin) {
    void context.notifications.warning(
      l10n.t("{0} wasn't uploaded from this workspace.", node.document.name),
    );
    return false;
  }
  const verdict = await context.dependencies.policy.check(origin.path, 'read');
  if (!verdict.isAllowed) {
    void context.notifications.warning(verdict.forUser);
    return false;
  }
  const { lines } = origin;
  const uri = toUri(verdict.realPath);
  const options: vscode.TextDocumentShowOptions = lines
    ? { selection: new vscode.Range(lines.start - 1, 0, lines.end - 1, Number.MAX_SAFE_INTEGER) }
    : {};
  // Opens any kind of editor: PDFs have no text.
  await vscode.commands.executeCommand('vscode.open', uri, options);
  return true;
}

export async function resendDocuments(
  context: KnowledgeCommandContext,
  nodes: readonly DocumentNode[],
): Promise<ReportCounts | undefined> {
  const [first] = nodes;
  if (!first) return undefined;
  const datasetId = first.parent.dataset.id;
  const ofBase = nodes.filter(({ parent }) => parent.dataset.id === datasetId);
  const targets = await targetsOf(
    context,
    datasetId,
    ofBase.map(({ document }) => document),
  );
  if (targets.length === 0) return undefined;
  return planAndSend(context, { datasetId, targets, isSync: false }, { isAgain: true });
}

export async function resendStuck(
  context: KnowledgeCommandContext,
  { id: datasetId }: Dataset,
): Promise<ReportCounts | undefined> {
  const targets = await targetsOf(context, datasetId, context.knowledge.documents(datasetId).stuck);
  if (targets.length === 0) return undefined;
  const options = { isAgain: true, isConfirmed: true };
  return planAndSend(context, { datasetId, targets, isSync: false }, options);
}

async function targetsOf(
  context: KnowledgeCommandContext,
  datasetId: string,
  documents: readonly KnowledgeDocument[],
): Promise<AddTarget[]> {
  const targets: AddTarget[] = [];
  for (const document of documents) {
    const origin = await originOf(context, datasetId, document);
    const target = origin && (await targetOf(context, origin));
    if (target) targets.push(target);
  }
  if (targets.length === 0) {
    void context.notifications.warning(l10n.t('None of these documents come from a file in this workspace.'));
  }
  return targets;
}

export async function setEnabled(
  { notifications, knowledge }: KnowledgeCommandContext,
  nodes: readonly DocumentNode[],
  isEnabled: boolean,
): Promise<number> {
  const count = formatNumber(nodes.length);
  const title = isEnabled
    ? plural(nodes.length, l10n.t('Enabling 1 document'), l10n.t('Enabling {0} documents', count))
    : plural(nodes.length, l10n.t('Disabling 1 document'), l10n.t('Disabling {0} documents', count));
  await withProgress(notifications, title, async (signal, report) => {
    for (const { parent, document } of nodes) {
      report({ message: document.name, increment: 100 / nodes.length });
      await knowledge.documents(parent.dataset.id).setEnabled(document.id, isEnabled, signal);
    }
  });
  return nodes.length;
}

export async function deleteDocuments(
  { notifications, knowledge }: KnowledgeCommandContext,
  nodes: readonly DocumentNode[],
): Promise<number> {
  const [first] = nodes;
  if (!first) return 0;
  const count = formatNumber(nodes.length);
  const question = plural(
    nodes.length,
    l10n.t('Delete "{0}" from "{1}"?', first.document.name, first.parent.dataset.name),
    l10n.t('Delete {0} documents from the platform?', count),
  );
  const names = nodes.slice(0, 10).map(({ document }) => document.name);
  const more =
    nodes.length > names.length ? [l10n.t('and {0} more', formatNumber(nodes.length - names.length))] : [];
  const detail = [
    ...(nodes.length === 1 ? [] : [...names, ...more]),
    l10n.t('This cannot be undone. Files in this workspace are not changed.'),
  ].join('\n');
  if (!(await confirmModal(question, l10n.t('Delete'), detail))) return 0;
  const byBase = new Map<string, string[]>();
  for (const { parent, document } of nodes) {
    const { id } = parent.dataset;
    byBase.set(id, [...(byBase.get(id) ?? []), document.id]);
  }
  await withProgress(
    notifications,
    plural(nodes.length, l10n.t('Deleting 1 document'), l10n.t('Deleting {0} documents', count)),
    async (signal) => {
      for (const [datasetId, ids] of byBase) await knowledge.documents(datasetId).delete(ids, signal);
    },
  );
  return nodes.length;
}

async function originOf(
  { knowledge }: KnowledgeCommandContext,
  datasetId: string,
  { id, origin }: KnowledgeDocument,
): Promise<DocumentOrigin | undefined> {
  return origin ?? knowledge.originOf(datasetId, id);
}

async function targetOf(
  { dependencies }: KnowledgeCommandContext,
  origin: DocumentOrigin,
): Promise<AddTarget | undefined> {
  const verdict = await dependencies.policy.check(origin.path, 'read');
  if (!verdict.isAllowed) return undefined;
  const path = verdict.realPath;
  if (!origin.lines) return { type: 'path', path };
  const { start, end } = origin.lines;
  const text = (await dependencies.texts.readWhole(verdict))
    .split(/\r\n|\r|\n/)
    .slice(start - 1, end)
    .join('\n');
  return { type: 'selection', path, startLine: start, endLine: end, text };
}
