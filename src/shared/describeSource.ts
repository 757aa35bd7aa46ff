import * as l10n from '@vscode/l10n';
import type { SourceState } from './knowledge.ts';

/** The state of a source in words, in the user's language. Undefined if nothing is to be said. */
export function describeSourceState(state: SourceState | undefined): string | undefined {
  switch (state?.type) {
    case 'changed':
      return l10n.t('Changed since it was indexed');
    case 'gone':
      return l10n.t('File is gone');
    case undefined:
      return undefined;
  }
  if (!state?.lines) return undefined;
  const { startLine, endLine } = state.lines;
  const isOne = startLine === endLine;
  if (state.type === 'moved') {
    return isOne
      ? l10n.t('moved to line {0}', startLine)
      : l10n.t('moved to lines {0}–{1}', startLine, endLine);
  }
  return isOne ? l10n.t('line {0}', startLine) : l10n.t('lines {0}–{1}', startLine, endLine);
}
