import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { LineRange } from '../../knowledge/files/locateSegment.ts';
import { SourceChecker } from '../../knowledge/sources/sourceChecker.ts';
import type { SourceState } from '../../tools/knowledge/source.ts';
import { toUri } from '../workspace/workspacePlaces.ts';
import { compareSource, type Source, type SourceContext } from './compareSource.ts';

export type OpenedSource = { type: 'file'; path: string; lines: LineRange } | { type: 'document' };

export async function openSource(context: SourceContext, source: Source): Promise<OpenedSource> {
  const { dependencies, log } = context;
  const [state] = await new SourceChecker({ files: dependencies, log }).check([source]);
  const lines = state && state.type !== 'gone' ? state.lines : undefined;
  const verdict = source.origin && (await dependencies.policy.check(source.origin.path, 'read'));
  if (verdict?.isAllowed && lines) {
    const first = new vscode.Position(lines.startLine - 1, 0);
    const last = new vscode.Position(lines.endLine - 1, Number.MAX_SAFE_INTEGER);
    await vscode.window.showTextDocument(toUri(verdict.realPath), {
      preview: true,
      selection: new vscode.Range(first, last),
    });
    return { type: 'file', path: verdict.shown, lines };
  }
  await showSegment(context, source);
  if (source.origin) void tellState(context, source, source.origin.path, state);
  return { type: 'document' };
}

async function showSegment({ sources }: SourceContext, source: Source): Promise<void> {
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
}

async function tellState(
  context: SourceContext,
  source: Source,
  path: string,
  state: SourceState | undefined,
): Promise<void> {
  if (state?.type === 'gone') {
    await context.notifications.information(l10n.t('This is the indexed text. {0} is gone.', path));
  } else if (state?.type === 'changed') {
    const compare = l10n.t('Compare');
    const text = l10n.t("This is the indexed text. It's no longer in {0}.", path);
    if ((await context.notifications.information(text, compare)) === compare)
      await compareSource(context, source);
  }
}
