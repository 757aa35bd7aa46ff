import * as l10n from '@vscode/l10n';
import type { ToolDependencies } from '../../tools/toolDependencies.ts';
import { folderOf, nameOf, type Mention } from './mention.ts';

export async function editorMentions({ workspace, policy }: ToolDependencies): Promise<Mention[]> {
  const run = policy.start();
  const editors = workspace.editors.open().toSorted((a, b) => weight(b) - weight(a));
  const mentions: Mention[] = [];
  const tabs: Mention[] = [];
  for (const { path, selection } of editors) {
    const verdict = await run.check(path, 'attach');
    const shown = verdict.isAllowed ? verdict.shown : nameOf(path);
    const problem = verdict.isAllowed ? {} : { problem: verdict.forUser };
    const folder = folderOf(shown);
    tabs.push({
      source: { type: 'path', path, isEditor: true },
      kind: 'editor',
      label: nameOf(shown),
      ...(folder && { detail: folder }),
      ...problem,
    });
    if (!selection || mentions.length > 0) continue;
    const startLine = selection.start.line;
    // A selection of whole lines ends at the start of the next line.
    const endLine =
      selection.end.column === 1 && selection.end.line > startLine
        ? selection.end.line - 1
        : selection.end.line;
    mentions.push({
      source: { type: 'range', path, startLine, endLine },
      kind: 'selection',
      label: l10n.t('Selection'),
      detail: `${shown}:${startLine}${endLine > startLine ? `–${endLine}` : ''}`,
      ...problem,
    });
  }
  return [...mentions, ...tabs, ...problemMentions(workspace.languages.diagnostics().length)];
}

function problemMentions(count: number): Mention[] {
  return [
    {
      source: { type: 'problems' },
      kind: 'problems',
      label: l10n.t('Problems'),
      detail: count === 0 ? l10n.t('none') : String(count),
    },
  ];
}

function weight({ isActive, isVisible }: { isActive: boolean; isVisible: boolean }): number {
  return isActive ? 2 : isVisible ? 1 : 0;
}
