import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { locateSegment, type LineRange } from '../../knowledge/locateSegment.ts';
import type { SearchResult } from '../../knowledge/searchKnowledge.ts';
import type { GrantedFile } from '../../tools/policy/verdict.ts';
import type { ToolDependencies } from '../../tools/toolDependencies.ts';
import { showInformation } from '../notifications.ts';
import { toUri } from '../workspaceUris.ts';
import type { SourceDocuments } from './sourceDocuments.ts';

/** What was opened: a file of this workspace at lines of it, or a read-only document. */
export type OpenedSource = { type: 'file'; path: string; lines: LineRange } | { type: 'document' };

/** What is needed of a result to open it. */
export type Source = Pick<
  SearchResult,
  | 'datasetId'
  | 'datasetName'
  | 'documentId'
  | 'documentName'
  | 'segmentId'
  | 'content'
  | 'origin'
  | 'position'
>;

/**
 * Opens what a search found: the file it came from, at the segment's lines; for what is not of this workspace, or not
 * in its file any more, the segment itself as a read-only document.
 */
export async function openSource(
  { dependencies, sources }: { dependencies: ToolDependencies; sources: SourceDocuments },
  source: Source,
): Promise<OpenedSource> {
  const file = await localFile(dependencies, source);
  const lines = file && (await locate(dependencies, file, source));
  if (file && lines) {
    const first = new vscode.Position(lines.startLine - 1, 0);
    const last = new vscode.Position(lines.endLine - 1, Number.MAX_SAFE_INTEGER);
    await vscode.window.showTextDocument(toUri(file.realPath), {
      preview: true,
      selection: new vscode.Range(first, last),
    });
    return { type: 'file', path: file.shown, lines };
  }
  const { datasetId, documentId, segmentId, datasetName, documentName, content, position } = source;
  await sources.showSegment(
    { datasetId, documentId },
    { base: datasetName, document: documentName },
    {
      id: segmentId,
      documentId,
      content,
      keywords: [],
      isEnabled: true,
      ...(position !== undefined && { position }),
    },
  );
  if (file) void showInformation(l10n.t('This is the indexed text. It is not in {0} any more.', file.shown));
  return { type: 'document' };
}

async function localFile(deps: ToolDependencies, { origin }: Source): Promise<GrantedFile | undefined> {
  if (!origin) return undefined;
  const verdict = await deps.policy.check(origin.path, 'read');
  return verdict.isAllowed ? verdict : undefined;
}

async function locate(
  deps: ToolDependencies,
  file: GrantedFile,
  source: Source,
): Promise<LineRange | undefined> {
  // What is no text (a PDF) has no lines to show.
  const text = await deps.texts.readWhole(file).catch(() => undefined);
  return text === undefined ? undefined : locateSegment(text, source.content);
}
