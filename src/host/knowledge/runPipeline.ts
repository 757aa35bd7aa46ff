import { Readable } from 'node:stream';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { asObject } from '../../base/json.ts';
import { formatNumber, plural } from '../../base/text/format.ts';
import { megabyte } from '../../base/text/formatSize.ts';
import type { PlannedDocument } from '../../knowledge/upload/plannedDocument.ts';
import type { UploadPlan } from '../../knowledge/upload/uploadPlan.ts';
import {
  type PipelineRun,
  type RefusedInput,
  runWithInputs,
  toPipelineError,
} from '../../knowledge/upload/pipelineRun.ts';
import { openUploadSource } from '../../knowledge/upload/uploadSource.ts';
import type { ReportCounts } from '../../knowledge/view/reportText.ts';
import { createLocalFiles } from '../../knowledge/files/workspaceLocalFiles.ts';
import type { UploadFile } from '../../platform/documents/multipart.ts';
import type { Dataset, PipelineFile, PipelineSource } from '../../platform/records.ts';
import { withProgress } from '../ui/withProgress.ts';
import type { KnowledgeCommandContext } from './knowledgeCommandContext.ts';
import { confirmPlan } from './confirmUpload.ts';
import type { Notifications } from '../ui/notifications.ts';

export async function runPipeline(
  context: KnowledgeCommandContext,
  plan: UploadPlan,
): Promise<ReportCounts | undefined> {
  const { access, client, knowledge, memory } = context;
  const { dataset } = plan;
  const source = await chooseSource(context, dataset);
  const confirmed = source && (await confirmPlan(plan));
  if (!confirmed) return undefined;
  const documents = plan.documents.filter(({ id }) => confirmed.send.includes(id));
  if (documents.length === 0) return undefined;
  const inputs = await confirmInputs(memory.pipelineInputs(access.origin, dataset.id));
  if (!inputs) return undefined;
  const title = l10n.t('Running pipeline of {0}…', dataset.name);
  const files = await withProgress(context.notifications, title, (signal, report) =>
    uploadAll(context, documents, signal, (name) => report({ message: l10n.t('Uploading {0}…', name) })),
  );
  const run: PipelineRun['run'] = (some, given) =>
    withProgress(context.notifications, title, (signal) =>
      client.pipelines.run(dataset.id, { sourceId: source.id, files: some, inputs: given }, signal),
    );
  const started = await runWithInputs({ files, inputs, run, ask: askForInput }).catch((error: unknown) => {
    throw toPipelineError(error, dataset.name);
  });
  await withProgress(context.notifications, title, (signal) =>
    knowledge.documents(dataset.id).reload(signal),
  );
  if (!started) return undefined;
  const accepted = inputs.size > 0 ? Object.fromEntries(inputs) : undefined;
  memory.setPipelineInputs(access.origin, dataset.id, accepted);
  const failed = started.documents.filter(({ error }) => error !== undefined);
  tell(context.notifications, dataset, documents.length, failed[0]?.error);
  return {
    added: documents.length - failed.length,
    updated: 0,
    removed: 0,
    failed: failed.length,
    notSent: 0,
  };
}

async function uploadAll(
  context: KnowledgeCommandContext,
  documents: readonly PlannedDocument[],
  signal: AbortSignal,
  onUpload: (name: string) => void,
): Promise<PipelineFile[]> {
  const files: PipelineFile[] = [];
  for (const document of documents) {
    onUpload(document.name);
    files.push({ id: await upload(context, document, signal), name: fileNameOf(document) });
  }
  return files;
}

function tell(
  notifications: Notifications,
  { name }: Dataset,
  count: number,
  error: string | undefined,
): void {
  if (error !== undefined) {
    void notifications.warning(
      l10n.t('The pipeline of "{0}" did not accept every document: {1}', name, error),
    );
    return;
  }
  void notifications.information(
    plural(
      count,
      l10n.t('The pipeline of "{0}" is running with 1 document.', name),
      l10n.t('The pipeline of "{0}" is running with {1} documents.', name, formatNumber(count)),
    ),
  );
}

async function chooseSource(
  { notifications, client }: KnowledgeCommandContext,
  { id, name }: Dataset,
): Promise<PipelineSource | undefined> {
  const all = await withProgress(notifications, l10n.t('Loading {0}…', name), (signal) =>
    client.pipelines.sources(id, signal),
  ).catch((error: unknown) => {
    throw toPipelineError(error, name);
  });
  const sources = all.filter(({ takesLocalFiles }) => takesLocalFiles);
  if (sources.length === 0) {
    void notifications.warning(
      l10n.t('The pipeline of "{0}" doesn\'t accept files. Run it on the platform.', name),
    );
    return undefined;
  }
  if (sources.length === 1) return sources[0];
  const picked = await vscode.window.showQuickPick(
    sources.map((source) => ({ label: source.title || source.id, source })),
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

async function askForInput({ variable, answer, why, options }: RefusedInput): Promise<string | undefined> {
  const title = titleOf(variable);
  if (options) {
    return vscode.window.showQuickPick([...options], {
      title,
      placeHolder: l10n.t('Choose one of the values that the pipeline accepts'),
      ignoreFocusOut: true,
    });
  }
  return vscode.window.showInputBox({
    title,
    prompt:
      answer === undefined
        ? l10n.t('The pipeline requires this input.')
        : l10n.t('The platform rejected this value: {0}', why),
    ...(answer !== undefined && { value: answer }),
    ignoreFocusOut: true,
    validateInput: (text) => (text === '' ? l10n.t('Required') : undefined),
  });
}

/** Asks for the last inputs again: a run without a required one leaves an unindexed document. Drops those emptied. */
async function confirmInputs(last: unknown): Promise<Map<string, string> | undefined> {
  const inputs = new Map<string, string>();
  for (const [variable, value] of Object.entries(asObject(last) ?? {})) {
    if (typeof value !== 'string') continue;
    const answer = await vscode.window.showInputBox({
      title: titleOf(variable),
      prompt: l10n.t('As in the last run. Leave empty if the pipeline no longer asks for it.'),
      value,
      ignoreFocusOut: true,
    });
    if (answer === undefined) return undefined;
    if (answer !== '') inputs.set(variable, answer);
  }
  return inputs;
}

function titleOf(variable: string): string {
  return l10n.t('Pipeline Input: {0}', variable);
}
