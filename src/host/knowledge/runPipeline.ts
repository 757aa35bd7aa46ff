import { Readable } from 'node:stream';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { formatNumber, megabyte, plural } from '../../base/text/format.ts';
import type { PlannedDocument } from '../../knowledge/upload/plannedDocument.ts';
import type { UploadPlan } from '../../knowledge/upload/uploadPlan.ts';
import { openUploadSource } from '../../knowledge/upload/uploadSource.ts';
import type { ReportCounts } from '../../knowledge/view/reportText.ts';
import { createLocalFiles } from '../../knowledge/files/workspaceLocalFiles.ts';
import type { UploadFile } from '../../platform/documents/multipart.ts';
import type { Dataset, PipelineSource } from '../../platform/records.ts';
import { showInformation, showWarning } from '../ui/notifications.ts';
import { withProgress } from '../ui/withProgress.ts';
import type { KnowledgeCommandContext } from './knowledgeCommandContext.ts';
import { confirmPlan } from './confirmUpload.ts';

/** Runs a pipeline over the confirmed files, once all are uploaded. Undefined when dismissed or impossible. */
export async function runPipeline(
  context: KnowledgeCommandContext,
  plan: UploadPlan,
): Promise<ReportCounts | undefined> {
  const { client, knowledge } = context;
  const { dataset } = plan;
  const source = await chooseSource(context, dataset);
  const confirmed = source && (await confirmPlan(plan));
  if (!confirmed) return undefined;
  const documents = plan.documents.filter(({ id }) => confirmed.send.includes(id));
  if (documents.length === 0) return undefined;
  const { started } = await withProgress(
    l10n.t('Running pipeline of {0}…', dataset.name),
    async (signal, report) => {
      const files: { id: string; name: string }[] = [];
      for (const document of documents) {
        report({ message: l10n.t('Uploading {0}…', document.name) });
        files.push({ id: await upload(context, document, signal), name: fileNameOf(document) });
      }
      const { documents: made } = await client.pipelines.run(
        dataset.id,
        { sourceId: source.id, files },
        signal,
      );
      await knowledge.documents(dataset.id).reload(signal);
      return { started: made };
    },
  );
  const failed = started.filter(({ error }) => error !== undefined);
  tell(dataset, documents.length, failed[0]?.error);
  return {
    added: documents.length - failed.length,
    updated: 0,
    removed: 0,
    failed: failed.length,
    notSent: 0,
  };
}

function tell({ name }: Dataset, count: number, error: string | undefined): void {
  if (error !== undefined) {
    void showWarning(l10n.t('The pipeline of "{0}" did not accept every document: {1}', name, error));
    return;
  }
  void showInformation(
    plural(
      count,
      l10n.t('The pipeline of "{0}" is running with 1 document.', name),
      l10n.t('The pipeline of "{0}" is running with {1} documents.', name, formatNumber(count)),
    ),
  );
}

async function chooseSource(
  { client }: KnowledgeCommandContext,
  { id, name }: Dataset,
): Promise<PipelineSource | undefined> {
  const all = await withProgress(l10n.t('Loading {0}…', name), (signal) =>
    client.pipelines.sources(id, signal),
  );
  const sources = all.filter(({ takesLocalFiles }) => takesLocalFiles);
  const [only] = sources;
  if (!only || sources.every(({ needsInputs }) => needsInputs)) {
    void showWarning(
      only
        ? l10n.t('The pipeline of "{0}" needs more than files. Run it on the platform.', name)
        : l10n.t('The pipeline of "{0}" doesn\'t accept files. Run it on the platform.', name),
    );
    return undefined;
  }
  const usable = sources.filter(({ needsInputs }) => !needsInputs);
  if (usable.length === 1) return usable[0];
  const picked = await vscode.window.showQuickPick(
    usable.map((source) => ({ label: source.title || source.id, source })),
    { title: l10n.t('Choose a Data Source') },
  );
  return picked?.source;
}

async function upload(
  { client, dependencies, settings }: KnowledgeCommandContext,
  document: PlannedDocument,
  signal: AbortSignal,
): Promise<string> {
  const { source } = document;
  const maxBytes = settings.get('knowledge.maxFileSizeMb') * megabyte;
  // Pipelines read files themselves, source code included.
  const opened = await openUploadSource(
    createLocalFiles(dependencies),
    { ...document, how: source.type === 'file' ? 'file' : 'text' },
    maxBytes,
    signal,
  );
  try {
    const { body } = opened;
    const name = fileNameOf(document);
    const file: UploadFile =
      body.type === 'file' ? { ...body.file, name } : textFile(name, Buffer.from(body.text));
    return await client.pipelines.upload(file, signal);
  } finally {
    await opened.close();
  }
}

function textFile(name: string, bytes: Buffer): UploadFile {
  return { name, size: bytes.length, open: () => Readable.from([bytes]) };
}

function fileNameOf({ name, source }: PlannedDocument): string {
  return source.type === 'selection' ? `${name}.txt` : name;
}
