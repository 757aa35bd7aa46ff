import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Log } from '../../base/log.ts';
import type { SearchResult } from '../../knowledge/searchKnowledge.ts';
import { SourceChecker } from '../../knowledge/sources/sourceChecker.ts';
import type { ToolDependencies } from '../../tools/toolDependencies.ts';
import { toUri } from '../workspace/workspacePlaces.ts';
import type { SourceDocuments } from './sourceDocuments.ts';
import type { Notifications } from '../ui/notifications.ts';

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

export interface SourceContext {
  dependencies: ToolDependencies;
  sources: SourceDocuments;
  log: Log;
  notifications: Notifications;
}

/** Compares a source's file with its indexed commit, else with the segment. Resolves with the left side. */
export async function compareSource(
  { notifications, dependencies, sources, log }: SourceContext,
  source: Source,
): Promise<'commit' | 'segment' | undefined> {
  const { origin, content, datasetName, documentName } = source;
  const verdict = origin && (await dependencies.policy.check(origin.path, 'read'));
  if (!origin || !verdict?.isAllowed) {
    void notifications.information(
      verdict && !verdict.isAllowed ? verdict.forUser : l10n.t('This no longer exists.'),
    );
    return undefined;
  }
  const { signal } = new AbortController();
  const committed = await new SourceChecker({ files: dependencies, log }).indexedText(origin, signal);
  const left = sources.keep({ base: datasetName, document: documentName }, committed ?? content);
  const file = verdict.shown.slice(verdict.shown.lastIndexOf('/') + 1);
  const title =
    committed === undefined
      ? l10n.t('{0} (Indexed Segment ↔ File)', file)
      : l10n.t('{0} (Indexed {1} ↔ File)', file, origin.commit?.slice(0, 7) ?? '');
  await vscode.commands.executeCommand('vscode.diff', left, toUri(verdict.realPath), title, {
    preview: true,
  });
  return committed === undefined ? 'segment' : 'commit';
}
