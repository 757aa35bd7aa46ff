import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { locateSegment, type LineRange } from '../../knowledge/files/locateSegment.ts';
import type { SearchResult } from '../../knowledge/searchKnowledge.ts';
import type { GrantedFile } from '../../tools/policy/verdict.ts';
import type { ToolDependencies } from '../../tools/toolDependencies.ts';
import { showInformation } from '../ui/notifications.ts';
import { toUri } from '../workspace/workspacePlaces.ts';
import type { SourceDocuments } from './sourceDocuments.ts';

export type OpenedSource = { type: 'file'; path: string; lines: LineRange } | { type: 'document' };

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

/** Opens the file of a search result at its lines, or the indexed segment if the file is gone or changed. */
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
  if (file) void showInformation(l10n.t("This is the indexed text. It's no longer in {0}.", file.shown));
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
  // Binary files such as PDFs have no lines to show.
  const text = await deps.texts.readWhole(file).catch(() => undefined);
  return text === undefined ? undefined : locateSegment(text, source.content);
}
